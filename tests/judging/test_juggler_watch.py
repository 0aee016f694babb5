from collections.abc import Callable

from pi_app.core.names import Colour, Mode, Task
from pi_app.core.verdict import Outcome, Reason, Verdict
from pi_app.judging.juggler_watch import JugglerWatch
from pi_app.judging.worker import Found, InlineRecogniser, Job, Question
from pi_app.kit.model import Card, StoneCounts
from pi_app.vision.juggler import JugglerReading
from pi_app.vision.pose import PoseReading
from tests.judging.scene import SECOND, TABLE, VIEW, Moment, Scene

CARD = Card(id="juggler", task=Task.JUGGLER, art="a.png", count=1, stones=StoneCounts(yellow=2))
QUESTION = Question(Task.JUGGLER, None, Mode.STOCK, CARD)
START = 5 * SECOND
RIGHT = JugglerReading(Outcome.PASS, (Reason.OK,), {Colour.YELLOW: 2})
BEGUN = JugglerReading(Outcome.FAIL, (Reason.WRONG_STONES,), {Colour.YELLOW: 1})
WRONG = JugglerReading(Outcome.FAIL, (Reason.WRONG_STONES,), {Colour.YELLOW: 1, Colour.RED: 1})
HIDDEN = JugglerReading(Outcome.UNSURE, (Reason.HIDDEN,))


def watched(reading: Callable[[float], JugglerReading], seconds: float) -> tuple[JugglerWatch, Verdict | None, float]:
    """Return the watch, its verdict, and when it came, on a table where nothing moves."""

    def read(job: Job) -> Found:
        pose = PoseReading(VIEW.pose, (0, 1, 2, 3), 0.3)
        return Found(job, pose, VIEW, juggler=reading((job.frame.sensor_ns - START) / 1e9))

    watch = JugglerWatch(TABLE, InlineRecogniser(read), QUESTION, START)
    for frame in Scene(lambda _: Moment(), duration_s=seconds, fps=10).frames():
        watch.see(frame)
        verdict = watch.verdict()
        if verdict is not None:
            return watch, verdict, (frame.sensor_ns - START) / 1e9
    return watch, None, seconds


def test_two_readings_that_agree_pass() -> None:
    _, verdict, at_s = watched(lambda at_s: RIGHT if at_s > 0.9 else BEGUN, 3)
    assert verdict is not None
    assert (verdict.outcome, verdict.confirmed_at_ns is not None) == (Outcome.PASS, True)
    assert 1.0 < at_s < 1.8


def test_fewer_stones_than_asked_for_are_no_failure_yet() -> None:
    watch, verdict, _ = watched(lambda _: BEGUN, 4)
    assert verdict is None
    assert watch.finish().outcome is Outcome.FAIL


def test_wrong_stones_left_alone_fail() -> None:
    _, verdict, at_s = watched(lambda _: WRONG, 4)
    assert verdict == Verdict(Outcome.FAIL, (Reason.WRONG_STONES,))
    assert at_s >= 2.4


def test_what_stays_hidden_is_unsure() -> None:
    _, verdict, at_s = watched(lambda _: HIDDEN, 5)
    assert verdict is not None
    assert (verdict.outcome, verdict.reasons) == (Outcome.UNSURE, (Reason.HIDDEN,))
    assert at_s >= 3.9


def test_nothing_read_is_unsure_at_the_end() -> None:
    blind = InlineRecogniser(lambda job: Found(job, PoseReading(None, (), 0.0), None))
    assert JugglerWatch(TABLE, blind, QUESTION, 0).finish().reasons == (Reason.NO_STILL_VIEW,)
