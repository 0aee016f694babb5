"""Draws read from the stone zone."""

from pathlib import Path

import pytest

from pi_app.core.names import Colour
from pi_app.session.voila.events import Note
from pi_app.session.voila.phases import Phase
from tests.session.voila.table import TestTable, started


def _drawn(table: TestTable) -> tuple[Colour, ...]:
    turn = table.view.turn
    return turn.stones if turn else ()


def test_each_stone_that_is_laid_is_a_draw(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("yellow").stone("yellow").stone("red")
    assert _drawn(table) == (Colour.YELLOW, Colour.YELLOW, Colour.RED)


def test_the_same_reading_again_is_no_draw(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("yellow").zone(1, 0, 0).zone(1, 0, 0)
    assert _drawn(table) == (Colour.YELLOW,)


def test_a_stone_lifted_for_the_throw_and_laid_back_is_no_draw(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("red").say("card throw").zone(0, 0, 0).say("approve").zone(0, 1, 0)
    assert _drawn(table) == (Colour.RED,)
    assert _drawn(table.stone("yellow")) == (Colour.RED, Colour.YELLOW)


def test_a_stone_laid_before_the_task_is_done_counts_once_it_is(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("red").say("card throw").stone("yellow")
    assert table.view.note is Note.STONE_EARLY
    assert _drawn(table) == (Colour.RED,)
    assert _drawn(table.say("approve")) == (Colour.RED, Colour.YELLOW)


def test_two_stones_at_once_are_asked_about(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).zone(1, 1, 0)
    assert table.view.note is Note.STONES_UNCLEAR
    assert _drawn(table) == ()
    table.say("stone red").say("card throw").say("approve")
    assert _drawn(table) == (Colour.RED, Colour.YELLOW)


def test_a_told_stone_is_not_drawn_again_when_the_camera_sees_it(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).say("stone yellow").zone(1, 0, 0)
    assert _drawn(table) == (Colour.YELLOW,)


def test_stones_left_from_before_do_not_count_and_may_be_taken_away(tmp_path: Path) -> None:
    table = started(tmp_path).zone(2, 0, 0).press(1)
    assert _drawn(table) == ()
    assert _drawn(table.zone(2, 1, 0)) == (Colour.RED,)
    table.say("card throw").say("approve").zone(0, 1, 0)
    assert _drawn(table.zone(1, 1, 0)) == (Colour.RED, Colour.YELLOW)


def test_a_corrected_colour_is_not_read_again(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("yellow").say("correct 2 stone red")
    assert _drawn(table) == (Colour.RED,)
    table.say("card throw").say("approve")
    assert _drawn(table) == (Colour.RED,)
    assert _drawn(table.zone(1, 0, 1)) == (Colour.RED, Colour.BLUE)


def test_a_stone_taken_back_is_not_read_again_until_it_was_lifted(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("yellow").say("undo")
    assert _drawn(table) == ()
    assert _drawn(table.zone(1, 0, 0)) == ()
    assert _drawn(table.zone(0, 0, 0)) == ()
    assert _drawn(table.zone(1, 0, 0)) == (Colour.YELLOW,)


def test_an_impossible_reading_is_overcome_by_good_ones(tmp_path: Path) -> None:
    """VIS-4: more blue stones than there are, then what really lies there."""
    table = started(tmp_path).press(1).zone(0, 0, 7)
    assert table.view.note is Note.STONES_UNCLEAR
    assert _drawn(table.zone(0, 0, 0)) == ()
    assert _drawn(table.zone(1, 0, 0)) == (Colour.YELLOW,)


@pytest.mark.parametrize("zone", [(1, 0, 0), (0, 2, 0)])
def test_stones_mean_nothing_while_no_turn_runs(tmp_path: Path, zone: tuple[int, int, int]) -> None:
    table = started(tmp_path).zone(*zone)
    assert table.phase() is Phase.READY
    assert table.view.note is None
