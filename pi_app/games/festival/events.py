"""What can happen at the table. Seats, stacks, piles and cells are numbers from 0, cards are named by their face."""

from dataclasses import dataclass

from pi_app.games.festival.tokens import Token


@dataclass(frozen=True, slots=True)
class TopShown:
    """The camera or a person says which token lies on top of a stack."""

    stack: int
    token: Token


@dataclass(frozen=True, slots=True)
class ObjectiveShown:
    """The camera or a person says which objective lies on top of a pile."""

    pile: int
    card_id: str


@dataclass(frozen=True, slots=True)
class TokenPlaced:
    """`seat` took the top token of a stack and placed it on a cell of its own board."""

    seat: int
    stack: int
    token: Token
    cell: int


@dataclass(frozen=True, slots=True)
class ObjectiveTaken:
    """`seat` took the top objective of a pile; `discarded` is the open one it gave up for it."""

    seat: int
    pile: int
    card_id: str
    discarded: str | None = None


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """`seat` could neither take a token nor an objective."""

    seat: int


Event = TopShown | ObjectiveShown | TokenPlaced | ObjectiveTaken | TurnPassed
Action = TokenPlaced | ObjectiveTaken | TurnPassed
"""What uses up a turn."""
