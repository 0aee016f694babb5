"""A camera's numbers from several pictures of the mat: the flat chart of Zhang's method.

Z. Zhang, "A Flexible New Technique for Camera Calibration", IEEE PAMI 22 (2000): one plane of known size, seen at
several tilts, gives focal lengths, principal point and distortion. Solved by cv2.calibrateCameraExtended.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from pi_app.core.errors import UserError
from pi_app.kit.table import Table
from pi_app.vision.calibrate_edges import edge_corners, softened
from pi_app.vision.camera import Camera, Floats
from pi_app.vision.pose import Corners, find_corners, mat_corners

Image = NDArray[np.uint8]
FEWEST_MARKERS = 5
FEWEST_VIEWS = 6
OUTLIER = 4.0
"""A marker so many times further off than the median one was read wrong: a finger on it, a fold in the mat."""
SOUND_RMS_PX = 1.0
SOUND_SIGMA = 0.01
"""Standard deviation of the focal length, as a part of it, above which the views did not determine it."""


@dataclass(frozen=True, eq=False)
class MatView:
    """The mat in one picture of `size` (width, height) in px: its markers' corners, 4 x 2 in px by id."""

    size: tuple[int, int]
    corners: Corners

    @property
    def pixels(self) -> Floats:
        """All corners, n x 2."""
        return np.concatenate(list(self.corners.values()))


@dataclass(frozen=True, eq=False)
class Calibration:
    """The camera solved; `rms_px` of reprojection, `sigma` of the focal length as a part of it, views it rests on."""

    camera: Camera
    rms_px: float
    sigma: float
    views: int
    tilts_deg: tuple[float, ...]


def mat_view(image: Image, table: Table) -> MatView | None:
    """Return the mat in a picture, None where fewer than FEWEST_MARKERS of its markers are seen."""
    rough, _ = find_corners(image, table)
    soft = softened(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    found = {i: fine for i, corners in rough.items() if (fine := edge_corners(soft, corners)) is not None}
    if len(found) < FEWEST_MARKERS:
        return None
    return MatView((image.shape[1], image.shape[0]), found)


def calibrate(views: Sequence[MatView], table: Table) -> Calibration:
    """Return the camera that fits all views best; UserError where the views cannot tell or do not fit together."""
    size = _common_size(views)
    first = _solve(views, size, table)
    kept = _without_outliers(views, first)
    solved = first if kept is None else _solve(kept, size, table)
    _refuse_unsound(solved.calibration)
    return solved.calibration


@dataclass(frozen=True, eq=False)
class _Solved:
    calibration: Calibration
    errors_px: tuple[dict[int, float], ...]


def _common_size(views: Sequence[MatView]) -> tuple[int, int]:
    if len(views) < FEWEST_VIEWS:
        raise UserError(f"calibration: got {len(views)} pictures of the mat, wanted at least {FEWEST_VIEWS}")
    sizes = sorted({view.size for view in views})
    if len(sizes) > 1:
        named = ", ".join(f"{width} x {height}" for width, height in sizes)
        raise UserError(
            f"calibration: got pictures of {named} px, wanted one size: a camera's numbers hold for one mode"
        )
    return sizes[0]


def _solve(views: Sequence[MatView], size: tuple[int, int], table: Table) -> _Solved:
    chart = mat_corners(table)
    points = [np.concatenate([chart[i] for i in view.corners]).astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32) for view in views]
    try:
        rms, matrix, dist, rvecs, tvecs, sigmas, _, _ = cv2.calibrateCameraExtended(
            points,
            pixels,
            size,
            np.eye(3),
            np.zeros(5),
        )
    except cv2.error as error:
        raise UserError(
            f"calibration: these pictures give no camera ({error.err}); wanted the mat at several tilts"
        ) from None
    camera = Camera(
        *size, float(matrix[0, 0]), float(matrix[1, 1]), float(matrix[0, 2]), float(matrix[1, 2]), _five(dist)
    )
    errors = []
    for view, seen, rvec, tvec, at in zip(views, pixels, rvecs, tvecs, points, strict=True):
        back, _ = cv2.projectPoints(at, rvec, tvec, camera.matrix, camera.distortion)
        off = np.linalg.norm(back.reshape(-1, 4, 2) - seen.reshape(-1, 4, 2), axis=2)
        errors.append({i: float(np.sqrt((o**2).mean())) for i, o in zip(view.corners, off, strict=True)})
    tilts = tuple(_tilt_deg(np.asarray(rvec, np.float64)) for rvec in rvecs)
    sigma = float(max(sigmas[0, 0] / camera.fx, sigmas[1, 0] / camera.fy))
    return _Solved(Calibration(camera, float(rms), sigma, len(views), tilts), tuple(errors))


def _five(dist: ArrayLike) -> tuple[float, ...]:
    return tuple(float(k) for k in np.asarray(dist, np.float64).ravel()[:5])


def _tilt_deg(rvec: Floats) -> float:
    """Return the angle between the mat's normal and the line of sight."""
    rotation = np.asarray(cv2.Rodrigues(rvec)[0], np.float64)
    return float(np.degrees(np.arccos(np.clip(abs(rotation[2, 2]), 0.0, 1.0))))


def _without_outliers(views: Sequence[MatView], solved: _Solved) -> list[MatView] | None:
    """Return the views without their markers that are far off, None where there is none such."""
    limit = OUTLIER * float(np.median([error for errors in solved.errors_px for error in errors.values()]))
    kept = []
    for view, errors in zip(views, solved.errors_px, strict=True):
        near = {i: corners for i, corners in view.corners.items() if errors[i] <= limit}
        if len(near) >= FEWEST_MARKERS:
            kept.append(MatView(view.size, near))
    if sum(len(view.corners) for view in kept) == sum(len(view.corners) for view in views):
        return None
    return kept if len(kept) >= FEWEST_VIEWS else None


def _refuse_unsound(found: Calibration) -> None:
    camera = found.camera
    if found.rms_px > SOUND_RMS_PX:
        raise UserError(
            f"calibration: the mat fits to {found.rms_px:.2f} px only, wanted {SOUND_RMS_PX:g} px or better: "
            "flat mat of this size, sharp pictures, one camera, zoom and focus untouched"
        )
    if not found.sigma <= SOUND_SIGMA:
        raise UserError(
            f"calibration: the focal length is only known to {100 * found.sigma:.1f} %, wanted "
            f"{100 * SOUND_SIGMA:g} %: tilt the mat more, and in several directions"
        )
    if not (0 < camera.cx < camera.width and 0 < camera.cy < camera.height):
        raise UserError("calibration: the lens's axis misses the picture; wanted whole pictures, not cut ones")
