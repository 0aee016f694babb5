"""Undo and corrections: the record changes, the scores follow."""

from pathlib import Path

import pytest

from pi_app.core.names import Colour
from pi_app.session.commands import Commanded
from pi_app.session.events import By
from pi_app.session.voila.amend import choices
from pi_app.session.voila.commands import Correct, ToCard, ToFinder, ToJudged, ToNothing, ToStone, ToStop, ToVoila
from pi_app.session.voila.decide import decide
from pi_app.session.voila.phases import Phase
from tests.session.voila.table import TestTable, passed, started


def _points(table: TestTable) -> list[int]:
    return [seat.points for seat in table.view.seats]


def _number(table: TestTable, what: str) -> int:
    return next(one.number for one in table.view.decisions if one.what == what)


def _one_turn(path: Path) -> TestTable:
    """Seat 0: a tower passed, two yellow stones, Voilà!, the bonus card a line."""
    table = started(path).press(1).stone("red").say("card tower").verdict(passed)
    return table.stone("yellow").stone("yellow").press(1).say("card line").zone(0, 0, 0)


@pytest.mark.parametrize(
    ("what", "to", "points"),
    [
        ("passed", "failed", 3),
        ("card tower", "card tunnel", 6),
        ("bonus card line", "card throw", 3),
        ("voila", "stop", 0),
        ("stone yellow", "stone red", 2),
    ],
)
def test_a_corrected_decision_changes_the_score(tmp_path: Path, what: str, to: str, points: int) -> None:
    table = _one_turn(tmp_path)
    assert _points(table) == [5, 0]
    table.say(f"correct {_number(table, what)} {to}")
    assert table.view.refusal is None
    assert _points(table)[0] == points


def test_a_time_out_can_be_corrected_to_voila(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("red").say("card tower").verdict(passed).wait(60)
    assert _points(table) == [0, 0]
    assert _points(table.say(f"correct {_number(table, 'stop')} voila")) == [2, 0]


def test_the_finder_can_be_corrected_later(tmp_path: Path) -> None:
    table = started(tmp_path, players=3).press(1).stone("red").card("find-cat").press(2).lay("cat").press(1)
    assert _points(table) == [0, 1, 0]
    table.say(f"correct {_number(table, 'tile cat')} finder 3")
    assert _points(table) == [0, 0, 1]
    assert _points(table.say(f"correct {_number(table, 'finder 3')} finder nobody")) == [0, 0, 0]


def test_a_correction_keeps_its_number_and_names_the_timekeeper(tmp_path: Path) -> None:
    table = _one_turn(tmp_path)
    number = _number(table, "passed")
    table.say(f"correct {number} failed")
    decision = next(one for one in table.view.decisions if one.number == number)
    assert (decision.what, decision.by) == ("failed", By.TIMEKEEPER)
    assert table.view.verdict is not None
    assert table.view.verdict.passed is False


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Correct(99, ToNothing()), "got decision 99, wanted the number of one that stands"),
        (Correct(2, ToVoila()), "decision 2 cannot be a VoilaCalled"),
        (Correct(2, ToCard("line")), "decision 2 is no card"),
        (Correct(2, ToJudged(True)), "decision 2 cannot be that: got it in place of StoneDrawn"),
        (Correct(3, ToCard("dragon")), "decision 3 cannot be that: got card 'dragon', wanted a card of the deck"),
        (Correct(4, ToFinder(9)), "decision 4 cannot be that: got it in phase task"),
        (Correct(1, ToNothing()), "decision 1 cannot be that: got it removed from the middle"),
    ],
)
def test_what_cannot_have_happened_is_refused(tmp_path: Path, command: Correct, message: str) -> None:
    table = _one_turn(tmp_path)
    before = table.runner.state
    table.say(command)
    assert message in (table.view.refusal or "")
    assert table.runner.state == before


def test_stones_that_do_not_exist_cannot_be_corrected_in(tmp_path: Path) -> None:
    table = started(tmp_path).press(1)
    table.pace_s = 0.1
    for _ in range(12):
        table.say("stone yellow")
    table.say("stone red")
    table.say(Correct(_number(table, "stone red"), ToStone(Colour.YELLOW)))
    assert "got one more yellow stone" in (table.view.refusal or "")


def test_undo_takes_back_one_decision_after_the_other(tmp_path: Path) -> None:
    table = _one_turn(tmp_path)
    table.say("undo")
    assert (table.phase(), table.view.bonus_owed) == (Phase.BONUS, 1)
    table.say("undo")
    assert table.phase() is Phase.PAUSED
    table.say("continue")
    assert (table.phase(), table.view.seats[0].at_stake) == (Phase.RUNNING, 2)
    for _ in range(3):
        table.say("undo")
    assert table.phase() is Phase.JUDGING
    assert table.asked().card == "tower"
    for _ in range(3):
        table.say("undo")
    assert table.phase() is Phase.READY
    table.say("undo")
    assert table.view.refusal == "there is no decision to take back"


def test_a_time_out_is_corrected_not_taken_back(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).wait(60).say("undo")
    assert table.view.refusal == "a time-out cannot be taken back; correct 2 to voila where it came in time"


def test_a_turn_can_be_played_anew_from_a_pause(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("red").say("card tower").verdict(passed).say("pause").say("replay")
    assert table.phase() is Phase.READY
    assert table.view.decisions == ()
    table.press(1).say("stone red").say("card tower")
    assert table.phase() is Phase.JUDGING


def test_the_choices_for_a_correction_are_those_that_are_accepted(tmp_path: Path) -> None:
    table = _one_turn(tmp_path)
    offered = {one.number: choices(table.runner.state, one.number) for one in table.view.decisions}
    assert ToJudged(False) in offered[_number(table, "passed")]
    assert offered[_number(table, "voila")] == (ToStop(),)
    assert offered[_number(table, "turn")] == ()
    assert ToCard("tunnel") in offered[_number(table, "card tower")]
    assert choices(table.runner.state, 99) == ()
    state = table.runner.state
    for number, tos in offered.items():
        for to in tos:
            assert decide(state, Commanded(Correct(number, to), 0)), (number, to)
