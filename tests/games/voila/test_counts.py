from itertools import islice
from pathlib import Path

import pytest

from pi_app.games.voila import Setup
from tests.games.voila.counted_apart import levels_apart
from tests.games.voila.counting import GAMES, levels

FILE = Path(__file__).parents[1] / "voila.counts"


def counts() -> dict[str, list[tuple[int, int]]]:
    found = {}
    for line in FILE.read_text("utf-8").splitlines():
        name, _, numbers = line.partition(": ")
        if not line.startswith("#"):
            found[name] = [(int(a), int(b)) for a, _, b in (pair.partition("/") for pair in numbers.split())]
    return found


@pytest.mark.parametrize(("name", "setup"), GAMES.items(), ids=GAMES)
def test_the_library_reaches_the_counted_tables(name: str, setup: Setup) -> None:
    wanted = counts()[name]
    assert [(sequences, len(tables)) for sequences, tables in levels(setup, len(wanted) - 1)] == wanted


@pytest.mark.parametrize("setup", GAMES.values(), ids=GAMES)
def test_a_plain_program_reaches_the_same_tables(setup: Setup) -> None:
    assert list(levels(setup, 5)) == list(levels_apart(setup, 5))


def test_by_hand() -> None:
    assert [n for n, _ in islice(levels(GAMES["throw"], 4), 5)] == [1, 1, 4, 14, 39]


def test_other_rulings_are_other_games() -> None:
    depth = 8
    two = [list(levels(GAMES[name], depth))[-1] for name in ("reshuffle", "reshuffle_all")]
    assert two[0] != two[1]
