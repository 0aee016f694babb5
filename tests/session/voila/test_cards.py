"""Which card was drawn, from what lies in the card zone."""

from pathlib import Path

from pi_app.session.voila.events import Note
from pi_app.session.voila.phases import Phase
from tests.session.voila.table import TestTable, passed, started


def drawn(table: TestTable) -> list[str]:
    """Return the cards of the running turn."""
    assert table.view.turn is not None
    return [card.card for card in table.view.turn.cards]


def in_turn(path: Path, stone: str = "red") -> TestTable:
    path.mkdir(exist_ok=True)
    return started(path).press(1).stone(stone)


def test_a_card_laid_after_a_stone_is_the_card_drawn(tmp_path: Path) -> None:
    table = in_turn(tmp_path).cards("tower")
    assert drawn(table) == ["tower"]
    assert table.phase() is Phase.JUDGING


def test_a_card_from_the_turn_before_is_not_drawn_again(tmp_path: Path) -> None:
    table = started(tmp_path).cards("tower").press(1).stone("red")
    assert table.phase() is Phase.RUNNING
    assert drawn(table) == []
    assert drawn(table.cards("tower", "tower")) == ["tower"], "another one of the same kind"


def test_after_blue_the_second_card_lies_beside_or_over_the_first(tmp_path: Path) -> None:
    for second in (("line", "tower"), ("line",)):
        table = in_turn(tmp_path / str(len(second)), "blue").cards("tower").verdict(passed)
        assert drawn(table) == ["tower"]
        table.cards(*second)
        assert drawn(table) == ["tower", "line"]
        table.runner.close()


def test_the_second_card_of_the_same_kind_counts_too(tmp_path: Path) -> None:
    table = in_turn(tmp_path, "blue").cards("tower").verdict(passed).cards("tower")
    assert drawn(table) == ["tower"], "it is the same card still"
    assert drawn(table.cards().cards("tower")) == ["tower", "tower"]


def test_a_second_card_laid_too_early_counts_once_it_is_owed(tmp_path: Path) -> None:
    table = in_turn(tmp_path, "blue").cards("tower").cards("tower", "line")
    assert drawn(table) == ["tower"]
    assert drawn(table.verdict(passed)) == ["tower", "line"]


def test_a_card_that_a_person_told_is_not_counted_again_once_it_is_seen(tmp_path: Path) -> None:
    table = in_turn(tmp_path, "blue").say("card tower").cards().cards("tower").verdict(passed)
    assert drawn(table) == ["tower"]
    assert drawn(table.cards("line", "tower")) == ["tower", "line"]


def test_hands_over_a_card_change_nothing(tmp_path: Path) -> None:
    table = in_turn(tmp_path).cards("tower").cards()
    assert drawn(table) == ["tower"]
    assert table.phase() is Phase.JUDGING


def test_two_new_cards_at_once_and_strangers_are_asked_about(tmp_path: Path) -> None:
    table = in_turn(tmp_path).cards("line", "tower")
    assert (drawn(table), table.view.note) == ([], Note.CARDS_UNCLEAR)
    table.cards("line")
    assert drawn(table) == ["line"]
    again = in_turn(tmp_path / "again").cards(unknown=1)
    assert (drawn(again), again.view.note) == ([], Note.CARD_UNKNOWN)
    assert drawn(again.say("card tower")) == ["tower"]


def test_an_unknown_card_matters_only_where_one_is_owed(tmp_path: Path) -> None:
    assert started(tmp_path).cards(unknown=1).view.note is None
