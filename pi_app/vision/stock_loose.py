"""Acrobats in view however they lie: fallen, turned, flat, in a hand; by their own pictures, each as a plane."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.vision.camera import Floats
from pi_app.vision.face_art import FINE_MM, normalised, taught_faces, window_of
from pi_app.vision.scene import Scene
from pi_app.vision.stock_sights import Seen

MIN_SPOTS = 5
LIKE = 0.6
TOLERANCE_PX = 4.0
MOST = 6
ROLL_RAD = np.deg2rad(30.0)
NEAR_WIDTHS = 0.4
AREAS = (0.2, 2.5)


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Spots of the picture and of faces that look alike: pixels m x 2, mm from the face's middle (right, up) m x 2.

    `middle` m x 2 is where in the picture the face's middle would be, `roll` m how it is turned from head up.
    """

    spot: NDArray[np.int64]
    pixels: Floats
    on_face: Floats
    middle: Floats
    roll: Floats


def find_loose(scene: Scene, seen: Seen, unexplained: NDArray[np.bool_]) -> list[Floats]:
    """Return the corners in pixels, 4 x 2, of faces that `unexplained` spots of the picture show in whatever pose."""
    pairs = _pairs(seen, unexplained[seen.spot])
    open_pairs, found = np.ones(len(pairs.spot), np.bool_), []
    for _ in range(MOST):
        group = _densest(pairs, open_pairs, NEAR_WIDTHS * scene.kit.acrobat.width_mm * seen.px_per_mm)
        if len(np.unique(pairs.spot[group])) < MIN_SPOTS:
            break
        corners = _face(scene, seen, pairs, group)
        if corners is not None:
            found.append(corners)
        open_pairs &= ~np.isin(pairs.spot, pairs.spot[group])
    return found


def _pairs(seen: Seen, chosen: NDArray[np.bool_]) -> _Pairs:
    features, spot, like = seen.features, seen.spot[chosen], seen.like[chosen]
    lying, taught = seen.faces.lying[like], seen.faces.features
    off = taught.at[like]
    turn = np.deg2rad(features.angle_deg[spot] - taught.angle_deg[like])
    c, s = np.cos(turn), np.sin(turn)
    across, down = off[:, 0] * seen.px_per_mm, -off[:, 1] * seen.px_per_mm * seen.faces.squash
    middle = features.at[spot] - np.column_stack([c * across - s * down, s * across + c * down])
    on_face = np.where(lying[:, None], np.column_stack([off[:, 1], -off[:, 0]]), off)
    return _Pairs(spot, features.at[spot], on_face, middle, turn - np.where(lying, np.pi / 2, 0.0))


def _densest(pairs: _Pairs, chosen: NDArray[np.bool_], near_px: float) -> NDArray[np.int64]:
    """Return the largest group of pairs that agree in a face's middle and roll."""
    index = np.flatnonzero(chosen)
    if not len(index):
        return index
    middle, roll = pairs.middle[index], pairs.roll[index]
    near = (np.abs(middle[:, None, 0] - middle[:, 0]) < near_px) & (np.abs(middle[:, None, 1] - middle[:, 1]) < near_px)
    near &= np.cos(roll[:, None] - roll) > np.cos(ROLL_RAD)
    return np.asarray(index[near[int(near.sum(axis=1).argmax())]], np.int64)


def _face(scene: Scene, seen: Seen, pairs: _Pairs, group: NDArray[np.int64]) -> Floats | None:
    """Return the corners of the face a group of pairs speaks for, if it looks like a taught one as a whole."""
    fitted, inliers = cv2.findHomography(pairs.on_face[group], pairs.pixels[group], cv2.RANSAC, TOLERANCE_PX)
    shape = np.asarray(fitted, np.float64)
    if shape.shape != (3, 3) or len(np.unique(pairs.spot[group[inliers.ravel() > 0]])) < MIN_SPOTS:
        return None
    half_u, half_z = scene.kit.acrobat.width_mm / 2, scene.kit.acrobat.length_mm / 2
    corners = _through(shape, np.array([(-half_u, half_z), (half_u, half_z), (half_u, -half_z), (-half_u, -half_z)]))
    area = cv2.contourArea(corners.astype(np.float32)) / (4 * half_u * half_z * seen.px_per_mm**2)
    if not (AREAS[0] < area < AREAS[1] and cv2.isContourConvex(corners.astype(np.float32))):
        return None
    return corners if _likeness(scene, shape) > LIKE else None


def _likeness(scene: Scene, shape: Floats) -> float:
    """Return how well what is seen through a face's plane correlates with the taught face most like it."""
    assert scene.art is not None, "faces are taught"
    faces = taught_faces(scene.art, scene.kit.acrobat, BlockPose.STAND, FINE_MM)
    rows, columns = faces.levels.shape[1:3]
    right, down = np.meshgrid((np.arange(columns) + 0.5) / columns - 0.5, (np.arange(rows) + 0.5) / rows - 0.5)
    spots = np.column_stack([right.ravel(), -down.ravel()])
    pixels = _through(shape, spots * (scene.kit.acrobat.width_mm, scene.kit.acrobat.length_mm))
    levels = window_of(scene).at(pixels.astype(np.float32).reshape(1, -1, 2))
    return float((normalised(levels) @ faces.whole).max())


def _through(shape: Floats, points: Floats) -> Floats:
    """Return points n x 2 after a homography."""
    moved = np.column_stack([points, np.ones(len(points))]) @ np.asarray(shape).T
    return np.asarray(moved[:, :2] / moved[:, 2:])
