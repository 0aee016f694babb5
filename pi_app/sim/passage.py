"""The sixth acrobat on its way through the tunnel, or not: a hand pushes it in, another one draws it out.

Truth follows the recorded scenes' conventions: passed is the first moment at which the whole acrobat lies beyond the
tile's exit edge after it was under the tile, having come in at the opposite side, with the tunnel still standing.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from pi_app.core.names import BlockPose
from pi_app.core.verdict import Reason
from pi_app.sim.acts import Built
from pi_app.sim.hands import PAD_MM, TICK_S, Hand
from pi_app.sim.motion import Mover, carry_to, let_go, pick_up, push, reach, rest_mm, visiting, wait
from pi_app.sim.passage_plan import OVERVIEW, Tile, laid, match_tunnel, tile_at
from pi_app.sim.pieces import Floats, Placed, vec
from pi_app.sim.shapes import Capsule
from pi_app.sim.table import Script, SimTable
from pi_app.sim.truth import FALL_DEG, FALL_MM, angle_deg
from pi_app.vision.reading import PartKind

SLIDES_S = 1.6
FLICK_MM_S = (900.0, 1500.0)
FLICK_MM = 26.0


class Way(StrEnum):
    """Which way through, as the active player sees it."""

    FORTH = "forth"
    BACK = "back"
    RIGHT = "right"
    LEFT = "left"


class How(StrEnum):
    """What is done with the sixth acrobat."""

    THROUGH = "through"
    FLICKED = "flicked"
    SAME_SIDE = "same_side"
    OUTSIDE = "outside"
    STOPS = "stops"
    NEVER = "never"
    OVER = "over"
    KNOCKED = "knocked"


DIRECTIONS = {Way.FORTH: (0.0, 1.0), Way.BACK: (0.0, -1.0), Way.RIGHT: (1.0, 0.0), Way.LEFT: (-1.0, 0.0)}


@dataclass(frozen=True)
class PassPlan:
    """How the sixth acrobat goes: `lane_mm` beside the tunnel's middle, `before_mm` of air before the entry edge."""

    way: Way = Way.FORTH
    how: How = How.THROUGH
    pose: BlockPose = BlockPose.STAND
    lane_mm: float = 0.0
    before_mm: float = 18.0
    beyond_mm: float = 25.0
    twist_deg: float = 0.0
    pace: float = 1.0
    lies_there: bool = False


@dataclass(frozen=True)
class Passage:
    """What happened, seconds of the table's clock; reasons are ("ok",) where it was right."""

    entered_s: float | None
    passed_s: float | None
    reasons: tuple[Reason, ...]
    doubtful: bool = False


@dataclass(slots=True, eq=False)
class ReachingHand(Hand):
    """A hand with its index finger stretched out level, low over the table, to push something ahead of it."""

    way: Floats = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))

    def limbs(self) -> tuple[Capsule, ...]:
        """Return arm, palm and fingers as thickened lines; `tip_mm` is the fingertip's middle."""
        if not self.visible:
            return ()
        skin, back = self.look.skin_bgr, -self.way
        across = np.array([-back[1], back[0], 0.0])
        knuckles = self.tip_mm + back * 86.0 + vec(0.0, 0.0, 16.0)
        wrist = knuckles + back * 78.0 + vec(0.0, 0.0, 34.0)
        away = self.shoulder_mm - wrist
        elbow = wrist + away * min(1.0, 260.0 / max(1.0, float(np.linalg.norm(away))))
        joint = self.tip_mm + back * 44.0 + vec(0.0, 0.0, 7.0)
        curled = [
            Capsule(knuckles + across * k, knuckles + across * k - back * 24 - vec(0.0, 0.0, 8.0), 10.0, 9.0, skin)
            for k in (8.0, 20.0, 31.0)
        ]
        return (
            Capsule(elbow, wrist, 42.0, 27.0, self.look.sleeve_bgr),
            Capsule(wrist, knuckles + across * 10, 26.0, 20.0, skin),
            Capsule(knuckles, knuckles + across * 30, 14.0, 13.0, skin),
            Capsule(knuckles, joint, 9.5, 8.5, skin),
            Capsule(joint, self.tip_mm, 8.5, PAD_MM, skin),
            *curled,
        )


class PassWatch:
    """Follows the sixth acrobat through physics; `see` once a tick."""

    def __init__(self, table: SimTable, sixth: str, built: Built) -> None:
        self._table, self._sixth = table, sixth
        self._parts = {name: table.world.at(name) for name in built.names}
        self._match = match_tunnel(table.kit, self._parts, table.pieces)
        self.tile = tile_at(self._parts[OVERVIEW], table.kit) if OVERVIEW in self._parts else None
        self._side: tuple[int, int] | None = None
        self._inside = False
        self.entered_s: float | None = None
        self.passed_s: float | None = None
        self.fell_s: float | None = None

    def see(self) -> None:
        """Take what is now."""
        table, tile = self._table, self.tile
        if self.fell_s is None and any(_displaced(at, table.world.at(name)) for name, at in self._parts.items()):
            self.fell_s = table.time_s
        if tile is None or self.passed_s is not None:
            return
        corners = table.world.at(self._sixth).corners_mm(table.pieces[self._sixth])
        local = tile.local(corners)
        low = float(corners[:, 2].max()) < table.kit.acrobat.length_mm
        middle = local.mean(axis=0) / tile.half
        out = _side(local, tile.half)
        if self._inside and out is not None:
            self._inside = False
            if self._side is not None and out == (self._side[0], -self._side[1]):
                self.passed_s = table.time_s
        elif not self._inside and low and bool((np.abs(middle) < 1).all()):
            self._inside = True
            self.entered_s = self.entered_s or table.time_s
        elif not self._inside:
            axis = int(np.argmax(np.abs(middle)))
            self._side = (axis, 1 if middle[axis] > 0 else -1)

    def truth(self) -> Passage:
        """Return what there was to judge."""
        if not self._match.right:
            return Passage(self.entered_s, None, self._match.reasons, self._match.doubtful)
        fell = self.fell_s is not None and (self.passed_s is None or self.fell_s <= self.passed_s)
        reasons = (Reason.FELL,) if fell else (Reason.OK,) if self.passed_s is not None else (Reason.NOT_THROUGH,)
        return Passage(self.entered_s, None if fell else self.passed_s, reasons, self._match.doubtful)


def pass_through(mover: Mover, plan: PassPlan, built: Built) -> Generator[None, None, Passage]:
    """Do what the plan says with an acrobat that is not in the tunnel, and return the truth; ends with hands away."""
    table = mover.table
    sixth = sixth_of(table, built)
    tile = tile_at(table.world.at(OVERVIEW), table.kit)
    watch = PassWatch(table, sixth, built)
    try:
        for _ in _deed(mover, plan, sixth, tile, built):
            watch.see()
            yield
    finally:
        table.world.release(sixth)
    return watch.truth()


def sixth_of(table: SimTable, built: Built) -> str:
    """Return an acrobat that is no part of the tunnel."""
    return next(n for n, piece in table.pieces.items() if piece.kind is PartKind.ACROBAT and n not in built.names)


def start_of(table: SimTable, plan: PassPlan, tile: Tile) -> Placed:
    """Return where the sixth acrobat lies before it is pushed."""
    way = np.array(DIRECTIONS[plan.way])
    return _on_way(table, plan, tile, -(_depth(tile, way) + plan.before_mm + table.kit.acrobat.length_mm / 2))


def _deed(mover: Mover, plan: PassPlan, sixth: str, tile: Tile, built: Built) -> Script:
    start = start_of(mover.table, plan, tile)
    if not plan.lies_there:
        yield from pick_up(mover, sixth)
        yield from carry_to(mover, start.shifted((0.0, 0.0, 0.3)))
        yield from let_go(mover)
        yield from reach(mover, rest_mm(mover.hand), 0.35)
    long, way = mover.table.kit.acrobat.length_mm, np.array(DIRECTIONS[plan.way])
    depth = _depth(tile, way)
    out_mm = depth + plan.beyond_mm + long / 2
    match plan.how:
        case How.OVER:
            yield from _carry_over(mover, sixth, _on_way(mover.table, plan, tile, out_mm))
        case How.FLICKED:
            yield from _flick(mover, plan, sixth)
        case How.NEVER:
            yield from _push(mover, plan, sixth, tile, [plan.before_mm * 0.3 - depth - plan.before_mm - long / 2])
        case How.STOPS:
            yield from _push(mover, plan, sixth, tile, [depth * 0.25 - 8.0])
        case How.SAME_SIDE:
            back_mm = -(depth + long / 2 + plan.beyond_mm)
            yield from _push(mover, plan, sixth, tile, [depth * 0.2, back_mm])
        case How.OUTSIDE:
            yield from _push(mover, plan, sixth, tile, [out_mm])
        case How.KNOCKED:
            yield from _push(mover, plan, sixth, tile, [-depth * 0.3])
            yield from _knock(mover, built)
        case How.THROUGH:
            half_out = depth - long / 2 + long * 0.55
            yield from _push(mover, plan, sixth, tile, [half_out], then=out_mm)


def _depth(tile: Tile, way: Floats) -> float:
    return float(np.abs(way) @ tile.half)


def _on_way(table: SimTable, plan: PassPlan, tile: Tile, along_mm: float) -> Placed:
    way = np.array(DIRECTIONS[plan.way])
    side = np.array([-way[1], way[0]])
    beside = plan.lane_mm
    if plan.how is How.OUTSIDE:
        past = float(np.abs(side) @ tile.half) + table.kit.acrobat.width_mm / 2 + 14.0
        beside = past if plan.lane_mm >= 0 else -past
    twist = np.deg2rad(plan.twist_deg)
    along = way * np.cos(twist) + side * np.sin(twist)
    return laid(table.kit, tile, way * along_mm + side * beside, along, plan.pose)


def _hand(mover: Mover, plan: PassPlan, tile: Tile) -> ReachingHand:
    """Return the pushing hand, waiting far outside on the entry's side."""
    way2 = np.array(DIRECTIONS[plan.way]) @ tile.axes
    way = np.array([*way2, 0.0])
    shoulder = np.array([*tile.middle, 230.0]) - way * 640.0
    if plan.way is Way.BACK:
        side = 1.0 if mover.table.random.random() < 0.5 else -1.0
        shoulder = np.array([side * 580.0, tile.middle[1] + 150.0, 230.0])
    elif plan.way is not Way.FORTH:
        shoulder += vec(0.0, -120.0, 0.0)
    return ReachingHand(shoulder, shoulder * 0.55 + vec(0.0, 0.0, 40.0), look=mover.hand.look, way=way)


def _push(
    mover: Mover, plan: PassPlan, sixth: str, tile: Tile, stops_mm: list[float], then: float | None = None
) -> Script:
    """Push the acrobat along its way to each of the stops; `then` another hand draws it on to there."""
    table, long = mover.table, mover.table.kit.acrobat.length_mm
    hand = _hand(mover, plan, tile)
    away = hand.tip_mm.copy()
    with visiting(table, hand):
        along = float(tile.local(table.world.at(sixth).at_mm[None])[0] @ np.array(DIRECTIONS[plan.way]))
        yield from _move(hand, _tip(table, plan, tile, along - long / 2 - PAD_MM), 0.5 / plan.pace)
        for stop in stops_mm:
            for at in _steps(along, stop, 0.25 / plan.pace + abs(stop - along) / (190.0 * plan.pace)):
                table.world.carry(sixth, _on_way(table, plan, tile, at))
                hand.tip_mm = _tip(table, plan, tile, at - long / 2 - PAD_MM)
                yield
            along = stop
            yield from wait(mover, 0.12)
        if then is not None:
            yield from _draw_out(mover, plan, sixth, tile, (along, then))
        else:
            table.world.release(sixth)
        yield from _move(hand, _tip(table, plan, tile, along - long / 2 - PAD_MM - 60.0), 0.25 / plan.pace)
        yield from _move(hand, away, 0.4 / plan.pace)


def _draw_out(mover: Mover, plan: PassPlan, sixth: str, tile: Tile, way_mm: tuple[float, float]) -> Script:
    """Let a second hand come from the side, take the leading end from above and draw the acrobat out."""
    table = mover.table
    side = 1.0 if table.random.random() < 0.5 else -1.0
    start, goal = way_mm
    ahead = np.array(DIRECTIONS[plan.way]) @ tile.axes * table.kit.acrobat.length_mm * 0.3
    shoulder = np.array([side * 620.0, float(table.world.at(sixth).at_mm[1]) - 40.0, 250.0])
    hand = Hand(shoulder, shoulder * 0.6, axis_deg=90.0, look=mover.hand.look)
    with visiting(table, hand):
        second, away = Mover(table, hand, plan.pace), hand.tip_mm.copy()
        grip = np.array([*ahead, table.pieces[sixth].half_mm[1]])
        lead = _on_way(table, plan, tile, start).at_mm + grip
        opening = table.kit.acrobat.width_mm if plan.pose is BlockPose.STAND else table.kit.acrobat.thickness_mm
        across = float(np.degrees(np.arctan2(ahead[1], ahead[0]))) + 90.0
        yield from reach(second, lead + vec(0.0, 0.0, 40.0), 0.45, opening_mm=opening + 16, axis_deg=across)
        yield from reach(second, lead, 0.18, opening_mm=opening)
        for at in _steps(start, goal, 0.25 / plan.pace + abs(goal - start) / (200.0 * plan.pace)):
            placed = _on_way(table, plan, tile, at)
            table.world.carry(sixth, placed)
            hand.tip_mm = placed.at_mm + grip
            yield
        yield from wait(second, 0.1)
        table.world.release(sixth)
        yield from reach(second, hand.tip_mm + vec(0.0, 0.0, 45.0), 0.2, opening_mm=opening + 20)
        yield from reach(second, away, 0.35)


def _flick(mover: Mover, plan: PassPlan, sixth: str) -> Script:
    """Flick the acrobat so that it slides through by itself."""
    table = mover.table
    tile = tile_at(table.world.at(OVERVIEW), table.kit)
    hand = _hand(mover, plan, tile)
    away, long = hand.tip_mm.copy(), table.kit.acrobat.length_mm
    with visiting(table, hand):
        way = np.array(DIRECTIONS[plan.way])
        along = float(tile.local(table.world.at(sixth).at_mm[None])[0] @ way)
        yield from _move(hand, _tip(table, plan, tile, along - long / 2 - PAD_MM), 0.5 / plan.pace)
        speed = float(table.random.uniform(*FLICK_MM_S))
        ticks = max(2, round(2 * FLICK_MM / speed / TICK_S))
        for n in range(1, ticks + 1):
            at = along + FLICK_MM * (n / ticks) ** 2
            velocity = np.array([*(way @ tile.axes), 0.0]) * speed * n / ticks
            table.world.carry(sixth, _on_way(table, plan, tile, at), velocity)
            hand.tip_mm = _tip(table, plan, tile, at - long / 2 - PAD_MM)
            yield
        table.world.release(sixth)
        for _ in range(round(0.15 / TICK_S)):
            yield
        yield from _move(hand, away, 0.4 / plan.pace)
    yield from wait(mover, SLIDES_S / 2)


def _carry_over(mover: Mover, sixth: str, goal: Placed) -> Script:
    yield from pick_up(mover, sixth)
    yield from carry_to(mover, goal.shifted((0.0, 0.0, 0.3)))
    yield from let_go(mover)
    yield from reach(mover, rest_mm(mover.hand), 0.4)


def _knock(mover: Mover, built: Built) -> Script:
    """Knock the fifth acrobat over."""
    table = mover.table
    tip = max((table.world.at(name).at_mm for name in built.names), key=lambda at: float(at[2]))
    yield from push(mover, tip + vec(0.0, -55.0, 4.0), tip + vec(0.0, 45.0, 4.0), 0.3)
    yield from wait(mover, 0.4)


def _tip(table: SimTable, plan: PassPlan, tile: Tile, along_mm: float) -> Floats:
    """Return a fingertip's place on the acrobat's way."""
    at = _on_way(table, plan, tile, along_mm).at_mm
    return np.array([at[0], at[1], PAD_MM + 2.0])


def _move(hand: Hand, goal: Floats, seconds: float) -> Script:
    start = hand.tip_mm.copy()
    for part in _steps(0.0, 1.0, seconds):
        hand.tip_mm = start + (goal - start) * part
        yield


def _steps(start: float, goal: float, seconds: float) -> list[float]:
    """Return a value's way from rest to rest, one a tick (minimum jerk)."""
    t = np.arange(1, max(2, round(seconds / TICK_S)) + 1) / max(2, round(seconds / TICK_S))
    return [float(v) for v in start + (goal - start) * t**3 * (10 - 15 * t + 6 * t * t)]


def _displaced(before: Placed, now: Placed) -> bool:
    moved = float(np.linalg.norm(now.at_mm - before.at_mm))
    return moved > FALL_MM or angle_deg(before.rotation, now.rotation) > FALL_DEG


def _side(local: Floats, half: Floats) -> tuple[int, int] | None:
    """Return the edge, by axis and sign, beyond which all corners lie; None where some are under the tile."""
    for axis in (0, 1):
        for sign in (-1, 1):
            if float((sign * local[:, axis]).min()) >= half[axis]:
                return axis, sign
    return None
