"""What open objectives lack, and, where a table wants it, how to complete one."""

from dataclasses import dataclass

from pi_app.games.festival.legal import tops
from pi_app.games.festival.model import Position
from pi_app.games.festival.tokens import Token


@dataclass(frozen=True, slots=True)
class Missing:
    """How many tokens a goal lacks on a seat's board; where not `exact`, at least so many."""

    goal: str
    tokens: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """The token on top of a stack, placed on that cell, would complete the goal."""

    goal: str
    stack: int
    token: Token
    cell: int


def missing(position: Position, seat: int) -> tuple[Missing, ...]:
    """Return how far a seat is from each of its open objectives and each free tile, whatever the stacks hold."""
    book, sky = position.setup.book, position.skies[seat]
    costs = book.costs(sky)
    wanted = (*position.players[seat].open, *position.free)
    return tuple(Missing(goal, book.missing(goal, sky, costs), book.goals[goal].missing_is_exact) for goal in wanted)


def hints(position: Position, seat: int) -> tuple[Hint, ...]:
    """Return every known top of a seat's stacks and cell that would complete something; nothing unless hints are on."""
    if not position.setup.rules.hints:
        return ()
    book, sky = position.setup.book, position.skies[seat]
    return tuple(
        Hint(goal, stack, token, cell)
        for stack in dict.fromkeys(position.setup.stacks_of(seat))
        for token in tops(position, stack)
        if position.top(stack) is not None
        for goal in (*position.players[seat].open, *position.free)
        for cell in book.completing(goal, sky, token)
    )
