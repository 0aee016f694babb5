"""A session at the table: joining, turns, judging, claims, approval, the clock."""

from pathlib import Path

import pytest

from pi_app.core.clock import ManualClock
from pi_app.core.effects import AskCamera, DropQuestion, KeepPictures, PlaySound, Sound
from pi_app.core.events import PartFault, Pressed
from pi_app.core.names import Colour, Lamp, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.games.voila import CardKind, Settings
from pi_app.session.commands import Start
from pi_app.session.events import By
from pi_app.session.voila.commands import CallVoila
from pi_app.session.voila.events import Note
from pi_app.session.voila.options import Approval, Options
from pi_app.session.voila.phases import Phase
from pi_app.session.voila.sessions import start_session
from pi_app.session.voila.view import Wait
from tests.session.voila.table import MS, S, TestTable, doubtful, failed, new_table, passed, started

ASK_ALWAYS = Options(approval=Approval.TIMEKEEPER)


def _at_tower(path: Path, options: Options | None = None) -> TestTable:
    return started(path, options=options).press(1).stone("red").say("card tower")


# Joining


def test_players_join_in_seat_order_and_the_first_starts(tmp_path: Path) -> None:
    table = new_table(tmp_path, players=0, options=Options(names=("Anna",)))
    table.press(4).press(2).press(2)
    assert [(seat.name, seat.button) for seat in table.view.seats] == [("Anna", 4), ("Player 2", 2)]
    assert table.phase() is Phase.JOINING
    assert table.view.waits is Wait.PLAYERS
    table.press(4)
    assert table.phase() is Phase.READY
    assert table.say("name 1 Ada").view.waits is Wait.TURN


def test_one_player_alone_cannot_start(tmp_path: Path) -> None:
    table = new_table(tmp_path, players=1).press(1)
    assert table.phase() is Phase.JOINING
    table.say("start")
    assert table.view.refusal == "voila seats: got 1, wanted 2 to 6"


def test_a_seventh_player_and_a_name_too_long_are_refused(tmp_path: Path) -> None:
    table = new_table(tmp_path, players=7)
    assert len(table.view.seats) == 6
    assert table.say("name 2 Bo").view.seats[1].name == "Bo"
    assert table.say(f"name 2 {'x' * 30}").view.refusal is not None
    assert table.say("name 7 Cy").view.refusal == "got seat 7, wanted 1 to 6"
    assert table.say("undo").view.seats[-1].button == 5


def test_names_may_change_while_the_game_runs(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).say("name 1 Ida")
    assert table.view.seats[0].name == "Ida"
    assert table.runner.state.game.setup.seats[0] == "Ida"


def test_the_first_active_seat_can_be_chosen(tmp_path: Path) -> None:
    table = new_table(tmp_path, players=3).say(Start(2))
    assert [seat.seat for seat in table.view.seats if seat.active] == [2]
    assert [seat.seat for seat in table.view.seats if seat.timekeeper] == [0]


# A turn


def test_a_turn_from_press_to_voila(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    assert table.phase() is Phase.JUDGING
    assert table.asked().task is Task.TOWER
    table.verdict(passed).stone("yellow").stone("yellow").press(1)
    assert table.phase() is Phase.BONUS
    assert (table.view.bonus_seat, table.view.bonus_owed) == (0, 1)
    table.card("line")
    assert table.phase() is Phase.READY
    assert table.view.waits is Wait.STONES_BACK
    assert [seat.points for seat in table.view.seats] == [5, 0]
    assert table.zone(0, 0, 0).view.waits is Wait.TURN
    assert [seat.lamp for seat in table.view.seats] == [Lamp.OFF, Lamp.BLINK]


def test_only_the_active_player_starts_the_turn(tmp_path: Path) -> None:
    table = started(tmp_path).press(2).press(9)
    assert table.phase() is Phase.READY
    assert table.press(1).phase() is Phase.RUNNING


def test_blue_takes_two_cards_one_after_the_other(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("blue").card("tower").verdict(passed)
    assert table.view.waits is Wait.CARD
    assert table.press(1).phase() is Phase.RUNNING
    table.card("pyramid")
    assert table.asked() == AskCamera(Task.ACROBATS, "pyramid", "pyramid", table.clock.now_ns() - 60 * MS)
    assert table.verdict(passed).view.waits is Wait.STONE_OR_VOILA


def test_voila_while_a_stone_is_unfinished_is_noted(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).press(1)
    assert table.view.note is None
    table.stone("red").card("throw")
    assert table.press(1).view.note is Note.VOILA_KEPT
    assert table.phase() is Phase.JUDGING


def test_time_up_ends_the_turn_without_points(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(passed)
    assert table.view.seats[0].at_stake == 2
    table.wait(60)
    assert table.phase() is Phase.READY
    assert [seat.points for seat in table.view.seats] == [0, 0]
    assert PlaySound(Sound.STOP) in table.effects
    assert table.view.decisions[-1].by is By.CLOCK


@pytest.mark.parametrize(("late_ns", "points"), [(-1, 2), (0, 2), (1, 0)])
def test_voila_is_decided_to_the_nanosecond(tmp_path: Path, late_ns: int, points: int) -> None:
    table = _at_tower(tmp_path).verdict(passed)
    turn = table.runner.state.game.turn
    assert turn is not None
    table.clock.ns = turn.deadline_ns + 30 * MS
    table.press(1, at_ns=turn.deadline_ns + late_ns)
    assert table.phase() is Phase.READY
    assert table.view.seats[0].points == points


def test_the_timekeeper_may_call_voila_for_a_player(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(passed).say(CallVoila())
    assert table.view.seats[0].points == 2


def test_a_whole_game_ends_with_a_winner(tmp_path: Path) -> None:
    table = started(tmp_path, settings=Settings(turns_each=1))
    table.press(1).stone("red").card("tower").verdict(passed).press(1).zone(0, 0, 0)
    table.press(2).stone("yellow").press(2)
    assert table.phase() is Phase.OVER
    assert table.view.waits is Wait.NOTHING
    assert [seat.winner for seat in table.view.seats] == [True, False]
    assert PlaySound(Sound.WINNER) in table.effects
    assert table.view.turn is None


# Judging


def test_the_camera_is_asked_when_the_task_opens_and_dropped_when_the_turn_ends(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    assert isinstance(table.effects[-1], AskCamera)
    table.wait(60)
    assert DropQuestion() not in table.effects[:-2]
    assert table.phase() is Phase.READY
    assert table.runner.state.asked is None


def test_a_failed_attempt_is_followed_by_another(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(failed(Reason.FELL))
    assert table.phase() is Phase.JUDGING
    assert table.view.verdict is not None
    assert table.view.verdict.passed is False
    assert table.verdict(passed).view.verdict is not None
    assert [one.what for one in table.view.decisions[-2:]] == ["failed", "passed"]


def test_the_same_failure_again_is_no_new_decision(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    for _ in range(3):
        table.verdict(failed(Reason.WRONG_ORDER))
    assert [one.what for one in table.view.decisions].count("failed") == 1
    table.verdict(failed(Reason.FELL))
    assert [one.what for one in table.view.decisions].count("failed") == 2


def test_an_unsure_verdict_asks_the_timekeeper(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(doubtful())
    assert table.phase() is Phase.PENDING
    assert table.view.waits is Wait.APPROVAL
    assert table.effects[-2:] == [KeepPictures(1, table.clock.now_ns() - 60 * MS), PlaySound(Sound.ASK)]
    table.say("approve")
    assert table.phase() is Phase.RUNNING
    verdict = table.view.verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.passed, verdict.by) == (Outcome.UNSURE, True, By.TIMEKEEPER)


def test_no_asks_the_camera_again(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(doubtful())
    before = table.asked()
    table.say("reject")
    assert table.phase() is Phase.JUDGING
    assert table.asked().at_ns > before.at_ns


def test_a_verdict_of_an_older_question_counts_for_nothing(tmp_path: Path) -> None:
    """CAM-1: only the answer to the question that is asked now."""
    table = _at_tower(tmp_path)
    old = table.asked()
    table.verdict(failed())
    table.effects.append(old)
    table.verdict(passed)
    assert table.phase() is Phase.JUDGING


def test_the_timekeeper_may_overrule_until_the_next_stone(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(passed).say("reject")
    assert table.phase() is Phase.JUDGING
    verdict = table.view.verdict
    assert verdict is not None
    assert (verdict.passed, verdict.by, verdict.outcome) == (False, By.TIMEKEEPER, Outcome.PASS)
    table.say("approve").stone("yellow").say("reject")
    assert table.view.refusal == "no verdict to overrule since the last stone; correct the decision by its number"


def test_with_approval_by_the_timekeeper_a_pass_only_advises(tmp_path: Path) -> None:
    table = _at_tower(tmp_path, ASK_ALWAYS).verdict(failed())
    assert table.phase() is Phase.JUDGING
    table.verdict(passed)
    assert table.phase() is Phase.PENDING
    assert table.view.seats[0].at_stake == 0
    assert table.say("approve").view.seats[0].at_stake == 2


def test_tasks_that_the_camera_is_not_asked_about_are_decided_by_the_timekeeper(tmp_path: Path) -> None:
    table = started(tmp_path, options=Options(camera_tasks=(Task.TOWER,))).press(1).stone("red").say("card throw")
    assert (table.phase(), table.view.waits) == (Phase.TASK, Wait.TIMEKEEPER)
    table.say("reject")
    assert table.view.verdict is not None
    assert (table.view.verdict.outcome, table.view.verdict.by) == (None, By.TIMEKEEPER)
    assert table.say("approve").view.seats[0].at_stake == 1
    assert table.view.verdict.by is By.TIMEKEEPER


def test_the_standing_time_is_shown_while_the_camera_watches(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    table.runner.standing(1.2)
    assert table.view.task is not None
    assert table.view.task.standing_s == 1.2
    table.verdict(failed())
    assert table.view.task is not None
    assert table.view.task.standing_s is None


# Voilà! while a verdict is on its way


def test_voila_before_the_verdict_counts_once_the_task_is_passed(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    table.press(1)
    assert table.view.voila_kept
    pressed_ns = table.runner.state.voila_ns
    assert pressed_ns is not None
    table.verdict(passed(pressed_ns - 2 * S))
    assert table.phase() is Phase.READY
    assert table.view.seats[0].points == 2


def test_voila_before_the_structure_had_stood_does_not_count(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).press(1)
    pressed_ns = table.runner.state.voila_ns
    assert pressed_ns is not None
    table.verdict(passed(pressed_ns - 2 * S + 1))
    assert table.phase() is Phase.RUNNING
    assert table.view.note is Note.VOILA_EARLY
    assert table.press(1).phase() is Phase.READY


def test_voila_waits_for_an_unsure_verdict_past_the_deadline(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(doubtful()).press(1).wait(100)
    assert table.phase() is Phase.PENDING
    assert table.say("approve").view.seats[0].points == 2


def test_a_no_after_the_deadline_is_time_up(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(doubtful()).press(1).wait(100).say("reject").wait(0)
    assert table.phase() is Phase.READY
    assert table.view.seats[0].points == 0


def test_a_camera_that_gives_no_answer_does_not_hold_the_game(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).press(1).wait(43)
    assert table.phase() is Phase.JUDGING
    table.wait(10)
    assert table.phase() is Phase.PENDING
    assert table.view.verdict is not None
    assert table.view.verdict.reasons == (Reason.NO_STILL_VIEW,)


def test_voila_of_a_blue_stone_whose_second_card_is_owed_does_not_count(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).stone("blue").say("card throw").press(1).say("approve")
    assert table.view.note is Note.ACTION_FIRST
    assert table.view.waits is Wait.CARD


def test_others_cannot_call_voila(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).press(2)
    assert not table.view.voila_kept


# Claims


def _at_find(path: Path) -> TestTable:
    return started(path, players=3).press(1).stone("red").card("find-cat")


def test_the_first_press_holds_the_claim_and_the_right_tile_wins(tmp_path: Path) -> None:
    table = _at_find(tmp_path)
    assert (table.phase(), table.view.waits) == (Phase.CLAIM, Wait.CLAIMS)
    now_ns = table.clock.now_ns()
    table.clock.advance_s(0.05)
    for button, gap_ms in ((2, 7), (3, 4), (1, 15)):
        table.press(button, at_ns=now_ns + gap_ms * MS)
    claim = table.view.claim
    assert claim is not None
    assert [(place.seat, place.gap_ms) for place in claim.order] == [(2, 0.0), (1, 3.0), (0, 11.0)]
    assert (claim.holder, table.view.waits) == (2, Wait.TILE)
    table.lay("dog")
    assert table.view.claim is not None
    assert table.view.claim.holder == 1
    table.lay("cat")
    assert table.view.verdict is not None
    assert (table.view.verdict.winner, table.view.verdict.passed) == (1, True)
    assert [seat.points for seat in table.view.seats] == [0, 1, 0]


def test_presses_that_arrive_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    """GPIO-3: the later edge arrives first."""
    table = _at_find(tmp_path)
    now_ns = table.clock.now_ns()
    table.runner.post(press_at(3, now_ns + 3 * MS))
    table.runner.post(press_at(2, now_ns + 1 * MS))
    table.wait(0.2)
    assert table.view.claim is not None
    assert table.view.claim.holder == 1


def press_at(button: int, at_ns: int) -> Pressed:
    return Pressed(button, at_ns)


def test_a_claim_that_lays_no_tile_goes_to_the_next_press(tmp_path: Path) -> None:
    table = _at_find(tmp_path).press(2).press(3).wait(3)
    assert table.view.claim is not None
    assert table.view.claim.holder == 2
    assert [place.out for place in table.view.claim.order] == [True, False]


def test_a_tile_without_a_claim_does_not_count(tmp_path: Path) -> None:
    table = _at_find(tmp_path).lay("cat")
    assert table.view.note is Note.STRAY_TILE
    assert table.phase() is Phase.CLAIM
    assert table.lay(None).view.note is Note.UNKNOWN_TILE
    assert table.say("tile cat").view.note is Note.STRAY_TILE


def test_the_timekeeper_may_say_who_found_it(tmp_path: Path) -> None:
    table = _at_find(tmp_path).say("finder 3")
    assert [seat.points for seat in table.view.seats] == [0, 0, 1]
    table.stone("red").card("find-dog").say("finder nobody")
    assert table.view.verdict is not None
    assert table.view.verdict.passed is False


def test_claims_pressed_in_time_are_played_out(tmp_path: Path) -> None:
    table = _at_find(tmp_path)
    turn = table.runner.state.game.turn
    assert turn is not None
    table.clock.ns = turn.deadline_ns - 300 * MS
    table.press(2, at_ns=turn.deadline_ns - 1 * MS)
    table.wait(0.5)
    assert table.phase() is Phase.CLAIM
    table.lay("cat")
    assert table.phase() is Phase.READY
    assert [seat.points for seat in table.view.seats] == [0, 1, 0]


# Faults, pause


def test_faults_of_parts_are_named_once_and_go(tmp_path: Path) -> None:
    table = started(tmp_path)
    for fault in ("lost", "lost", None):
        table.runner.post(PartFault("camera", fault, table.clock.now_ns()))
        table.wait(0.1)
        assert table.view.faults == ((("camera", fault),) if fault else ())


def test_a_pause_stops_the_clock(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    left_s = table.view.clock.remaining_s
    table.say("pause")
    assert table.runner.state.asked is None
    assert table.phase() is Phase.PAUSED
    table.wait(1000).press(1)
    assert table.phase() is Phase.PAUSED
    table.say("continue")
    assert table.phase() is Phase.JUDGING
    assert table.view.clock.remaining_s == pytest.approx((left_s or 0) - 0.56, abs=0.01)
    assert table.asked().at_ns > table.clock.now_ns() - S


def test_what_cannot_be_done_now_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    table = started(tmp_path)
    before = table.runner.state
    assert table.say("approve").view.refusal == "approve: not while ready; wanted correct, name, press, undo"
    assert table.press(1).say("stone red").say("stone red").view.refusal is not None
    assert before.position is not None
    table.say("card dragon")
    assert "got card 'dragon', wanted a card of the deck" in (table.view.refusal or "")
    assert table.say("card tower").view.refusal is None


def test_a_card_told_wrongly_is_told_again(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).say("card pyramid")
    assert table.asked().figure == "pyramid"
    assert table.say("card pyramid").view.task is not None
    assert table.view.turn is not None
    assert [card.card for card in table.view.turn.cards] == ["pyramid"]
    assert table.view.turn.stones == (Colour.RED,)


def test_a_task_the_bag_has_no_stones_for_is_told_at_once(tmp_path: Path) -> None:
    table = started(tmp_path).press(1)
    table.pace_s = 0.05
    for _ in range(5):
        table.say("stone blue").say("card throw").say("approve").say("card throw").say("approve")
    table.say("stone red").say("card juggler")
    assert table.view.note is Note.IMPOSSIBLE
    assert table.view.waits is Wait.STONE_OR_VOILA


def test_an_empty_pile_is_to_be_shuffled_anew(tmp_path: Path) -> None:
    clock = ManualClock(100 * S, "first")
    deck = (CardKind("throw", Task.THROW, 1, 2),)
    table = TestTable(start_session(tmp_path / "a.journal", clock, deck), clock)
    table.press(1).press(2).say("start").press(1).say("stone blue")
    table.say("card throw").say("approve").say("card throw").say("approve").press(1)
    assert table.phase() is Phase.READY
    assert table.press(2).say("stone red").view.reshuffle
    assert not table.say("card throw").view.reshuffle


def test_an_unsure_verdict_is_forgotten_with_its_turn(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(doubtful()).wait(60)
    assert table.phase() is Phase.READY
    assert table.view.verdict is not None
    assert not table.view.verdict.waits
    assert not table.view.verdict.fresh
