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
EVEN_SHARE = 0.75
APART_DELTA = 9.0
APART_SHARE = 0.55
PALE_CHROMA = 10.0
PALE_SHARE = 0.75
STEP_DELTA = 6.0
MIN_OPEN = 0.25
ENOUGH_PAPER = 0.3
EDGE_MM = 6.0
SLIDE_MM = 2.0
MIN_LEDGE_MM = 2.0
WIDE_MM = 2.5
FOOT_SHARE = 0.6


@dataclass(frozen=True)
class _Turned:
    """A block's bare side as it would look at the camera: u of its middle, its plane, half its width, its height.

    `ledge_mm` is how far it stands out before the faces of its neighbours; one laid onto its face is told by what shows
    over it instead, up to `over_mm`.
    """

    u_mm: float
    n_mm: float
    half_mm: float
    foot_mm: float
    top_mm: float
    ledge_mm: float
    over_mm: float = 0.0


def is_bare(scene: Scene, stand: Stand, place: Place, reach_mm: float = 0.0) -> bool:
    """Whether a block stands at a place with a bare side towards the camera: even, wood-coloured, other beside it.

    Its middle may be off by `reach_mm` to either side.
    """
    return any(_is_wood(scene, stand, turned) for turned in _turned(place, scene.kit.acrobat, reach_mm))


def _turned(place: Place, acrobat: Acrobat, reach_mm: float) -> list[_Turned]:
    """Return the ways a block may be turned at its place: about the upright axis or, when it lies, onto its face."""
    half_u, half_z = half_size(place.pose, acrobat)
    half_t = acrobat.thickness_mm / 2
    foot, top = place.z_mm - half_z, place.z_mm + half_z
    us = place.u_mm + np.arange(-np.floor(reach_mm / SLIDE_MM), reach_mm / SLIDE_MM + 0.01) * SLIDE_MM
    ways = [_Turned(float(u), place.n_mm + half_u, half_t, foot, top, half_u - half_t) for u in us]
    if place.pose is BlockPose.LIE:
        ways.append(_Turned(place.u_mm, place.n_mm + half_z, half_u, foot, foot + 2 * half_t, 0.0, top))
    return ways


def _is_wood(scene: Scene, stand: Stand, turned: _Turned) -> bool:
    """Whether a bare side is seen: warm and even all over, and something else beside it, or beside its foot.

    Neighbours' faces may be of the same wood; but a turned block stands out before them, so that at its foot the ground
    is seen to both sides of it.
    """
    u, half, foot, top = turned.u_mm, turned.half_mm, turned.foot_mm, turned.top_mm
    middle = colours(scene, stand, turned.n_mm, (u + half - 1, top - 2, u - half + 1, foot + 1)).reshape(-1, 3)
    wood = np.median(middle, axis=0)
    even = float(np.quantile(np.linalg.norm(middle[:, 1:] - wood[1:], axis=1), EVEN_SHARE)) < EVEN_DELTA
    warm = 8 < wood[2] < 60 and -4 < wood[1] < 30 and wood[2] > 0.8 * wood[1]
    if not (even and warm):
        return False
    if turned.over_mm:
        over = (u + half - 2, turned.over_mm, u - half + 2, 1.5 * top - 0.5 * foot)
        low = (u + half - 2, foot + 0.15 * (top - foot), u - half + 2, foot)
        own_foot = 1 - _apart(scene, stand, turned, wood, low) > FOOT_SHARE
        return own_foot and _apart(scene, stand, turned, wood, over) > APART_SHARE
    beside = [
        _apart(scene, stand, turned, wood, (u + a, top - 2, u + b, foot + 2))
        for a, b in ((half + turned.ledge_mm, half + 2), (-half - 2, -half - turned.ledge_mm))
    ]
    return min(beside) > APART_SHARE or _has_own_foot(scene, stand, turned, wood)


def _apart(scene: Scene, stand: Stand, turned: _Turned, wood: Floats, box: Box) -> float:
    """Return what share of a box on a bare side's plane has another colour than the wood."""
    near = colours(scene, stand, turned.n_mm, box).reshape(-1, 3)
    return float((np.linalg.norm(near - wood, axis=1) > APART_DELTA).mean())


def _has_own_foot(scene: Scene, stand: Stand, turned: _Turned, wood: Floats) -> bool:
    """Whether the wood ends at the foot of a bare side, and shows the ground beside its lowest part."""
    u, half, foot = turned.u_mm, turned.half_mm, turned.foot_mm
    down = scene.view.pose.eye - stand.to_mat(np.array([[u, turned.n_mm, foot]]))[0]
    steep = float(down[2] / max(np.hypot(down[0], down[1]), 1e-6))
    seen_mm = turned.ledge_mm * steep
    if seen_mm < MIN_LEDGE_MM:
        return False
    low, high = foot + 0.15 * seen_mm, foot + 0.75 * seen_mm
    own = 1 - _unlike(scene, stand, turned, wood, (u + half - 1, high, u - half + 1, low))
    others = [
        _unlike(scene, stand, turned, wood, box)
        for box in (
            (u + half + 1 + WIDE_MM, high, u + half + 1, low),
            (u - half - 1, high, u - half - 1 - WIDE_MM, low),
            (u + half - 1, foot - 1, u - half + 1, foot - 1 - WIDE_MM),
        )
    ]
    return own > FOOT_SHARE and min(others) > FOOT_SHARE


def _unlike(scene: Scene, stand: Stand, turned: _Turned, wood: Floats, box: Box) -> float:
    """Return what share of a box on a bare side's plane has another tint than the wood, be it lit or in shadow."""
    near = colours(scene, stand, turned.n_mm, box).reshape(-1, 3)
    return float((np.linalg.norm((near - wood)[:, 1:], axis=1) > 0.4 * float(np.linalg.norm(wood[1:]))).mean())


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
