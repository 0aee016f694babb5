from dataclasses import replace

import pytest

from pi_app.core.clock import ManualClock
from pi_app.core.names import BlockPose, Task
from pi_app.core.verdict import Reason
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.sim.acts import Built, build_at_once, start_mm
from pi_app.sim.hands import Hand
from pi_app.sim.motion import Mover
from pi_app.sim.passage import How, Passage, PassPlan, Way, pass_through, sixth_of, start_of
from pi_app.sim.passage_plan import OVERVIEW, Lack, match_tunnel, tile_at, tunnel_steps
from pi_app.sim.pieces import vec
from pi_app.sim.plans import Plan
from pi_app.sim.table import SimTable

PLAN = Plan(Task.TUNNEL, None, 4.0, -25.0, 8.0)
THERE = PassPlan(lies_there=True)


def built_tunnel(kit: Kit, mat: Table, lack: Lack = Lack.NONE, seed: int = 3) -> tuple[Mover, Built]:
    table = SimTable(kit, mat, seed, ManualClock(10**12))
    table.hands.append(Hand(vec(0.0, -620.0, 250.0), vec(0.0, 0.0, 0.0)))
    mover, built = Mover(table, table.hands[0]), Built()
    start_mm(mover)
    build_at_once(mover, PLAN, tunnel_steps(PLAN, table, lack), built)
    table.world.advance(0.3)
    return mover, built


def happened(mover: Mover, built: Built, plan: PassPlan) -> Passage:
    table = mover.table
    if plan.lies_there:
        start = start_of(table, plan, tile_at(table.world.at(OVERVIEW), table.kit))
        table.world.put(sixth_of(table, built), start)
    deed, ended = pass_through(mover, plan, built), False
    passage: Passage | None = None
    while not ended:
        try:
            next(deed)
        except StopIteration as stop:
            passage, ended = stop.value, True
        table.tick()
    assert passage is not None
    return passage


@pytest.mark.parametrize("way", list(Way))
def test_an_acrobat_goes_through_whichever_way(kit: Kit, mat: Table, way: Way) -> None:
    mover, built = built_tunnel(kit, mat)
    passage = happened(mover, built, replace(THERE, way=way, pose=BlockPose.LIE))
    assert passage.reasons == (Reason.OK,)
    assert passage.entered_s is not None
    assert passage.passed_s is not None
    assert passage.entered_s < passage.passed_s
    assert mover.table.hands == [mover.hand]


def test_a_player_fetches_the_acrobat(kit: Kit, mat: Table) -> None:
    mover, built = built_tunnel(kit, mat)
    assert happened(mover, built, PassPlan()).reasons == (Reason.OK,)


@pytest.mark.parametrize("how", [How.SAME_SIDE, How.OUTSIDE, How.STOPS, How.NEVER, How.OVER])
def test_what_is_not_through_is_known(kit: Kit, mat: Table, how: How) -> None:
    mover, built = built_tunnel(kit, mat)
    passage = happened(mover, built, replace(THERE, how=how))
    assert (passage.reasons, passage.passed_s) == ((Reason.NOT_THROUGH,), None)


def test_a_tunnel_that_is_knocked_over_has_fallen(kit: Kit, mat: Table) -> None:
    mover, built = built_tunnel(kit, mat)
    assert happened(mover, built, replace(THERE, how=How.KNOCKED)).reasons == (Reason.FELL,)


@pytest.mark.parametrize(
    ("lack", "reason"),
    [
        (Lack.NONE, Reason.OK),
        (Lack.NOT_TOUCHING, Reason.NOT_TOUCHING),
        (Lack.NO_FIFTH, Reason.MISSING_PIECE),
        (Lack.NO_LEG, Reason.MISSING_PIECE),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tunnels_stand_as_planned(kit: Kit, mat: Table, lack: Lack, reason: Reason, seed: int) -> None:
    mover, built = built_tunnel(kit, mat, lack, seed)
    table = mover.table
    match = match_tunnel(kit, {name: table.world.at(name) for name in built.names}, table.pieces)
    assert match.reasons == (reason,)
    assert not match.doubtful
