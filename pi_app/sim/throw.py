"""A stone thrown up from an open hand, and caught or not; between the hands it flies by physics alone.

The truth follows the recorded scenes' conventions: the height is that of the stone's middle above the place where the
hand let go of it, caught is when it has come to rest in a hand.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from pi_app.core.verdict import Reason
from pi_app.sim.acts import BAG_MM
from pi_app.sim.hands import TICK_S, Hand
from pi_app.sim.motion import Mover, pick_up, reach, rest_mm, take_new
from pi_app.sim.pieces import Floats, Placed, vec
from pi_app.sim.table import Script
from pi_app.sim.world import GRAVITY

WANTED_MM = 100.0
DOUBTFUL_MM = 5.0
GRAVITY_MM_S2 = 1000 * GRAVITY
CATCH_S, LOWEST_MM = 0.07, 42.0
"""How long a caught stone is slowed down, and how low that may bring it."""
SWING_MM, DIP_MM = 75.0, 25.0
LIES_S, LOST_S = 0.25, 1.6


@dataclass(frozen=True)
class ThrowPlan:
    """How a stone is thrown: how high, from where, how far aside it drifts until it is level again, and what follows.

    `from_mm` is the stone's place at its release, `catch_mm` how far above or below that it is caught.
    """

    height_mm: float = 150.0
    caught: bool = True
    from_mm: tuple[float, float, float] = (0.0, -40.0, 95.0)
    drift_mm: tuple[float, float] = (8.0, 4.0)
    catch_mm: float = -15.0
    wait_s: float = 0.3


@dataclass(frozen=True)
class Throw:
    """What happened, seconds of the table's clock; `caught_s` is None where the stone was dropped."""

    released_s: float
    caught_s: float | None
    height_mm: float

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Return ("ok",), or what was wrong."""
        wrong = [Reason.DROPPED] if self.caught_s is None else []
        if self.height_mm < WANTED_MM:
            wrong.append(Reason.TOO_LOW)
        return tuple(wrong) or (Reason.OK,)

    @property
    def doubtful(self) -> bool:
        """Whether the height lies close to what is asked for."""
        return abs(self.height_mm - WANTED_MM) < DOUBTFUL_MM


def throw_stone(mover: Mover, stone: str, plan: ThrowPlan, other: Mover | None = None) -> Generator[None, None, Throw]:
    """Take a stone that lies on the table, in the hand or in the bag, and throw it up once; `other` may catch it.

    Ends with the stone in the open hand that caught it, or where it fell.
    """
    table, start = mover.table, np.array(plan.from_mm)
    yield from _take(mover, stone, start - vec(0.0, 0.0, SWING_MM - DIP_MM))
    yield from _rest(mover, stone, plan.wait_s)
    speed = float(np.sqrt(2 * GRAVITY_MM_S2 * plan.height_mm))
    flight_s = 2 * speed / GRAVITY_MM_S2
    velocity = np.array([*(np.array(plan.drift_mm) / flight_s), speed])
    yield from _swing(mover, stone, start, velocity)
    released_s, released_at = table.time_s, table.world.at(stone)
    table.world.put(stone, released_at, velocity)
    mover.hand.holding = None
    catcher = other or mover
    top_mm = yield from _fly(mover, catcher, stone, plan, released_at.at_mm + vec(*plan.drift_mm, plan.catch_mm))
    caught_s = None
    if plan.caught:
        yield from _catch(catcher, stone)
        caught_s = table.time_s
    else:
        yield from _fall(mover, stone)
    return Throw(released_s, caught_s, top_mm - float(released_at.at_mm[2]))


def _take(mover: Mover, stone: str, to_mm: Floats) -> Script:
    """Bring a stone on the open palm to a place."""
    hand, world = mover.hand, mover.table.world
    if hand.holding != stone:
        if stone in world.live:
            yield from pick_up(mover, stone)
        else:
            yield from take_new(mover, stone, Placed(BAG_MM.copy(), np.eye(3)))
    start = world.at(stone).at_mm
    count = max(2, round(mover.seconds(0.6) / TICK_S))
    for n in range(1, count + 1):
        part = 3 * (n / count) ** 2 - 2 * (n / count) ** 3
        hand.flat = hand.flat or n > count / 2
        _hold(mover, stone, start + (to_mm - start) * part, vec(0.0, 0.0, 0.0))
        yield
    hand.holding = stone


def _rest(mover: Mover, stone: str, seconds: float) -> Script:
    at = mover.table.world.at(stone).at_mm
    for _ in range(round(seconds / TICK_S)):
        _hold(mover, stone, at, vec(0.0, 0.0, 0.0))
        yield


def _swing(mover: Mover, stone: str, release_mm: Floats, velocity: Floats) -> Script:
    """Dip, then speed up evenly to the velocity of the release, reached at its place."""
    low = release_mm - vec(0.0, 0.0, SWING_MM)
    start = mover.table.world.at(stone).at_mm
    dip_ticks = round(0.16 / TICK_S)
    for n in range(1, dip_ticks + 1):
        part = 3 * (n / dip_ticks) ** 2 - 2 * (n / dip_ticks) ** 3
        _hold(mover, stone, start + (low - start) * part, vec(0.0, 0.0, 0.0))
        yield
    seconds = 2 * SWING_MM / float(velocity[2])
    ticks = max(2, round(seconds / TICK_S))
    for n in range(1, ticks + 1):
        part = n / ticks
        _hold(mover, stone, low + (release_mm - low) * part**2, velocity * part)
        yield


def _hold(mover: Mover, stone: str, at_mm: Floats, velocity_mm_s: Floats) -> None:
    """Keep a stone on the palm at a place, moving."""
    world = mover.table.world
    world.carry(stone, Placed(at_mm, world.at(stone).rotation), velocity_mm_s)
    mover.hand.tip_mm = at_mm - vec(0.0, 0.0, float(mover.table.pieces[stone].half_mm[2]))


def _fly(mover: Mover, catcher: Mover, stone: str, plan: ThrowPlan, catch_mm: Floats) -> Generator[None, None, float]:
    """Let the stone fly until it is at the height of the catch again, the catching hand on its way there.

    Returns how high it came.
    """
    world, below = mover.table.world, vec(0.0, 0.0, float(mover.table.pieces[stone].half_mm[2]))
    world.release(stone)
    catcher.hand.flat = True
    start = catcher.hand.tip_mm.copy()
    side = 70.0 * np.sign(plan.drift_mm)
    aside = vec(0.0, 0.0, 0.0) if plan.caught else vec(float(side[0]), float(side[1]), -20.0)
    goal = catch_mm - below + aside
    ticks = max(2, round(0.8 * 2 * np.sqrt(2 * plan.height_mm / GRAVITY_MM_S2) / TICK_S))
    tick, top_mm = 0, 0.0
    while world.velocity_mm_s(stone)[2] > 0 or world.at(stone).at_mm[2] > catch_mm[2]:
        tick, top_mm = tick + 1, max(top_mm, float(world.at(stone).at_mm[2]))
        part = min(1.0, tick / ticks)
        catcher.hand.tip_mm = start + (goal - start) * (3 * part**2 - 2 * part**3)
        yield
    return top_mm


def _catch(catcher: Mover, stone: str) -> Script:
    """Go down with the stone until it rests."""
    world = catcher.table.world
    start, velocity = world.at(stone).at_mm, world.velocity_mm_s(stone)
    room_s = 2 * max(float(start[2]) - LOWEST_MM, 5.0) / max(-float(velocity[2]), 1.0)
    count = max(2, round(min(CATCH_S, room_s) / TICK_S))
    brake_s = count * TICK_S
    catcher.hand.holding = stone
    for n in range(1, count + 3):
        part = min(1.0, n / count)
        _hold(catcher, stone, start + velocity * brake_s * (part - part**2 / 2), velocity * (1 - part))
        yield


def _fall(mover: Mover, stone: str) -> Script:
    """Wait until the stone lies; the hand goes back."""
    world, until_s = mover.table.world, mover.table.time_s + LOST_S
    still_s = 0.0
    while still_s < LIES_S and mover.table.time_s < until_s:
        still_s = still_s + TICK_S if float(np.linalg.norm(world.velocity_mm_s(stone))) < 15.0 else 0.0
        yield
    yield from turn_over(mover)
    yield from reach(mover, rest_mm(mover.hand), 0.3)


def turn_over(mover: Mover) -> Script:
    """Turn the open hand palm down again, to grip with it."""
    hand: Hand = mover.hand
    if hand.flat:
        yield from reach(mover, hand.tip_mm, 0.1)
        hand.flat = False
