from functools import cache
from pathlib import Path

import pytest

from tests.games.vowl.counted_apart import levels_apart
from tests.games.vowl.counting import GAMES, Game, levels

FILE = Path(__file__).parents[1] / "vowl.counts"


@cache
def reached(name: str) -> list[tuple[int, frozenset[str]]]:
    return list(levels(GAMES[name], GAMES[name].depth))


def counts() -> dict[str, list[tuple[int, int]]]:
    found = {}
    for line in FILE.read_text("utf-8").splitlines():
        name, _, numbers = line.partition(": ")
        if not line.startswith("#"):
            found[name] = [(int(a), int(b)) for a, _, b in (pair.partition("/") for pair in numbers.split())]
    return found


def test_every_game_is_counted() -> None:
    assert {name: len(numbers) - 1 for name, numbers in counts().items()} == {n: g.depth for n, g in GAMES.items()}


@pytest.mark.parametrize(("name", "game"), GAMES.items(), ids=GAMES)
def test_the_library_and_a_plain_program_reach_the_counted_tables(name: str, game: Game) -> None:
    found = reached(name)
    assert [(sequences, len(tables)) for sequences, tables in found] == counts()[name]
    assert found == list(levels_apart(game, game.depth))


def test_by_hand() -> None:
    assert [n for n, _ in reached("duel")[:7]] == [1, 1, 3, 6, 12, 24, 72]
    assert [len(tables) for _, tables in reached("all_modes")[:4]] == [1, 3, 10, 13]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("partner_few_cards", "owed (0, 1)"),
        ("partner_few_cards", "scoring (3, 5, 0) victory (5, 5, 5) owed () | winners (1,)"),
        ("selection", "discards (3, 0, 0)"),
        ("duel", "timer True tied True red"),
        ("duel_tied_without_red", "timer True tied True yellow"),
        ("cards_run_out", "out (2, 0, 0) shuffled (0, 0, 0) | scoring (2, 2) victory (4, 4) owed () | winners (0, 1)"),
        ("reshuffle", "shuffled (1, 0, 0)"),
        ("meets", "scoring (3, 3, 0) victory (4, 3, 5) owed () | winners (1,)"),
        ("meets_both", "victory (4, 3, 5) owed () | winners (0,)"),
        ("meets_both_shared", "winners (0, 1)"),
        ("meets_later", "scoring (3, 5, 0) victory (4, 3, 1) owed () | winners (1,)"),
    ],
)
def test_the_small_games_reach_what_they_are_for(name: str, text: str) -> None:
    assert any(text in table for _, tables in reached(name) for table in tables)
