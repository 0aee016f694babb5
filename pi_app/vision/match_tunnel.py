"""Tunnel, before anybody passes through: four acrobats in a square, the overview tile on them, a fifth upright on it.

The two legs at the back are mostly hidden by the tile. That they are there follows from the tile lying level with an
acrobat on it; a leg that might stand free behind or beside the tile makes the reading doubtful, never wrong.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.vision.blocks import Badge, Place, Stand, acrobat_part, over_zone
from pi_app.vision.camera import Floats
from pi_app.vision.fit import refine
from pi_app.vision.light import TO_LINEAR
from pi_app.vision.reading import SeenPart, StructureReading
from pi_app.vision.scene import Scene, chroma
from pi_app.vision.tiles import TileLook, TileShape, look_for_tile, overview_shape, tile_part

TOUCH_MM = 1.5
FREE_MM = -2.0
"""A leg touches when it reaches so far under the tile, and surely not below the second: wrong ones stand 5 mm off."""
COARSE_MM = 5.0
SEARCH_MM = 32.0
CLEAR_SHARE = 0.86
BARE_SHARE = 0.93
WOOD_HUE_DEG = (12.0, 52.0)
WOOD_VIVID = (0.35, 1.35)
ZONE_MARGIN_MM = 10.0


@dataclass(frozen=True, eq=False)
class _Post:
    """An upright acrobat: its part and its own stand."""

    part: SeenPart
    stand: Stand

    @property
    def xy(self) -> Floats:
        """Its middle on the mat, 2."""
        return self.part.centre_mm[:2]


def match_tunnel(scene: Scene, badges: list[Badge]) -> StructureReading:
    """Return whether the pieces in the build zone make a tunnel, as far as a single view of it can tell."""
    upright = sorted((b for b in badges if b.pose is BlockPose.STAND), key=lambda badge: float(badge.centre_px[1]))
    for top, others in ((upright[:1], upright[1:]), ([], upright)):
        legs = [post for post in (_post(scene, badge, 0.0) for badge in others) if post is not None]
        if len(legs) < 2:
            continue
        fifth = _post(scene, top[0], _deck_mm(scene)) if top else None
        tile = _deck(scene, legs, (fifth.part,) if fifth else ())
        if fifth is not None and tile.share >= CLEAR_SHARE and _reach(fifth, tile, scene) > 0:
            return _judge(scene, legs, fifth, tile)
        if not top and tile.share >= BARE_SHARE:
            return StructureReading(Outcome.FAIL, (Reason.MISSING_PIECE,), 0.7, _parts(scene, legs, tile))
    return StructureReading(Outcome.UNSURE, (Reason.HIDDEN,), 0.0)


def _deck_mm(scene: Scene) -> float:
    return scene.kit.acrobat.length_mm + scene.kit.overview.thickness_mm


def _post(scene: Scene, badge: Badge, foot_mm: float) -> _Post | None:
    place = Place(BlockPose.STAND, 0.0, foot_mm + scene.kit.acrobat.length_mm / 2)
    spot = scene.view.on_plane(badge.centre_px.reshape(1, 2), place.z_mm)[0]
    if not np.isfinite(spot).all() or not over_zone(spot, scene.table, ZONE_MARGIN_MM):
        return None
    start = Stand(float(spot[0]), float(spot[1]) - scene.kit.acrobat.thickness_mm / 2, 0.0)
    stand = refine(start, [(place, badge)], scene.view, scene.table, scene.kit)
    part = acrobat_part(place, stand, scene.kit, str(badge.piece), "back" if badge.back else "front")
    return _Post(part, stand)


def _deck(scene: Scene, legs: list[_Post], hidden_by: tuple[SeenPart, ...]) -> TileLook:
    """Return the overview tile best seen on the level of the legs, behind the two legs nearest the camera."""
    near = sorted(legs, key=lambda post: float(np.linalg.norm(post.part.centre_mm - scene.view.pose.eye)))[:2]
    one, two = (post.xy for post in near)
    along = two - one if two[0] >= one[0] else one - two
    turn = float(np.arctan2(along[1], along[0]))
    behind = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
    middle = (one + two) / 2 + behind * float(np.linalg.norm(along)) / 2
    shape, level = overview_shape(scene), _deck_mm(scene)
    turns = turn + np.deg2rad([a + b for a in (0, 90) for b in (-12, -6, 0, 6, 12)])
    best = look_for_tile(scene, shape, middle, level, SEARCH_MM, hidden_by, turns=turns, step_mm=COARSE_MM)
    for reach, step, spread in ((COARSE_MM, 2.0, 4.0), (2.0, 1.0, 2.0)):
        turns = best.turn_rad + np.deg2rad([-spread, -spread / 2, 0.0, spread / 2, spread])
        fine = look_for_tile(scene, shape, best.centre[:2], level, reach, hidden_by, turns=turns, step_mm=step)
        best = fine if fine.share >= best.share else best
    return best


def _reach(post: _Post, tile: TileLook, scene: Scene) -> float:
    """Return how far an acrobat's end reaches inside the tile's edge, in mm; negative: so far outside."""
    corners = post.part.corners_mm()[:, :2]
    low, across, along = corners[0], corners[4] - corners[0], corners[2] - corners[0]
    steps = np.linspace(0, 1, 7)
    points = np.array([low + a * across + b * along for a in steps for b in steps])
    return float(_depth(points, tile, overview_shape(scene)).max())


def _depth(points: Floats, tile: TileLook, shape: TileShape) -> Floats:
    """Return how far points n x 2 lie inside the tile's edge."""
    c, s = np.cos(tile.turn_rad), np.sin(tile.turn_rad)
    local = np.abs((points - tile.centre[:2]) @ np.array([[c, -s], [s, c]]))
    return np.asarray(np.minimum(shape.width_mm / 2 - local[:, 0], shape.height_mm / 2 - local[:, 1]))


def _judge(scene: Scene, legs: list[_Post], fifth: _Post, tile: TileLook) -> StructureReading:
    reaches = [_reach(leg, tile, scene) for leg in legs]
    parts = (*_parts(scene, legs, tile), fifth.part)
    free_mm = _free_leg_mm(scene, tile, (fifth.part, *(leg.part for leg in legs)))
    measures = (
        Measure("least reach of a leg under the tile", round(min(reaches), 1), "mm"),
        Measure("outline of the tile", round(100 * tile.share), "%"),
        Measure("wood beyond the tile", round(free_mm, 1), "mm"),
    )
    if min(reaches) < FREE_MM:
        return StructureReading(Outcome.FAIL, (Reason.NOT_TOUCHING,), 0.8, parts, measures)
    if min(reaches) < TOUCH_MM or free_mm > scene.kit.acrobat.thickness_mm - TOUCH_MM:
        return StructureReading(Outcome.UNSURE, (Reason.DOUBTFUL,), 0.0, parts, measures)
    return StructureReading(Outcome.PASS, (Reason.OK,), 0.7, parts, measures)


def _free_leg_mm(scene: Scene, tile: TileLook, known: tuple[SeenPart, ...]) -> float:
    """Return how far something wood-coloured and as wide as a leg reaches beyond the tile, on the level of the legs."""
    shape, thick = overview_shape(scene), scene.kit.acrobat.thickness_mm
    outs = np.arange(3.0, 2.2 * thick, 1.0)
    longest = 0.0
    for side in range(4):
        if not _faces_away(tile, side, scene):
            continue
        edge, half = (shape.height_mm, shape.width_mm) if side % 2 else (shape.width_mm, shape.height_mm)
        along = np.arange(-half / 2 + 2, half / 2 - 2, 2.0)
        wood = _wood_beyond(scene, tile, side, edge / 2 + outs, along, known)
        longest = max(longest, _widest_end(wood, outs, max(3, round(0.35 * thick))))
    return longest


def _widest_end(wood: Floats, outs: Floats, count: int) -> float:
    """Return the distance at which wood ends in `count` neighbouring places; where it never ends, it is the table."""
    clean = cv2.medianBlur(wood.astype(np.uint8), 5)
    last = np.where(clean.any(axis=0), len(outs) - 1 - np.argmax(clean[::-1], axis=0), -1)
    ends = np.where((last >= 0) & (last < len(outs) - 3), outs[last], 0.0)
    if len(ends) < count:
        return 0.0
    return float(np.lib.stride_tricks.sliding_window_view(ends, count).min(axis=1).max())


def _wood_beyond(
    scene: Scene, tile: TileLook, side: int, outs: Floats, along: Floats, known: tuple[SeenPart, ...]
) -> Floats:
    """Return which places beyond one side of the tile look like wood that is no known part's, distances x places."""
    angle = tile.turn_rad + side * np.pi / 2
    out, right = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    grid = tile.centre[:2] + outs[:, None, None] * out + along[None, :, None] * right
    points = np.column_stack([grid.reshape(-1, 2), np.full(grid.size // 2, scene.kit.acrobat.length_mm)])
    rows, columns = scene.image.shape[:2]
    pixels = np.clip(np.rint(scene.view.project(points)).astype(int), 0, (columns - 1, rows - 1))
    hue, vivid = chroma(TO_LINEAR[scene.soft[pixels[:, 1], pixels[:, 0]]] / scene.paper)
    degrees = np.degrees(hue)
    wood = (degrees > WOOD_HUE_DEG[0]) & (degrees < WOOD_HUE_DEG[1])
    wood &= (vivid > WOOD_VIVID[0]) & (vivid < WOOD_VIVID[1])
    wood &= ~_shown(scene, known)[pixels[:, 1], pixels[:, 0]]
    return np.asarray(wood.reshape(len(outs), len(along)), np.float64)


def _shown(scene: Scene, parts: tuple[SeenPart, ...]) -> NDArray[np.bool_]:
    """Return which pixels of the picture show one of these parts, or its very edge."""
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    for part in parts:
        hull = cv2.convexHull(np.rint(scene.view.project(part.corners_mm())).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, (1,))
        cv2.polylines(mask, [hull], True, (1,), 5)
    return mask > 0


def _faces_away(tile: TileLook, side: int, scene: Scene) -> bool:
    """Whether a side of the tile does not look at the camera: there the legs' faces would be taken for their tops."""
    angle = tile.turn_rad + side * np.pi / 2
    to_eye = scene.view.pose.eye[:2] - tile.centre[:2]
    return bool(np.array([np.cos(angle), np.sin(angle)]) @ to_eye / np.linalg.norm(to_eye) < 0.5)


def _parts(scene: Scene, legs: list[_Post], tile: TileLook) -> tuple[SeenPart, ...]:
    return (*(leg.part for leg in legs), tile_part(tile, overview_shape(scene)))
