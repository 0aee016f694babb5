"""What players do with their hands: build, take apart, lay stones and cards; well, or with a named flaw."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pi_app.core.names import Colour
from pi_app.sim.motion import (
    LAY_MM,
    Mover,
    carry_to,
    hold,
    leave,
    let_go,
    pick_up,
    point_at,
    push,
    rest_mm,
    take_new,
    wait,
)
from pi_app.sim.pieces import Floats, Placed, turn_z, vec
from pi_app.sim.plans import Flaw, Plan, Step, steps_of
from pi_app.sim.table import Script, SimTable
from pi_app.vision.reading import PartKind

BAG_MM = np.array([215.0, -270.0, 20.0])
HOLD_S = 3.5
BESIDE_MM = 0.4
"""Players leave this much air between neighbours."""


@dataclass(slots=True, eq=False)
class Built:
    """What has been put where, to be taken apart again from the top."""

    names: list[str] = field(default_factory=list)


def build(mover: Mover, plan: Plan, built: Built) -> Script:
    """Build a plan piece by piece, then draw the hand back; `built` says what to take apart."""
    yield from build_steps(mover, plan, steps_of(plan, mover.table), built)


def build_steps(mover: Mover, plan: Plan, steps: Sequence[Step], built: Built) -> Script:
    """Build some steps of a plan, and what comes after the last."""
    for number, step in enumerate(steps):
        built.names.append(step.name)
        if mover.table.pieces[step.name].kind is PartKind.STONE:
            yield from take_new(mover, step.name, Placed(BAG_MM.copy(), np.eye(3)))
        else:
            mover.table.world.put(step.name)
            yield from pick_up(mover, step.name)
        yield from carry_to(mover, _beside(mover, plan, step).shifted((0.0, 0.0, LAY_MM)))
        if plan.flaw is Flaw.NEVER_LET_GO and number == len(steps) - 1:
            yield from hold(mover, HOLD_S)
        yield from let_go(mover)
    yield from _afterwards(mover, plan, built)


def build_at_once(mover: Mover, plan: Plan, steps: Sequence[Step], built: Built) -> None:
    """Put some steps of a plan where they go, without a hand, and let them settle."""
    for step in steps:
        mover.table.world.put(step.name, _beside(mover, plan, step).shifted((0.0, 0.0, 0.05)))
        built.names.append(step.name)
        mover.table.world.advance(0.1)


def _beside(mover: Mover, plan: Plan, step: Step) -> Placed:
    """Return a step's target moved aside so far that the piece clears those it stands next to."""
    table, back = mover.table, turn_z(-plan.turn_deg)
    low, high = _extent(back, step.target.corners_mm(table.pieces[step.name]))
    shift = 0.0
    for name in table.world.live - {step.name}:
        other_low, other_high = _extent(back, table.world.at(name).corners_mm(table.pieces[name]))
        apart = (low[1:] > other_high[1:] - 2.0).any() or (high[1:] < other_low[1:] + 2.0).any()
        middle = (low[0] + high[0]) / 2 > (other_low[0] + other_high[0]) / 2
        into = other_high[0] + BESIDE_MM - low[0] if middle else high[0] + BESIDE_MM - other_low[0]
        if not apart and 0 < into < 6.0:
            shift = into if middle else -into
    return step.target.shifted(turn_z(plan.turn_deg) @ np.array([shift, 0.0, 0.0]))


def _extent(back: Floats, corners: Floats) -> tuple[Floats, Floats]:
    turned = corners @ back.T
    return turned.min(axis=0), turned.max(axis=0)


def _afterwards(mover: Mover, plan: Plan, built: Built) -> Script:
    world = mover.table.world
    match plan.flaw:
        case Flaw.HELD:
            top = max(built.names, key=lambda name: float(world.at(name).at_mm[2]))
            yield from point_at(mover, _top_mm(mover, top), 0.2)
            yield from wait(mover, HOLD_S * mover.pace)
            yield from leave(mover)
        case Flaw.HAND_NEAR:
            top = max(built.names, key=lambda name: float(world.at(name).at_mm[2]))
            yield from point_at(mover, _top_mm(mover, top) + vec(0.0, -12.0, 16.0), 0.25)
            yield from wait(mover, 2.6 * mover.pace)
            yield from leave(mover)
        case Flaw.TOO_SHORT:
            yield from leave(mover)
            yield from wait(mover, max(0.0, plan.flaw_after_s - 0.8) * mover.pace)
            yield from take_apart(mover, built)
        case Flaw.KNOCKED_OVER:
            yield from leave(mover)
            yield from wait(mover, max(0.0, plan.flaw_after_s - 0.9) * mover.pace)
            high = max(built.names, key=lambda name: float(world.at(name).at_mm[2]))
            tip = world.at(high).at_mm
            yield from push(mover, tip + vec(0.0, -55.0, -5.0), tip + vec(0.0, 50.0, -5.0))
        case Flaw.TABLE_KNOCKED:
            yield from leave(mover)
            yield from wait(mover, max(0.0, plan.flaw_after_s - 0.4) * mover.pace)
            world.knock((float(mover.table.random.choice((-1, 1))) * 6.0, 34.0))
            yield from wait(mover, 0.4)
        case _:
            yield from leave(mover)


def take_apart(mover: Mover, built: Built) -> Script:
    """Bring every piece back to where it came from, highest first; stones go back in the bag."""
    table = mover.table
    while built.names:
        name = max(built.names, key=lambda n: float(table.world.at(n).at_mm[2]))
        built.names.remove(name)
        yield from pick_up(mover, name)
        if table.pieces[name].kind is PartKind.STONE:
            yield from bag_held(mover)
        else:
            yield from carry_to(mover, table.homes[name].shifted((0.0, 0.0, 0.4)), 0.4)
            yield from let_go(mover)
            if table.pieces[name].kind is not PartKind.ACROBAT:
                table.world.park(name, table.homes[name])
    yield from leave(mover)


def tidy(mover: Mover) -> Script:
    """Bring every acrobat and tile back that is not where it lies unused, and stones from the build zone to the bag."""
    table = mover.table
    zone = table.table.zones.build
    away = Built([
        name for name, placed in table.places().items()
        if (name in table.homes and float(np.linalg.norm(placed.at_mm - table.homes[name].at_mm)) > 12.0)
        or (table.pieces[name].kind is PartKind.STONE and zone.contains(*map(float, placed.at_mm[:2])))
    ])  # fmt: skip
    if away.names:
        yield from take_apart(mover, away)


def lay_stone(mover: Mover, colour: Colour | None = None) -> Generator[None, None, str]:
    """Draw a stone from the bag and lay it in the stone zone, clear of those that lie there; return its name."""
    table = mover.table
    name = table.draw_stone(colour)
    yield from take_new(mover, name, Placed(BAG_MM.copy(), np.eye(3)))
    yield from carry_to(mover, Placed(stone_place(table), turn_z(float(table.random.uniform(0, 90)))))
    yield from let_go(mover)
    yield from leave(mover)
    return name


def stone_place(table: SimTable) -> Floats:
    """Return a place in the stone zone for one more stone's middle."""
    zone, stone = table.table.zones.stones, table.kit.stone
    margin = stone.diameter_mm
    low, high = (zone.x0 + margin, zone.y0 + margin), (zone.x1 - margin, zone.y1 - margin)
    place = lie_clear(table, lambda: np.asarray(table.random.uniform(low, high)))
    return np.array([*place, stone.height_mm / 2 + 0.4])


def lie_clear(table: SimTable, place: Callable[[], Floats]) -> Floats:
    """Return the first of several places (x, y) that `place` draws where a stone would touch no other."""
    lying = [p.at_mm[:2] for n, p in table.places().items() if table.pieces[n].kind is PartKind.STONE]
    chosen = place()
    for _ in range(60):
        if all(float(np.linalg.norm(chosen - other)) > 1.5 * table.kit.stone.diameter_mm for other in lying):
            break
        chosen = place()
    return chosen


def gather_stones(mover: Mover) -> Script:
    """Put every stone that lies on the table back in the bag."""
    table = mover.table
    lying = [n for n in table.places() if table.pieces[n].kind is PartKind.STONE]
    if not lying:
        return
    for name in lying:
        yield from pick_up(mover, name)
        yield from bag_held(mover)
    yield from leave(mover)


def bag_held(mover: Mover) -> Script:
    """Put the stone in the hand back in the bag."""
    name = mover.hand.holding
    assert name is not None, "no stone to put back"
    yield from carry_to(mover, Placed(BAG_MM.copy(), np.eye(3)), 0.35)
    mover.hand.holding = None
    mover.table.bag_stone(name)


def _top_mm(mover: Mover, name: str) -> Floats:
    placed = mover.table.world.at(name)
    height = float(np.abs(placed.rotation[2] * mover.table.pieces[name].half_mm).sum())
    return placed.at_mm + vec(0.0, 0.0, height)


def start_mm(mover: Mover) -> None:
    """Put the hand at rest."""
    mover.hand.tip_mm = rest_mm(mover.hand)
