"""Pale rims: cards and tiles whose printed frame stands out from the mat while the paper around it hardly does.

The fit of the outline stops at the frame. Along a side the mean profile is one step where there is no rim, and two
where there is: a small one from the mat to the rim, a large one to the frame, both blurred as the mat's own print is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pi_app.teach.ground import PX_PER_MM
from pi_app.teach.shot import Spread
from pi_app.vision.camera import Floats

WIDEST_MM = 5.0
NARROWEST_MM = 0.3
STEP_MM = 0.1
LEAST_TINT = 0.9
"""L*, a*, b* units by which a rim differs from the mat."""
PALE_TINT = 14.0
CLEARER = 2.5
"""Two steps have to explain a side so many times as well as one."""
DARKEST = -1.5
"""A rim is as light as the mat, or lighter: what is darker is a shadow or the thing's own side."""
OUTSIDE_MM = 2.0


def rim_mm(steps: Floats, sides: Sequence[tuple[Floats, float]]) -> float | None:
    """Return how wide a pale rim all these sides have, or None where they show none.

    Each side is its mean profile, L*, a*, b* (n x 3) at `steps` mm outside of the outline so far, and the blur across
    it, one sigma in mm.
    """
    widths = np.arange(NARROWEST_MM, WIDEST_MM, STEP_MM)
    alone, tried, heights = 0.0, np.zeros(len(widths)), np.zeros((len(widths), 3))
    for profile, blur in sides:
        kept = (steps >= -0.4 * blur) & (steps <= WIDEST_MM + OUTSIDE_MM)
        alone += _misfit(steps[kept], profile[kept], [0.0], blur)[0]
        for index, width in enumerate(widths):
            misfit, height = _misfit(steps[kept], profile[kept], [0.0, float(width)], blur)
            tried[index] += misfit
            heights[index] += height[1] / len(sides)
    best = int(np.argmin(tried))
    lightness, tint = float(heights[best, 0]), float(np.hypot(*heights[best, 1:]))
    if lightness < DARKEST or np.hypot(lightness, tint) < LEAST_TINT or alone < CLEARER * tried[best]:
        return None
    return float(widths[best])


def raised_rim_mm(steps: Floats, profile: Floats, blur: float) -> float | None:
    """Return the same for one side of a thing with a side and a shadow of its own, which are a dark band around it."""
    kept = (steps >= -0.4 * blur) & (steps <= WIDEST_MM)
    at, seen = steps[kept], profile[kept]
    alone = min(_misfit(at, seen, [band, 0.0], blur, sloped=True)[0] for band in np.arange(0.6, 3.1, 0.4))
    best: tuple[float, float, Floats] = (alone / CLEARER, 0.0, np.zeros((0, 3)))
    for width in np.arange(NARROWEST_MM, WIDEST_MM - 2.0, STEP_MM):
        for band in np.arange(0.6, 2.3, 0.4):
            misfit, heights = _misfit(at, seen, [width + band, float(width), 0.0], blur, sloped=True)
            level = heights[0] + heights[1]
            if (
                misfit < best[0]
                and level[0] > DARKEST
                and heights[1, 0] > LEAST_TINT
                and np.hypot(*level[1:]) < PALE_TINT
            ):
                best = (misfit, float(width), heights)
    return best[1] if len(best[2]) else None


def blur_mm(spread: Spread, normal: Floats) -> float:
    """Return the picture's blur across an edge with this normal, one sigma in mm of the mat."""
    across, along = spread.across_mm / np.sqrt(2 * np.pi), spread.along_mm / np.sqrt(2 * np.pi)
    return float(np.sqrt((across * normal[0]) ** 2 + (along * normal[1]) ** 2 + 1 / PX_PER_MM**2))


def _misfit(at: Floats, seen: Floats, edges: list[float], blur: float, *, sloped: bool = False) -> tuple[float, Floats]:
    """Return the mean squared misfit of blurred steps at these edges, and the steps' heights, edges x 3.

    `sloped`: what is outside need not be even, as in a shadow's border.
    """
    outside = at * (1 - _step(edges[0] - at, blur))
    basis = np.stack([*(_step(edge - at, blur) for edge in edges), np.ones(len(at)), *([outside] if sloped else [])], 1)
    solved, *_ = np.linalg.lstsq(basis, seen, rcond=None)
    return float(((seen - basis @ solved) ** 2).sum(axis=1).mean()) + 1e-3, np.asarray(solved[: len(edges)])


def _step(inside: Floats, blur: float) -> NDArray[np.float64]:
    """Return a step blurred by a Gaussian (logistic approximation of its integral, within 0.01)."""
    return np.asarray(1 / (1 + np.exp(-1.702 * np.clip(inside / blur, -30, 30))))
