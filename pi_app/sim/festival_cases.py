"""Simulated Festival games of one player: a picture after each action, every one another token or a card taken."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pi_app.core.observations import Frame
from pi_app.kit.draw import Srgb, sheet
from pi_app.kit.festival import CELLS, FestivalArt, load_festival_art, load_festival_kit, load_tray_sheets
from pi_app.kit.festival_draw import MOTIFS, Style
from pi_app.kit.festival_sample import Design, write_festival_kit
from pi_app.kit.table import Table
from pi_app.sim.cases import Case
from pi_app.sim.festival_picture import FestivalPicture
from pi_app.sim.festival_scene import Extras, FestivalShown, Sheet, TokenShown, TrayShown, festival_scene
from pi_app.sim.textures import Picture

CARD_MM = (44.0, 63.0)
SPREAD_MM = 1.3
"""How far from a cell's centre tokens are laid, standard deviation."""


@dataclass(frozen=True, eq=False)
class FestivalKitAt:
    """A Festival kit with its pictures and its name under kits/."""

    name: str
    art: FestivalArt
    sheets: tuple[Picture, ...]


@dataclass(frozen=True)
class Move:
    """What happened before one picture: a token placed on a cell, or a card taken."""

    cell: int
    token: TokenShown | None


def festival_kit_at(folder: Path) -> FestivalKitAt:
    """Return the kit in a folder with its pictures."""
    kit = load_festival_kit(folder)
    return FestivalKitAt(folder.name, load_festival_art(folder, kit), load_tray_sheets(folder, kit))


def varied_festival_kit(folder: Path, random: np.random.Generator) -> Path:
    """Draw a kit of other fireworks, shades, sizes and print into a new folder; an existing one is kept."""
    if (folder / "kit.toml").is_file():
        return folder
    motifs = tuple(str(name) for name in random.choice(list(MOTIFS), 4, replace=False))
    colours = tuple((name, _shaded(shade, random)) for name, shade in Design().colours)
    style = Style(
        (int(random.integers(6, 20)), int(random.integers(6, 20)), int(random.integers(18, 56))),
        float(random.choice((0.0, 0.04, 0.07))), float(random.uniform(0.04, 0.075)), float(random.uniform(0.03, 0.09)),
        bool(random.random() < 0.7),
    )  # fmt: skip
    size, thick = (round(float(v), 1) for v in random.uniform((34.0, 3.0), (39.0, 5.0)))
    design = Design(colours, motifs, style, size, thick, seed=int(random.integers(1000)))
    return write_festival_kit(folder, design)


def festival_case(at: FestivalKitAt, table: Table, seed: int, actions: int | None = None) -> Case:
    """Return the pictures of one player's tray after each of so many actions; `None` for six to ten of them."""
    random = np.random.default_rng((seed, 32))
    scene, player = festival_scene(seed), int(random.integers(len(at.sheets)))
    count = int(random.integers(6, 11))
    moves = list(_moves(at, random, count if actions is None else actions))
    extras = Extras({"card": (_card(random), CARD_MM[0])})
    drawer = FestivalPicture(scene, table, at.art, at.sheets, extras)
    frames = (
        Frame(number, number * 1_000_000_000, drawer.draw(shown))
        for number, shown in enumerate(_shown(moves, player, random))
    )
    values: dict[str, str | int] = {"kit": at.name, "game": "festival", "kind": "festival", "player": player}
    return Case(values, scene, frames, lambda _: _truth(moves), still=True)


def _moves(at: FestivalKitAt, random: np.random.Generator, count: int) -> Iterator[Move]:
    kinds, piles = list(at.art.pieces), [list[tuple[str, str]]() for _ in range(CELLS)]
    for _ in range(count):
        if random.random() < 0.2:
            yield Move(-1, None)
            continue
        used = [cell for cell in range(CELLS) if piles[cell]]
        cell = int(random.choice(used)) if used and random.random() < 0.45 else int(random.integers(CELLS))
        kind = kinds[int(random.integers(len(kinds)))]
        if piles[cell] and random.random() < 0.25:
            kind = piles[cell][-1]
        piles[cell].append(kind)
        x, y = (float(v) for v in np.clip(random.normal(0, SPREAD_MM, 2), -3, 3))
        yield Move(cell, TokenShown(*kind, (x, y), float(random.uniform(0, 360))))


def _shown(moves: list[Move], player: int, random: np.random.Generator) -> Iterator[FestivalShown]:
    x, y, turn = (float(v) for v in random.uniform(-1, 1, 3) * (2.0, 2.0, 1.5))
    lying = 90.0 * int(random.integers(4)) + float(random.uniform(-8, 8))
    at = (float(random.uniform(-8, 8)), float(random.uniform(-8, 8)))
    tray, mat, cards = TrayShown(player, at, lying, (x, y, turn)), bool(random.random() < 0.5), list[Sheet]()
    for move in moves:
        if move.token is None:
            side = -1 if len(cards) % 2 else 1
            cards.append(Sheet("card", (at[0] + side * 150.0, -60.0 + 70.0 * len(cards)), float(random.uniform(-5, 5))))
        else:
            tray = tray.placed(move.cell, move.token)
        yield FestivalShown((tray,), mat, tuple(cards))


def _truth(moves: list[Move]) -> dict[str, object]:
    piles: list[list[TokenShown]] = [[] for _ in range(CELLS)]
    placements = []
    for step, move in enumerate(moves, 1):
        if move.token is not None:
            piles[move.cell].append(move.token)
            placements.append({"step": step, "cell": move.cell, "colour": move.token.colour, "motif": move.token.motif})
    tops = [[pile[-1].colour, pile[-1].motif, len(pile)] if pile else None for pile in piles]
    return {"placements": placements, "tops": [tops[row : row + 3] for row in (0, 3, 6)]}


def _shaded(colour: Srgb, random: np.random.Generator) -> Srgb:
    red, green, blue = (int(np.clip(channel + random.uniform(-18, 18), 20, 255)) for channel in colour)
    return red, green, blue


def _card(random: np.random.Generator) -> Picture:
    pen = sheet(*CARD_MM, 4.0, (20, 22, 48))
    for _ in range(5):
        x, y = (float(v) for v in random.uniform((8, 8), (CARD_MM[0] - 8, CARD_MM[1] - 8)))
        pen.circle(x, y, 4.0, tuple(int(c) for c in random.integers(40, 250, 3)))  # type: ignore[arg-type]  # three channels
    return pen.finished()
