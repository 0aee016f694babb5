"""Hands really build: from the first reach to the truth that the structure stood."""

from collections.abc import Callable

import numpy as np
import pytest

from pi_app.core.names import Colour, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.sim.acts import Built, build, lay_stone, take_apart, tidy
from pi_app.sim.cardplay import lay_card
from pi_app.sim.motion import Mover, pass_arm
from pi_app.sim.plans import Flaw, Plan
from pi_app.sim.truth import Attempt, stones_in_zone

Lay = Callable[[int, float], Mover]


def acted(mover: Mover, plan: Plan, then_s: float = 2.4) -> Attempt:
    table = mover.table
    table.run(build(mover, plan, Built()))
    while not table.idle():
        table.tick()
    table.advance_to(table.time_s + then_s)
    return table.truth.attempt(plan.task, plan.figure, 0.0, table.time_s)


def test_a_normal_player_builds_a_figure_in_eight_to_fourteen_seconds(lay: Lay) -> None:
    mover = lay(5, 1.0)
    truth = acted(mover, Plan(Task.ACROBATS, mover.table.kit.figure_named("lighthouse"), turn_deg=12.0))
    assert (truth.outcome, truth.doubtful) == (Outcome.PASS, False)
    assert truth.stood_from_s is not None
    assert 8.0 < truth.stood_from_s < 14.0


@pytest.mark.parametrize(
    ("flaw", "reason"),
    [
        (Flaw.TOO_SHORT, Reason.TOO_SHORT),
        (Flaw.KNOCKED_OVER, Reason.FELL),
        (Flaw.TABLE_KNOCKED, Reason.FELL),
        (Flaw.HAND_NEAR, Reason.OK),
    ],
)
def test_what_happens_after_building_decides(lay: Lay, flaw: Flaw, reason: Reason) -> None:
    assert acted(lay(6, 2.0), Plan(Task.TOWER, flaw=flaw), 0.8).reasons == (reason,)


def test_a_fingertip_on_top_holds(lay: Lay) -> None:
    mover = lay(6, 2.0)
    table = mover.table
    table.run(build(mover, Plan(Task.TOWER, flaw=Flaw.HELD), Built()))
    while not mover.hand.pointing:
        table.tick()
    table.advance_to(table.time_s + 3.0)
    assert table.truth.attempt(Task.TOWER, None, 0.0, table.time_s).reasons == (Reason.HELD,)


def test_taking_apart_brings_everything_home(lay: Lay) -> None:
    mover = lay(7, 3.0)
    table, built = mover.table, Built()
    for script in (build(mover, Plan(Task.LINE), built), take_apart(mover, built), tidy(mover)):
        table.run(script)
        while not table.idle():
            table.tick()
    zone = table.table.zones.build
    assert len(table.bag) == 25
    assert not [name for name, at in table.places().items() if zone.contains(*map(float, at.at_mm[:2]))]


def test_stones_and_cards_come_to_rest_in_their_zones(lay: Lay) -> None:
    mover = lay(8, 2.5)
    table = mover.table
    for _ in range(3):
        table.run(lay_stone(mover, Colour.BLUE))
        while not table.idle():
            table.tick()
    table.run(lay_card(mover, "tower"))
    while not table.idle():
        table.tick()
    assert stones_in_zone(table.places(), table.pieces, table.table) == {"yellow": 0, "red": 0, "blue": 3}
    (lying,) = table.cards.values()
    assert table.table.zones.cards.contains(lying.x_mm, lying.y_mm)


def test_a_passing_arm_comes_and_goes_without_touching(lay: Lay) -> None:
    table = lay(9, 1.0).table
    table.run(pass_arm(table, 0.0))
    table.tick()
    assert len(table.hands) == 2
    before = table.world.state(sorted(table.world.live))[0]
    while not table.idle():
        table.tick()
    assert len(table.hands) == 1
    assert np.abs(table.world.state(sorted(table.world.live))[0] - before).max() < 0.5
