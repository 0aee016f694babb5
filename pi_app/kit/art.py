"""The pictures of a kit, loaded with bounds: what is broken is named with the key it stands under in kit.toml."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.errors import UserError
from pi_app.kit.model import AcrobatPiece, Kit

Image = NDArray[np.uint8]

MAX_BYTES = 20 << 20
MAX_PIXELS = 4096 * 4096
MIN_SIDE_PX = 16
ASPECT_SLACK = 0.02
PX_PER_MM = 8.0

_JPEG_NO_LENGTH = {0x01, *range(0xD0, 0xD9)}
_JPEG_SIZES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


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
    data = _bytes(folder / art, where)
    width, height = _declared_size(data, where)
    if width * height > MAX_PIXELS or min(width, height) < MIN_SIDE_PX:
        raise UserError(f"{where}: got {width} x {height} px, wanted {MIN_SIDE_PX} px a side to {MAX_PIXELS} px in all")
    image = _decoded(data)
    if image is None or image.shape[:2] != (height, width):
        raise UserError(f"{where}: broken, wanted a whole PNG or JPEG picture")
    if size_mm is not None:
        _check_shape(where, width, height, size_mm)
    return image


def _decoded(data: bytes) -> Image | None:
    """Return a PNG's or JPEG's picture as it is stored, None where it is broken."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    return cast("Image | None", cv2.imdecode(np.frombuffer(data, np.uint8), flags))


def _bytes(path: Path, where: str) -> bytes:
    if not path.is_file():
        raise UserError(f"{where}: got no such file, wanted a picture")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"{where}: cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise UserError(f"{where}: got {path.stat().st_size} bytes, wanted at most {MAX_BYTES}")
    return data


def _check_shape(where: str, width: int, height: int, size_mm: tuple[float, float]) -> None:
    wide, high = size_mm
    if abs(width / height / (wide / high) - 1) > ASPECT_SLACK:
        wanted = f"{round(wide * PX_PER_MM)} x {round(high * PX_PER_MM)} px"
        raise UserError(
            f"{where}: got {width} x {height} px, wanted the shape of {wide:g} x {high:g} mm, {wanted} at 8 px/mm"
        )


def _declared_size(data: bytes, where: str) -> tuple[int, int]:
    """Return width and height from the file's head, before anything is decoded."""
    size = None
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        size = struct.unpack(">II", data[16:24])
    elif data.startswith(b"\xff\xd8"):
        size = _jpeg_size(data)
    if size is None:
        raise UserError(f"{where}: broken or of another kind, wanted a PNG or JPEG picture")
    return int(size[0]), int(size[1])


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walk a JPEG's segments to its frame header (ITU-T T.81, B.2.2)."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        kind = data[place + 1]
        if kind in _JPEG_SIZES:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        if kind == 0xFF:
            place += 1
        elif kind in _JPEG_NO_LENGTH:
            place += 2
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return None


def _side(back: bool) -> str:
    return "back" if back else "front"


def _face(piece: AcrobatPiece, back: bool) -> str:
    return piece.back if back else piece.front
