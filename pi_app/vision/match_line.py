"""Line: four acrobats upright side by side, one stone on each."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from pi_app.core.names import BlockPose
from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.vision.blocks import Badge, Place, Stand, acrobat_part, is_faced
from pi_app.vision.faces import FaceState, look
from pi_app.vision.fit import gaps_mm, standing_row
from pi_app.vision.light import Light
from pi_app.vision.reading import SeenPart, StructureReading
from pi_app.vision.scene import Scene
from pi_app.vision.tops import TopLook, look_on_top, stone_part, wood_of

WANTED = 4
NEAR_GAP_MM = 8.5
WIDE_GAP_MM = 10.0
"""Side by side up to the first, apart from the second: right gaps stay under 6 mm, wrong ones begin at 12 mm."""
IN_ROW_THICKNESSES = 0.6
OFF_ROW_THICKNESSES = 0.9
Row = list[tuple[Place, Badge | None]]


def match_line(scene: Scene, badges: list[Badge], light: Light) -> StructureReading:
    """Return whether the badges in the build zone make a line, with its gaps and stones measured."""
    upright = [badge for badge in badges if badge.pose is BlockPose.STAND]
    if len(upright) < 2:
        return _unsure(Reason.HIDDEN)
    stand, row = _row(scene, upright)
    if any(badge and not is_faced(stand, place, badge, scene.view, scene.kit, scene.table) for place, badge in row):
        return _turned(scene, stand, row)
    row, fault = _completed(scene, stand, row)
    parts = tuple(_part(scene, stand, place, badge) for place, badge in row)
    if len(row) < WANTED or fault is not None:
        reason = Reason.WRONG_FIGURE if len(badges) >= WANTED else fault or Reason.HIDDEN
        return _unsure(reason, parts) if reason is Reason.HIDDEN else _fail(reason, parts)
    if len(row) > WANTED:
        return _unsure(Reason.DOUBTFUL, parts)
    return _judge_row(scene, stand, [place for place, _ in row], parts, light)


def _turned(scene: Scene, stand: Stand, row: Row) -> StructureReading:
    """Return the fault that a badge is only seen from the side: its block shows the players a bare side."""
    parts = tuple(_part(scene, stand, place, badge) for place, badge in row)
    return _fail(Reason.BARE_SIDE, parts) if len(row) >= WANTED - 1 else _unsure(Reason.HIDDEN, parts)


def _row(scene: Scene, upright: list[Badge]) -> tuple[Stand, Row]:
    """Return the row's frame and the blocks in it, sorted by u; each block has its own n."""
    spots = np.array(standing_row(upright, scene.view, scene.kit))
    middle = spots.mean(axis=0)
    along = np.linalg.svd(spots - middle)[2][0]
    along = along if along[0] >= 0 else -along
    turn = float(np.arctan2(along[1], along[0]))
    towards = np.array([-along[1], along[0]])
    half = scene.kit.acrobat.thickness_mm / 2
    foot = middle - towards * half
    stand = Stand(float(foot[0]), float(foot[1]), turn)
    height = scene.kit.acrobat.length_mm / 2
    row: Row = [
        (Place(BlockPose.STAND, float((spot - middle) @ along), height, float((spot - middle) @ towards)), badge)
        for spot, badge in zip(spots, upright, strict=True)
    ]
    row.sort(key=lambda pair: pair[0].u_mm)
    return stand, row


def _completed(scene: Scene, stand: Stand, row: Row) -> tuple[Row, Reason | None]:
    """Look for acrobats without a readable badge in gaps and at the ends; return why the row stays short."""
    faults = []
    known = tuple(_part(scene, stand, place, badge) for place, badge in row)
    for place, free_mm in _slots(scene, row) if len(row) < WANTED else ():
        found = look(scene, stand, place, bare_mm=free_mm, known=known)
        if found.state is FaceState.PICTURE:
            row = sorted([*row, (place, None)], key=lambda pair: pair[0].u_mm)
        elif found.state is FaceState.BARE:
            faults.append(Reason.BARE_SIDE)
        elif found.state is FaceState.UNKNOWN:
            faults.append(Reason.HIDDEN)
    if len(row) >= WANTED:
        return row, None
    for reason in (Reason.BARE_SIDE, Reason.HIDDEN):
        if reason in faults:
            return row, reason
    return row, Reason.MISSING_PIECE


def _slots(scene: Scene, row: Row) -> list[tuple[Place, float]]:
    """Return where a further acrobat of the row could stand, and how far its middle may be off if it stands turned.

    In wide gaps, and beside the ends up to the widest gap that counts as none.
    """
    width, thick = scene.kit.acrobat.width_mm, scene.kit.acrobat.thickness_mm
    us = [place.u_mm for place, _ in row]
    clear = (width - thick) / 2 + 2.0
    slots = [(us[0] - width - 2.0, clear), (us[-1] + width + 2.0, clear)]
    for a, b in pairwise(us):
        free_mm = b - a - width - thick
        if free_mm > -0.25 * thick:
            slots.append(((a + b) / 2, max(free_mm / 2, 0.0)))
    base = row[0][0]
    return [(replace(base, u_mm=u, n_mm=0.0), free) for u, free in slots]


def _judge_row(
    scene: Scene, stand: Stand, places: list[Place], parts: tuple[SeenPart, ...], light: Light
) -> StructureReading:
    gaps = gaps_mm(tuple(places), scene.kit)
    aside = max(abs(place.n_mm) for place in places) / scene.kit.acrobat.thickness_mm
    wood = wood_of(scene, stand, places)
    looks = [look_on_top(scene, stand, place, wood) for place in places]
    measures = (
        Measure("widest gap", round(max(gaps), 1), "mm"),
        Measure("stones seen", sum(one.seen is True for one in looks), f"of {WANTED}"),
    )
    parts = (*parts, *(stone_part(one, scene.kit) for one in looks if one.seen))
    reason = _fault(gaps, aside, looks, light)
    match reason:
        case Reason.OK:
            return StructureReading(Outcome.PASS, (reason,), 0.9, parts, measures)
        case Reason.DOUBTFUL | Reason.COLOURS_WRONG:
            return StructureReading(Outcome.UNSURE, (reason,), 0.0, parts, measures)
        case _:
            return StructureReading(Outcome.FAIL, (reason,), 0.9, parts, measures)


def _fault(gaps: list[float], aside: float, looks: list[TopLook], light: Light) -> Reason:
    if max(gaps) >= WIDE_GAP_MM or aside > OFF_ROW_THICKNESSES:
        return Reason.NOT_ADJACENT
    if light.reason is not None:
        return light.reason
    if any(one.seen is False for one in looks):
        return Reason.NO_STONE
    if max(gaps) > NEAR_GAP_MM or aside > IN_ROW_THICKNESSES or any(one.seen is None for one in looks):
        return Reason.DOUBTFUL
    return Reason.OK


def _part(scene: Scene, stand: Stand, place: Place, badge: Badge | None) -> SeenPart:
    piece = "" if badge is None else str(badge.piece)
    facing = "" if badge is None else "back" if badge.back else "front"
    return acrobat_part(place, stand, scene.kit, piece, facing)


def _fail(reason: Reason, parts: tuple[SeenPart, ...]) -> StructureReading:
    return StructureReading(Outcome.FAIL, (reason,), 0.8, parts)


def _unsure(reason: Reason, parts: tuple[SeenPart, ...] = ()) -> StructureReading:
    return StructureReading(Outcome.UNSURE, (reason,), 0.0, parts)
