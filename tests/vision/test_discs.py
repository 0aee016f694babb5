"""Covering patches with copies of a shape."""

import numpy as np

from pi_app.vision.discs import Bools, fit_discs


def disc(radius: int) -> Bools:
    y, x = np.mgrid[-radius - 1 : radius + 2, -radius - 1 : radius + 2]
    return np.asarray(x * x + y * y <= radius * radius)


def patch(*centres: tuple[int, int]) -> Bools:
    field = np.zeros((120, 160), bool)
    half = disc(10).shape[0] // 2
    for x, y in centres:
        field[y - half : y + half + 1, x - half : x + half + 1] |= disc(10)
    return field


def test_one_two_and_a_cluster() -> None:
    for centres in ([(50, 50)], [(50, 50), (71, 50)], [(50, 50), (71, 50), (60, 68), (81, 68)]):
        found = fit_discs(patch(*centres), np.zeros((120, 160), bool), disc(10), 17.0)
        assert sorted(found.centres) == sorted(centres)
        assert min(found.fits) > 0.95


def test_what_is_covered_by_something_else_does_not_count_against_it() -> None:
    field = patch((50, 50))
    other = np.zeros_like(field)
    other[56:70, 30:70] = True
    found = fit_discs(field & ~other, other, disc(10), 17.0)
    assert len(found.centres) == 1
    assert np.hypot(found.centres[0][0] - 50, found.centres[0][1] - 50) < 3
    assert found.fits[0] > 0.9


def test_a_ring_and_a_bar_fit_badly() -> None:
    y, x = np.mgrid[:120, :160]
    radius = np.hypot(x - 60, y - 60)
    ring = (radius < 14) & (radius > 10)
    bar = (abs(y - 60) < 4) & (abs(x - 60) < 40)
    for shape in (ring, bar):
        found = fit_discs(shape, np.zeros_like(shape), disc(10), 17.0)
        assert max(found.fits) < 0.55
