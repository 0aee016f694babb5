"""Flat tiles lying level on blocks: found by their outline, for their size, shape and height are known."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.camera import Floats
from pi_app.vision.light import Linear, lab_picture, linear
from pi_app.vision.reading import PartKind, SeenPart
from pi_app.vision.scene import Scene

NDArrayInt = NDArray[np.int_]
NDArrayBool = NDArray[np.bool_]

PX_PER_MM = 2.0
BORDER_MM = 6.0
STEP_MM = 2.5
FINE_MM = 1.0
EDGE_DELTA = 7.0
TURN_STEP_DEG = 7.5
POINTS = 72
MIN_FREE = 0.4
TIE = 0.015
SETTLE_MM, SETTLE_STEP_MM = 2.0, 0.5
SETTLE_TURNS_RAD = np.deg2rad([0.0, -0.8, 0.8, -1.6, 1.6])
CLOSE_INSIDE_MM, CLOSE_OUTSIDE_MM = (-0.5, -1.0), (0.5, 1.0)
MOST_CHANGE = 30.0
EVEN_CHROMA = 20.0
EVEN_LIGHT = 45.0


@dataclass(frozen=True, eq=False)
class TileShape:
    """Outline and thickness of a tile: `width_mm` = `height_mm` = diameter where it is round."""

    kind: PartKind
    width_mm: float
    height_mm: float
    thickness_mm: float
    is_round: bool

    def outline(self, turn_rad: float, outside_mm: float) -> Floats:
        """Return points n x 2 around the outline, about its middle and so far outside it, in mm."""
        if self.is_round:
            angle = np.arange(POINTS) * 2 * np.pi / POINTS
            return np.column_stack([np.cos(angle), np.sin(angle)]) * (self.width_mm / 2 + outside_mm)
        half_w, half_h = self.width_mm / 2, self.height_mm / 2
        steps = np.linspace(-0.92, 0.92, POINTS // 4)
        ones = np.ones_like(steps)
        sides = [
            (steps * half_w, ones * (half_h + outside_mm)),
            (steps * half_w, -ones * (half_h + outside_mm)),
            (ones * (half_w + outside_mm), steps * half_h),
            (-ones * (half_w + outside_mm), steps * half_h),
        ]
        points = np.concatenate([np.column_stack(side) for side in sides])
        c, s = np.cos(turn_rad), np.sin(turn_rad)
        return np.asarray(points @ np.array([[c, s], [-s, c]]))


SEEN_SHARE = 0.92
GONE_SHARE = 0.74
WHOLE_SHARE = 0.97


@dataclass(frozen=True, eq=False)
class TileLook:
    """The outline best seen: its middle on its level and its turn.

    `share` is along what part of its free length the picture changes, `free` what part of it nothing known hides.
    """

    centre: Floats
    turn_rad: float
    share: float
    free: float

    @property
    def seen(self) -> bool | None:
        """Whether a tile lies there; `None` where it cannot be told."""
        if self.free < MIN_FREE:
            return None
        return True if self.share >= SEEN_SHARE else False if self.share < GONE_SHARE else None


def tile_shape(scene: Scene) -> TileShape:
    """Return the shape of the kit's object tiles."""
    tile = scene.kit.tile
    return TileShape(PartKind.TILE, tile.size_mm, tile.size_mm, tile.thickness_mm, tile.shape == "round")


def overview_shape(scene: Scene) -> TileShape:
    """Return the shape of the kit's overview tile."""
    tile = scene.kit.overview
    return TileShape(PartKind.OVERVIEW, tile.width_mm, tile.height_mm, tile.thickness_mm, False)


def look_for_tile(
    scene: Scene,
    shape: TileShape,
    xy_mm: Floats,
    top_mm: float,
    reach_mm: float,
    hidden_by: tuple[SeenPart, ...],
    *,
    turns: Floats | None = None,
    step_mm: float = STEP_MM,
    least_free: float = MIN_FREE,
) -> TileLook:
    """Return the outline best seen on the level `top_mm`, its middle within `reach_mm` of (x, y).

    Parts known to stand on the tile hide what lies behind them; that part of the outline does not count, and
    `least_free` of it must be left. `turns` in radians are those tried, all of them if not given.
    """
    field = _Level(scene, shape, xy_mm, top_mm, reach_mm)
    open_mm = field.open_mask(hidden_by)
    best = TileLook(np.array([*xy_mm, top_mm]), 0.0, 0.0, 0.0)
    coarse = _turns(shape) if turns is None else turns
    for reach, step, tries in ((reach_mm, step_mm, coarse), (step_mm, FINE_MM, None)):
        shifts = best.centre[:2] - np.asarray(xy_mm) + _round(reach, step)
        turns = _near(shape, best.turn_rad) if tries is None else tries
        best = replace(best, share=0.0)
        for turn in turns:
            share, free = field.shares(shape, float(turn), shifts, open_mm, least_free=least_free)
            top = _middle_of_best(share, shifts)
            if share[top] > best.share:
                place = np.array([*(np.asarray(xy_mm) + shifts[top]), top_mm])
                best = TileLook(place, float(turn), float(share[top]), float(free[top]))
    return best


def settled(scene: Scene, shape: TileShape, look: TileLook, hidden_by: tuple[SeenPart, ...]) -> TileLook:
    """Return an outline moved and turned by a little to where the picture changes most right at it."""
    field = _Level(scene, shape, look.centre[:2], float(look.centre[2]), SETTLE_MM)
    open_mm, shifts = field.open_mask(hidden_by), _round(SETTLE_MM, SETTLE_STEP_MM)
    best, most = look, 0.0
    for turn in look.turn_rad + SETTLE_TURNS_RAD:
        contrast = field.contrast(shape, float(turn), shifts, open_mm)
        top = int(np.argmax(contrast))
        if contrast[top] > most:
            centre = look.centre + np.array([*shifts[top], 0.0])
            best, most = replace(look, centre=centre, turn_rad=float(turn)), float(contrast[top])
    return best


def _middle_of_best(share: Floats, shifts: Floats) -> int:
    """Return the best place; of several as good, for the picture changes over a few pixels, that in their middle."""
    ties = np.flatnonzero(share >= share.max() - TIE)
    away = np.linalg.norm(shifts[ties] - shifts[ties].mean(axis=0), axis=1)
    return int(ties[np.argmin(away)])


def _round(reach_mm: float, step_mm: float) -> Floats:
    """Return the points n x 2 of a grid within a distance of its middle."""
    steps = np.arange(-reach_mm, reach_mm + 0.1, step_mm)
    return np.array([[x, y] for x in steps for y in steps if x * x + y * y <= reach_mm**2 + 0.1])


def _near(shape: TileShape, turn_rad: float) -> Floats:
    """Return turns around one already tried, the nearest first."""
    return np.zeros(1) if shape.is_round else turn_rad + np.deg2rad([0.0, -2.0, 2.0, -4.0, 4.0])


def _even(inside: Linear, free: NDArrayBool) -> NDArrayBool:
    """Return which points along the inside of an outline have the colour most of its free points have."""
    shown = np.sort(np.where(free[:, ::2, None], inside[:, ::2], np.inf), axis=1)
    middle = np.maximum(free[:, ::2].sum(axis=1) - 1, 0) // 2
    usual = np.take_along_axis(shown, middle[:, None, None], axis=1)
    usual[~np.isfinite(usual)] = 0.0
    off = np.abs(np.asarray(inside - usual))
    even: NDArrayBool = (np.linalg.norm(off[..., 1:], axis=2) < EVEN_CHROMA) & (off[..., 0] < EVEN_LIGHT)
    return even


def is_whole(scene: Scene, shape: TileShape, look: TileLook, ghost: SeenPart) -> bool:
    """Whether a tile's outline is seen all around, also where a part standing on it (`ghost`) would hide it."""
    field = _Level(scene, shape, look.centre[:2], float(look.centre[2]), BORDER_MM)
    behind, _ = field.shares(shape, look.turn_rad, np.zeros((1, 2)), ~field.open_mask((ghost,)), least_free=0.0)
    return min(look.share, float(behind[0])) >= WHOLE_SHARE


def tile_part(look: TileLook, shape: TileShape) -> SeenPart:
    """Return the tile as a part in the mat frame."""
    c, s = np.cos(look.turn_rad), np.sin(look.turn_rad)
    rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    centre = look.centre - (0.0, 0.0, shape.thickness_mm / 2)
    size = (shape.width_mm, shape.height_mm, shape.thickness_mm)
    return SeenPart(shape.kind, centre, rotation, size, "", "", look.share)


def _turns(shape: TileShape) -> Floats:
    if shape.is_round:
        return np.zeros(1)
    quarter = 90.0 if abs(shape.width_mm - shape.height_mm) < 1e-6 else 180.0
    return np.asarray(np.deg2rad(np.arange(0.0, quarter, TURN_STEP_DEG)))


class _Level:
    """A piece of a level plane seen from above, PX_PER_MM pixels a mm, in L*, a*, b* relative to the paper."""

    def __init__(self, scene: Scene, shape: TileShape, xy_mm: Floats, top_mm: float, reach_mm: float) -> None:
        self._half = float(np.hypot(shape.width_mm, shape.height_mm)) / 2 + reach_mm + BORDER_MM
        self._scene = scene
        self._xy = np.asarray(xy_mm, np.float64)
        size = round(2 * self._half * PX_PER_MM)
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        corners = np.column_stack([self._xy + signs * self._half, np.full(4, top_mm)])
        pixels = scene.view.project(corners).astype(np.float32)
        target = ((signs + 1) / 2 * size).astype(np.float32) - 0.5
        self._shape = cv2.getPerspectiveTransform(pixels, target.astype(np.float32))
        flat = cv2.warpPerspective(scene.soft, self._shape, (size, size), flags=cv2.INTER_LINEAR)
        light = np.asarray(linear(np.asarray(flat, np.uint8)) / scene.paper, np.float32)
        self._lab = lab_picture(light).reshape(-1, 3)
        self._size = size

    def index(self, outline: Floats, shifts: Floats) -> NDArrayInt:
        """Return the flat pixel numbers of an outline at each shift, shifts x points."""
        unmoved = np.rint((outline + self._half) * PX_PER_MM - 0.5).astype(np.int32)
        spots = unmoved + np.rint(shifts * PX_PER_MM).astype(np.int32)[:, None]
        np.clip(spots, 0, self._size - 1, out=spots)
        return np.asarray(spots[..., 1] * self._size + spots[..., 0])

    def band(self, shape: TileShape, turn_rad: float, shifts: Floats, gaps_mm: tuple[float, float]) -> Linear:
        """Return the mean colour beside an outline, over two distances from it, shifts x points x 3."""
        near, far = (self._lab[self.index(shape.outline(turn_rad, gap), shifts)] for gap in gaps_mm)
        return np.asarray((near + far) / 2, np.float32)

    def shares(
        self, shape: TileShape, turn: float, shifts: Floats, open_mm: NDArrayBool, *, least_free: float = MIN_FREE
    ) -> tuple[Floats, Floats]:
        """Return for each shift along what share of the free outline the picture changes, and the free share."""
        inside = self.band(shape, turn, shifts, (-1.2, -2.0))
        step = inside - self.band(shape, turn, shifts, (1.3, 2.1))
        step = (np.roll(step, 1, axis=1) + step + np.roll(step, -1, axis=1)) / 3
        free = open_mm[self.index(shape.outline(turn, 0.0), shifts)]
        changed = (np.linalg.norm(step, axis=2) > EDGE_DELTA) & free & _even(inside, free)
        share = changed.sum(axis=1) / np.maximum(free.sum(axis=1), 1)
        share[free.mean(axis=1) < least_free] = 0.0
        return np.asarray(share, np.float64), np.asarray(free.mean(axis=1), np.float64)

    def contrast(self, shape: TileShape, turn: float, shifts: Floats, open_mm: NDArrayBool) -> Floats:
        """Return for each shift how much the picture changes close to the free outline, on average."""
        step = self.band(shape, turn, shifts, CLOSE_INSIDE_MM) - self.band(shape, turn, shifts, CLOSE_OUTSIDE_MM)
        free = open_mm[self.index(shape.outline(turn, 0.0), shifts)]
        change = np.minimum(np.linalg.norm(step, axis=2), MOST_CHANGE) * free
        return np.asarray(change.sum(axis=1) / np.maximum(free.sum(axis=1), 1), np.float64)

    def open_mask(self, hidden_by: tuple[SeenPart, ...]) -> NDArrayBool:
        """Return which pixels no known part hides, flat."""
        mask = np.ones((self._size, self._size), np.uint8)
        for part in hidden_by:
            hull = cv2.convexHull(self._scene.view.project(part.corners_mm()).astype(np.float32))
            flat = cv2.perspectiveTransform(hull, self._shape)
            cv2.fillConvexPoly(mask, np.rint(flat).astype(np.int32), (0,))
        return np.asarray(cv2.erode(mask, np.ones((5, 5), np.uint8)) > 0).ravel()
