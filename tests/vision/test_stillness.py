"""The every-frame gate on painted scenes and on real videos."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.names import Zone
from pi_app.core.observations import Frame
from pi_app.core.verdict import Reason
from pi_app.vision.alignment import Aligner
from pi_app.vision.motion import shrink
from pi_app.vision.stillness import Gate, Glance, Sight
from tests.judging.scene import TABLE, VIEW, Moment, paint

FRAME_NS = 33_333_333


def looks(moments: Iterable[Moment]) -> list[Glance]:
    """Return the gate's glances at painted moments, 30 a second."""
    gate = Gate()
    gate.place(VIEW, TABLE)
    return [gate.see(Frame(n, n * FRAME_NS, paint(moment, n))) for n, moment in enumerate(moments)]


def states(moments: Iterable[Moment]) -> list[Sight]:
    return [glance.zones[Zone.BUILD] for glance in looks(moments)]


def test_nothing_moves_in_a_still_scene() -> None:
    glances = looks([Moment()] * 8)
    assert {glance.zones[Zone.BUILD] for glance in glances} == {Sight.STILL}
    assert glances[-1].still_ns[Zone.BUILD] == 7 * FRAME_NS


def test_mains_bands_are_no_motion() -> None:
    """CAM-4: 60 still frames, a band of 15 % moving 37 rows a frame."""
    glances = looks(Moment(band_row=37 * n) for n in range(60))
    assert not any(glance.zones[Zone.BUILD] is Sight.MOVING for glance in glances)
    assert glances[-1].still_ns[Zone.BUILD] == 59 * FRAME_NS


def test_exposure_steps_are_no_motion_and_a_shift_is() -> None:
    """VIS-1, with its control case: the upper block moves 15 pixels."""
    gains = [1.0, 1.0, 1.1, 1.2, 1.25, 1.25]
    assert Sight.MOVING not in states(Moment(gain=gain) for gain in gains)
    shifted = [Moment(gain=gain, top=(0.0 if n < 3 else 9.0, 0.0, 0.0)) for n, gain in enumerate(gains)]
    assert [state is Sight.MOVING for state in states(shifted)] == [n == 3 for n in range(6)]


def test_a_lamp_and_a_crossing_shadow_are_light() -> None:
    lamp = states([Moment(), Moment(), Moment(gain=0.6), Moment(gain=0.6)])
    assert Sight.MOVING not in lamp
    shadow = states([Moment(), *[Moment(shade=-60.0 + 12 * n) for n in range(8)]])
    assert Sight.LIGHT in shadow
    assert Sight.MOVING not in shadow[2:]


def test_a_hand_that_reaches_in_and_rests_is_a_hand() -> None:
    arriving = [Moment(hand=(0.0, 8.0, 300.0 - 40 * n)) for n in range(5)]
    seen = states([*[Moment()] * 4, *arriving, *[arriving[-1]] * 8])
    assert Sight.MOVING in seen[4:9]
    assert set(seen[-3:]) == {Sight.HAND}


def test_what_is_put_down_is_no_hand() -> None:
    seen = states([*[Moment(top=None)] * 4, *[Moment()] * 24])
    assert seen[4] is Sight.MOVING
    assert seen[-1] is Sight.STILL


def test_repeated_sensor_times_are_no_time() -> None:
    gate = Gate()
    picture = paint(Moment())
    first = gate.see(Frame(0, 1000, picture))
    again = gate.see(Frame(1, 1000, paint(Moment(top=None))))
    assert first.fresh
    assert (again.fresh, again.blind, again.at_ns) == (False, Reason.FROZEN, 1000)


@pytest.mark.parametrize("picture", [np.zeros((720, 1280, 3), np.uint8), np.full((720, 1280, 3), 90, np.uint8)])
def test_a_dark_or_covered_camera_is_blind(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    gate = Gate()
    gate.see(Frame(0, 0, paint(Moment())))
    glance = gate.see(Frame(1, FRAME_NS, picture))
    assert glance.blind is Reason.TOO_DARK
    assert set(glance.zones.values()) == {Sight.BLIND}
    assert gate.see(Frame(2, 2 * FRAME_NS, paint(Moment()))).blind is None


def test_a_bump_of_the_camera_shakes_everything_and_can_be_undone() -> None:
    bumped = Moment(bump_px=(7.0, -5.0))
    assert [glance.shaken for glance in looks([Moment(), Moment(), bumped, bumped])] == [False, False, True, False]
    small = [cv2.cvtColor(shrink(paint(moment, n)), cv2.COLOR_BGR2GRAY) for n, moment in enumerate((Moment(), bumped))]
    motion = Aligner(small[0].astype(np.uint8)).motion(small[1].astype(np.uint8))
    assert motion is not None
    assert np.allclose(motion[:, 2] * 4, (7.0, -5.0), atol=0.8)


def test_a_picture_of_nothing_cannot_be_aligned() -> None:
    grey = np.full((180, 320), 90, np.uint8)
    assert Aligner(grey).motion(grey) is None


def test_a_large_moving_thing_does_not_shake_the_camera() -> None:
    assert not any(glance.shaken for glance in looks(Moment(hand=(-200.0 + 60 * n, 60.0, 30.0)) for n in range(6)))


def video(path: Path) -> Iterator[Frame]:
    """Yield a video's frames at 20 a second."""
    capture = cv2.VideoCapture(str(path))
    number = 0
    while (read := capture.read())[0]:
        yield Frame(number, number * 50_000_000, np.asarray(read[1], np.uint8))
        number += 1


def longest_still_s(frames: Iterable[Frame]) -> tuple[float, int]:
    """Return the longest stillness of the whole picture in seconds, and in how many frames something moved."""
    gate = Gate()
    glances = [gate.see(frame) for frame in frames]
    moving = sum(glance.zones[Zone.BUILD] is Sight.MOVING for glance in glances)
    return max(glance.still_ns[Zone.BUILD] for glance in glances) / 1e9, moving


def test_real_hands_are_never_still_for_two_seconds(real: Path) -> None:
    longest_s, _ = longest_still_s(video(real / "hands" / "board-hands-come-and-go.avi"))
    assert longest_s < 2.0


def test_a_real_still_board_is_still_throughout(real: Path) -> None:
    longest_s, moving = longest_still_s(video(real / "hands" / "board-still-2.5s.avi"))
    assert longest_s > 2.4
    assert moving == 0


def test_the_gate_costs_at_most_a_quarter_of_finding_the_markers() -> None:
    moments = [replace(Moment(), hand=(0.0, 8.0, 200.0 - 5 * n)) for n in range(10)] + [Moment()] * 20
    pictures = [paint(moment, n) for n, moment in enumerate(moments)]
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    gate = Gate()
    gate.place(VIEW, TABLE)
    gate_s = [_cost_s(lambda n=n, p=p: gate.see(Frame(n, n * FRAME_NS, p))) for n, p in enumerate(pictures)]
    finder_s = [_cost_s(lambda p=p: finder.detectMarkers(p)) for p in pictures[::6]]
    assert np.mean(sorted(gate_s)[:-3]) < 0.25 * np.mean(finder_s)


def _cost_s(call: object) -> float:
    assert callable(call)
    start = time.process_time()
    call()
    return time.process_time() - start


def test_no_time_passes_over_a_picture_repeated_to_the_last_bit() -> None:
    random = np.random.default_rng(5)
    pictures = [random.integers(90, 160, (180, 320, 3), np.uint8) for _ in range(3)]
    gate = Gate()
    moving = [gate.see(Frame(n, n * 33_000_000, picture)) for n, picture in enumerate(pictures)]
    stuck = [gate.see(Frame(3 + n, (3 + n) * 33_000_000, pictures[-1].copy())) for n in range(30)]
    assert all(glance.fresh for glance in moving)
    assert not any(glance.fresh for glance in stuck)
    assert {glance.at_ns for glance in stuck} == {moving[-1].at_ns}
    assert gate.see(Frame(40, 40 * 33_000_000, pictures[0])).fresh


Bgr = tuple[int, int, int]
WOOD: Bgr = (50, 75, 110)
"""BGR of dark wood; a finger's hue is the same."""


def wooden(number: int, finger: float = 1.0, wide_px: int = 24, palm: Bgr = (90, 40, 40)) -> Frame:
    """Paper on a wooden table, a sleeve from the upper border, and a finger from it: `finger` times the wood."""
    image = np.full((720, 1280, 3), WOOD, np.float32)
    image[400:] = 200
    image[:200, 560:720] = palm
    image[200:330, 640 - wide_px // 2 : 640 + wide_px // 2] *= finger
    noise = np.random.default_rng(number).normal(0, 1.5, image.shape)
    picture = np.clip(cv2.GaussianBlur(image, (5, 5), 0) + noise, 0, 255).astype(np.uint8)
    return Frame(number, number * 4 * FRAME_NS, picture)


def tip_of_hand(finger: float = 1.0, wide_px: int = 24) -> int:
    """Return the lowest row of 720 that is taken for a hand."""
    gate = Gate()
    for number in range(2):
        gate.see(wooden(number, palm=WOOD))
    for number in range(2, 5):
        gate.see(wooden(number, finger, wide_px))
    hands = gate.hands()
    assert hands is not None
    return int(np.flatnonzero(hands.any(axis=1)).max()) * 4


def test_a_finger_of_the_woods_own_hue_belongs_to_its_hand() -> None:
    """Found in a simulated game: a finger resting on a block before brown wood passed for light on the wood."""
    assert tip_of_hand() < 220
    assert tip_of_hand(1.6) > 310


def test_a_shadow_and_a_wide_light_at_a_hand_are_no_finger() -> None:
    assert tip_of_hand(0.6) < 220
    assert tip_of_hand(1.6, wide_px=700) < 220
