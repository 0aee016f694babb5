"""Where the picture's edges are near an outline: the profiles across it, and what counts as an edge."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.teach.ground import Ground
from pi_app.teach.rim import WIDEST_MM, blur_mm, raised_rim_mm, rim_mm
from pi_app.teach.solid import STEP_MM, edges_of
from pi_app.vision.camera import Floats

STRAIGHT_MM = 6.0
PROFILE_MM = 0.125
SMOOTH_MM = 0.3
CORNER_MM = 3.0
LEAST_SLOPE = 1.5
CLEAR_SIGMAS = 4.0
EDGE_SHARE = 0.4
"""An edge is clear from so many L*a*b* units a mm, and from so many times what noise alone makes, and where it is at
least this share of the steepest place near: shadows and the pale rims of printed frames are less."""
RIM_SCATTER_MM = 0.6
"""A printed frame has one rim: at least half of the sides show it, and alike."""
SHADE_TINT = (0.12, 0.28)
"""A step to darker whose tint changes by less than this part of it is a shadow's edge; from the second on none."""
FLAT_SHADE_TINT = (0.03, 0.12)
"""The same where there is next to no shadow: beside a card, whose frame may be all but grey."""


def edge_points(
    ground: Ground, corners: Floats, reach_mm: float, window_mm: float, *, by_tint: bool = False, flat: bool = False
) -> tuple[Floats, float]:
    """Return where the picture's edges are near an outline, n x 2, and on what share of it there is one.

    Along each normal the outermost clear edge counts, steps into shadow left out; profiles are averaged over
    `window_mm` of a side, so that a pale edge is told from noise. `by_tint`: changes of tint
    alone count; `flat`: it throws next to no shadow.
    """
    feet, outward, sides = _feet(corners)
    steps = np.arange(reach_mm + 4 * SMOOTH_MM, -(reach_mm + 4 * SMOOTH_MM) - 1e-9, -PROFILE_MM)
    profiles = _averaged(_profiles(ground, feet, outward, steps), sides, round(window_mm / STEP_MM))
    slopes = _slopes(profiles, by_tint=by_tint, shade=FLAT_SHADE_TINT if flat else SHADE_TINT)
    floor = max(LEAST_SLOPE, CLEAR_SIGMAS * _noise_slope(ground, window_mm))
    slopes[:, np.abs(steps) > reach_mm] = 0.0
    best = np.array([_outermost(slope, max(floor, EDGE_SHARE * float(slope.max()))) for slope in slopes])
    found = best >= 0
    at = np.array([_peak(slope, index) for slope, index in zip(slopes[found], best[found], strict=True)])
    off = steps[0] - at * PROFILE_MM
    return feet[found] + off[:, None] * outward[found], float(found.mean()) if len(found) else 0.0


def with_rims(ground: Ground, corners: Floats, *, flat: bool) -> Floats:
    """Return points on an outline, moved outward by its pale rim, n x 2.

    A printed frame has the same rim on all sides; what is not `flat` shows it only where its shadow does not fall.
    """
    feet, outward, sides = _feet(corners)
    steps = np.arange(WIDEST_MM + 3.0, -1.5, -PROFILE_MM)
    profiles = _profiles(ground, feet, outward, steps)
    seen = [
        (profiles[of].mean(axis=0), blur_mm(ground.shot.spread, outward[of].mean(axis=0)))
        for of in (sides == side for side in np.unique(sides))
        if of.sum() * STEP_MM > STRAIGHT_MM
    ]
    if flat:
        return feet + (rim_mm(steps, seen) or 0.0) * outward
    rims = [rim for profile in seen if (rim := raised_rim_mm(steps, *profile)) is not None]
    agreed = (
        len(rims) * 2 >= max(len(seen), 2) and float(np.subtract(*np.quantile(rims, [0.75, 0.25]))) < RIM_SCATTER_MM
    )
    return feet + (float(np.median(rims)) if agreed else 0.0) * outward


def _feet(corners: Floats) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return points STEP_MM apart along an outline, their outward normals, and which straight side each is on.

    What is near the corners of long sides is left out; short sides count together as a round one, in eight sectors.
    """
    normals, _, lengths = edges_of(corners)
    feet, outward, sides = [], [], []
    for side, (one, other, length) in enumerate(zip(corners, np.roll(corners, -1, axis=0), lengths, strict=True)):
        straight = length > STRAIGHT_MM
        margin = min(CORNER_MM, 0.3 * length) if straight else 0.0
        count = max(1, round((length - 2 * margin) / STEP_MM))
        part = (margin + (np.arange(count) + 0.5) / count * (length - 2 * margin)) / length
        feet.append(one + part[:, None] * (other - one))
        outward.append(np.repeat(normals[side : side + 1], count, axis=0))
        sector = -1 - int(np.arctan2(normals[side, 1], normals[side, 0]) // (np.pi / 4) + 8) % 8
        sides += [side if straight else sector] * count
    return np.concatenate(feet), np.concatenate(outward), np.array(sides)


def _profiles(ground: Ground, feet: Floats, out: Floats, steps: Floats) -> Floats:
    """Return L*, a*, b* along each normal from outside to inside, n x steps x 3."""
    points = feet[:, None] + steps[None, :, None] * out[:, None]
    pixels = ground.pixels(points.reshape(-1, 2)).astype(np.float32).reshape(len(feet), len(steps), 2)
    lab = cv2.remap(ground.lab, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(lab, np.float64)


def _averaged(profiles: Floats, sides: NDArray[np.int64], count: int) -> Floats:
    """Return each profile as the mean of `count` neighbours on its side, of fewer at a side's ends."""
    half = min(max(count // 2, 0), 6)
    means = np.empty_like(profiles)
    for side in np.unique(sides):
        members = np.flatnonzero(sides == side)
        sums = np.cumsum(np.concatenate([np.zeros((1, *profiles.shape[1:])), profiles[members]]), axis=0)
        low = np.clip(np.arange(len(members)) - half, 0, None)
        high = np.clip(np.arange(len(members)) + half + 1, None, len(members))
        means[members] = (sums[high] - sums[low]) / (high - low)[:, None, None]
    return means


def _slopes(profiles: Floats, *, by_tint: bool, shade: tuple[float, float]) -> Floats:
    """Return how steeply the picture changes along each profile, n x steps; 0 into shadow."""
    slope = np.gradient(_smooth(profiles), PROFILE_MM, axis=1)
    tint, fall = np.hypot(slope[..., 1], slope[..., 2]), -slope[..., 0]
    if by_tint:
        return np.asarray(tint)
    low, high = shade
    real = np.where(fall > 0, np.clip((tint / np.maximum(fall, 1e-6) - low) / (high - low), 0, 1), 1.0)
    return np.asarray(np.hypot(tint, slope[..., 0]) * real)


def _noise_slope(ground: Ground, window_mm: float) -> float:
    """Return the slope that noise alone makes on the bare mat, root mean square."""
    bare = np.argwhere((ground.thing[::8, ::8] == 0) & (ground.sure[::8, ::8] > 0)) * 8
    chosen = bare[:: max(1, len(bare) // 60)][:60]
    middles = ground.places(chosen[:, ::-1].astype(np.float64))
    count = max(1, round(window_mm / STEP_MM))
    along = (np.arange(count) - (count - 1) / 2) * STEP_MM
    feet = np.concatenate([np.column_stack([middles[:, 0] + off, middles[:, 1]]) for off in along])
    steps = np.arange(1.0, -1.0, -PROFILE_MM)
    profiles = _profiles(ground, feet, np.tile([0.0, 1.0], (len(feet), 1)), steps)
    means = profiles.reshape(count, len(middles), len(steps), 3).mean(axis=0)
    slope = np.gradient(_smooth(means), PROFILE_MM, axis=1)
    return float(np.sqrt(np.median((slope**2).sum(axis=2).mean(axis=1))))


def _smooth(profile: Floats) -> Floats:
    """Return profiles smoothed along their second axis."""
    sigma = SMOOTH_MM / PROFILE_MM
    shape = profile.shape
    flat = cv2.GaussianBlur(
        profile.transpose(0, 2, 1).reshape(-1, shape[1]),
        (0, 0),
        sigmaX=sigma,
        sigmaY=1e-3,
        borderType=cv2.BORDER_REPLICATE,
    )
    return np.asarray(flat, np.float64).reshape(shape[0], shape[2], shape[1]).transpose(0, 2, 1)


def _outermost(slope: Floats, floor: float) -> int:
    """Return the first clear peak from outside, -1 where there is none."""
    inner = (slope[1:-1] >= slope[:-2]) & (slope[1:-1] > slope[2:]) & (slope[1:-1] >= floor)
    peaks = np.flatnonzero(inner)
    return int(peaks[0]) + 1 if len(peaks) else -1


def _peak(slope: Floats, index: int) -> float:
    """Return the peak's place between the steps (parabola through three)."""
    before, here, after = slope[index - 1 : index + 2]
    bend = before - 2 * here + after
    return index + (0.5 * (before - after) / bend if abs(bend) > 1e-9 else 0.0)
