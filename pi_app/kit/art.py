"""The pictures of a kit, loaded with bounds: what is broken is named with the key it stands under in kit.toml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.kit.model import AcrobatPiece, Kit
from pi_app.kit.picture_file import Image, read_picture

ASPECT_SLACK = 0.02
PX_PER_MM = 8.0


@dataclass(frozen=True, eq=False)
class KitArt:
    """All pictures of a kit, BGR: faces by acrobat and side, tiles and cards by id."""

    faces: dict[tuple[int, bool], Image]
    tiles: dict[str, Image]
    overview: Image
    cards: dict[str, Image]


def load_art(folder: Path, kit: Kit) -> KitArt:
    """Read every picture of the kit in `folder`; UserError names the first that is wrong."""
    return KitArt(load_faces(folder, kit), load_tiles(folder, kit), load_overview(folder, kit), load_cards(folder, kit))


def load_faces(folder: Path, kit: Kit) -> dict[tuple[int, bool], Image]:
    """Read the acrobats' faces by (piece id, whether the back): portrait, head up, as large as they are stored."""
    size = (kit.acrobat.width_mm, kit.acrobat.length_mm)
    return {
        (piece.id, back): read_art(folder, f"acrobat.piece[{index}].{_side(back)}", _face(piece, back), size)
        for index, piece in enumerate(kit.acrobat.piece)
        for back in (False, True)
    }


def load_tiles(folder: Path, kit: Kit) -> dict[str, Image]:
    """Read the object tiles' faces by id."""
    size = (kit.tile.size_mm, kit.tile.size_mm)
    return {
        piece.id: read_art(folder, f"tile.piece[{index}].art", piece.art, size)
        for index, piece in enumerate(kit.tile.piece)
    }


def load_overview(folder: Path, kit: Kit) -> Image:
    """Read the Action Overview tile's face."""
    return read_art(folder, "overview.art", kit.overview.art, (kit.overview.width_mm, kit.overview.height_mm))


def load_cards(folder: Path, kit: Kit) -> dict[str, Image]:
    """Read the cards' faces by id; a card's size in mm is its picture's at 8 px/mm."""
    return {card.id: read_art(folder, f"card[{index}].art", card.art) for index, card in enumerate(kit.card)}


def read_art(folder: Path, key: str, art: str, size_mm: tuple[float, float] | None = None) -> Image:
    """Read one picture (PNG or JPEG) as BGR, checked against its size in mm (width, height) where one is given.

    UserError where it is missing, broken, too large in bytes or pixels, or of another shape than `size_mm`.
    """
    where = f"{folder / 'kit.toml'}: {key}: {art!r}"
    image = read_picture(folder / art, where)
    if size_mm is not None:
        _check_shape(where, image.shape[1], image.shape[0], size_mm)
    return image


def _check_shape(where: str, width: int, height: int, size_mm: tuple[float, float]) -> None:
    wide, high = size_mm
    if abs(width / height / (wide / high) - 1) > ASPECT_SLACK:
        wanted = f"{round(wide * PX_PER_MM)} x {round(high * PX_PER_MM)} px"
        raise UserError(
            f"{where}: got {width} x {height} px, wanted the shape of {wide:g} x {high:g} mm, {wanted} at 8 px/mm"
        )


def _side(back: bool) -> str:
    return "back" if back else "front"


def _face(piece: AcrobatPiece, back: bool) -> str:
    return piece.back if back else piece.front
