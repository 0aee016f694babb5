"""Telling things from light between two pictures."""

import numpy as np

from pi_app.vision.motion import Picture, compare


def grained(seed: int, gain: float = 1.0) -> Picture:
    """Return a table with a pattern and a camera's noise, under a lamp of some strength."""
    pattern = np.random.default_rng(1).normal(120, 15, (90, 160, 1)).repeat(3, axis=2)
    noise = np.random.default_rng(seed).normal(0, 1.5, (90, 160, 3))
    return np.clip(pattern * gain + noise, 0, 255).astype(np.uint8)


def test_a_lamp_that_changes_everything_hides_no_thing() -> None:
    """The change of light is no noise: a thing that came meanwhile is seen through it, and nothing else is."""
    now = grained(3, 0.8)
    now[30:50, 60:80] = (60, 90, 150)
    things = compare(grained(2), now).things > 0
    assert things[32:48, 62:78].mean() > 0.9
    things[26:54, 56:84] = False
    assert things.mean() < 0.01
