"""Acrobats over the build zone that are no part of the structure asked for, by their own pictures."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.vision.blocks import Place, Stand, acrobat_part, half_size, over_zone
from pi_app.vision.camera import Floats
from pi_app.vision.face_art import best_match
from pi_app.vision.reading import SeenPart
from pi_app.vision.scene import Scene
from pi_app.vision.stock_loose import find_loose
from pi_app.vision.stock_sights import Seen, Sights
from pi_app.vision.stock_votes import MIN_PAIRS, face_middles

SPARE_FACE = 0.6
BIN_MM = 5.0
REACH_MM = 6.0
MOST = 6
SUNK_MM = 8.0
WHOLE_SHARE = 0.8
"""A face whose middle is inside this share of a known face is that face."""
OWN_SHARE = 1.06


@dataclass(frozen=True)
class Spare:
    """How many acrobats are seen that are no part of a structure, and how many of them over the build zone."""

    seen: int
    in_zone: int


def find_spare(scene: Scene, seen: Seen, sights: Sights, stand: Stand | None, known: tuple[SeenPart, ...]) -> Spare:
    """Return acrobats in view besides the `known` ones: in the plane of a structure, or lying in any way."""
    left = sights.only(~_explained(seen, known, scene)[sights.spot])
    upright: list[SeenPart] = []
    for at, place in _in_plane(scene, left, stand) if stand else ():
        match = best_match(scene, at, place, REACH_MM)
        shifted = Place(place.pose, place.u_mm + match.du_mm, place.z_mm + match.dz_mm, place.n_mm)
        part = acrobat_part(shifted, at, scene.kit, str(match.piece), "back" if match.back else "front", match.score)
        if match.score > SPARE_FACE and not _is_known(scene, part, (*known, *upright)):
            upright.append(part)
    loose = find_loose(scene, seen, ~_explained(seen, (*known, *upright), scene))
    middles = [part.centre_mm[:2] for part in upright] + [_on_mat(scene, corners) for corners in loose]
    return Spare(len(middles), sum(over_zone(middle, scene.table) for middle in middles))


def _on_mat(scene: Scene, corners_px: Floats) -> Floats:
    """Return x, y of the middle of a block's face, if it lies flat on the mat."""
    flat = scene.view.on_plane(corners_px.mean(axis=0, keepdims=True), scene.kit.acrobat.thickness_mm)
    return np.asarray(flat[0])


def _in_plane(scene: Scene, sights: Sights, stand: Stand) -> Iterator[tuple[Stand, Place]]:
    """Yield where in a structure's plane likenesses agree in a block's middle, whatever its height."""
    half_length = scene.kit.acrobat.length_mm / 2
    middles = face_middles(scene, sights, stand)
    near = np.abs(middles[:, 0]) < 400
    near &= (middles[:, 1] > -SUNK_MM) & (middles[:, 1] < 8 * half_length)
    for pose in BlockPose:
        chosen = near & (sights.lying == (pose is BlockPose.LIE))
        lowest = half_size(pose, scene.kit.acrobat)[1] - SUNK_MM
        for u, z in _clusters(middles[chosen], sights.weight[chosen]):
            if z > lowest:
                yield stand, Place(pose, u, z)


def _clusters(points: Floats, weight: Floats) -> Iterator[tuple[float, float]]:
    """Yield where weighted points n x 2 lie dense, the densest first."""
    if len(points) < MIN_PAIRS:
        return
    low = points.min(axis=0) - 2 * BIN_MM
    columns, rows = (int(count) for count in np.ceil((points.max(axis=0) + 2 * BIN_MM - low) / BIN_MM))
    column, row = ((points - low) / BIN_MM).astype(int).T
    counts = np.bincount(row * columns + column, weight, rows * columns).reshape(rows, columns).astype(np.float32)
    summed = cv2.boxFilter(counts, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    for _ in range(MOST):
        best_row, best_column = np.unravel_index(int(summed.argmax()), summed.shape)
        if summed[best_row, best_column] < MIN_PAIRS:
            return
        at = low + (np.array([best_column, best_row]) + 0.5) * BIN_MM
        near = np.abs(points - at).max(axis=1) < 1.5 * BIN_MM
        u, z = np.average(points[near], axis=0, weights=weight[near])
        yield float(u), float(z)
        summed[max(0, best_row - 2) : best_row + 3, max(0, best_column - 2) : best_column + 3] = 0


def _explained(seen: Seen, parts: tuple[SeenPart, ...], scene: Scene) -> NDArray[np.bool_]:
    """Return which spots of the picture are on the faces of known parts."""
    inside = np.zeros(len(seen.features.at), np.bool_)
    for part in parts:
        inside |= _within(seen.features.at, _face(scene, part, OWN_SHARE))
    return inside


def _is_known(scene: Scene, part: SeenPart, parts: tuple[SeenPart, ...]) -> bool:
    middle = _face(scene, part, 1.0).mean(axis=0, keepdims=True)
    return any(bool(_within(middle, _face(scene, other, WHOLE_SHARE))[0]) for other in parts)


def _face(scene: Scene, part: SeenPart, share: float) -> Floats:
    """Return the corners in pixels, 4 x 2, of an acrobat's face towards the camera, or of the inner `share` of it."""
    side = np.sign((scene.view.pose.eye - part.centre_mm) @ part.rotation[:, 1])
    half = np.array(part.size_mm) / 2 * (share, 1.0, share)
    corners = np.array([(-1, side, 1), (1, side, 1), (1, side, -1), (-1, side, -1)]) * half
    return scene.view.project(part.centre_mm + corners @ part.rotation.T)


def _within(pixels: Floats, corners: Floats) -> NDArray[np.bool_]:
    """Return which pixels n x 2 are inside a convex polygon of corners k x 2."""
    edge = np.roll(corners, -1, axis=0) - corners
    to = pixels[:, None, :] - corners
    cross = edge[:, 0] * to[..., 1] - edge[:, 1] * to[..., 0]
    return np.asarray((cross >= 0).all(axis=1) | (cross <= 0).all(axis=1))
