"""Perft: how many sequences of actions there are from the start of small games, and how many different tables.

`python -m tests.games.festival.counting` writes festival.counts from the plain program of apart.py.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from pi_app.games.festival import (
    ObjectiveTaken,
    Position,
    Setup,
    Token,
    TokenPlaced,
    apply,
    moves,
    new_game,
    parse_box,
)
from tests.games.festival import apart
from tests.games.festival.small import NAMES, game, tiny

HEIGHT = (
    NAMES.format(copies=1, piles=2)
    + """
objective low 1
  red
objective high 3
  rose@2
objective near 2
  red rose
spectator any lamp 1
  at least 1 *
"""
)
Opening = tuple[TokenPlaced | ObjectiveTaken, ...]
RED_ROSE, RED_STAR, BLUE_ROSE, BLUE_STAR = (
    Token(colour, motif) for colour in ("red", "blue") for motif in ("rose", "star")
)
MIDDLE: Opening = (TokenPlaced(0, 0, RED_ROSE, 0), TokenPlaced(1, 1, RED_STAR, 4))
ROSES: Opening = (TokenPlaced(0, 0, RED_ROSE, 0), TokenPlaced(1, 1, RED_ROSE, 4), TokenPlaced(0, 0, BLUE_ROSE, 8))
"""After it seat 1 completes its starting objective with a star beside its rose across a corner."""
LATE: Opening = (
    *MIDDLE,
    TokenPlaced(0, 0, BLUE_ROSE, 8),
    TokenPlaced(1, 0, RED_STAR, 4),
    TokenPlaced(0, 1, BLUE_STAR, 2),
)
GAMES: dict[str, tuple[Setup, Opening]] = {
    "tiny": (tiny(), ()),
    "goes_on": (tiny(), ROSES),
    "first_objective_ends": (tiny(objectives_to_end=1), ROSES),
    "stack_ends": (tiny(), LATE),
    "full_hand": (tiny(max_open=2), (ObjectiveTaken(0, 0, "two-high"), MIDDLE[1])),
    "two_piles": (game(parse_box(HEIGHT), spectators=("any",)), ()),
    "upright": (tiny(turned=False, objectives_to_end=1), ROSES),
}
"""The games that are counted, each from after its opening actions on."""
DEPTHS = {"tiny": 1, "two_piles": 1}
"""How deep a game is counted where that is not 2."""


def levels(setup: Setup, opening: Opening, depth: int) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield for each depth from 0 the number of sequences and the tables they lead to."""
    start = new_game(setup)
    for done in opening:
        start = apply(start, done)
    level, positions = Counter({apart.told_of(start): 1}), {apart.told_of(start): start}
    yield level.total(), frozenset(level)
    for _ in range(depth):
        following, reached = Counter[str](), dict[str, Position]()
        for name, sequences in level.items():
            for action in moves(positions[name]):
                position = apply(positions[name], action)
                told = apart.told_of(position)
                following[told] += sequences
                reached[told] = position
        level, positions = following, reached
        yield level.total(), frozenset(level)


def levels_apart(setup: Setup, opening: Opening, depth: int) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the same, reached by the plain program."""
    start = apart.opening(setup)
    for action in opening:
        apart.follow(setup, start, action)
    level, tables = Counter({apart.told(setup, start): 1}), {apart.told(setup, start): start}
    yield level.total(), frozenset(level)
    for _ in range(depth):
        following, reached = Counter[str](), dict[str, apart.State]()
        for name, sequences in level.items():
            for table in apart.following(setup, tables[name]):
                told = apart.told(setup, table)
                following[told] += sequences
                reached[told] = table
        level, tables = following, reached
        yield level.total(), frozenset(level)


def main() -> None:
    """Write the counts: sequences/tables for each depth from 0."""
    for name, (setup, opening) in GAMES.items():
        depth = DEPTHS.get(name, 2)
        counted = " ".join(f"{sequences}/{len(tables)}" for sequences, tables in levels_apart(setup, opening, depth))
        sys.stdout.write(f"{name}: {counted}\n")


if __name__ == "__main__":
    main()
