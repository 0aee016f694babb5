"""The built-in sample kit: a whole game whose art the program draws itself.

Its parts, objects, figures and card counts are its own; the real game's are for the owner to teach.
"""

from __future__ import annotations

from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.core.names import BlockPose, Task
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
from pi_app.kit.save import kit_toml, new_folder, write_picture, write_whole

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
DECK_NOTE = """How many of each card a deck holds is NOT known from the rulebook (it says 80 cards in all):
these counts are a guess that adds up to 80; check with your copy and correct them."""
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
    kit = sample_kit()
    with new_folder(folder, "the sample kit") as draft:
        _write(draft, kit)
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


def sample_toml() -> str:
    """Return the text of the sample kit's kit.toml."""
    return kit_toml(sample_kit(), "Voilà! sample kit.", DECK_NOTE)


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
    write_whole(folder / "kit.toml", sample_toml().encode("utf-8"))
    for piece in kit.acrobat.piece:
        for art, back in ((piece.front, False), (piece.back, True)):
            size = (kit.acrobat.length_mm, kit.acrobat.width_mm)
            write_picture(folder / art, draw_face(piece.id, *size, PX_PER_MM, back=back))
    for tile in kit.tile.piece:
        write_picture(folder / tile.art, draw_tile(tile.id, kit.tile.size_mm, PX_PER_MM))
    write_picture(folder / kit.overview.art, draw_overview(kit, PX_PER_MM))
    for card in kit.card:
        write_picture(folder / card.art, draw_card(card, kit, PX_PER_MM))
