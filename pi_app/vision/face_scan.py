"""Acrobats without badges: where over the build zone blocks show their own pictures, by trying every place.

At one level and laid one way, a block's face is known but for its place on the mat and its turn. All of them are tried
in coarse steps and compared with the taught faces (`face_art.scores`); what is like one is then fitted closely.
"""

from dataclasses import dataclass, replace

import numpy as np

from pi_app.core.names import BlockPose, Task
from pi_app.vision.blocks import Badge, Place, Stand, badge_points, half_size
from pi_app.vision.camera import Floats
from pi_app.vision.face_art import COARSE_MM, samples, scores, taught_faces, window_of
from pi_app.vision.scene import Scene

SCAN_MM = 4.0
ACROSS_MM, AWAY_MM = 4.0, 6.0
TURNS_DEG = (-18.0, 0.0, 18.0)
MOST_TURN_RAD = np.deg2rad(40.0)
MARGIN_MM = 6.0
GLANCE_MM = 9.0
PALE = 10.0
COLOURED_SHARE = 0.3
"""A face is not tried where less than this share of it has another colour than paper."""
LIKELY = 0.42
"""A coarse place is fitted when it correlates so well: right ones do with 0.67 even where half is hidden."""
SEEN = 0.7
CUT_SHARE = 0.38
SEEN_CUT = 0.78
APART_WIDTHS = 0.45
NEAR_WIDTHS = 1.1
MOST = 14
MOST_FACES = 4
FACE_LEAD = 0.1
CLOSE_MM = 1.4
ROW_LOSS = 0.04
_BOTH, _NONE = np.array([-1.0, 0.0, 1.0]), np.zeros(1)
Steps = tuple[Floats, Floats, Floats]
FREE: tuple[Steps, Steps, Steps] = (
    (np.arange(-2.0, 2.1, 1.0), np.arange(-3.0, 3.1, 1.5), np.deg2rad(np.arange(-9.0, 9.1, 4.5))),
    (0.5 * _BOTH, 0.75 * _BOTH, np.deg2rad(2.25) * _BOTH),
    (0.25 * _BOTH, 0.4 * _BOTH, np.deg2rad(1.0) * _BOTH),
)
"""Steps in x, y (mm) and turn in which a place is fitted: to all faces, to the likely ones, to the best."""
ROW: tuple[Steps, Steps, Steps] = (
    (np.arange(-4.0, 4.1, 1.0), np.arange(-4.0, 4.1, 1.0), _NONE),
    (0.5 * _BOTH, 0.5 * _BOTH, _NONE),
    (0.25 * _BOTH, 0.25 * _BOTH, _NONE),
)


@dataclass(frozen=True)
class Level:
    """Blocks laid one way whose lower edge is at `foot_mm`; `over` ones stand over blocks of the levels before."""

    pose: BlockPose
    foot_mm: float
    over: bool = False


@dataclass(frozen=True, eq=False)
class Sighting:
    """A block that shows a taught face: its stand and place, which face, its quarter turns, and how alike it is.

    `cut` where the face's upper part was left out, for something hides it.
    """

    stand: Stand
    place: Place
    piece: int
    back: bool
    quarter: int
    score: float
    cut: bool = False


def find_faces(scene: Scene, levels: tuple[Level, ...]) -> list[Sighting]:
    """Return the blocks over the build zone that show a taught face, best first, each once.

    A block on a level near one of `levels` is found too, a few mm from where it is.
    """
    coarse: list[Sighting] = []
    for level in levels:
        near = _each_once(scene, sorted(coarse, key=lambda one: -one.score))[:MOST] if level.over else []
        coarse += _scan(scene, level, near)
    coarse.sort(key=lambda one: -one.score)
    likely = _each_once(scene, coarse)[:MOST]
    fitted = [fitted for one in likely for fitted in [_fit(scene, one)] if fitted is not None]
    return _each_once(scene, sorted(fitted, key=lambda one: -one.score))


def find_shown(scene: Scene, task: Task) -> list[Badge]:
    """Return the faces that a structure of this task may show, as the badges they would carry."""
    long, tile = scene.kit.acrobat.length_mm, scene.kit.tile.thickness_mm
    ground = Level(BlockPose.STAND, 0.0)
    levels = {
        Task.LINE: (ground,),
        Task.TOWER: (ground, *(Level(pose, long + tile, over=True) for pose in BlockPose)),
        Task.TUNNEL: (ground, Level(BlockPose.STAND, long + scene.kit.overview.thickness_mm)),
    }
    found = find_faces(scene, levels[task])
    if task is Task.LINE:
        found = in_row(scene, found)
    return [as_badge(sighting, scene) for sighting in found]


def in_row(scene: Scene, sightings: list[Sighting]) -> list[Sighting]:
    """Return blocks that stand in a row, each fitted again with the row's turn where its picture allows that.

    A single block's turn is hardly seen, and with it its place is off by millimetres.
    """
    if len(sightings) < 2:
        return sightings
    spots = np.array([[one.stand.x_mm, one.stand.y_mm] for one in sightings])
    along = np.linalg.svd(spots - spots.mean(axis=0))[2][0]
    turn = float(np.arctan2(along[1], along[0]) if along[0] >= 0 else np.arctan2(-along[1], -along[0]))
    if abs(turn) > MOST_TURN_RAD:
        return sightings
    turned = [_fitted(scene, replace(one, stand=replace(one.stand, turn_rad=turn)), 0.0, ROW) for one in sightings]
    return [new if new.score > old.score - ROW_LOSS else old for old, new in zip(sightings, turned, strict=True)]


def as_badge(sighting: Sighting, scene: Scene) -> Badge:
    """Return the badge that a block would show in the middle of its face."""
    points = badge_points(sighting.place, sighting.quarter, scene.kit, scene.table)
    corners = scene.view.project(sighting.stand.to_mat(points))
    return Badge(sighting.piece, sighting.back, corners, sighting.quarter, 0.0)


def _scan(scene: Scene, level: Level, near: list[Sighting]) -> list[Sighting]:
    """Return every coarse place on a level that is like a taught face, near others if there are any, best first."""
    place = Place(level.pose, 0.0, level.foot_mm + half_size(level.pose, scene.kit.acrobat)[1])
    stands = _stands(scene, place, np.array([[one.stand.x_mm, one.stand.y_mm] for one in near]))
    if not len(stands):
        return []
    found = np.max(scores(window_of(scene), scene, stands, place, step_mm=SCAN_MM), axis=1)
    chosen = np.flatnonzero(found > LIKELY)
    chosen = chosen[np.argsort(-found[chosen])]
    return [Sighting(Stand(*map(float, stands[i])), place, 0, False, 0, float(found[i])) for i in chosen]


def _stands(scene: Scene, place: Place, near: Floats) -> Floats:
    """Return the stands n x 3 at which something coloured shows in a block's face; near places, if there are any."""
    zone = scene.table.zones.build
    xs = np.arange(zone.x0 - MARGIN_MM, zone.x1 + MARGIN_MM + 0.1, ACROSS_MM)
    ys = np.arange(zone.y0 - MARGIN_MM, zone.y1 + MARGIN_MM + 0.1, AWAY_MM)
    x, y = (grid.ravel() for grid in np.meshgrid(xs, ys))
    flat = np.column_stack([x, y, np.zeros(len(x))])
    if len(near):
        away = np.linalg.norm(flat[:, None, :2] - near, axis=2).min(axis=1)
        flat = flat[away < NEAR_WIDTHS * scene.kit.acrobat.width_mm]
    seen = samples(window_of(scene), scene, flat, place, GLANCE_MM).reshape(len(flat), -1, 3)
    coloured = (np.hypot(seen[..., 1], seen[..., 2]) > PALE).mean(axis=1) > COLOURED_SHARE
    turns = np.deg2rad(TURNS_DEG)
    kept = np.repeat(flat[coloured], len(turns), axis=0)
    kept[:, 2] = np.tile(turns, int(coloured.sum()))
    return kept


def _each_once(scene: Scene, sightings: list[Sighting]) -> list[Sighting]:
    """Return those that are not nearly where a better one is in the picture."""
    kept: list[Sighting] = []
    at: list[Floats] = []
    for one in sightings:
        middle = np.array([[one.place.u_mm, one.place.n_mm, one.place.z_mm]])
        side = middle + np.array([scene.kit.acrobat.width_mm, 0.0, 0.0])
        here, beside = scene.view.project(one.stand.to_mat(np.concatenate([middle, side])))
        least = APART_WIDTHS * float(np.linalg.norm(beside - here))
        if all(np.linalg.norm(here - other) > least for other in at):
            kept.append(one)
            at.append(here)
    return kept


def _fit(scene: Scene, coarse: Sighting) -> Sighting | None:
    """Return a sighting fitted closely, whole or without its upper part; `None` where neither is like a taught face."""
    whole = _fitted(scene, coarse, 0.0)
    if whole.score >= SEEN_CUT:
        return whole
    hidden = CUT_SHARE * 2 * half_size(coarse.place.pose, scene.kit.acrobat)[1]
    cut = _fitted(scene, coarse, hidden)
    if cut.score >= max(SEEN_CUT, whole.score + 0.05):
        return cut
    return whole if whole.score >= SEEN else None


def _fitted(scene: Scene, coarse: Sighting, hidden_mm: float, steps: tuple[Steps, Steps, Steps] = FREE) -> Sighting:
    """Return a place fitted to the face it is most like; each face has its own best place, for stickers are crooked."""
    start = np.array([coarse.stand.x_mm, coarse.stand.y_mm, coarse.stand.turn_rad])
    stands = _around(start, steps[0])
    found = scores(window_of(scene), scene, stands, coarse.place, step_mm=COARSE_MM, hidden_top_mm=hidden_mm)
    best = found.max(axis=0)
    faces = [int(face) for face in np.argsort(-best)[:MOST_FACES] if best[face] > best.max() - FACE_LEAD]
    fits = [
        _fitted_to(scene, coarse.place, face, stands[np.argmax(found[:, face])], hidden_mm, steps[1]) for face in faces
    ]
    score, at, face = max(fits, key=lambda fit: fit[0])
    score, at, face = _fitted_to(scene, coarse.place, face, at, hidden_mm, steps[2])
    assert scene.art is not None, "stock mode compares with taught pictures"
    piece, back, quarter = taught_faces(scene.art, scene.kit.acrobat, coarse.place.pose, CLOSE_MM).names[face]
    return Sighting(Stand(*map(float, at)), coarse.place, piece, back, quarter, score, hidden_mm > 0)


def _around(at: Floats, steps: Steps) -> Floats:
    """Return stands n x 3 around one, by every sum of steps in x, y and turn."""
    grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 3)
    stands = at + grid
    stands[:, 2] = np.clip(stands[:, 2], -MOST_TURN_RAD, MOST_TURN_RAD)
    return np.asarray(stands)


def _fitted_to(
    scene: Scene, place: Place, face: int, at: Floats, hidden_mm: float, steps: Steps
) -> tuple[float, Floats, int]:
    """Return the best score of one face around a stand, the stand there, and the face."""
    stands = _around(at, steps)
    found = scores(window_of(scene), scene, stands, place, step_mm=CLOSE_MM, hidden_top_mm=hidden_mm, face=face)
    top = int(np.argmax(found))
    return float(found[top, 0]), np.asarray(stands[top]), face
