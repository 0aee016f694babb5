"""Tunnel, throw and juggler done by hand on the table: each act knows what it came to."""

from collections.abc import Callable, Generator
from typing import TypeVar

import numpy as np
import pytest

from pi_app.core.names import Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.kit.model import StoneCounts
from pi_app.sim.acts import Built, build_steps, lay_stone, tidy
from pi_app.sim.cardplay import lay_card, remove_card
from pi_app.sim.deeds import Deed, attempt_of
from pi_app.sim.juggle import Slip, clear_card, juggle, stones_on
from pi_app.sim.motion import Mover
from pi_app.sim.passage import PassPlan, pass_through
from pi_app.sim.passage_plan import tunnel_steps
from pi_app.sim.plans import Plan
from pi_app.sim.throw import ThrowPlan, throw_stone

Lay = Callable[[int, float], Mover]
T = TypeVar("T")
CARD_MM = (60.0, 86.0)


def done(mover: Mover, act: Generator[None, None, T]) -> T:
    """Let an act run to its end and return what it came to."""
    results: list[T] = []

    def script() -> Generator[None, None, None]:
        results.append((yield from act))

    mover.table.run(script())
    while not mover.table.idle():
        mover.table.tick()
    return results[0]


def test_a_tunnel_built_by_hand_is_gone_through_and_tidied(lay: Lay) -> None:
    mover, built = lay(3, 2.0), Built()
    plan = Plan(Task.TUNNEL, None, 0.0, -20.0, 8.0)
    done(mover, build_steps(mover, plan, tunnel_steps(plan, mover.table), built))
    passage = done(mover, pass_through(mover, PassPlan(pace=2.0), built))
    assert passage.reasons == (Reason.OK,)
    assert passage.passed_s is not None
    done(mover, tidy(mover))
    zone = mover.table.table.zones.build
    assert not [n for n, at in mover.table.places().items() if zone.contains(*map(float, at.at_mm[:2]))]
    assert len(mover.table.hands) == 1


def test_a_passage_broken_off_leaves_no_hand_and_no_grip(lay: Lay) -> None:
    mover, built = lay(3, 2.0), Built()
    plan = Plan(Task.TUNNEL, None, 0.0, -20.0)
    done(mover, build_steps(mover, plan, tunnel_steps(plan, mover.table), built))
    act = pass_through(mover, PassPlan(pace=2.0), built)
    while len(mover.table.hands) == 1:
        next(act)
        mover.table.tick()
    act.close()
    assert len(mover.table.hands) == 1
    assert not mover.table.world.carried()


@pytest.mark.parametrize(
    ("plan", "reasons"),
    [
        (ThrowPlan(height_mm=150.0), (Reason.OK,)),
        (ThrowPlan(height_mm=70.0), (Reason.TOO_LOW,)),
        (ThrowPlan(height_mm=180.0, caught=False), (Reason.DROPPED,)),
    ],
)
def test_a_throw_is_as_high_as_planned(lay: Lay, plan: ThrowPlan, reasons: tuple[Reason, ...]) -> None:
    mover = lay(4, 1.5)
    stone = done(mover, lay_stone(mover))
    thrown = done(mover, throw_stone(mover, stone, plan))
    assert thrown.reasons == reasons
    assert thrown.height_mm == pytest.approx(plan.height_mm, rel=0.03)
    height = float(mover.table.world.at(stone).at_mm[2])
    assert (height > 15.0) == plan.caught


@pytest.mark.parametrize("slip", list(Slip))
def test_only_the_card_s_own_stones_on_it_are_right(lay: Lay, slip: Slip) -> None:
    mover, wanted = lay(5, 2.5), StoneCounts(yellow=1, red=1, blue=1)
    table = mover.table
    card = table.cards[done(mover, lay_card(mover, "juggler_yrb"))]
    deed = done(mover, juggle(mover, card, CARD_MM, wanted, slip))
    assert deed.right == (slip is Slip.NONE)
    assert (stones_on(table, card, CARD_MM) == wanted) == (slip is Slip.NONE)
    done(mover, clear_card(mover, card, CARD_MM))
    assert len(table.bag) == 25


def test_two_cards_lie_side_by_side_and_leave_again(lay: Lay) -> None:
    mover = lay(6, 2.5)
    table = mover.table
    names = [done(mover, lay_card(mover, "throw")) for _ in range(2)]
    first, second = (table.cards[name] for name in names)
    assert np.hypot(first.x_mm - second.x_mm, first.y_mm - second.y_mm) > 75.0
    assert all(table.table.zones.cards.contains(card.x_mm, card.y_mm) for card in (first, second))
    done(mover, remove_card(mover, names[0]))
    assert list(table.cards) == [names[1]]


def test_a_task_is_done_by_its_first_right_try() -> None:
    tries = [
        Deed(Task.THROW, 1.0, 2.0, (Reason.DROPPED,)),
        Deed(Task.THROW, 3.0, 4.0, (Reason.OK,), 140.0),
        Deed(Task.TUNNEL, 5.0, 6.0, (Reason.NOT_THROUGH,)),
    ]
    assert attempt_of(tries, Task.THROW, 0.0, 2.5).reasons == (Reason.DROPPED,)
    assert attempt_of(tries, Task.THROW, 0.0, 9.0).confirmed_s == 4.0
    assert attempt_of(tries, Task.THROW, 4.5, 9.0).outcome is Outcome.FAIL
    assert attempt_of(tries, Task.TUNNEL, 0.0, 9.0).reasons == (Reason.NOT_THROUGH,)
