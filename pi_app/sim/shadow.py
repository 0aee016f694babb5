"""Shadows that solids throw on planes: a lamp's rays carried on to the plane, hulls of the points where they land."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.sim.pieces import Floats

CLOSE_MM = 0.8
"""What rises less than this above a plane throws no shadow on it."""


@dataclass(frozen=True, eq=False)
class Casters:
    """The points of several solids in one array, n x 3 mm, and where each solid begins; `names` tell them apart."""

    points_mm: Floats
    starts: NDArray[np.int64]
    names: tuple[str, ...]


def casters(solids: Sequence[tuple[str, Floats]]) -> Casters:
    """Put solids' points together."""
    counts = [len(points) for _, points in solids]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64) if counts else np.zeros(0, np.int64)
    points = np.concatenate([points for _, points in solids]) if counts else np.zeros((0, 3))
    return Casters(points, starts, tuple(name for name, _ in solids))


def landing(points_mm: Floats, lamp_mm: Floats, on_mm: Floats, normal: Floats) -> tuple[Floats, Floats]:
    """Return where a lamp's rays through points land on a plane (n x 3), and the points' heights above it.

    Points below the plane are moved straight up to it.
    """
    height = (points_mm - on_mm) @ normal
    lamp_height = float((lamp_mm - on_mm) @ normal)
    clear = np.clip(height, 0.0, 0.9 * lamp_height)
    lifted = points_mm + np.outer(clear - height, normal)
    reach = lamp_height / (lamp_height - clear)
    return lamp_mm + (lifted - lamp_mm) * reach[:, None], height


def shade_face(
    all_casters: Casters, own: str, corners_mm: Floats, normal: Floats, lamp_mm: Floats, shape: tuple[int, int]
) -> NDArray[np.uint8] | None:
    """Return the part of a lamp hidden from a face as a picture of `shape` (rows, columns), None where nothing is.

    `corners_mm` are the face's corners from the top left clockwise; `own` is the solid the face belongs to.
    """
    landed, height = landing(all_casters.points_mm, lamp_mm, corners_mm[0], normal)
    right, down = corners_mm[1] - corners_mm[0], corners_mm[3] - corners_mm[0]
    across = (landed - corners_mm[0]) @ right / (right @ right)
    below = (landed - corners_mm[0]) @ down / (down @ down)
    starts = all_casters.starts
    hits = (
        (np.maximum.reduceat(height, starts) > CLOSE_MM)
        & (np.minimum.reduceat(across, starts) < 1) & (np.maximum.reduceat(across, starts) > 0)
        & (np.minimum.reduceat(below, starts) < 1) & (np.maximum.reduceat(below, starts) > 0)
    )  # fmt: skip
    mask: NDArray[np.uint8] | None = None
    pixels = np.stack([across * shape[1] - 0.5, below * shape[0] - 0.5], axis=1)
    ends = np.append(starts[1:], len(pixels))
    for solid in np.flatnonzero(hits):
        if all_casters.names[solid] == own:
            continue
        if mask is None:
            mask = np.zeros(shape, np.uint8)
        fill(mask, pixels[starts[solid] : ends[solid]])
    return mask


def fill(mask: NDArray[np.uint8], pixels: Floats) -> None:
    """Fill the hull of points (x, y) in a mask."""
    clipped = np.clip(pixels, -4000, 4000).astype(np.float32)
    hull = cv2.convexHull(clipped)
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
