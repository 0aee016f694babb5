"""A place of a structure that shows no taught face: does a turned block stand there, or nothing at all?"""

import numpy as np

from pi_app.core.names import BlockPose
from pi_app.vision.blocks import Place, Stand, half_size
from pi_app.vision.camera import Floats
from pi_app.vision.reading import SeenPart
from pi_app.vision.scene import Box, Scene, colours
from pi_app.vision.vacancy import is_absent, is_bare

TOP_SHARE = 0.35
INSET_MM = 0.5
PALE_CHROMA = 10.0
LIGHTNESS = (30.0, 112.0)
PALE_SHARE = 0.93
"""More of the strip than this is paper; a sticker, being smaller than the face, leaves more wood than the rest."""
SAMPLES = 9
RIM_MM = 1.6
WOOD_APART = 9.0
WOOD_SHARE = 0.95
WOOD_SPREAD = 16.0
"""Bare sides measured 1.00 and at most 10 L* from the darkest to the lightest tenth, hands up to 0.92 and from 22."""


def is_turned(scene: Scene, stand: Stand, place: Place, faced: tuple[Place, ...]) -> bool:
    """Whether a block stands at a place with a bare side to the camera: of the wood seen around the faces of others."""
    if not faced or not is_bare(scene, stand, place):
        return False
    wood = np.median(np.concatenate([_rim(scene, stand, other) for other in faced]), axis=0)
    return any(_is_all(colours(scene, stand, n, box).reshape(-1, 3), wood) for n, box in _bare_sides(scene, place))


def _is_all(seen: Floats, wood: Floats) -> bool:
    """Whether colours n x 3 are all of the wood's tint and evenly lit, as one flat side is and a hand is not."""
    alike = float((np.linalg.norm((seen - wood)[:, 1:], axis=1) < WOOD_APART).mean())
    low, high = np.quantile(seen[:, 0], (0.1, 0.9))
    return alike > WOOD_SHARE and float(high - low) < WOOD_SPREAD


def _rim(scene: Scene, stand: Stand, place: Place) -> Floats:
    """Return the colours along the edges of a face, inside them, n x 3: mostly bare wood."""
    half_u, half_z = half_size(place.pose, scene.kit.acrobat)
    left, right, top, low = place.u_mm + half_u, place.u_mm - half_u, place.z_mm + half_z, place.z_mm - half_z
    boxes = (
        (left, top, right, top - RIM_MM), (left, low + RIM_MM, right, low),
        (left, top, left - RIM_MM, low), (right + RIM_MM, top, right, low),
    )  # fmt: skip
    face = place.n_mm + scene.kit.acrobat.thickness_mm / 2
    return np.concatenate([colours(scene, stand, face, box).reshape(-1, 3) for box in boxes])


def _bare_sides(scene: Scene, place: Place) -> list[tuple[float, Box]]:
    """Return the planes, and the boxes in them, where a turned block's bare side may be: on edge, or on its face."""
    half_u, half_z = half_size(place.pose, scene.kit.acrobat)
    thin = scene.kit.acrobat.thickness_mm
    u, foot, top = place.u_mm, place.z_mm - half_z, place.z_mm + half_z
    sides = [(place.n_mm + half_u, (u + 0.35 * thin, top - 2, u - 0.35 * thin, foot + 2))]
    if place.pose is BlockPose.LIE:
        sides.append((place.n_mm + half_z, (u + half_u - 3, foot + 0.85 * thin, u - half_u + 3, foot + 0.15 * thin)))
    return sides


def is_empty(scene: Scene, stand: Stand, place: Place, known: tuple[SeenPart, ...]) -> bool:
    """Whether nothing stands at a place: what is behind it is seen, at least where a block would hide it."""
    return is_open(scene, stand, place, known) or is_absent(scene, stand, place, known)


def is_open(scene: Scene, stand: Stand, place: Place, known: tuple[SeenPart, ...]) -> bool:
    """Whether bare paper is seen all over the upper part of a block's face, so that no block can be there.

    Its lower part may be hidden by something before it; False where the strip is not before the mat, or part of it is
    before another known part.
    """
    half_u, half_z = half_size(place.pose, scene.kit.acrobat)
    face = place.n_mm + scene.kit.acrobat.thickness_mm / 2
    top, low = place.z_mm + half_z - INSET_MM, place.z_mm + half_z - 2 * half_z * TOP_SHARE
    left, right = place.u_mm + half_u - INSET_MM, place.u_mm - half_u + INSET_MM
    grid = np.array([(u, face, z) for u in np.linspace(left, right, SAMPLES) for z in np.linspace(low, top, SAMPLES)])
    mat = stand.to_mat(grid)
    if not (_before_mat(scene, mat) and _free(scene, mat, known)):
        return False
    seen = colours(scene, stand, face, (left, top, right, low)).reshape(-1, 3)
    pale = (
        (np.linalg.norm(seen[:, 1:], axis=1) < PALE_CHROMA) & (seen[:, 0] > LIGHTNESS[0]) & (seen[:, 0] < LIGHTNESS[1])
    )
    return bool(pale.mean() > PALE_SHARE)


def _before_mat(scene: Scene, points_mm: Floats) -> bool:
    """Whether the mat is behind all of these points, as the camera sees them."""
    ground = scene.view.on_plane(scene.view.project(points_mm))
    mat = scene.table.mat
    with np.errstate(invalid="ignore"):
        return bool(((np.abs(ground[:, 0]) < mat.width / 2) & (np.abs(ground[:, 1]) < mat.height / 2)).all())


def _free(scene: Scene, points_mm: Floats, known: tuple[SeenPart, ...]) -> bool:
    """Whether the lines of sight through these points meet none of the known parts."""
    eye = scene.view.pose.eye
    for part in known:
        start = (eye - part.centre_mm) @ part.rotation
        way = (points_mm - eye) @ part.rotation
        half = np.array(part.size_mm) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (-half - start) / way, (half - start) / way
        enter, leave = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
        if bool(((enter < leave) & (leave > 0)).any()):
            return False
    return True
