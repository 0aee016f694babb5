"""A place without a badge: does a block stand there turned, or is nothing there?"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.kit.model import Acrobat
from pi_app.vision.blocks import Place, Stand, half_size, on_face
from pi_app.vision.camera import Floats
from pi_app.vision.reading import SeenPart
from pi_app.vision.scene import PX_PER_MM, Box, Scene, colours

Bools = NDArray[np.bool_]

EVEN_DELTA = 6.0
APART_DELTA = 9.0
APART_SHARE = 0.55
PALE_CHROMA = 10.0
PALE_SHARE = 0.75
STEP_DELTA = 6.0
MIN_OPEN = 0.25
ENOUGH_PAPER = 0.3
EDGE_MM = 6.0


@dataclass(frozen=True)
class _Turned:
    """The bare side of a block as it would look at the camera: its plane, its box, and boxes beside it."""

    n_mm: float
    box: Box
    beside: tuple[Box, ...]


def is_bare(scene: Scene, stand: Stand, place: Place) -> bool:
    """Whether a block stands at a place with a bare side towards the camera: even, wood-coloured, other beside it."""
    return any(_is_wood(scene, stand, turned) for turned in _turned(place, scene.kit.acrobat))


def _turned(place: Place, acrobat: Acrobat) -> list[_Turned]:
    """Return the ways a block may be turned at its place: about the upright axis or, when it lies, onto its face."""
    half_u, half_z = half_size(place.pose, acrobat)
    half_t = acrobat.thickness_mm / 2
    u, foot, top = place.u_mm, place.z_mm - half_z, place.z_mm + half_z
    beside = tuple((u + a, top - 2, u + b, foot + 2) for a, b in ((half_u, half_t + 2), (-half_t - 2, -half_u)))
    ways = [_Turned(place.n_mm + half_u, (u + half_t - 1, top - 2, u - half_t + 1, foot + 2), beside)]
    if place.pose is BlockPose.LIE:
        face = (u + half_u - 2, foot + 2 * half_t - 1.5, u - half_u + 2, foot + 1.5)
        over = (u + half_u - 2, top, u - half_u + 2, foot + 2 * half_t + half_t)
        ways.append(_Turned(place.n_mm + half_z, face, (over,)))
    return ways


def _is_wood(scene: Scene, stand: Stand, turned: _Turned) -> bool:
    middle = colours(scene, stand, turned.n_mm, turned.box).reshape(-1, 3)
    wood = np.median(middle, axis=0)
    even = float(np.median(np.linalg.norm(middle[:, 1:] - wood[1:], axis=1))) < EVEN_DELTA
    warm = 8 < wood[2] < 60 and -4 < wood[1] < 30 and wood[2] > 0.8 * wood[1]
    if not (even and warm):
        return False
    shares = []
    for box in turned.beside:
        near = colours(scene, stand, turned.n_mm, box).reshape(-1, 3)
        shares.append(float((np.linalg.norm(near - wood, axis=1) > APART_DELTA).mean()))
    return min(shares) > APART_SHARE


def is_absent(scene: Scene, stand: Stand, place: Place, known: tuple[SeenPart, ...]) -> bool:
    """Whether nothing stands at a place: paper shows where the mat is behind, elsewhere the same as beside it.

    What other known parts show there does not count; False also where too little is left to tell.
    """
    half_u, half_z = half_size(place.pose, scene.kit.acrobat)
    face = place.n_mm + scene.kit.acrobat.thickness_mm / 2
    wide = half_u + EDGE_MM
    box = (place.u_mm + wide, place.z_mm + half_z, place.u_mm - wide, place.z_mm - half_z)
    seen = colours(scene, stand, face, box)
    free = ~_taken(scene, stand, face, box, known, seen.shape[:2])
    paper = _over_paper(scene, stand, face, box, seen.shape[0])
    edge = round(EDGE_MM * PX_PER_MM)
    inside = seen[:, edge:-edge], free[:, edge:-edge]
    if inside[1].mean() < MIN_OPEN:
        return False
    good = True
    on_mat = inside[1] & (paper > 0.9)[:, None]
    if on_mat.mean() > 0.1:
        good &= bool((np.linalg.norm(inside[0][on_mat][:, 1:], axis=1) < PALE_CHROMA).mean() > PALE_SHARE)
    beyond = inside[1] & (paper < 0.1)[:, None]
    if beyond.mean() > 0.1:
        same = _is_same_beside(seen, free, paper < 0.1, edge)
        good &= bool(on_mat.mean() > ENOUGH_PAPER) if same is None else same
    return good and bool((on_mat | beyond).mean() > 0.1)


def _taken(
    scene: Scene, stand: Stand, n_mm: float, box: Box, known: tuple[SeenPart, ...], shape: tuple[int, ...]
) -> Bools:
    """Return which pixels of a rectified box show another known part."""
    mask = np.zeros(shape, np.uint8)
    for part in known:
        hull = cv2.convexHull(scene.view.project(part.corners_mm()).astype(np.float32)).reshape(-1, 2)
        flat = on_face(stand, hull.astype(np.float64), scene.view, n_mm)
        pixels = np.column_stack([box[0] - flat[:, 0], box[1] - flat[:, 1]]) * PX_PER_MM
        cv2.fillConvexPoly(mask, np.rint(pixels).astype(np.int32), (1,))
    return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0)


def _over_paper(scene: Scene, stand: Stand, n_mm: float, box: Box, rows: int) -> Floats:
    """Return for each row of a rectified box the share of it behind which the mat is seen."""
    zs = box[1] - (np.arange(rows) + 0.5) / PX_PER_MM
    us = np.linspace(box[0], box[2], 5)
    grid = np.array([[u, n_mm, z] for z in zs for u in us])
    ground = scene.view.on_plane(scene.view.project(stand.to_mat(grid)))
    mat = scene.table.mat
    with np.errstate(invalid="ignore"):
        inside = (np.abs(ground[:, 0]) < mat.width / 2 - 2) & (np.abs(ground[:, 1]) < mat.height / 2 - 2)
    return np.asarray(inside.reshape(rows, 5).mean(axis=1))


def _is_same_beside(seen: Floats, free: Bools, rows: Bools, edge: int) -> bool | None:
    """Whether no edge runs where a block's upright edges would be; `None` where known parts stand on both sides."""
    steps = []
    for flip in (False, True):
        picture, mask = (seen[:, ::-1], free[:, ::-1]) if flip else (seen, free)
        inner, outer = slice(edge + 3, 2 * edge), slice(0, edge - 3)
        open_rows = rows & mask[:, inner].all(axis=1) & mask[:, outer].all(axis=1)
        if open_rows.mean() > 0.05:
            near, far = (np.median(picture[open_rows][:, part], axis=1) for part in (inner, outer))
            steps.append(float(np.median(np.linalg.norm(near - far, axis=1))))
    return max(steps) < STEP_DELTA if steps else None
