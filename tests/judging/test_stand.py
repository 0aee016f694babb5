"""The stand judge on made-up votes and sightings."""

import subprocess
import sys

import pytest

from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.stand import STAND_NS, Ending, StandJudge, Vote
from pi_app.judging.stretch import Sighting

MS = 1_000_000
PASS = (Outcome.PASS, (Reason.OK,))
WRONG = (Outcome.FAIL, (Reason.BARE_SIDE,))


def judge(asked_ms: int = 0) -> StandJudge:
    made = StandJudge()
    made.ask(asked_ms * MS)
    return made


def stand(made: StandJudge, start_ms: int, end_ms: int, step_ms: int = 33) -> None:
    for at in range(start_ms, end_ms, step_ms):
        made.see(Sighting(at * MS))


def vote(made: StandJudge, at_ms: int, kind: tuple[Outcome, tuple[Reason, ...]] = PASS) -> None:
    made.vote(Vote(at_ms * MS, *kind))


def test_a_pass_comes_with_the_first_picture_at_or_after_two_seconds() -> None:
    made = judge()
    vote(made, 0)
    for at in range(0, 2_001, 40):
        made.see(Sighting(at * MS))
        assert (made.verdict() is not None) == (at >= 2_000)
    verdict = made.verdict()
    assert verdict is not None
    assert (verdict.stood_from_ns, verdict.confirmed_at_ns) == (0, 2_000 * MS)


def test_a_pass_is_final_and_knows_how_long_it_stood() -> None:
    made = judge()
    vote(made, 0)
    stand(made, 0, 2_500)
    made.see(Sighting(2_540 * MS, covered=True, gone=True, stirred=True))
    verdict = made.finish(Ending(2_540 * MS))
    assert verdict.outcome is Outcome.PASS
    assert verdict.stood_for_ns == 2_540 * MS
    assert verdict.confirmed_at_ns is not None
    assert 0 <= verdict.confirmed_at_ns - STAND_NS < 34 * MS


def test_nothing_from_before_the_question_is_used() -> None:
    """CAM-1: a frame stamped 800 ms before the question shows the tower standing, one after it shows it fallen."""
    made = judge(asked_ms=800)
    vote(made, 0)
    made.see(Sighting(0))
    vote(made, 850, (Outcome.FAIL, (Reason.MISSING_PIECE,)))
    verdict = made.finish(Ending(2_850 * MS, still_ns=2_000 * MS))
    assert (verdict.outcome, verdict.reasons) == (Outcome.FAIL, (Reason.MISSING_PIECE,))
    assert not made.sightings


def test_two_seconds_count_from_the_question_at_the_earliest() -> None:
    made = judge(asked_ms=1_000)
    stand(made, 0, 2_900, 100)
    vote(made, 1_500)
    assert made.verdict() is None
    stand(made, 2_900, 3_100, 100)
    verdict = made.verdict()
    assert verdict is not None
    assert verdict.stood_from_ns == 1_000 * MS


def test_repeated_times_are_no_time() -> None:
    made = judge()
    vote(made, 0)
    for _ in range(200):
        made.see(Sighting(500 * MS))
    assert len(made.sightings) == 1
    assert made.verdict() is None


@pytest.mark.parametrize(
    ("last", "ending", "reason"),
    [
        (Sighting(1_240 * MS, covered=True, gone=True, stirred=True), Ending(1_300 * MS), Reason.FELL),
        (Sighting(1_240 * MS, covered=True, gone=True, stirred=True, hand=True), Ending(1_300 * MS), Reason.TOO_SHORT),
        (Sighting(1_240 * MS, covered=True, reached=True), Ending(1_300 * MS, 900 * MS, hand=True), Reason.HELD),
    ],
)
def test_why_it_did_not_stand_long_enough(last: Sighting, ending: Ending, reason: Reason) -> None:
    made = judge()
    vote(made, 100)
    stand(made, 0, 1_200)
    made.see(last)
    verdict = made.finish(ending)
    assert (verdict.outcome, verdict.reasons) == (Outcome.FAIL, (reason,))
    assert verdict.stood_for_ns == 1_240 * MS


def test_pictures_that_end_too_early_decide_nothing() -> None:
    made = judge()
    vote(made, 100)
    stand(made, 0, 1_500)
    verdict = made.finish(Ending(1_500 * MS, 1_500 * MS))
    assert (verdict.outcome, verdict.reasons) == (Outcome.UNSURE, (Reason.CLIP_ENDS,))


def test_a_wrong_structure_is_wrong_only_when_it_was_left_like_that() -> None:
    made = judge()
    vote(made, 100, WRONG)
    assert made.finish(Ending(600 * MS, 550 * MS)).outcome is Outcome.UNSURE
    assert made.finish(Ending(1_600 * MS, 1_550 * MS)).reasons == (Reason.BARE_SIDE,)


def test_readings_that_contradict_each_other_decide_nothing() -> None:
    made = judge()
    for at, kind in ((0, PASS), (300, WRONG), (600, PASS), (900, WRONG)):
        vote(made, at, kind)
    stand(made, 0, 3_000)
    assert made.verdict() is None
    assert made.finish(Ending(3_000 * MS, 3_000 * MS)).reasons == (Reason.DOUBTFUL,)


def test_readings_of_what_stands_after_the_fall_do_not_count_against_it() -> None:
    made = judge()
    vote(made, 0)
    stand(made, 0, 2_200)
    made.see(Sighting(2_233 * MS, covered=True, gone=True, stirred=True))
    vote(made, 2_233, WRONG)
    assert made.finish(Ending(2_300 * MS)).outcome is Outcome.PASS


def test_a_touch_close_to_two_seconds_is_doubtful() -> None:
    """The hand covers the structure from 1.9 s on and rests at it from 2.1 s: when it touched cannot be told."""
    made = judge()
    vote(made, 0)
    stand(made, 0, 1_900)
    for at in range(1_900, 3_000, 33):
        made.see(Sighting(at * MS, covered=True, reached=True, hand=True, stirred=at < 2_100))
    verdict = made.finish(Ending(3_000 * MS, 900 * MS, hand=True))
    assert (verdict.outcome, verdict.reasons) == (Outcome.UNSURE, (Reason.DOUBTFUL,))


def test_a_hand_that_rests_to_the_end_without_letting_go_holds_it() -> None:
    made = judge()
    vote(made, 100, (Outcome.UNSURE, (Reason.HIDDEN,)))
    assert made.finish(Ending(3_000 * MS, 2_100 * MS, hand=True)).reasons == (Reason.HELD,)


def test_a_hand_that_rested_for_two_seconds_and_left_no_time_to_stand_held_it() -> None:
    made = judge()
    vote(made, 100, (Outcome.UNSURE, (Reason.HIDDEN,)))
    early, late = (Ending(at * MS, rested_ns=2_100 * MS, rested_until_ns=3_000 * MS) for at in (3_500, 5_100))
    assert made.finish(early).reasons == (Reason.HELD,)
    assert made.finish(late).outcome is Outcome.UNSURE


def test_no_picture_at_all_decides_nothing() -> None:
    assert judge().finish(Ending(0, blind=Reason.NO_MAT)).reasons == (Reason.NO_MAT,)
    assert judge().finish(Ending(0)).reasons == (Reason.NO_STILL_VIEW,)


def test_the_judge_needs_no_pictures() -> None:
    code = "import sys, pi_app.judging.stand; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def alone(at_ms: int, still_ms: int, *, hand: bool = False) -> Ending:
    return Ending(at_ms * MS, still_ms * MS, hand)


def test_a_wrong_structure_left_alone_for_two_seconds_fails() -> None:
    made = judge()
    vote(made, 1_100, WRONG)
    vote(made, 1_900, WRONG)
    assert made.left_alone(alone(2_900, 1_900)) is None
    assert made.left_alone(alone(3_000, 2_000, hand=True)) is None
    told = made.left_alone(alone(3_000, 2_000))
    assert told is not None
    assert (told.outcome, told.reasons, told.stood_for_ns) == (Outcome.FAIL, (Reason.BARE_SIDE,), 0)


def test_what_has_not_moved_since_the_question_is_not_told_again() -> None:
    made = judge(asked_ms=1_000)
    vote(made, 1_100, WRONG)
    vote(made, 1_900, WRONG)
    assert made.left_alone(alone(9_000, 8_500)) is None


def test_an_incomplete_structure_is_given_more_time_and_a_begun_one_all_of_it() -> None:
    missing = (Outcome.FAIL, (Reason.MISSING_PIECE,))
    for share, told in ((0.75, True), (0.25, False)):
        made = judge()
        for at in (1_100, 1_900):
            made.vote(Vote(at * MS, *missing, share=share))
        assert made.left_alone(alone(3_900, 2_900)) is None
        assert (made.left_alone(alone(9_000, 8_000)) is not None) == told


def test_what_fell_is_told_when_all_has_been_at_rest_for_a_second() -> None:
    made = judge()
    vote(made, 100)
    stand(made, 0, 1_200)
    for at in range(1_240, 3_000, 40):
        made.see(Sighting(at * MS, covered=True, gone=True, stirred=at < 1_500))
    assert made.left_alone(alone(2_400, 900)) is None
    told = made.left_alone(alone(2_990, 1_490))
    assert told is not None
    assert (told.outcome, told.reasons, told.stood_for_ns) == (Outcome.FAIL, (Reason.FELL,), 1_240 * MS)


def test_a_hand_that_came_back_is_told_when_it_has_rested_for_two_seconds() -> None:
    made = judge()
    vote(made, 100)
    stand(made, 0, 1_200)
    for at in range(1_240, 4_000, 40):
        made.see(Sighting(at * MS, covered=True, reached=True, hand=True, stirred=at < 1_400))
    assert made.left_alone(alone(3_000, 1_600, hand=True)) is None
    told = made.left_alone(alone(3_990, 2_590, hand=True))
    assert told is not None
    assert (told.outcome, told.reasons) == (Outcome.FAIL, (Reason.HELD,))


def test_a_structure_that_stands_again_after_it_was_touched_is_waited_for() -> None:
    made = judge()
    vote(made, 100)
    stand(made, 0, 1_200)
    for at in range(1_240, 2_000, 40):
        made.see(Sighting(at * MS, covered=True, reached=True, hand=True, stirred=at < 1_300 or at > 1_800))
    stand(made, 2_000, 3_900)
    assert made.left_alone(alone(3_900, 1_900)) is None
    stand(made, 3_900, 4_100)
    assert made.verdict() is not None


def test_what_cannot_be_read_for_four_seconds_is_asked_about() -> None:
    made = judge()
    for at in (1_100, 1_900, 2_700):
        vote(made, at, (Outcome.UNSURE, (Reason.HIDDEN,)))
    assert made.left_alone(alone(4_900, 3_900)) is None
    told = made.left_alone(alone(5_000, 4_000))
    assert told is not None
    assert (told.outcome, told.reasons) == (Outcome.UNSURE, (Reason.HIDDEN,))
