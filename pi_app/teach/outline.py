"""What lies in a zone: the one thing's outline."""

from __future__ import annotations

import cv2
import numpy as np

from pi_app.core.errors import UserError
from pi_app.teach.ground import PX_PER_MM, Ground, Mask
from pi_app.teach.solid import along, hull, outside_mm
from pi_app.vision.camera import Floats

LEAST_MM2 = 40.0
"""Smaller things are none."""
SPECK_MM2 = 1.0
CLOSE_MM = 4.0
TOGETHER_MM = 6.0
"""Gaps that printed lines leave are closed; patches this near to each other are one thing."""


def find_outline(ground: Ground, what: str) -> Floats:
    """Return the one thing that lies in a ground's zone: its outline n x 2, mm, convex.

    UserError where there is nothing, or more than one thing.
    """
    patches = _patches(ground)
    if not patches:
        raise UserError(f"got nothing in the zone, wanted {what} on it")
    if len(patches) > 1:
        spots = " and ".join(f"({x:.0f}, {y:.0f})" for x, y in (patch.mean(axis=0) for patch in patches[:2]))
        raise UserError(f"got {len(patches)} things in the zone, at {spots} mm, wanted {what} alone")
    return patches[0]


def _patches(ground: Ground) -> list[Floats]:
    """Return the outlines of all that lies there, largest first; patches that lie close together are one thing."""
    mask = np.where(ground.thing > 0.5, 255, 0).astype(np.uint8)
    mask = _closed(_without_specks(mask))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outlines = [
        hull(ground.places(contour.reshape(-1, 2).astype(np.float64))) for contour in contours if len(contour) > 3
    ]
    outlines = [outline for outline in outlines if _area(outline) >= LEAST_MM2]
    merged = _merged(sorted((o for o in outlines if _is_near_zone(ground, o)), key=_area, reverse=True))
    return sorted(merged, key=_area, reverse=True)


def _merged(outlines: list[Floats]) -> list[Floats]:
    """Return outlines with those that lie within TOGETHER_MM of each other made one."""
    apart: list[Floats] = []
    for outline in outlines:
        near = [
            o
            for o in apart
            if outside_mm(along(o), outline).min() < TOGETHER_MM or outside_mm(along(outline), o).min() < TOGETHER_MM
        ]
        apart = [o for o in apart if not any(o is other for other in near)]
        apart.append(hull(np.concatenate([outline, *near])))
    return apart if len(apart) == len(outlines) else _merged(apart)


def _area(outline: Floats) -> float:
    return abs(float(cv2.contourArea(outline.astype(np.float32))))


def _is_near_zone(ground: Ground, outline: Floats) -> bool:
    """Whether a patch reaches into the zone: what lies beside it only does not count."""
    inner = ground.zone
    low, high = outline.min(axis=0), outline.max(axis=0)
    return bool(low[0] < inner.x1 - 2 and high[0] > inner.x0 + 2 and low[1] < inner.y1 - 2 and high[1] > inner.y0 + 2)


def _without_specks(mask: Mask) -> Mask:
    """Leave out patches smaller than SPECK_MM2; thin lines stay."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= SPECK_MM2 * PX_PER_MM**2
    large[0] = False
    return np.where(large[labels], 255, 0).astype(np.uint8)


def _closed(mask: Mask) -> Mask:
    """Close the gaps that printed lines leave, without joining things that lie apart."""
    size = round(CLOSE_MM * PX_PER_MM) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
