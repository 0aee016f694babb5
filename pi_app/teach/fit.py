"""Fitting a solid to what is seen: place, turn and sizes at once, and how well the picture fixes each size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pi_app.core.errors import UserError
from pi_app.teach.edges import edge_points, with_rims
from pi_app.teach.ground import Ground
from pi_app.teach.solid import TURN_UNIT, Shape, Solid, along, edges_of, outside_mm, solid_of
from pi_app.vision.camera import Floats
from pi_app.vision.solve import least_squares

FLAT_MM = 1.0
PALE_SHARE = 0.3
"""What is seen of a card may end well inside of it: its frame and its paper can be as pale as the mat."""
THIN = (Shape.SHEET, Shape.COIN)
"""Their sides cannot be told from their shadows, their frames can."""
ROUNDS_MM = ((3.5, 6.0), (2.0, 9.0), (1.5, 15.0), (1.0, 15.0))
"""How far from the outline so far edges are looked for, and over what length of a side profiles are averaged."""
FLAT_ROUNDS_MM = ((6.0, 6.0), (3.0, 9.0), (1.5, 15.0), (1.0, 15.0))
"""The same for cards, whose frame may be too pale to be part of the patch that was seen."""
SIGMA_MM = 0.35
"""Error of an edge point, as if each were independent: found by comparing fitted with true sizes."""
GOOD_MM, WORST_MM = 0.6, 2.0
"""Disagreement of a fit with the picture: below the first no other start is tried, above the second there is no fit."""
TRIES = 4
FAR_SIGMAS, FAR_MM = 3.5, 3.0
"""A size that comes out so far from what is known is another piece's."""
ROUGH_ROUNDS = 8
FEWEST_EDGES = 0.45


@dataclass(frozen=True, eq=False)
class Known:
    """Sizes as far as they are known: mean in mm and information (inverse covariance), both as a solid orders them."""

    mean: Floats
    information: Floats


@dataclass(frozen=True, eq=False)
class Fitted:
    """A solid laid over what is seen.

    `rms_mm` is how far the last points lie off it, `edge_mm` how badly it follows the picture's edges; `information` is
    what this picture alone says of its sizes.
    """

    solid: Solid
    rms_mm: float
    edge_mm: float
    information: Floats


def fit_solid(
    ground: Ground, outline: Floats, shape: Shape, known: Known, free: Sequence[bool], what: str, *, pale: bool = False
) -> Fitted:
    """Return the solid that fits an outline and the picture's edges near it best.

    `free` says which sizes are to be found; the others stay as they are known. `pale`: around a printed frame it may be
    as pale as the mat. UserError where nothing of that shape and about that size fits.
    """
    sized = np.array([True, True, shape.square, *free])
    guesses = _starts(outline, known, shape)
    trials = [_Residual(ground, shape, guess, along(outline), known, sized) for guess in guesses]
    starts = [trial.settled(ROUGH_ROUNDS) for trial in trials]
    starts.sort(key=lambda pair: pair[1])
    off, values, points = _best_followed(
        ground, shape, [start for start, _ in _distinct(starts)], outline, known, sized
    )
    values = _unswapped(shape, values, known, free)
    far = np.abs(values[3:] - known.mean) > np.maximum(FAR_SIGMAS / np.sqrt(np.diag(known.information)), FAR_MM)
    if off > WORST_MM or far.any():
        wanted = " x ".join(f"{mm:.0f}" for mm in known.mean)
        raise UserError(f"cannot see {what} in what lies there, wanted it alone on bare paper, about {wanted} mm")
    if pale:
        points = with_rims(ground, solid_of(shape, values).outline(ground), flat=_is_flat(shape, values))
        values = _Residual(ground, shape, values, points, known, sized).settled()[0]
    rms = _rms(ground, shape, values, points)
    return Fitted(solid_of(shape, values), rms, off, _information(ground, shape, values, points, sized))


def _best_followed(
    ground: Ground, shape: Shape, starts: list[Floats], outline: Floats, known: Known, sized: Floats
) -> tuple[float, Floats, Floats]:
    """Return the disagreement, values and edge points of the first start that fits well, else of the best."""
    best: tuple[float, Floats, Floats] | None = None
    for start in starts[:TRIES]:
        values, points, share = _followed(ground, shape, start, known, sized)
        off = _disagreement(ground, shape, values, points, outline, share)
        if best is None or off < best[0]:
            best = (off, values, points)
        if off < GOOD_MM:
            break
    assert best is not None, "there is always a start"
    return best


def _unswapped(shape: Shape, values: Floats, known: Known, free: Sequence[bool]) -> Floats:
    """Return the same box with width and depth named the way that is nearer to what is known."""
    if not shape.square or not (free[0] and free[1]):
        return values
    other = values[[0, 1, 2, 4, 3, 5]]
    other[2] += np.pi / 2 / TURN_UNIT
    off, off_other = values[3:] - known.mean, other[3:] - known.mean
    return other if off_other @ known.information @ off_other < off @ known.information @ off else values


def _distinct(starts: list[tuple[Floats, float]]) -> list[tuple[Floats, float]]:
    """Return the starts, best first, without those that came out like one before."""
    kept: list[tuple[Floats, float]] = []
    for values, cost in starts:
        if all(np.abs(values - other).max() > 1.0 for other, _ in kept):
            kept.append((values, cost))
    return kept


def _followed(ground: Ground, shape: Shape, start: Floats, known: Known, sized: Floats) -> tuple[Floats, Floats, float]:
    """Return the values after following the picture's edges, their points, and on what share of it there are some."""
    values, points, share = start, np.zeros((0, 2)), 0.0
    flat = _is_flat(shape, start)
    for reach, window in FLAT_ROUNDS_MM if flat else ROUNDS_MM:
        outline = solid_of(shape, values).outline(ground)
        points, share = edge_points(ground, outline, reach, window, by_tint=shape in THIN, flat=flat)
        if share < FEWEST_EDGES:
            break
        values = _Residual(ground, shape, values, points, known, sized).settled()[0]
    return values, points, share


def _disagreement(ground: Ground, shape: Shape, values: Floats, points: Floats, outline: Floats, share: float) -> float:
    """Return in mm how badly a solid fits: its edges, the patch that was seen, and sides without an edge."""
    if share < FEWEST_EDGES:
        return 2 * WORST_MM
    beyond = outside_mm(along(outline), solid_of(shape, values).outline(ground))
    patch = np.where(beyond < 0, -beyond * (PALE_SHARE if _is_flat(shape, values) else 1.0), beyond)
    worst = float(np.quantile(patch, 0.5 if shape in THIN else 0.8))
    return _rms(ground, shape, values, points) + worst / 2 + 2.0 * (1 - share)


def _is_flat(shape: Shape, values: Floats) -> bool:
    return shape is Shape.BOX and float(values[-1]) < FLAT_MM


def _starts(outline: Floats, known: Known, shape: Shape) -> list[Floats]:
    """Return guesses: known sizes, or near them, at each turn that the outline's sides suggest."""
    middle = outline.mean(axis=0)
    if not shape.square:
        return [np.array([*middle, 0.0, *known.mean])]
    _, _, turn = cv2.minAreaRect(outline.astype(np.float32))
    normals, _, length = edges_of(outline)
    longest = np.argsort(-length)[:2]
    turns = [np.deg2rad(turn), *np.arctan2(normals[longest, 1], normals[longest, 0])]
    guesses = []
    for angle in turns:
        for quarter in (0.0, np.pi / 2):
            folded = (angle + quarter + np.pi / 2) % np.pi - np.pi / 2
            guesses.append(np.array([*middle, folded / TURN_UNIT, *known.mean]))
    return guesses


class _Residual:
    """How far points lie off a solid's outline, robustly, and its sizes off what is known, both in sigmas."""

    def __init__(
        self, ground: Ground, shape: Shape, start: Floats, points: Floats, known: Known, sized: Floats
    ) -> None:
        self._ground, self._shape, self._start, self._points = ground, shape, start, points
        self._mean, self._sized = known.mean, sized
        self._root = np.linalg.cholesky(known.information + 1e-9 * np.eye(len(known.mean))).T

    def settled(self, rounds: int = 15) -> tuple[Floats, float]:
        """Return the best values near the start, and what they cost."""
        best = least_squares(self._of, self._start[self._sized], rounds)
        error = self._of(best)
        return self._full(best), float(error @ error)

    def _full(self, part: Floats) -> Floats:
        values = self._start.copy()
        values[self._sized] = part
        return values

    def _of(self, part: Floats) -> Floats:
        values = self._full(part)
        off = outside_mm(self._points, solid_of(self._shape, values).outline(self._ground)) / SIGMA_MM
        soft = off / np.sqrt(1 + (off / 4) ** 2) ** 0.5
        return np.concatenate([soft, self._root @ (values[3:] - self._mean)])


def _rms(ground: Ground, shape: Shape, values: Floats, points: Floats) -> float:
    off = np.abs(outside_mm(points, solid_of(shape, values).outline(ground)))
    return float(np.sqrt(np.mean(np.sort(off)[: max(1, int(0.9 * len(off)))] ** 2)))


def _information(ground: Ground, shape: Shape, values: Floats, points: Floats, sized: Floats) -> Floats:
    """Return what the points say of the sizes alone, place and turn being unknown too (the Schur complement)."""
    base = outside_mm(points, solid_of(shape, values).outline(ground))
    step = 0.02
    slopes = []
    for index in range(len(values)):
        moved = values.copy()
        moved[index] += step
        slopes.append((outside_mm(points, solid_of(shape, moved).outline(ground)) - base) / step * bool(sized[index]))
    slope = np.stack(slopes, axis=1)
    rms = max(SIGMA_MM, float(np.sqrt(np.mean(base**2))))
    normal = slope.T @ slope / rms**2
    place, mixed, sizes = normal[:3, :3], normal[:3, 3:], normal[3:, 3:]
    return np.asarray(sizes - mixed.T @ np.linalg.pinv(place) @ mixed)
