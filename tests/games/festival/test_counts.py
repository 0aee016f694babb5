from pathlib import Path

import pytest

from tests.games.festival.counting import DEPTHS, GAMES, levels, levels_apart

FILE = Path(__file__).parents[1] / "festival.counts"


def counts() -> dict[str, list[tuple[int, int]]]:
    found = {}
    for line in FILE.read_text("utf-8").splitlines():
        name, _, numbers = line.partition(": ")
        if not line.startswith("#"):
            found[name] = [(int(a), int(b)) for a, _, b in (pair.partition("/") for pair in numbers.split())]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_the_library_reaches_the_counted_tables(name: str) -> None:
    found = list(levels(*GAMES[name], DEPTHS.get(name, 2)))
    assert [(sequences, len(tables)) for sequences, tables in found] == counts()[name]


@pytest.mark.parametrize("name", ["first_objective_ends", "stack_ends", "full_hand"])
def test_a_plain_program_reaches_the_same_tables(name: str) -> None:
    assert list(levels(*GAMES[name], 1)) == list(levels_apart(*GAMES[name], 1))


def test_by_hand() -> None:
    """Two stacks of four kinds on nine cells, and a card of two on the one pile."""
    assert [number for number, _ in levels(*GAMES["tiny"], 1)] == [1, 2 * 4 * 9 + 2]
