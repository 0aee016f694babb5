"""How a hand moves, as scripts: reach, pick up, carry, let go, point, push. mm, s; speed follows the hand's `pace`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from pi_app.sim.hands import PAD_MM, REST_OPENING_MM, TICK_S, Hand
from pi_app.sim.pieces import Floats, Piece, Placed, vec
from pi_app.sim.table import Script, SimTable
from pi_app.vision.reading import PartKind

LAY_MM = 0.3
"""Height above its place from which a piece is let go."""


@dataclass(slots=True, eq=False)
class Mover:
    """A hand on a table, with the speed of its owner: 1 is a normal player's, 3 three times as fast."""

    table: SimTable
    hand: Hand
    pace: float = 1.0

    def seconds(self, seconds: float) -> float:
        """Return how long a motion of a normal player takes this one."""
        return max(2 * TICK_S, seconds / self.pace)


@dataclass(frozen=True, eq=False)
class _Hold:
    """How fingers hold a piece: the tip relative to its middle, the direction of the pinch and its opening."""

    offset_mm: Floats
    axis_deg: float
    opening_mm: float


def wait(mover: Mover, seconds: float) -> Script:
    """Do nothing."""
    for _ in range(round(mover.seconds(seconds) / TICK_S)):
        yield


def reach(
    mover: Mover, to_mm: ArrayLike, seconds: float, *, opening_mm: float | None = None, axis_deg: float | None = None
) -> Script:
    """Move the empty hand, slowest at both ends."""
    hand = mover.hand
    start, goal = hand.tip_mm.copy(), np.asarray(to_mm, np.float64)
    from_opening, from_axis = hand.opening_mm, hand.axis_deg
    to_opening = from_opening if opening_mm is None else opening_mm
    to_axis = from_axis if axis_deg is None else from_axis + (axis_deg - from_axis + 180) % 360 - 180
    for part in _parts(mover.seconds(seconds)):
        hand.tip_mm = start + (goal - start) * part
        hand.opening_mm = from_opening + (to_opening - from_opening) * part
        hand.axis_deg = from_axis + (to_axis - from_axis) * part
        yield


def pick_up(mover: Mover, name: str) -> Script:
    """Reach for a piece and close the fingers on it."""
    table, hand = mover.table, mover.hand
    piece, placed = table.pieces[name], table.world.at(name)
    hold = hold_of(piece, placed.rotation)
    grip = placed.at_mm + hold.offset_mm
    over = grip + vec(0.0, 0.0, 45.0)
    yield from reach(mover, over, 0.34, opening_mm=hold.opening_mm + 26, axis_deg=hold.axis_deg)
    yield from reach(mover, grip, 0.14)
    yield from reach(mover, grip, 0.06, opening_mm=hold.opening_mm)
    hand.holding = name


def take_new(mover: Mover, name: str, at: Placed) -> Script:
    """Hold a piece that comes from nowhere seen: a stone out of the bag."""
    table, hand = mover.table, mover.hand
    hold = hold_of(table.pieces[name], at.rotation)
    yield from reach(mover, at.at_mm + hold.offset_mm, 0.45, opening_mm=hold.opening_mm, axis_deg=hold.axis_deg)
    table.world.put(name, at)
    hand.holding = name


def carry_to(mover: Mover, target: Placed, seconds: float = 0.75) -> Script:
    """Carry the held piece: up, across above what stands there, down to the target; the fingers stay closed."""
    name = mover.hand.holding
    assert name is not None, "carry_to with an empty hand"
    start = mover.table.world.at(name)
    up = _clear_height_mm(mover.table, name, start, target)
    lifted, above = (Placed(np.array([*at.at_mm[:2], up]), at.rotation) for at in (start, target))
    yield from _carry(mover, name, start, lifted, 0.25 * seconds)
    far = float(np.linalg.norm(above.at_mm - lifted.at_mm))
    yield from _carry(mover, name, lifted, above, seconds * (0.3 + 0.2 * far / 250.0))
    yield from _carry(mover, name, above, target, 0.35 * seconds)
    for _ in range(round(0.05 / TICK_S)):
        mover.table.world.carry(name, target)
        yield


def _carry(mover: Mover, name: str, start: Placed, end: Placed, seconds: float) -> Script:
    """Carry in a straight line from rest to rest, turning on the way."""
    turn = _rotvec(start.rotation.T @ end.rotation)
    piece = mover.table.pieces[name]
    holds = (hold_of(piece, start.rotation), hold_of(piece, end.rotation))
    before = start.at_mm
    for part in _parts(mover.seconds(seconds)):
        place = start.at_mm + (end.at_mm - start.at_mm) * part
        rotation = start.rotation @ cv2.Rodrigues(turn * part)[0]
        mover.table.world.carry(name, Placed(place, rotation), (place - before) / TICK_S)
        before = place
        _follow(mover.hand, place, holds, part)
        yield


def _clear_height_mm(table: SimTable, name: str, start: Placed, target: Placed) -> float:
    """Return the height for a piece's middle at which it passes whatever stands near its way."""
    way = (target.at_mm - start.at_mm)[:2]
    length = max(float(np.linalg.norm(way)), 1e-6)
    high = 0.0
    for other, placed in table.places().items():
        part = float(np.clip((placed.at_mm - start.at_mm)[:2] @ way / length**2, 0, 1))
        aside = float(np.linalg.norm((placed.at_mm - start.at_mm)[:2] - part * way))
        if other != name and aside < 75.0:
            reach_up = float(np.abs(placed.rotation[2] * table.pieces[other].half_mm).sum())
            high = max(high, float(placed.at_mm[2]) + reach_up)
    half = float(np.linalg.norm(table.pieces[name].half_mm))
    return max(high + half + 4.0, float(max(start.at_mm[2], target.at_mm[2])) + 12.0)


def hold(mover: Mover, seconds: float) -> Script:
    """Keep the held piece where it is."""
    name = mover.hand.holding
    assert name is not None, "hold with an empty hand"
    for _ in range(round(seconds / TICK_S)):
        mover.table.world.carry(name, mover.table.world.at(name))
        yield


def let_go(mover: Mover, seconds: float = 0.16) -> Script:
    """Open the fingers and leave upwards; physics has the piece from the first moment."""
    hand = mover.hand
    if hand.holding is not None:
        mover.table.world.release(hand.holding)
    hand.holding = None
    yield from reach(mover, hand.tip_mm, seconds, opening_mm=hand.opening_mm + 22.0)
    yield from reach(mover, hand.tip_mm + vec(0.0, -4.0, 40.0), 0.2)


def drop(mover: Mover) -> Script:
    """Let go of whatever is held, at once."""
    if mover.hand.holding is not None:
        yield from let_go(mover)
    yield from leave(mover)


def place(mover: Mover, name: str, target: Placed) -> Script:
    """Pick a piece up and set it down somewhere."""
    yield from pick_up(mover, name)
    yield from carry_to(mover, target.shifted((0.0, 0.0, LAY_MM)))
    yield from let_go(mover)


def point_at(mover: Mover, at_mm: ArrayLike, seconds: float = 0.35) -> Script:
    """Stretch the index finger down on a place; the fingertip ends there."""
    mover.hand.pointing = True
    goal = np.asarray(at_mm, np.float64)
    yield from reach(mover, goal + vec(0.0, 0.0, 40.0), seconds)
    yield from reach(mover, goal, 0.16)


def push(mover: Mover, from_mm: ArrayLike, to_mm: ArrayLike, seconds: float = 0.3, finger: int = 0) -> Script:
    """Push with a stretched finger: whatever is in the way gives way or falls."""
    hand, world = mover.hand, mover.table.world
    yield from point_at(mover, from_mm)
    start, goal = hand.tip_mm.copy(), np.asarray(to_mm, np.float64)
    try:
        for part in _parts(mover.seconds(seconds)):
            hand.tip_mm = start + (goal - start) * part
            world.finger(finger, hand.tip_mm + vec(0.0, 0.0, PAD_MM))
            yield
    finally:
        world.finger(finger, None)
    yield from leave(mover)


def leave(mover: Mover, seconds: float = 0.4) -> Script:
    """Draw the hand back, out of the way, palm down."""
    mover.hand.flat = False
    yield from reach(mover, rest_mm(mover.hand), seconds, opening_mm=REST_OPENING_MM, axis_deg=90.0)
    mover.hand.pointing = False


def rest_mm(hand: Hand) -> Floats:
    """Return where a hand waits: over the table's edge before its owner."""
    away = hand.shoulder_mm * (1.0, 1.0, 0.0)
    return np.asarray(away * (1 - 120.0 / float(np.linalg.norm(away))) + vec(0.0, 0.0, 45.0))


def hold_of(piece: Piece, rotation: Floats) -> _Hold:
    """Return how fingers hold a piece in a given turn: by its thinnest level side, near its top."""
    top = float(np.abs(rotation[2] * piece.half_mm).sum())
    if piece.kind is PartKind.STONE or piece.round:
        high = PAD_MM - top if top < PAD_MM else 0.0
        return _Hold(np.array([0.0, 0.0, high]), 90.0, piece.size_mm[0])
    level = [n for n in range(3) if abs(rotation[2, n]) < 0.6] or [0]
    axis = min(level, key=lambda n: piece.size_mm[n])
    way = rotation[:, axis] * (1.0 if rotation[1, axis] >= 0 else -1.0)
    down = min(8.0, top)
    return _Hold(
        np.array([0.0, 0.0, max(top - down, PAD_MM - top)]),
        float(np.degrees(np.arctan2(way[1], way[0]))),
        piece.size_mm[axis],
    )


def _follow(hand: Hand, place_mm: Floats, holds: tuple[_Hold, _Hold], part: float) -> None:
    first, second = holds
    turn = (second.axis_deg - first.axis_deg + 180) % 360 - 180
    hand.tip_mm = place_mm + first.offset_mm * (1 - part) + second.offset_mm * part
    hand.axis_deg = first.axis_deg + turn * part
    hand.opening_mm = first.opening_mm * (1 - part) + second.opening_mm * part


def _parts(seconds: float) -> Iterator[float]:
    """Yield 0 < part <= 1 once a tick, smoothly speeding up and slowing down (minimum jerk)."""
    count = max(1, round(seconds / TICK_S))
    for n in range(1, count + 1):
        t = n / count
        yield t**3 * (10 - 15 * t + 6 * t * t)


def _rotvec(rotation: Floats) -> Floats:
    return np.asarray(cv2.Rodrigues(rotation)[0], np.float64).reshape(3)


@contextmanager
def visiting(table: SimTable, hand: Hand) -> Iterator[None]:
    """Have a further hand over the table for as long as something is done with it, even where that is broken off."""
    table.hands.append(hand)
    try:
        yield
    finally:
        table.hands.remove(hand)


def pass_arm(table: SimTable, at_s: float, seconds: float = 1.1) -> Script:
    """Let another player's arm pass between the camera and the structure, without touching anything."""
    for _ in range(round(at_s / TICK_S)):
        yield
    side = float(table.random.choice((-1.0, 1.0)))
    shoulder = np.array([side * 620.0, 330.0, 260.0])
    hand = Hand(shoulder, np.array([side * 420.0, 190.0, 120.0]), pointing=True)
    with visiting(table, hand):
        mover = Mover(table, hand)
        yield from reach(mover, (-side * 60.0, 185.0, 110.0), seconds / 2)
        yield from reach(mover, (side * 420.0, 190.0, 120.0), seconds / 2)
