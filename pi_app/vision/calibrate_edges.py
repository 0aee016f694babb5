"""A marker's corners where its four edges meet: many edge points each, so better than a corner's own few pixels.

On drawn pictures with noise the reprojection falls by a third against cv2.cornerSubPix.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.camera import Floats

Grey = NDArray[np.uint8]
BLUR_PX = 0.8
ALONG = np.linspace(0.12, 0.88, 48)
"""Where along an edge it is looked for: not near the corners, which blur rounds off."""
CELLS, WITHIN, FARTHEST_PX = 7, 0.8, 3.0
"""An edge is sought within so much of a cell, one of CELLS across the marker: its black border, or the white around."""
STEPS = 13
FAINT, FAR, FEWEST = 0.5, 2.5, 16
SURE_PX = 0.3


def softened(grey: Grey) -> NDArray[np.float32]:
    """Return the picture as `edge_corners` wants it."""
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_PX), np.float32)


def edge_corners(soft: NDArray[np.float32], corners: Floats) -> Floats | None:
    """Return a marker's corners, 4 x 2 px clockwise, from rough ones; None where an edge cannot be made out."""
    edges = [_edge(soft, corners[k], corners[(k + 1) % 4], _reach_px(corners)) for k in range(4)]
    found = []
    for before, after in zip([edges[-1], *edges[:-1]], edges, strict=True):
        if before is None or after is None:
            return None
        found.append(_crossing(before, after))
    moved = np.linalg.norm(np.array(found) - corners, axis=1)
    return np.array(found) if bool((moved <= 2 * _reach_px(corners)).all()) else None


def _reach_px(corners: Floats) -> float:
    side = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))
    return min(FARTHEST_PX, WITHIN * side / CELLS)


def _edge(soft: NDArray[np.float32], start: Floats, end: Floats, reach_px: float) -> tuple[Floats, Floats] | None:
    """Return two points of the line from dark (inside) to light (outside) near the line from `start` to `end`."""
    way = end - start
    outwards = np.array([way[1], -way[0]]) / np.linalg.norm(way)
    off = np.linspace(-reach_px, reach_px, STEPS)
    places = ((start + ALONG[:, None] * way)[:, None, :] + off[None, :, None] * outwards).astype(np.float32)
    rise = np.clip(np.diff(cv2.remap(soft, places[..., 0], places[..., 1], cv2.INTER_LINEAR), axis=1), 0, None)
    weight = rise.sum(axis=1)
    shift = (rise * (off[1:] + off[:-1]) / 2).sum(axis=1) / np.maximum(weight, 1e-3)
    line = _line(ALONG, shift, weight > FAINT * np.median(weight))
    return None if line is None else (start + line[0] * outwards, end + (line[0] + line[1]) * outwards)


def _line(along: Floats, shift: Floats, kept: NDArray[np.bool_]) -> Floats | None:
    """Return level and slope of the line through the points kept, without those far from it."""
    for _ in range(2):
        if int(kept.sum()) < FEWEST:
            return None
        slope, level = np.polyfit(along[kept], shift[kept], 1)
        far = np.abs(level + slope * along - shift)
        kept = kept & (far <= max(SURE_PX, FAR * float(np.median(far[kept]))))
    return np.array([level, slope])


def _crossing(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    (start, end), (base, tip) = one, other
    part = np.linalg.solve(np.stack([end - start, base - tip], axis=1), base - start)[0]
    return np.asarray(start + part * (end - start))
