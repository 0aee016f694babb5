"""The built-in sample kit: a whole game whose art the program draws itself.

Its parts, objects, figures and card counts are its own; the real game's are for the owner to teach.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import cv2

from pi_app.core.errors import UserError
from pi_app.core.names import BlockPose, Task
from pi_app.kit.draw import Image
from pi_app.kit.draw_acrobats import draw_face
from pi_app.kit.draw_cards import draw_card, draw_overview
from pi_app.kit.draw_objects import OBJECTS, draw_tile
from pi_app.kit.load import load_kit
from pi_app.kit.model import (
    Acrobat,
    AcrobatPiece,
    Card,
    Figure,
    FigureBlock,
    Kit,
    Overview,
    Stone,
    StoneColours,
    StoneCounts,
    Tile,
    TilePiece,
)

PX_PER_MM = 8.0
LENGTH_MM, WIDTH_MM, THICKNESS_MM = 56.0, 28.0, 14.0
TILE_MM = 48.0

# Block by block: pose, x, z of the lower left corner, in mm of the front elevation the active player sees.
FIGURES: dict[str, str] = {
    "pyramid": "lie 0 0, lie 58 0, lie 116 0, lie 29 28, lie 87 28, lie 58 56",
    "row": "stand 0 0, stand 32 0, stand 64 0, stand 96 0, stand 128 0, stand 160 0",
    "twin_gates": "stand 0 0, stand 32 0, lie 2 56, stand 76 0, stand 108 0, lie 78 56",
    "stairs": "lie 0 0, lie 0 28, lie 0 56, lie 58 0, lie 58 28, lie 116 0",
    "lighthouse": "lie 0 0, lie 58 0, lie 29 28, stand 43 56, lie 29 112, stand 122 0",
    "sofas": "stand 0 0, lie 30 0, lie 30 28, stand 88 0, lie 120 0, lie 120 28",
    "tiara": "lie 0 0, lie 58 0, stand 1 28, stand 43 28, stand 85 28, stand 43 84",
    "aqueduct": "stand 0 0, stand 44 0, stand 88 0, lie 8 56, lie 66 56, stand 20 84",
    "chimney_house": "lie 0 0, lie 58 0, lie 0 28, lie 58 28, stand 0 56, lie 32 56",
    "fort": "stand 0 0, stand 32 0, lie 2 56, lie 66 0, stand 80 28, stand 128 0",
    "altar": "lie 0 0, lie 58 0, stand 14 28, stand 72 28, lie 29 84, lie 118 0",
    "chimneys": "lie 0 0, stand 2 28, lie 60 0, stand 86 28, lie 120 0, stand 134 28",
}
# yellow, red, blue on each Juggler card
JUGGLERS = {"yrb": (1, 1, 1), "yyr": (2, 1, 0), "yyb": (2, 0, 1), "yrr": (1, 2, 0), "rbb": (0, 1, 2)}


def sample_kit() -> Kit:
    """Return the sample kit's description; its deck has 80 cards."""
    sides = ("front", "back")
    pieces = [{"id": i, **{side: f"art/acrobat{i}_{side}.png" for side in sides}} for i in range(6)]
    return Kit(
        acrobat=Acrobat(
            length_mm=LENGTH_MM,
            width_mm=WIDTH_MM,
            thickness_mm=THICKNESS_MM,
            piece=tuple(AcrobatPiece.model_validate(piece) for piece in pieces),
        ),
        tile=Tile(
            shape="round",
            size_mm=TILE_MM,
            thickness_mm=2.2,
            piece=tuple(TilePiece(id=name, art=f"art/tile_{name}.png") for name in OBJECTS),
        ),
        overview=Overview(width_mm=128, height_mm=94, thickness_mm=2.2, art="art/overview.png"),
        stone=Stone(
            shape="nugget",
            diameter_mm=15,
            height_mm=8.5,
            finish="glossy",
            colours=StoneColours(yellow=(244, 202, 44), red=(206, 36, 42), blue=(36, 92, 192)),
        ),
        figure=tuple(_figure(name, text) for name, text in FIGURES.items()),
        card=tuple(_cards()),
    )


def write_sample_kit(folder: Path) -> Path:
    """Draw the sample kit into a new `folder` (kit.toml and art/) and return the folder.

    The folder appears whole or not at all. UserError where it is in use or cannot be written.
    """
    draft: Path | None = None
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise UserError(f"{folder}: got a folder that is not empty, wanted a new one for the sample kit")
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        _write(draft, sample_kit())
        draft.chmod(0o755)
        draft.replace(folder)
    except OSError as error:
        raise UserError(f"{folder}: cannot write the sample kit: {error.strerror or error}") from None
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def ensure_sample_kit(folder: Path) -> Path:
    """Return `folder` with the sample kit in it, drawn only where none is there yet."""
    if not (folder / "kit.toml").is_file():
        try:
            write_sample_kit(folder)
        except UserError:
            if not (folder / "kit.toml").is_file():  # another process may have been the first
                raise
    load_kit(folder)
    return folder


def kit_toml(kit: Kit) -> str:
    """Return a kit as the text of a kit.toml, which load_kit reads back as the same kit."""
    lines = ["# Voilà! sample kit; all lengths in mm. Face art: portrait, length vertical, head up, 8 px/mm."]
    for name in ("acrobat", "tile", "overview", "stone"):
        lines += _toml_table(name, getattr(kit, name).model_dump(mode="json"))
    lines += ["", "# Figures: the front elevation the active player sees; x, z of each block's lower left corner."]
    for figure in kit.figure:
        lines += ["", "[[figure]]", f'id = "{figure.id}"', "blocks = ["]
        lines += [f"    {_toml(block.model_dump(mode='json'))}," for block in figure.blocks]
        lines += ["]"]
    lines += ["", "# How many of each card a deck holds is NOT known from the rulebook (it says 80 cards in all):"]
    lines += ["# these counts are a guess that adds up to 80; check with your copy and correct them."]
    for card in kit.card:
        lines += _toml_table("card", card.model_dump(mode="json", exclude_none=True), array=True)
    return "\n".join(lines) + "\n"


def _figure(name: str, text: str) -> Figure:
    words = [block.split() for block in text.split(", ")]
    blocks = (FigureBlock(pose=BlockPose(pose), x_mm=float(x), z_mm=float(z)) for pose, x, z in words)
    return Figure(id=name, blocks=tuple(blocks))


def _cards() -> list[Card]:
    cards = [_card("throw", Task.THROW, 12)]
    cards += [_card(f"find_{name}", Task.FIND, 2, object=name) for name in OBJECTS]
    cards += [_card(f"acrobats_{name}", Task.ACROBATS, 2, figure=name) for name in FIGURES]
    cards += [_card("tower", Task.TOWER, 5), _card("tunnel", Task.TUNNEL, 4), _card("line", Task.LINE, 5)]
    for name, (yellow, red, blue) in JUGGLERS.items():
        stones = StoneCounts(yellow=yellow, red=red, blue=blue)
        cards.append(_card(f"juggler_{name}", Task.JUGGLER, 2, stones=stones))
    return cards


def _card(name: str, task: Task, count: int, **what: str | StoneCounts) -> Card:
    return Card.model_validate({"id": name, "task": task, "art": f"art/card_{name}.png", "count": count, **what})


def _write(folder: Path, kit: Kit) -> None:
    (folder / "art").mkdir()
    (folder / "kit.toml").write_text(kit_toml(kit), "utf-8")
    for piece in kit.acrobat.piece:
        for art, back in ((piece.front, False), (piece.back, True)):
            size = (kit.acrobat.length_mm, kit.acrobat.width_mm)
            _write_png(folder / art, draw_face(piece.id, *size, PX_PER_MM, back=back))
    for tile in kit.tile.piece:
        _write_png(folder / tile.art, draw_tile(tile.id, kit.tile.size_mm, PX_PER_MM))
    _write_png(folder / kit.overview.art, draw_overview(kit, PX_PER_MM))
    for card in kit.card:
        _write_png(folder / card.art, draw_card(card, kit, PX_PER_MM))


def _write_png(path: Path, image: Image) -> None:
    data = cv2.imencode(".png", image)[1]
    with path.open("wb") as file:
        file.write(data.tobytes())
        file.flush()
        os.fsync(file.fileno())


def _toml_table(name: str, values: dict[str, object], *, array: bool = False) -> list[str]:
    head, rest = ("[[{}]]", "[{}]") if array else ("[{}]", "[{}]")
    lines = ["", head.format(name)]
    nested = {key: value for key, value in values.items() if key in ("piece", "colours")}
    lines += [f"{key} = {_toml(value)}" for key, value in values.items() if key not in nested]
    for key, value in nested.items():
        if isinstance(value, dict):
            lines += ["", rest.format(f"{name}.{key}"), *(f"{k} = {_toml(v)}" for k, v in value.items())]
        elif isinstance(value, list):
            for entry in value:
                lines += ["", f"[[{name}.{key}]]", *(f"{k} = {_toml(v)}" for k, v in entry.items())]
    return lines


def _toml(value: object) -> str:
    match value:
        case str():
            return f'"{value}"'
        case dict():
            return "{" + ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(_toml(entry) for entry in value) + "]"
        case _:
            return str(value)
