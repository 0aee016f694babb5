"""Tokens, cells and the sky of one player: piles of tokens on nine cells."""

from dataclasses import dataclass
from enum import StrEnum

SIDE = 3
CELLS = SIDE * SIDE
"""Cells of a board, numbered row by row from the top left as its player reads it."""


@dataclass(frozen=True, slots=True, order=True)
class Token:
    """A firework: its colour and its motif, by the names of the box."""

    colour: str
    motif: str

    def __str__(self) -> str:
        return f"{self.colour}/{self.motif}"


class Of(StrEnum):
    """By what tokens are told apart."""

    COLOUR = "colour"
    MOTIF = "motif"
    TOKEN = "token"  # noqa: S105

    def value_of(self, token: Token) -> object:
        """Return what is compared of a token."""
        match self:
            case Of.COLOUR:
                return token.colour
            case Of.MOTIF:
                return token.motif
            case Of.TOKEN:
                return token


Pile = tuple[Token, ...]
"""Tokens on one cell, from below; only the last is visible."""
Sky = tuple[Pile, ...]
"""One player's nine cells."""
EMPTY_SKY: Sky = ((),) * CELLS


def placed(sky: Sky, cell: int, token: Token) -> Sky:
    """Return the sky with one token more on a cell."""
    return (*sky[:cell], (*sky[cell], token), *sky[cell + 1 :])
