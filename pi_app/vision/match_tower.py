"""Tower: acrobat, tile, acrobat, tile, from below; the second acrobat may stand or lie on its long narrow side."""

from dataclasses import dataclass

import numpy as np

from pi_app.core.names import BlockPose
from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.vision.blocks import Badge, Place, Stand, acrobat_part, half_size, over_zone
from pi_app.vision.camera import Floats
from pi_app.vision.faces import FaceState, look
from pi_app.vision.fit import refine
from pi_app.vision.reading import PartKind, SeenPart, StructureReading
from pi_app.vision.scene import Scene
from pi_app.vision.tiles import GONE_SHARE, TileLook, TileShape, is_whole, look_for_tile, tile_part, tile_shape

OVER_WIDTHS = 0.75
"""Farthest the second acrobat's middle may be from the first one's, in block widths."""
TILE_REACH_MM = 12.0
TURNED_RAD = 0.9
MUCH_FREE = 0.6
MIDDLE_WIDTHS = 0.35
CLEAR_SHARE = 0.95
LIKELY_SHARE = 0.85
"""An outline seen for so much counts where the rest speaks for it, or not against it."""
TOP_SHARE = 0.9
TOP_REACH_MM = 2.0
ZONE_MARGIN_MM = 8.0


@dataclass(frozen=True, eq=False)
class Block:
    """One acrobat of the tower: its own stand, its place there and its part."""

    stand: Stand
    place: Place
    part: SeenPart

    @property
    def top_mm(self) -> float:
        """The height of its upper end."""
        return 2 * self.place.z_mm - self.foot_mm

    @property
    def foot_mm(self) -> float:
        """The height of its lower end."""
        tall = self.part.size_mm[2 if self.place.pose is BlockPose.STAND else 0]
        return self.place.z_mm - tall / 2


def match_tower(scene: Scene, badges: list[Badge]) -> StructureReading:
    """Return whether the pieces in the build zone make a tower."""
    if len(badges) > 2:
        return _judged(Reason.WRONG_ORDER, (), ()) if len(badges) > 3 else _doubt(Reason.DOUBTFUL)
    pair = _pair(scene, badges)
    if pair is not None and any(abs(block.stand.turn_rad) > TURNED_RAD for block in pair):
        return _judged(Reason.BARE_SIDE, tuple(block.part for block in pair), ())
    if pair is not None:
        return _judge_pair(scene, *pair)
    if len(badges) == 1:
        return _judge_one(scene, badges[0])
    if len(badges) == 2 and all(_laid(scene, badge, 0.0) is not None for badge in badges):
        return _judged(Reason.WRONG_ORDER, (), ())
    return _doubt(Reason.HIDDEN)


def _laid(scene: Scene, badge: Badge, foot_mm: float) -> Block | None:
    """Return the block that carries a badge when it stands at this height; `None` where that is not over the zone."""
    height = foot_mm + half_size(badge.pose, scene.kit.acrobat)[1]
    spot = scene.view.on_plane(badge.centre_px.reshape(1, 2), height)[0]
    if not np.isfinite(spot).all() or not over_zone(spot, scene.table, ZONE_MARGIN_MM):
        return None
    place = Place(badge.pose, 0.0, height)
    start = Stand(float(spot[0]), float(spot[1]) - scene.kit.acrobat.thickness_mm / 2, 0.0)
    stand = refine(start, [(place, badge)], scene.view, scene.table, scene.kit)
    facing = "back" if badge.back else "front"
    return Block(stand, place, acrobat_part(place, stand, scene.kit, str(badge.piece), facing))


def _second_foot_mm(scene: Scene) -> float:
    return scene.kit.acrobat.length_mm + scene.kit.tile.thickness_mm


def _pair(scene: Scene, badges: list[Badge]) -> tuple[Block, Block] | None:
    """Return the first and the second acrobat where one stands over the other."""
    best: tuple[float, tuple[Block, Block] | None] = (OVER_WIDTHS * scene.kit.acrobat.width_mm, None)
    for low in badges:
        for high in badges:
            if low is high or low.pose is not BlockPose.STAND:
                continue
            first, second = _laid(scene, low, 0.0), _laid(scene, high, _second_foot_mm(scene))
            if first is None or second is None:
                continue
            apart = float(np.linalg.norm(first.part.centre_mm[:2] - second.part.centre_mm[:2]))
            if apart < best[0]:
                best = (apart, (first, second))
    return best[1]


def _judge_pair(scene: Scene, first: Block, second: Block) -> StructureReading:
    """Judge by the two tiles: one between the acrobats, one on top."""
    shape = tile_shape(scene)
    between = _tile_on(scene, first, (second.part,))
    above = _tile_on(scene, second, ())
    tiles = tuple(tile_part(tile, shape) for tile in (between, above) if tile.seen)
    parts = (first.part, second.part, *tiles)
    apart = float(np.linalg.norm(first.part.centre_mm[:2] - second.part.centre_mm[:2]))
    measures = (
        Measure("second over first", round(apart, 1), "mm"),
        Measure("outline of lower tile", round(100 * between.share), "%"),
        Measure("outline of upper tile", round(100 * above.share), "%"),
    )
    match _is_sure(between, first, scene.kit.acrobat.width_mm), _is_topped(scene, above, second):
        case True, True:
            return _judged(Reason.OK, parts, measures)
        case (False, _) | (_, False):
            below = _tile_under(scene, first)
            return _judged(Reason.WRONG_ORDER if below.seen else Reason.MISSING_PIECE, parts, measures)
        case _:
            return _doubt(Reason.DOUBTFUL, parts, measures)


def _is_sure(tile: TileLook, block: Block, width: float) -> bool | None:
    """Whether the tile between lies there; where the second acrobat hides much of it, only a clear one counts."""
    if tile.free >= MUCH_FREE and tile.share >= LIKELY_SHARE:
        return True
    aside = float(np.linalg.norm(tile.centre[:2] - block.part.centre_mm[:2]))
    unclear = tile.free < MUCH_FREE and (aside > MIDDLE_WIDTHS * width or tile.share < CLEAR_SHARE)
    return None if tile.seen and unclear else tile.seen


def _is_topped(scene: Scene, tile: TileLook, block: Block) -> bool | None:
    """Whether the tile on top lies there: not where the block's own top is seen; without it a likely one counts."""
    if tile.seen or tile.share < GONE_SHARE:
        return tile.seen
    if _is_top_seen(scene, block):
        return False
    return True if tile.share >= LIKELY_SHARE else None


def _is_top_seen(scene: Scene, block: Block) -> bool:
    """Whether the outline of a block's own top is seen: nothing lies on it."""
    size = scene.kit.acrobat
    along = size.width_mm if block.place.pose is BlockPose.STAND else size.length_mm
    shape = TileShape(PartKind.ACROBAT, along, size.thickness_mm, 0.0, is_round=False)
    turn = np.array([block.stand.turn_rad])
    top = look_for_tile(scene, shape, block.part.centre_mm[:2], block.top_mm, TOP_REACH_MM, (), turns=turn, step_mm=1.0)
    return top.share >= TOP_SHARE


def _tile_on(scene: Scene, block: Block, hidden_by: tuple[SeenPart, ...]) -> TileLook:
    top = block.top_mm + scene.kit.tile.thickness_mm
    return look_for_tile(scene, tile_shape(scene), block.part.centre_mm[:2], top, TILE_REACH_MM, hidden_by)


def _tile_under(scene: Scene, block: Block) -> TileLook:
    top = scene.kit.tile.thickness_mm
    return look_for_tile(scene, tile_shape(scene), block.part.centre_mm[:2], top, TILE_REACH_MM, (block.part,))


def _judge_one(scene: Scene, badge: Badge) -> StructureReading:
    """Judge when one badge is found: the other acrobat is hidden, turned, or not there."""
    high = _laid(scene, badge, _second_foot_mm(scene))
    if high is not None:
        state, low = _without_badge(scene, high, BlockPose.STAND, 0.0, hidden_mm=_overhang_mm(scene, high))
        if state is FaceState.PICTURE:
            return _judge_pair(scene, low, high)
        if state is FaceState.BARE and _tile_on(scene, low, (high.part,)).seen:
            return _judged(Reason.BARE_SIDE, (low.part, high.part), ())
    first = _laid(scene, badge, 0.0)
    if first is None or badge.pose is not BlockPose.STAND:
        return _doubt(Reason.HIDDEN)
    return _judge_second(scene, first)


def _judge_second(scene: Scene, first: Block) -> StructureReading:
    """Judge by what is seen over the first acrobat, behind the edge of a tile that may lie on top."""
    foot = _second_foot_mm(scene)
    found = [_second(scene, first, pose, foot) for pose in BlockPose]
    for state, block in found:
        if state is FaceState.PICTURE:
            return _judge_pair(scene, first, block)
    states = [state for state, _ in found]
    if _is_last(scene, first):
        return _judged(Reason.MISSING_PIECE, (first.part,), ())
    if FaceState.BARE in states:
        return _judged(Reason.BARE_SIDE, (first.part,), ())
    if states == [FaceState.ABSENT, FaceState.ABSENT]:
        return _judged(Reason.MISSING_PIECE, (first.part,), ())
    return _doubt(Reason.HIDDEN, (first.part,))


def _is_last(scene: Scene, first: Block) -> bool:
    """Whether no acrobat stands over the first: the whole of its top is seen, or of one or two tiles on it."""
    shape, size = tile_shape(scene), half_size(BlockPose.STAND, scene.kit.acrobat)[1]
    tiles = []
    for count in (1, 2):
        level = first.top_mm + count * scene.kit.tile.thickness_mm
        tile = look_for_tile(scene, shape, first.part.centre_mm[:2], level, TILE_REACH_MM, ())
        place = Place(BlockPose.STAND, first.place.u_mm, level + size)
        if is_whole(scene, shape, tile, acrobat_part(place, first.stand, scene.kit)):
            return True
        tiles.append(tile.share)
    return max(tiles) < GONE_SHARE and _is_top_seen(scene, first)


def _second(scene: Scene, first: Block, pose: BlockPose, foot: float) -> tuple[FaceState, Block]:
    """Look for the second acrobat, with the tile on top where one is seen and else as if it lay in the middle."""
    size = half_size(pose, scene.kit.acrobat)[1]
    top = foot + 2 * size + scene.kit.tile.thickness_mm
    tile = look_for_tile(scene, tile_shape(scene), first.part.centre_mm[:2], top, TILE_REACH_MM, ())
    hidden = _overhang_mm(scene, first, tile.centre[:2]) if tile.seen else 0.0
    return _without_badge(scene, first, pose, foot, hidden_mm=hidden)


def _overhang_mm(scene: Scene, block: Block, middle: Floats | None = None) -> float:
    """Return how much of a face's upper part a tile on top hides: it hangs over the face and the camera looks down."""
    towards = block.part.centre_mm - scene.view.pose.eye
    flat = float(np.hypot(towards[0], towards[1]))
    ahead = -towards[:2] / max(flat, 1e-6)
    shift = 0.0 if middle is None else float((middle - block.part.centre_mm[:2]) @ ahead)
    over = scene.kit.tile.size_mm / 2 + shift - scene.kit.acrobat.thickness_mm / 2
    return max(0.0, over) * abs(float(towards[2])) / max(flat, 1e-6)


def _without_badge(
    scene: Scene, other: Block, pose: BlockPose, foot_mm: float, *, hidden_mm: float
) -> tuple[FaceState, Block]:
    """Look for an acrobat over or under another where no badge was found."""
    place = Place(pose, other.place.u_mm, foot_mm + half_size(pose, scene.kit.acrobat)[1])
    shift, known = TILE_REACH_MM, (other.part,)
    found = look(scene, other.stand, place, shift_mm=shift, hidden_top_mm=hidden_mm, known=known)
    facing = {FaceState.PICTURE: "back" if found.back else "front", FaceState.BARE: "bare"}.get(found.state, "")
    piece = str(found.piece) if found.state is FaceState.PICTURE else ""
    return found.state, Block(other.stand, place, acrobat_part(place, other.stand, scene.kit, piece, facing))


def _judged(reason: Reason, parts: tuple[SeenPart, ...], measures: tuple[Measure, ...]) -> StructureReading:
    outcome = Outcome.PASS if reason is Reason.OK else Outcome.FAIL
    return StructureReading(outcome, (reason,), 0.9, parts, measures)


def _doubt(reason: Reason, parts: tuple[SeenPart, ...] = (), measures: tuple[Measure, ...] = ()) -> StructureReading:
    return StructureReading(Outcome.UNSURE, (reason,), 0.0, parts, measures)
