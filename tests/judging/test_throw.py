"""Flights made of numbers: what is seen of them, what the judge says."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.throw import Throw, ThrowJudge
from pi_app.judging.throw_flight import GRAVITY, cloud_of, fit_flight
from pi_app.judging.throw_track import Eyesight
from pi_app.vision.throw import ANY, Spots

EYE = np.array([20.0, 480.0, 380.0])
STONE_MM = 16.0
PALM = np.array([10.0, -60.0, 110.0])
Places = NDArray[np.float64]


def _sight() -> Eyesight:
    return Eyesight(EYE, lambda places: places[:, 2] < 420.0, STONE_MM)


def _way(t: float, height_mm: float, after: str) -> Places:
    """Return where the stone is: pushed up by 30 m/s2 until 0.5 s, then free until it is back at its release."""
    speed = float(np.sqrt(2 * 9810.0 * height_mm))
    push_s = speed / 20_000.0
    if t < 0.5 - push_s:
        return PALM - (0, 0, 10_000.0 * push_s**2)
    if t < 0.5:
        return PALM - (0, 0, 10_000.0 * push_s**2 - 10_000.0 * (t - 0.5 + push_s) ** 2)
    fall_s = t - 0.5
    landed_s = 2 * speed / 9810.0 if after == "caught" else float(np.roots([-4905.0, speed, PALM[2] - 5.0]).max())
    fall_s = min(fall_s, landed_s)
    return PALM + (60.0 * fall_s, 0, speed * fall_s) + GRAVITY * fall_s**2 / 2


def _pictures(height_mm: float, after: str = "caught", fps: float = 60.0, seed: int = 1) -> list[Spots]:
    random = np.random.default_rng(seed)
    pictures = []
    for number in range(round(1.9 * fps)):
        place = _way(number / fps, height_mm, after)
        if place[2] > 420.0 or (after == "hidden" and number / fps > 0.5 + 2 * np.sqrt(2 * height_mm / 9810.0)):
            ways = np.zeros((0, 3))
        else:
            ways = (place + random.normal(0, 0.6, 3) - EYE)[None]
        clutter = np.array([[-80.0, 20.0, 5.0]]) - EYE
        rays = np.concatenate([ways, clutter + random.normal(0, 0.2, (1, 3))])
        rays /= np.linalg.norm(rays, axis=1, keepdims=True)
        colours = np.array([1] * len(ways) + [0])
        widths = np.full(len(rays), STONE_MM / 700.0)
        pictures.append(Spots(round(number / fps * 1e9), rays, colours, widths, np.full(len(rays), 90.0)))
    return pictures


def _judged(pictures: list[Spots]) -> tuple[ThrowJudge, list[Throw]]:
    judge = ThrowJudge(_sight())
    judge.ask(pictures[0].at_ns)
    for spots in pictures:
        judge.see(spots)
    judge.finish()
    return judge, judge.throws


def test_place_velocity_and_distance_follow_from_directions_alone() -> None:
    pictures = [spots for spots in _pictures(180.0) if 0.5e9 < spots.at_ns < 0.85e9]
    cloud = cloud_of(pictures, 0)
    flight = fit_flight(cloud.chosen(cloud.colours == 1), EYE, 1.0)
    assert flight is not None
    assert flight.places(0.5)[0] == pytest.approx(PALM, abs=12.0)
    assert flight.rise_mm(0.5) == pytest.approx(180.0, abs=6.0)


@pytest.mark.parametrize(("fps", "within_mm"), [(60.0, 20.0), (30.0, 40.0), (20.0, 55.0)])
@pytest.mark.parametrize("height_mm", [140.0, 220.0])
def test_a_good_throw_passes_with_its_height(height_mm: float, fps: float, within_mm: float) -> None:
    judge, throws = _judged(_pictures(height_mm, fps=fps))
    assert [throw.caught for throw in throws] == [True]
    assert throws[0].height_mm == pytest.approx(height_mm, abs=within_mm)
    assert throws[0].released_ns / 1e9 == pytest.approx(0.5, abs=0.7 / fps)
    final = judge.final().outcome
    assert final is Outcome.PASS or (fps < 60 and final is Outcome.UNSURE)


def test_a_low_throw_fails() -> None:
    judge, _ = _judged(_pictures(55.0))
    assert judge.final().reasons == (Reason.TOO_LOW,)


def test_a_stone_that_falls_on_the_table_is_dropped() -> None:
    judge, throws = _judged(_pictures(190.0, "dropped"))
    assert judge.final().outcome is Outcome.FAIL
    assert judge.final().reasons == (Reason.DROPPED,)
    assert throws[0].caught_ns is None


def test_a_catch_that_is_not_seen_is_unsure() -> None:
    judge, _ = _judged(_pictures(190.0, "hidden"))
    assert judge.verdict() is None
    assert judge.final().reasons == (Reason.HIDDEN,)


@pytest.mark.parametrize("height_mm", [98.0, 101.0])
def test_close_to_the_wanted_height_is_unsure(height_mm: float) -> None:
    judge, _ = _judged(_pictures(height_mm))
    assert judge.final().outcome is Outcome.UNSURE


def test_a_stone_leaves_the_picture_at_the_top_and_comes_back() -> None:
    judge, throws = _judged(_pictures(340.0))
    assert judge.final().outcome is Outcome.PASS
    assert throws[0].height_mm == pytest.approx(340.0, abs=25.0)


def test_nothing_thrown_is_unsure() -> None:
    judge, throws = _judged(_pictures(190.0)[:25])
    assert not throws
    assert judge.final().outcome is Outcome.UNSURE


def test_a_stone_carried_up_and_down_is_no_throw() -> None:
    pictures = []
    for number in range(110):
        place = PALM + np.array([0.0, 0.0, 80.0 * (1 - np.cos(number / 60 * 2 * np.pi))])
        ray = (place - EYE) / np.linalg.norm(place - EYE)
        one = np.full(1, STONE_MM / 700.0)
        pictures.append(Spots(round(number / 60 * 1e9), ray[None], np.array([1]), one, np.full(1, 90.0)))
    judge, _ = _judged(pictures)
    assert judge.final().outcome is not Outcome.PASS


def test_what_only_moves_and_has_no_colour_is_no_stone() -> None:
    pictures = [
        Spots(spots.at_ns, spots.rays, np.full(len(spots.colours), ANY), spots.widths, spots.levels)
        for spots in _pictures(190.0)
    ]
    assert not _judged(pictures)[1]


def test_what_was_sensed_before_the_question_is_not_used() -> None:
    judge = ThrowJudge(_sight())
    judge.ask(900_000_000)
    for spots in _pictures(190.0):
        judge.see(spots)
    judge.finish()
    assert judge.final().outcome is Outcome.UNSURE
