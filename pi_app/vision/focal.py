"""An unknown camera's focal length, solved from one picture of the mat.

The mat is a plane of known size seen at a slant, so only one focal length makes its markers fit. Square pixels, the
middle of the picture and a lens without distortion are assumed. On pictures of known cameras the result is within 2 %.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, Floats
from pi_app.vision.pose import find_corners, mat_corners

Image = NDArray[np.uint8]
WIDEST, NARROWEST = 0.4, 3.0
"""Focal lengths tried, in picture widths: horizontal fields of view from 103 to 19 degrees."""
STEPS = 40
FEWEST_MARKERS = 4


def solve_camera(image: Image, table: Table) -> Camera | None:
    """Return the camera whose focal length fits the mat best; None where fewer than four markers are seen."""
    height, width = image.shape[:2]
    seen, _ = find_corners(image, table)
    if len(seen) < FEWEST_MARKERS:
        return None
    points_mm = np.concatenate([mat_corners(table)[marker] for marker in seen])
    pixels = np.concatenate(list(seen.values()))
    low, high = WIDEST * width, NARROWEST * width
    for _ in range(2):
        tried = np.geomspace(low, high, STEPS)
        best = int(np.argmin([_misfit_px(f, points_mm, pixels, width, height) for f in tried]))
        low, high = tried[max(best - 1, 0)], tried[min(best + 1, STEPS - 1)]
    return pinhole(float(tried[best]), width, height)


def pinhole(focal_px: float, width: int, height: int) -> Camera:
    """Return a camera of square pixels without distortion whose axis meets the middle of the picture."""
    return Camera(width, height, focal_px, focal_px, (width - 1) / 2, (height - 1) / 2)


def _misfit_px(focal_px: float, points_mm: Floats, pixels: Floats, width: int, height: int) -> float:
    camera = pinhole(focal_px, width, height)
    lens = (camera.matrix, camera.distortion)
    found, rvec, tvec = cv2.solvePnP(points_mm, pixels, *lens, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return float("inf")
    seen, _ = cv2.projectPoints(points_mm, rvec, tvec, *lens)
    return float(np.median(np.linalg.norm(seen.reshape(-1, 2) - pixels, axis=1)))
