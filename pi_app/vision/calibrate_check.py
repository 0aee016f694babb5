"""Whether a camera's numbers fit the camera: the mat is a plane of known size, and wrong numbers bend it."""

from dataclasses import dataclass

import cv2
import numpy as np

from pi_app.kit.table import Table
from pi_app.vision.calibrate import Image, MatView, mat_view
from pi_app.vision.camera import Camera
from pi_app.vision.pose import mat_corners

WRONG_PX = 1.2
"""Root mean square residual of the mat's corners, for a picture 1280 wide, above which the numbers are not its own."""
EVERY_NS, CERTAIN = 2_000_000_000, 3
"""How often a LensWatch looks, and how often in a row the mat must not fit."""
FREED = (
    cv2.CALIB_USE_INTRINSIC_GUESS
    | cv2.CALIB_FIX_PRINCIPAL_POINT
    | cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_FIX_TANGENT_DIST
    | cv2.CALIB_FIX_K1
    | cv2.CALIB_FIX_K2
    | cv2.CALIB_FIX_K3
)


@dataclass(frozen=True)
class Misfit:
    """The mat's residual with the camera's numbers, and what it would be with the focal length `ratio` times theirs."""

    rms_px: float
    freed_px: float
    ratio: float
    limit_px: float

    @property
    def wrong(self) -> bool:
        """Whether the numbers cannot be this camera's."""
        return self.rms_px > self.limit_px

    def __str__(self) -> str:
        """Return one line for the person at the table."""
        line = f"the camera's numbers do not fit: the mat is {self.rms_px:.1f} px off (wanted {self.limit_px:.1f})"
        if self.freed_px <= self.limit_px:
            line += f"; its focal length seems {self.ratio:.2f} times that, as of another lens or zoom"
        return f"{line}; `umpire calibrate` measures them, `umpire calibrate --forget` drops them"


def misfit(view: MatView, camera: Camera, table: Table) -> Misfit:
    """Compare one picture's mat with a camera's numbers; infinite where the picture is of another size."""
    limit_px = WRONG_PX * camera.width / 1280
    if view.size != (camera.width, camera.height):
        return Misfit(float("inf"), float("inf"), 1.0, limit_px)
    chart = mat_corners(table)
    points = np.concatenate([chart[i] for i in view.corners])
    return Misfit(_rms_px(points, view, camera), *_freed(points, view, camera), limit_px)


class LensWatch:
    """Looks at the mat now and then and tells once when the numbers given are not this camera's."""

    def __init__(self, camera: Camera, table: Table) -> None:
        self._camera, self._table = camera, table
        self._due_ns: int | None = None
        self._wrong = 0
        self._over = False

    def see(self, image: Image, at_ns: int) -> Misfit | None:
        """Take the picture of a time; return the misfit once, when CERTAIN pictures with the mat in view agree."""
        if self._over or (self._due_ns is not None and at_ns < self._due_ns):
            return None
        self._due_ns = at_ns + EVERY_NS
        view = mat_view(image, self._table)
        if view is None:
            return None
        found = misfit(view, self._camera, self._table)
        self._wrong = self._wrong + 1 if found.wrong else 0
        self._over = self._wrong >= CERTAIN
        return found if self._over else None


def _rms_px(points: np.ndarray, view: MatView, camera: Camera) -> float:
    """Return the residual of the best pose, by least squares over all corners."""
    lens = (camera.matrix, camera.distortion)
    count, rvecs, tvecs, _ = cv2.solvePnPGeneric(points, view.pixels, *lens, flags=cv2.SOLVEPNP_IPPE)
    best = float("inf")
    for rvec, tvec in zip(rvecs[:count], tvecs[:count], strict=True):
        at = cv2.solvePnPRefineLM(points, view.pixels, *lens, rvec, tvec)
        seen, _ = cv2.projectPoints(points, *at, *lens)
        best = min(best, float(np.sqrt(((seen.reshape(-1, 2) - view.pixels) ** 2).sum(axis=1).mean())))
    return best


def _freed(points: np.ndarray, view: MatView, camera: Camera) -> tuple[float, float]:
    """Return the residual with the focal length free, and that focal length as a part of the camera's."""
    rms, matrix, *_ = cv2.calibrateCamera(
        [points.astype(np.float32)],
        [view.pixels.astype(np.float32)],
        view.size,
        camera.matrix.copy(),
        camera.distortion.copy(),
        flags=FREED,
    )
    return float(rms), float(matrix[0, 0] / camera.fx)
