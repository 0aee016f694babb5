"""Where a structure stands, by votes: each likeness to a taught face, taken as each of its blocks, gives one place.

A block's height in a structure is known, so a line of sight alone gives its place on the mat for every turn; the right
likenesses of all blocks agree in one place and turn, wrong ones scatter.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.vision.blocks import Place, Stand
from pi_app.vision.camera import Floats
from pi_app.vision.scene import Scene
from pi_app.vision.stock_sights import Sights

TURNS_RAD = np.deg2rad(np.arange(-30.0, 31.0, 5.0))
BIN_MM = 6.0
MARGIN_MM = 60.0
FULL_VOTES = 6.0
"""Votes for one block beyond which more count nothing, so that several blocks must agree."""
REACH_MM = (14.0, 9.0, 6.0)
ROUNDS = 3
MIN_PAIRS = 4
APART_MM = 8.0
APART_RAD = 0.1


@dataclass(frozen=True, eq=False)
class Seed:
    """A structure's stand from likenesses: how many different spots of the picture agree, for each of its places."""

    stand: Stand
    places: tuple[Place, ...]
    spots: tuple[int, ...]

    @property
    def weight(self) -> float:
        """How far the places agree: those with many spots count no more than those with enough."""
        return float(np.minimum(self.spots, FULL_VOTES).sum())


def find_seeds(scene: Scene, sights: Sights, places: tuple[Place, ...], most: int) -> list[Seed]:
    """Return up to `most` stands of a structure whose faces look like taught ones, the likeliest first."""
    votes = _votes(scene, sights, places)
    seeds: list[Seed] = []
    for stand in _peaks(votes, scene, most + 1):
        seed = settle(scene, sights, stand, places)
        if seed is not None and all(_apart(seed.stand, other.stand) for other in seeds):
            seeds.append(seed)
    return sorted(seeds, key=lambda seed: -seed.weight)[:most]


def _apart(one: Stand, other: Stand) -> bool:
    far = np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > APART_MM
    return bool(far or abs(one.turn_rad - other.turn_rad) > APART_RAD)


def _votes(scene: Scene, sights: Sights, places: tuple[Place, ...]) -> NDArray[np.float32]:
    """Return the votes, turns x rows x columns, summed over the structure's places."""
    x0, y0, columns, rows = _grid(scene)
    cells = len(TURNS_RAD) * rows * columns
    total = np.zeros((len(TURNS_RAD), rows, columns), np.float32)
    for place in places:
        fits = sights.only(sights.lying == (place.pose is BlockPose.LIE))
        x, y = _stands(scene, fits, place)
        column, row = np.floor((x - x0) / BIN_MM), np.floor((y - y0) / BIN_MM)
        inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        turn = np.broadcast_to(np.arange(len(TURNS_RAD)), x.shape)
        cell = ((turn * rows + row) * columns + column)[inside].astype(np.int64)
        weight = np.broadcast_to(fits.weight[:, None], x.shape)[inside]
        layers = np.bincount(cell, weight, cells).astype(np.float32).reshape(total.shape)
        for layer, into in zip(layers, total, strict=True):
            into += np.minimum(cv2.boxFilter(layer, -1, (3, 3), normalize=False), FULL_VOTES)
    return total


def _grid(scene: Scene) -> tuple[float, float, int, int]:
    """Return the corner of the votes' grid in mm, its columns and rows."""
    zone = scene.table.zones.build
    columns = round((zone.x1 - zone.x0 + 2 * MARGIN_MM) / BIN_MM)
    rows = round((zone.y1 - zone.y0 + 2 * MARGIN_MM) / BIN_MM)
    return zone.x0 - MARGIN_MM, zone.y0 - MARGIN_MM, columns, rows


def _stands(scene: Scene, sights: Sights, place: Place) -> tuple[Floats, Floats]:
    """Return x and y of the stand for each likeness as this place's face and each turn, m x turns; NaN if nowhere."""
    eye = scene.view.pose.eye
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = (place.z_mm + sights.off_mm[:, 1] - eye[2]) / sights.rays[:, 2]
    reach[~(reach > 0)] = np.nan
    at = eye[:2] + sights.rays[:, :2] * reach[:, None]
    u = (place.u_mm - sights.off_mm[:, 0])[:, None]
    n = place.n_mm + scene.kit.acrobat.thickness_mm / 2
    c, s = np.cos(TURNS_RAD), np.sin(TURNS_RAD)
    return at[:, :1] - c * u + s * n, at[:, 1:] - s * u - c * n


def _peaks(votes: NDArray[np.float32], scene: Scene, most: int) -> list[Stand]:
    """Return the stands with the most votes, each at some distance from the others."""
    x0, y0, _, _ = _grid(scene)
    left, stands = votes.copy(), []
    for _ in range(most):
        turn, row, column = np.unravel_index(int(left.argmax()), left.shape)
        if left[turn, row, column] < MIN_PAIRS:
            break
        stands.append(Stand(x0 + (column + 0.5) * BIN_MM, y0 + (row + 0.5) * BIN_MM, float(TURNS_RAD[turn])))
        left[:, max(0, row - 2) : row + 3, max(0, column - 2) : column + 3] = 0
    return stands


def settle(scene: Scene, sights: Sights, stand: Stand, places: tuple[Place, ...]) -> Seed | None:
    """Return the stand that puts the places' faces best onto their likenesses, or `None` where too few are near."""
    near, place_of = np.empty(0, np.int64), np.empty(0, np.int64)
    for reach in REACH_MM:
        off, place_of = nearest_place(scene, sights, stand, places)
        near = _one_each(sights, off, reach)
        if len(near) < MIN_PAIRS:
            return None
        stand = _moved(scene, sights.only(near), [places[p] for p in place_of[near]], stand)
    counts = np.bincount(place_of[near], minlength=len(places))
    return Seed(stand, places, tuple(int(count) for count in counts))


def nearest_place(
    scene: Scene, sights: Sights, stand: Stand, places: tuple[Place, ...]
) -> tuple[Floats, NDArray[np.int64]]:
    """Return for each likeness how far in mm it is from the nearest place laid its way, and that place's index."""
    off = np.empty((len(places), len(sights.spot)))
    for index, place in enumerate(places):
        seen = face_middles(scene, sights, stand, place.n_mm)
        off[index] = np.hypot(seen[:, 0] - place.u_mm, seen[:, 1] - place.z_mm)
        off[index, sights.lying != (place.pose is BlockPose.LIE)] = np.inf
    place_of = off.argmin(axis=0)
    return off[place_of, np.arange(len(place_of))], place_of


def face_middles(scene: Scene, sights: Sights, stand: Stand, n_mm: float = 0.0) -> Floats:
    """Return u and z, m x 2, of the middles of the faces the likenesses belong to, if they are in a structure's plane.

    The plane is that of the faces of blocks whose middles are `n_mm` before the structure's axis.
    """
    seen = _meet(scene, sights.rays, stand, n_mm + scene.kit.acrobat.thickness_mm / 2)
    return np.column_stack([seen[:, 0] + sights.off_mm[:, 0], seen[:, 1] - sights.off_mm[:, 1]])


def _meet(scene: Scene, rays: Floats, stand: Stand, n_mm: float) -> Floats:
    """Return u and z where lines of sight meet an upright plane of a structure, far off where they do not."""
    c, s = np.cos(stand.turn_rad), np.sin(stand.turn_rad)
    eye = scene.view.pose.eye - (stand.x_mm, stand.y_mm, 0.0)
    along, towards = rays[:, 0] * c + rays[:, 1] * s, rays[:, 1] * c - rays[:, 0] * s
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = (n_mm - (eye[1] * c - eye[0] * s)) / towards
    reach[~((reach > 0) & (reach < 1e5))] = 1e5
    return np.column_stack([eye[0] * c + eye[1] * s + along * reach, eye[2] + rays[:, 2] * reach])


def _one_each(sights: Sights, off_mm: Floats, reach_mm: float) -> NDArray[np.int64]:
    """Return the nearest likeness of each spot of the picture, if it is near enough."""
    order = np.lexsort((off_mm, sights.spot))
    first = np.ones(len(order), np.bool_)
    first[1:] = sights.spot[order][1:] != sights.spot[order][:-1]
    best = order[first]
    return np.asarray(best[off_mm[best] < reach_mm], np.int64)


def _moved(scene: Scene, sights: Sights, places: list[Place], stand: Stand) -> Stand:
    """Return the stand with the least distances, far ones counting less, by steps of Gauss and Newton."""
    wanted = np.array([(place.u_mm, place.z_mm) for place in places]) + sights.off_mm * (-1, 1)
    n = places[0].n_mm + scene.kit.acrobat.thickness_mm / 2
    values, steps = np.array([stand.x_mm, stand.y_mm, 100 * stand.turn_rad]), np.eye(3) * 0.01

    def error(at: Floats) -> Floats:
        return _meet(scene, sights.rays, Stand(at[0], at[1], at[2] / 100), n) - wanted

    for _ in range(ROUNDS):
        off = error(values)
        weight = 1 / (1 + (off**2).sum(axis=1) / 4)
        slope = np.stack([(error(values + step) - off).ravel() / 0.01 for step in steps], axis=1)
        weighted = slope * np.repeat(weight, 2)[:, None]
        values = values - np.linalg.solve(weighted.T @ slope + 1e-6 * np.eye(3), weighted.T @ off.ravel())
    return Stand(float(values[0]), float(values[1]), float(values[2]) / 100)


def adjusted(scene: Scene, stand: Stand, places: tuple[Place, ...], off_mm: Floats) -> tuple[Stand, Floats]:
    """Return the stand at which faces seen `off_mm` (u, z; n x 2) off their places are nearest, and how near."""
    n = places[0].n_mm + scene.kit.acrobat.thickness_mm / 2
    seen = np.array([(place.u_mm, n, place.z_mm) for place in places]) + np.insert(off_mm, 1, 0.0, axis=1)
    rays = stand.to_mat(seen) - scene.view.pose.eye
    zeros = np.zeros((len(places), 2))
    sights = Sights(np.arange(len(places)), rays, zeros, np.zeros(len(places), np.bool_), np.ones(len(places)))
    moved = _moved(scene, sights, list(places), stand)
    return moved, _meet(scene, rays, moved, n) - np.array([(place.u_mm, place.z_mm) for place in places])
