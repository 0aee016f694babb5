from collections.abc import Callable

import numpy as np
import pytest

from pi_app.core.names import Task
from pi_app.core.verdict import Reason
from pi_app.sim.built import Match, match_structure
from pi_app.sim.motion import Mover
from pi_app.sim.pieces import Placed, turn_z, vec
from pi_app.sim.plans import Flaw, Plan, steps_of

Lay = Callable[[int, float], Mover]


def match(mover: Mover, plan: Plan, change: Callable[[dict[str, Placed]], None] | None = None) -> Match:
    targets = {step.name: step.target for step in steps_of(plan, mover.table)}
    if change is not None:
        change(targets)
    return match_structure(plan.task, plan.figure, mover.table.kit, targets, mover.table.pieces)


def figure_plan(mover: Mover, figure: str, flaw: Flaw = Flaw.NONE, turn_deg: float = 17.0) -> Plan:
    return Plan(Task.ACROBATS, mover.table.kit.figure_named(figure), turn_deg=turn_deg, flaw=flaw)


def test_every_figure_is_right_when_built_as_planned(lay: Lay) -> None:
    mover = lay(3, 1.0)
    for figure in mover.table.kit.figure:
        assert match(mover, figure_plan(mover, figure.id)).right, figure.id


@pytest.mark.parametrize(
    ("flaw", "reason"),
    [
        (Flaw.MIRRORED, Reason.WRONG_FIGURE),
        (Flaw.WRONG_POSE, Reason.WRONG_FIGURE),
        (Flaw.GAP, Reason.WRONG_FIGURE),
        (Flaw.MISSING_PIECE, Reason.MISSING_PIECE),
        (Flaw.BARE_SIDE, Reason.BARE_SIDE),
    ],
)
def test_a_flawed_figure_is_wrong_for_its_reason(lay: Lay, flaw: Flaw, reason: Reason) -> None:
    mover = lay(3, 1.0)
    assert match(mover, figure_plan(mover, "lighthouse", flaw)).reasons == (reason,)


def test_a_mirror_image_of_itself_is_right(lay: Lay) -> None:
    mover = lay(3, 1.0)
    assert match(mover, figure_plan(mover, "pyramid", Flaw.MIRRORED)).right


@pytest.mark.parametrize(("by_mm", "right", "doubtful"), [(2.0, True, False), (7.0, False, True), (24.0, False, False)])
def test_a_block_off_its_place_is_right_doubtful_or_wrong(lay: Lay, by_mm: float, right: bool, doubtful: bool) -> None:
    mover = lay(3, 1.0)

    def shift(targets: dict[str, Placed]) -> None:
        top = max(targets, key=lambda name: float(targets[name].at_mm[2]))
        targets[top] = targets[top].shifted(vec(by_mm, 0, 0))

    plan = Plan(Task.ACROBATS, mover.table.kit.figure_named("pyramid"), spread_mm=0.0)
    found = match(mover, plan, shift)
    assert (found.right, found.doubtful) == (right, doubtful)


@pytest.mark.parametrize(
    ("flaw", "reason"),
    [(Flaw.NONE, Reason.OK), (Flaw.WRONG_ORDER, Reason.WRONG_ORDER), (Flaw.MISSING_PIECE, Reason.MISSING_PIECE)],
)
def test_towers(lay: Lay, flaw: Flaw, reason: Reason) -> None:
    assert match(lay(4, 1.0), Plan(Task.TOWER, flaw=flaw)).reasons == (reason,)


@pytest.mark.parametrize(
    ("flaw", "reason"),
    [
        (Flaw.NONE, Reason.OK),
        (Flaw.GAP, Reason.NOT_ADJACENT),
        (Flaw.MISSING_PIECE, Reason.MISSING_PIECE),
        (Flaw.BARE_SIDE, Reason.BARE_SIDE),
        (Flaw.NO_STONE, Reason.NO_STONE),
    ],
)
def test_lines(lay: Lay, flaw: Flaw, reason: Reason) -> None:
    assert match(lay(4, 1.0), Plan(Task.LINE, turn_deg=-12.0, flaw=flaw)).reasons == (reason,)


def test_a_task_without_a_structure_is_refused(lay: Lay) -> None:
    mover = lay(4, 1.0)
    with pytest.raises(ValueError, match="wanted acrobats, tower or line"):
        match_structure(Task.THROW, None, mover.table.kit, {}, mover.table.pieces)


def test_turn_z_is_anticlockwise_from_above() -> None:
    assert np.allclose(turn_z(90.0) @ vec(1, 0, 0), vec(0, 1, 0))
