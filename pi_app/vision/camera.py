"""The camera as OpenCV models it, and where it stands.

Camera frame: x right, y down, z forward, in mm; mat frame as in pi_app.kit.table. Pixel (0, 0) is the centre of the
top left pixel. Formulas: OpenCV documentation, "Camera Calibration and 3D Reconstruction".
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Intrinsics: sizes and focal lengths in pixels, `dist` = k1, k2, p1, p2, k3."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    dist: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)

    @cached_property
    def matrix(self) -> Floats:
        """The 3 x 3 camera matrix."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]], np.float64)

    @cached_property
    def distortion(self) -> Floats:
        """`dist` as an array."""
        return np.array(self.dist, np.float64)

    def scaled(self, width: int, height: int) -> "Camera":
        """Return the model for the same lens and sensor read out at another size."""
        sx, sy = width / self.width, height / self.height
        return Camera(
            width,
            height,
            self.fx * sx,
            self.fy * sy,
            (self.cx + 0.5) * sx - 0.5,
            (self.cy + 0.5) * sy - 0.5,
            self.dist,
        )


@dataclass(frozen=True, eq=False)
class Pose:
    """Where the mat lies in the camera frame: `rotation` 3 x 3 and `translation` 3 in mm; `rms_px` of the fit."""

    rotation: Floats
    translation: Floats
    rms_px: float = 0.0

    @cached_property
    def rvec(self) -> Floats:
        """The rotation as a Rodrigues vector of 3."""
        return np.asarray(cv2.Rodrigues(self.rotation)[0], np.float64).reshape(3)

    @cached_property
    def eye(self) -> Floats:
        """The camera's place in the mat frame, 3, mm."""
        return np.asarray(-self.rotation.T @ self.translation)


@dataclass(frozen=True, eq=False)
class View:
    """A camera in its pose: between the mat frame in mm and pixels."""

    camera: Camera
    pose: Pose

    def project(self, points_mm: ArrayLike) -> Floats:
        """Return the pixels, n x 2, of points n x 3 in the mat frame, lens distortion included."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(
            points, self.pose.rvec, self.pose.translation, self.camera.matrix, self.camera.distortion
        )
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def rays(self, pixels: ArrayLike) -> Floats:
        """Return unit directions, n x 3 in the mat frame, of the lines of sight through pixels n x 2."""
        points = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(points, self.camera.matrix, self.camera.distortion).reshape(-1, 2)
        directions = np.column_stack([flat, np.ones(len(flat))]) @ self.pose.rotation
        return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))

    def on_plane(self, pixels: ArrayLike, z_mm: float = 0.0) -> Floats:
        """Return x, y in mm, n x 2, where lines of sight through pixels n x 2 meet the level z; NaN if nowhere."""
        rays = self.rays(pixels)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (z_mm - self.pose.eye[2]) / rays[:, 2]
        reach[~(reach > 0)] = np.nan
        return np.asarray(self.pose.eye[:2] + rays[:, :2] * reach[:, None])


def look_at(eye_mm: ArrayLike, target_mm: ArrayLike, roll_deg: float = 0.0) -> Pose:
    """Return the pose of a camera at `eye` that looks at `target`, +z of the mat up in the picture."""
    eye, target = np.asarray(eye_mm, np.float64), np.asarray(target_mm, np.float64)
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    roll = np.deg2rad(roll_deg)
    turn = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = turn @ rotation
    return Pose(rotation, -rotation @ eye)
