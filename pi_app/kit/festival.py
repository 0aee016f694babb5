"""The owner's copy of Festival: tokens, board and trays, exactly as its kit.toml holds them. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from pi_app.kit.art import read_art
from pi_app.kit.load import check_art, load_toml
from pi_app.kit.model import ArtPath, Identifier, Length, Part, Srgb
from pi_app.kit.picture_file import Image

PLAYERS = 4
CELLS = 9
"""Cells of a board, three rows of three, numbered row by row from the top left as its player reads it."""


class Token(Part):
    """The size all tokens share, and the sRGB of each colour's glow under daylight."""

    diameter_mm: Length
    thickness_mm: Length
    colours: Annotated[dict[Identifier, Srgb], Field(min_length=1, max_length=16)]


class Board(Part):
    """The cardboard board in the middle of a tray; its top edge is the sky's."""

    width_mm: Length
    height_mm: Length
    thickness_mm: Length
    art: ArtPath


class TraySheets(Part):
    """The printed trays, one for each player."""

    art: Annotated[tuple[ArtPath, ...], Field(min_length=1, max_length=PLAYERS)]


class Piece(Part):
    """One kind of token: its colour, its motif, and its face, firework up."""

    colour: Identifier
    motif: Identifier
    art: ArtPath


class FestivalKit(Part):
    """All of a Festival kit.toml, with every reference between its tables checked."""

    token: Token
    board: Board
    tray: TraySheets
    piece: Annotated[tuple[Piece, ...], Field(min_length=1, max_length=64)]

    @model_validator(mode="after")
    def _references(self) -> Self:
        seen: set[tuple[str, str]] = set()
        for index, piece in enumerate(self.piece):
            if piece.colour not in self.token.colours:
                known = ", ".join(self.token.colours)
                raise ValueError(f"piece[{index}].colour: got {piece.colour!r}, wanted one of {known}")
            if (piece.colour, piece.motif) in seen:
                raise ValueError(f"piece[{index}]: got {piece.colour} {piece.motif} twice, wanted every kind once")
            seen.add((piece.colour, piece.motif))
        return self


@dataclass(frozen=True, eq=False)
class FestivalArt:
    """A kit and the pictures its boards are read by, BGR: each piece's face by (colour, motif), and the bare board."""

    kit: FestivalKit
    pieces: dict[tuple[str, str], Image]
    board: Image


def load_festival_kit(folder: Path) -> FestivalKit:
    """Read `folder`/kit.toml; UserError names the first thing wrong and how many more there are."""
    kit = load_toml(folder / "kit.toml", FestivalKit)
    for key, art in festival_art_paths(kit):
        check_art(folder, key, art)
    return kit


def load_festival_art(folder: Path, kit: FestivalKit) -> FestivalArt:
    """Read the faces and the board of the kit in `folder`; UserError names the first that is wrong."""
    side = (kit.token.diameter_mm, kit.token.diameter_mm)
    pieces = {
        (piece.colour, piece.motif): read_art(folder, f"piece[{index}].art", piece.art, side)
        for index, piece in enumerate(kit.piece)
    }
    board = read_art(folder, "board.art", kit.board.art, (kit.board.width_mm, kit.board.height_mm))
    return FestivalArt(kit, pieces, board)


def load_tray_sheets(folder: Path, kit: FestivalKit) -> tuple[Image, ...]:
    """Read the printed trays, in the players' order; UserError names the first that is wrong."""
    return tuple(read_art(folder, f"tray.art[{index}]", art, (1.0, 1.0)) for index, art in enumerate(kit.tray.art))


def festival_art_paths(kit: FestivalKit) -> Iterator[tuple[str, str]]:
    """Yield every picture of a kit: its key in kit.toml and its path in the kit's folder."""
    yield "board.art", kit.board.art
    yield from ((f"tray.art[{index}]", art) for index, art in enumerate(kit.tray.art))
    yield from ((f"piece[{index}].art", piece.art) for index, piece in enumerate(kit.piece))
