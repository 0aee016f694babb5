"""Tunnel, before anybody passes through: four acrobats in a square, the overview tile on them, a fifth upright on it.

The two legs at the back are mostly hidden by the tile and by those at the front. A pass needs something of each leg to
be seen, where it reaches under the tile; without it the reading is unsure, for three legs carry the tile as well.
Shadows tell nothing. A leg that does not reach under the tile shows its upper end beside it.
"""

from dataclasses import dataclass

import numpy as np

from pi_app.core.names import BlockPose
from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.vision.blocks import Badge, Place, Stand, acrobat_part, over_zone
from pi_app.vision.camera import Floats
from pi_app.vision.fit import refine
from pi_app.vision.match_beside import leg_beside
from pi_app.vision.match_legs import BEYOND_MM, Deck, Trace, free_corners, trace_leg
from pi_app.vision.reading import SeenPart, StructureReading
from pi_app.vision.scene import Scene
from pi_app.vision.tiles import TileLook, look_for_tile, overview_shape, settled, tile_part

TOUCH_MM = 1.5
FREE_MM = -2.0
"""A leg touches when it reaches so far under the tile, and surely not below the second: wrong ones stand 5 mm off."""
COARSE_MM = 5.0
SEARCH_MM = 32.0
CLEAR_SHARE = 0.86
BARE_SHARE = 0.93
TRACE_SCORE = 0.6
TRACE_AREA_MM2 = 60.0
ZONE_MARGIN_MM = 10.0
MOST_LEGS = 4
OPEN = (Reason.HIDDEN, Reason.DOUBTFUL)
"""Reasons with which it is worth looking for a leg beside the tile."""


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
        tile = _deck(scene, legs, fifth)
        if fifth is not None and tile.share >= CLEAR_SHARE and _deck_of(scene, tile).reach_mm(fifth.part) > 0:
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


def _deck(scene: Scene, legs: list[_Post], fifth: _Post | None) -> TileLook:
    """Return the overview tile best seen on the level of the legs.

    It is looked for behind the two legs nearest the camera, and where it is not clear there, under the fifth acrobat,
    turned as the legs are: a leg may stand away from it.
    """
    near = sorted(legs, key=lambda post: float(np.linalg.norm(post.part.centre_mm - scene.view.pose.eye)))[:2]
    one, two = (post.xy for post in near)
    along = two - one if two[0] >= one[0] else one - two
    behind = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
    middle = (one + two) / 2 + behind * float(np.linalg.norm(along)) / 2
    hidden_by = () if fifth is None else (fifth.part,)
    best = _deck_near(scene, middle, SEARCH_MM, float(np.arctan2(along[1], along[0])), hidden_by)
    if best.share >= CLEAR_SHARE or fifth is None:
        return best
    turn = float(np.median([leg.stand.turn_rad for leg in legs]))
    again = _deck_near(scene, fifth.xy, float(np.hypot(*_deck_half(scene))), turn, hidden_by)
    return again if again.share > best.share else best


def _deck_near(scene: Scene, middle: Floats, reach_mm: float, turn: float, hidden_by: tuple[SeenPart, ...]) -> TileLook:
    """Return the overview tile best seen near a place, turned about so or across it: coarsely, then finely."""
    shape, level = overview_shape(scene), _deck_mm(scene)
    turns = turn + np.deg2rad([a + b for a in (0, 90) for b in (-12, -6, 0, 6, 12)])
    best = look_for_tile(scene, shape, middle, level, reach_mm, hidden_by, turns=turns, step_mm=COARSE_MM)
    for reach, step, spread in ((COARSE_MM, 2.0, 4.0), (2.0, 1.0, 2.0)):
        turns = best.turn_rad + np.deg2rad([0.0, -spread / 2, spread / 2, -spread, spread])
        fine = look_for_tile(scene, shape, best.centre[:2], level, reach, hidden_by, turns=turns, step_mm=step)
        best = fine if fine.share >= best.share else best
    return settled(scene, shape, best, hidden_by)


def _deck_half(scene: Scene) -> Floats:
    shape = overview_shape(scene)
    return np.array([shape.width_mm, shape.height_mm]) / 2


def _deck_of(scene: Scene, tile: TileLook) -> Deck:
    c, s = np.cos(tile.turn_rad), np.sin(tile.turn_rad)
    return Deck(tile.centre[:2], np.array([[c, s], [-s, c]]), _deck_half(scene))


def _judge(scene: Scene, posts: list[_Post], fifth: _Post, tile: TileLook) -> StructureReading:
    """Weigh how far the legs reach under the tile: those whose pictures are seen, and what shows of the others."""
    deck = _deck_of(scene, tile)
    legs = _supports(deck, posts)
    parts = (*_parts(scene, legs, tile), fifth.part)
    reaches = [deck.reach_mm(leg.part) for leg in legs]
    turn = float(np.mean([leg.stand.turn_rad for leg in legs]))
    corners = free_corners(deck, tuple(leg.part for leg in legs))
    traces = [trace_leg(scene, deck, corner, turn, parts) for corner in corners]
    found = [trace for trace in traces if trace is not None and trace.score >= TRACE_SCORE]
    reason = _fault(reaches, found, len(corners), len(legs))
    beside = [leg_beside(scene, deck, corner, turn, parts, fifth.part) for corner in corners] if reason in OPEN else []
    aside = [top for top in beside if isinstance(top, TileLook)]
    reason = Reason.NOT_TOUCHING if aside else reason
    measures = (
        Measure("least reach of a leg under the tile", round(min([*reaches, *(t.least_mm for t in found)]), 1), "mm"),
        Measure("outline of the tile", round(100 * tile.share), "%"),
        Measure("legs seen", len(legs) + len(found) + len(aside), f"of {MOST_LEGS}"),
    )
    return _reading(reason, (*parts, *(trace.part for trace in found)), measures)


def _reading(reason: Reason, parts: tuple[SeenPart, ...], measures: tuple[Measure, ...]) -> StructureReading:
    match reason:
        case Reason.OK:
            return StructureReading(Outcome.PASS, (reason,), 0.7, parts, measures)
        case Reason.NOT_TOUCHING:
            return StructureReading(Outcome.FAIL, (reason,), 0.8, parts, measures)
        case _:
            return StructureReading(Outcome.UNSURE, (reason,), 0.0, parts, measures)


def _supports(deck: Deck, posts: list[_Post]) -> list[_Post]:
    """Return the posts that are the tile's legs: none that stands far off, or beside a leg that reaches under it.

    What is left out may be the sixth acrobat.
    """
    reaching = [post for post in posts if deck.reach_mm(post.part) >= FREE_MM]
    taken = [_corner(deck, post) for post in reaching]
    others = [post for post in posts if -BEYOND_MM < deck.reach_mm(post.part) < FREE_MM]
    return [*reaching, *(post for post in others if _corner(deck, post) not in taken)] or posts


def _corner(deck: Deck, post: _Post) -> tuple[bool, bool]:
    along, across = deck.local(post.xy[None])[0]
    return bool(along > 0), bool(across > 0)


def _fault(reaches: list[float], found: list[Trace], hidden: int, seen: int) -> Reason:
    """Return what is wrong with the legs, given those seen and the traces of the `hidden` others."""
    if min(reaches) < FREE_MM or any(t.most_mm < FREE_MM and t.area_mm2 >= TRACE_AREA_MM2 for t in found):
        return Reason.NOT_TOUCHING
    if min([*reaches, *(trace.least_mm for trace in found)]) < TOUCH_MM or seen + hidden != MOST_LEGS:
        return Reason.DOUBTFUL
    return Reason.OK if len(found) == hidden else Reason.HIDDEN


def _parts(scene: Scene, legs: list[_Post], tile: TileLook) -> tuple[SeenPart, ...]:
    return (*(leg.part for leg in legs), tile_part(tile, overview_shape(scene)))
