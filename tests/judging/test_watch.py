"""Watch on painted scenes; the recogniser is told what is there, everything else is seen."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason, Verdict
from pi_app.judging.lying import StonesLying
from pi_app.judging.watch import CameraState, Judged, Observation, Standing, Watch, judge_stand
from pi_app.judging.worker import Found, InlineRecogniser, Job, ThreadedRecogniser
from pi_app.vision.pose import PoseReading
from pi_app.vision.reading import StoneCount
from tests.judging.scene import CAMERA, KIT, QUESTION, SECOND, SKIN, TABLE, VIEW, Moment, Scene, reader

HAND_AT = (0.0, 8.0, 78.0)
GREY_SKIN = (140.0, 126.0, 120.0)
"""As light and as grey as the painted table."""
RELEASE_S = 1.0
"""When the painted hand begins to let go."""


def glide(at_s: float, start_s: float, end_s: float) -> float:
    """Return 0 before, 1 after, and a smooth course between."""
    share = float(np.clip((at_s - start_s) / (end_s - start_s), 0, 1))
    return share * share * (3 - 2 * share)


def placing(at_s: float) -> Moment:
    """A hand brings the upper block (0.3-0.8 s), rests, opens at 1.0 s, withdraws from 1.25 s on."""
    lift = 160 * (1 - glide(at_s, 0.3, 0.8))
    opened, away = glide(at_s, RELEASE_S, RELEASE_S + 0.2), glide(at_s, 1.25, 1.6)
    x, y, z = HAND_AT
    hand = (x + 5 * opened, y + 8 * opened, z + lift + 200 * away)
    return Moment(top=(0.0, 0.0, lift) if at_s > 0.3 else None, hand=hand if 0.3 < at_s < 1.6 else None)


def judged(scene: Scene, right: Callable[[float], bool] = lambda at_s: at_s > 0.85) -> Verdict:
    """Return the verdict on a scene asked about from its first frame."""
    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(reader(right)), linger=True)
    return judge_stand(scene.frames(), watch, QUESTION)


def start_s(verdict: Verdict) -> float:
    assert verdict.stood_from_ns is not None
    return (verdict.stood_from_ns - 5 * SECOND) / 1e9


@pytest.mark.parametrize("fps", [20.0, 40.0])
def test_standing_counts_from_when_the_hand_let_go(fps: float) -> None:
    verdict = judged(Scene(placing, 3.4, fps))
    assert verdict.outcome is Outcome.PASS
    assert abs(start_s(verdict) - RELEASE_S) < 0.1


def test_a_hand_that_never_lets_go_holds_it() -> None:
    verdict = judged(Scene(lambda at_s: placing(min(at_s, 0.95)), 3.6, 20.0))
    assert (verdict.outcome, verdict.reasons) == (Outcome.FAIL, (Reason.HELD,))


def test_a_fingertip_that_comes_back_and_stays_holds_it() -> None:
    def script(at_s: float) -> Moment:
        down = glide(at_s, 2.2, 2.6)
        if at_s < 2.0:
            return placing(at_s)
        return Moment(hand=(HAND_AT[0], 0.0, 92 + 250 * (1 - down)))

    verdict = judged(Scene(script, 4.2, 20.0))
    assert (verdict.outcome, verdict.reasons) == (Outcome.FAIL, (Reason.HELD,))


def test_a_hand_of_the_tables_colour_that_comes_back_and_stays_passes_nothing() -> None:
    def script(at_s: float) -> Moment:
        down = glide(at_s, 2.2, 2.6)
        if at_s < 2.0:
            return placing(at_s)
        return Moment(hand=(HAND_AT[0], 0.0, 92 + 250 * (1 - down)), skin=GREY_SKIN)

    assert judged(Scene(script, 4.2, 20.0)).outcome is not Outcome.PASS


@pytest.mark.parametrize("skin", [SKIN, GREY_SKIN])
def test_a_hand_that_rests_from_before_the_question_on_is_told_from_the_structure(
    skin: tuple[float, float, float],
) -> None:
    """The table was seen before the hand came; the question's own pictures all show it."""

    def script(at_s: float) -> Moment:
        return replace(placing(min(max(at_s - 1.0, 0), 0.95)), skin=skin)

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(reader(lambda at_s: at_s > 1.85)), linger=True)
    for frame in Scene(script, 4.6, 20.0).frames():
        if frame.number == 40:
            watch.ask(QUESTION, frame.sensor_ns)
        watch.see(frame)
    (last,) = watch.finish()
    assert isinstance(last, Judged)
    assert last.verdict.outcome is not Outcome.PASS


def test_a_knock_that_throws_it_down_after_a_second_fails() -> None:
    def script(at_s: float) -> Moment:
        moment = placing(at_s)
        return (
            moment if at_s < 2.2 else replace(moment, top=(90 * glide(at_s, 2.2, 2.5), 0, -40 * glide(at_s, 2.2, 2.5)))
        )

    verdict = judged(Scene(script, 3.6), lambda at_s: 0.85 < at_s < 2.2)
    assert (verdict.outcome, verdict.reasons) == (Outcome.FAIL, (Reason.FELL,))
    assert verdict.stood_for_ns is not None
    assert abs(verdict.stood_for_ns / 1e9 - 1.2) < 0.1


def still_with(change: Callable[[float], dict[str, object]]) -> Callable[[float], Moment]:
    """The block is placed as ever, and the light, the camera or another arm does something."""
    return lambda at_s: replace(placing(at_s), **change(at_s))  # type: ignore[arg-type]  # fields by name


UNHARMED: dict[str, Callable[[float], dict[str, object]]] = {
    "mains bands (CAM-4)": lambda at_s: {"band_row": round(at_s * 30) * 37},
    "exposure steps (VIS-1)": lambda at_s: {"gain": 1.0 + min(0.25, 0.1 * max(0, round((at_s - 2.0) * 30)))},
    "a lamp switched off": lambda at_s: {"gain": 1.0 if at_s < 2.0 else 0.6},
    "a shadow that crosses": lambda at_s: {"shade": -300 + 500 * glide(at_s, 1.8, 2.6)} if at_s > 1.7 else {},
    "a shadow that stays": lambda at_s: {"shade": -300 + 300 * glide(at_s, 1.8, 2.2)} if at_s > 1.7 else {},
    "a bumped camera": lambda at_s: {"bump_px": (6.0 * glide(at_s, 2.0, 2.1), -4.0 * glide(at_s, 2.0, 2.1))},
    "a hand that stays near": lambda at_s: (
        {"hand": (0.0, 8.0, 130.0 + 200 * (1 - glide(at_s, 1.9, 2.2)))} if at_s > 1.7 else {}
    ),
    "an arm that passes in front": lambda at_s: (
        {"hand": (-260 + 900 * glide(at_s, 1.9, 2.7), 90.0, 10.0)} if 1.9 < at_s < 2.7 else {}
    ),
    "a noisy picture": lambda at_s: {"noise": 6.0},
}


@pytest.mark.parametrize("what", UNHARMED)
def test_standing_goes_on_through(what: str) -> None:
    verdict = judged(Scene(still_with(UNHARMED[what]), 3.4, 20.0))
    assert (verdict.outcome, verdict.reasons) == (Outcome.PASS, (Reason.OK,))
    assert abs(start_s(verdict) - RELEASE_S) < 0.1


def test_a_real_shift_of_fifteen_pixels_is_seen_through_exposure_steps() -> None:
    """VIS-1's control case."""

    def script(at_s: float) -> Moment:
        step = max(0, round((at_s - 2.0) * 30))
        shift = 0.0 if step < 3 else 10.0
        return replace(
            placing(at_s), gain=1.0 + min(0.25, 0.1 * step), top=(shift, 0, 0) if at_s > 2 else placing(at_s).top
        )

    verdict = judged(Scene(script, 3.4), lambda at_s: 0.85 < at_s < 2.1)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.stood_for_ns is not None
    assert abs(verdict.stood_for_ns / 1e9 - 1.1) < 0.1


def test_dropped_frames_do_not_break_it() -> None:
    scene = Scene(placing, 3.4, skip=frozenset({40, 41, 60, 61, 62, 63, 80}))
    assert judged(scene).outcome is Outcome.PASS


def test_no_time_passes_in_frames_that_repeat_a_sensor_time() -> None:
    """The structure falls 1.2 s after the release; forty more frames repeat the picture before."""
    scene = Scene(placing, 2.2)
    frames = list(scene.frames())
    frozen = [replace(frames[-1], number=frames[-1].number + k) for k in range(1, 90)]
    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(reader(lambda at_s: at_s > 0.85)))
    watch.ask(QUESTION, frames[0].sensor_ns)
    told = [said for frame in [*frames, *frozen] for said in watch.see(frame)]
    assert not [said for said in told if isinstance(said, Judged)]
    assert CameraState(Reason.FROZEN, frames[-1].sensor_ns) in told
    (last,) = watch.finish()
    assert isinstance(last, Judged)
    assert (last.verdict.outcome, last.verdict.reasons) == (Outcome.UNSURE, (Reason.CLIP_ENDS,))


def test_a_video_that_ends_in_the_middle_decides_nothing() -> None:
    for duration_s in (0.2, 0.9, 1.4, 2.5):
        assert judged(Scene(placing, duration_s, 20.0)).outcome is Outcome.UNSURE


def test_frames_from_before_the_question_are_not_used() -> None:
    """CAM-1: the structure stood before the question, and falls as it is asked."""

    def script(at_s: float) -> Moment:
        return Moment() if at_s < 2.0 else Moment(top=(90.0, 0.0, -40.0))

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(reader(lambda at_s: at_s < 2.0)))
    asked_ns = 5 * SECOND + round(1.99 * SECOND)
    for frame in Scene(script, 4.5).frames():
        if frame.number == 10:
            watch.ask(QUESTION, asked_ns)  # the question is known before its time, old frames still come
        watch.see(frame)
    (last,) = watch.finish()
    assert isinstance(last, Judged)
    assert (last.verdict.outcome, last.verdict.reasons) == (Outcome.FAIL, (Reason.MISSING_PIECE,))


def test_a_pass_comes_with_its_frame_while_the_recogniser_is_busy() -> None:
    """The reading at about 1.8 s has arrived; the one after it never ends while the frames go on."""
    busy, go_on = threading.Event(), threading.Event()
    known = reader(lambda at_s: at_s > 0.85)

    def read(job: Job) -> Found:
        if job.frame.sensor_ns > 5 * SECOND + 2.0 * SECOND:
            busy.set()
            go_on.wait(30)
        return known(job)

    recogniser = ThreadedRecogniser(read)
    watch = Watch(TABLE, KIT, CAMERA, recogniser)
    watch.ask(QUESTION, 5 * SECOND)
    passed: list[tuple[Frame, Verdict]] = []
    for frame in Scene(placing, 3.4, 20.0).frames():
        told = watch.see(frame)
        passed += [(frame, said.verdict) for said in told if isinstance(said, Judged)]
        if not busy.is_set():
            recogniser.wait_idle(0.5)
    assert busy.is_set()
    go_on.set()
    recogniser.close()
    ((frame, verdict),) = passed
    assert verdict.outcome is Outcome.PASS
    assert verdict.confirmed_at_ns == frame.sensor_ns
    assert verdict.stood_from_ns is not None
    assert 0 <= frame.sensor_ns - verdict.stood_from_ns - 2 * SECOND <= 50_000_000


def test_progress_is_told_while_it_stands() -> None:
    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(reader(lambda at_s: at_s > 0.85)))
    told: list[Observation] = []
    for frame in Scene(placing, 3.4, 20.0).frames():
        if frame.number == 0:
            watch.ask(QUESTION, frame.sensor_ns)
        told += watch.see(frame)
    progress = [said.progress_s for said in told if isinstance(said, Standing)]
    assert progress == sorted(progress)
    assert progress[-1] > 1.8
    assert isinstance(told[-1], Judged)


def test_the_same_frames_give_the_same_verdict() -> None:
    first, second = (judged(Scene(placing, 3.4, 20.0)) for _ in range(2))
    assert first == second


def test_no_mat_is_a_state_and_no_verdict() -> None:
    """VIS-5 and real pictures of something else: the mat is lost and found again."""

    def read(job: Job) -> Found:
        lost = PoseReading(None, (), 0.0, Reason.NO_MAT)
        return Found(job, lost, None)

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(read), linger=True)
    watch.ask(QUESTION, 0)
    told = [said for frame in Scene(placing, 2.0).frames() for said in watch.see(frame)]
    assert [said.reason for said in told if isinstance(said, CameraState)] == [Reason.NO_MAT]
    (last,) = watch.finish()
    assert isinstance(last, Judged)
    assert (last.verdict.outcome, last.verdict.reasons) == (Outcome.UNSURE, (Reason.NO_MAT,))


def test_darkness_is_a_state_and_ends_the_standing() -> None:
    def script(at_s: float) -> Moment:
        return replace(placing(at_s), gain=0.02 if 2.0 < at_s < 2.6 else 1.0, noise=1.0)

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(reader(lambda at_s: at_s > 0.85)), linger=True)
    told: list[Observation] = []
    for frame in Scene(script, 3.6).frames():
        if frame.number == 0:
            watch.ask(QUESTION, frame.sensor_ns)
        told += watch.see(frame)
    states = [said.reason for said in told if isinstance(said, CameraState)]
    assert states == [Reason.TOO_DARK, None]
    (last,) = watch.finish()
    assert isinstance(last, Judged)
    assert last.verdict.outcome is Outcome.UNSURE


def counted(counts: Iterator[tuple[int, int, int]]) -> Callable[[Job], Found]:
    """Return a recogniser that reads these counts of yellow, red and blue stones, one after another."""

    def read(job: Job) -> Found:
        stones = None if job.zone is None else StoneCount(*next(counts), 0.9)
        return Found(job, PoseReading(VIEW.pose, (0, 1, 2), 0.3), VIEW, stones=stones)

    return read


def test_stones_are_told_when_readings_agree_and_only_when_they_change() -> None:
    """VIS-4: a reading that flips between two counts changes nothing, and good ones after it do."""
    flips = [(0, 0, 1), (0, 1, 0)]
    readings = iter([(0, 0, 0), *flips * 3, *[(1, 0, 0)] * 40])
    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(counted(readings)))
    told = [said for frame in Scene(lambda _: Moment(), 7.0, 8.0).frames() for said in watch.see(frame)]
    seen = [said.counts for said in told if isinstance(said, StonesLying)]
    assert [(one.yellow, one.red, one.blue) for one in seen] == [(1, 0, 0)]


def test_swapped_colours_are_said_and_no_stones_are_told() -> None:
    """CAM-2: red and blue come in the wrong order; the camera is at fault, not the table."""

    def read(job: Job) -> Found:
        stones = None if job.zone is None else StoneCount(0, 1, 0, 0.0, doubts=(Reason.COLOURS_WRONG,))
        return Found(job, PoseReading(VIEW.pose, (0, 1, 2), 0.3), VIEW, stones=stones)

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(read))
    told = [said for frame in Scene(lambda _: Moment(), 2.0, 8.0).frames() for said in watch.see(frame)]
    assert [said.reason for said in told if isinstance(said, CameraState)] == [Reason.COLOURS_WRONG]
    assert not [said for said in told if isinstance(said, StonesLying)]


def test_a_wrong_structure_left_alone_is_told_live_once() -> None:
    wrong = (Outcome.FAIL, (Reason.WRONG_FIGURE,))

    def read(job: Job) -> Found:
        found = reader(lambda _: True)(job)
        if found.structure is None:
            return found
        return replace(found, structure=replace(found.structure, outcome=wrong[0], reasons=wrong[1]))

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(read))
    told: list[Observation] = []
    for frame in Scene(placing, 7.0, 20.0).frames():
        if frame.number == 0 or (told and isinstance(told[-1], Judged)):
            watch.ask(QUESTION, frame.sensor_ns)
        told += watch.see(frame)
    verdicts = [said.verdict for said in told if isinstance(said, Judged)]
    assert [(verdict.outcome, verdict.reasons) for verdict in verdicts] == [wrong]
