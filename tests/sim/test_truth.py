from collections.abc import Callable, Iterable

import pytest

from pi_app.core.names import Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.sim.motion import Mover
from pi_app.sim.pieces import Placed, turn_x, turn_z, vec
from pi_app.sim.plans import Plan, steps_of
from pi_app.sim.truth import Attempt, Sample, TruthKeeper, angle_deg, stones_in_zone

Lay = Callable[[int, float], Mover]
Moment = tuple[bool, bool, float]  # touched, gripped, how far the top tile has moved


def judged(mover: Mover, moments: Iterable[Moment], from_s: float = 0.0, slack_s: float = 0.0) -> Attempt:
    table = mover.table
    plan = Plan(Task.TOWER, spread_mm=0.0)
    targets = {step.name: step.target for step in steps_of(plan, table)}
    top = max(targets, key=lambda name: float(targets[name].at_mm[2]))
    keeper = TruthKeeper(table.kit, table.table, table.pieces)
    for n, (touched, gripped, moved_mm) in enumerate(moments):
        places = targets | {top: targets[top].shifted(vec(moved_mm, 0, 0))}
        keeper.samples.append(
            Sample(n * 0.01, places, frozenset({top} if touched else ()), frozenset({top} if gripped else ()))
        )
    return keeper.attempt(Task.TOWER, None, from_s, 1e9, slack_s)


HELD, FREE = (True, True, 0.0), (False, False, 0.0)


def test_two_seconds_free_and_still_pass(lay: Lay) -> None:
    truth = judged(lay(1, 1.0), [HELD] * 50 + [FREE] * 231)
    assert (truth.outcome, truth.reasons) == (Outcome.PASS, (Reason.OK,))
    assert truth.stood_from_s == pytest.approx(0.50)
    assert truth.stood_for_s == pytest.approx(2.30)
    assert truth.confirmed_s == pytest.approx(2.50)


def test_taken_apart_early_is_too_short(lay: Lay) -> None:
    truth = judged(lay(1, 1.0), [HELD] * 20 + [FREE] * 151 + [(True, True, n * 2.0) for n in range(60)])
    assert (truth.outcome, truth.reasons) == (Outcome.FAIL, (Reason.TOO_SHORT,))
    assert truth.stood_for_s == pytest.approx(1.50)


def test_a_fingertip_that_stays_is_held(lay: Lay) -> None:
    truth = judged(lay(1, 1.0), [HELD] * 20 + [FREE] * 50 + [(True, False, 0.0)] * 300)
    assert truth.reasons == (Reason.HELD,)


def test_never_let_go_is_held_for_no_time(lay: Lay) -> None:
    truth = judged(lay(1, 1.0), [HELD] * 300)
    assert (truth.reasons, truth.stood_for_s) == ((Reason.HELD,), 0.0)


@pytest.mark.parametrize(("moved_mm", "reason"), [(2.9, Reason.OK), (40.0, Reason.FELL)])
def test_what_moves_by_three_millimetres_breaks_the_stand(lay: Lay, moved_mm: float, reason: Reason) -> None:
    truth = judged(lay(1, 1.0), [HELD] * 10 + [FREE] * 150 + [(False, False, moved_mm)] * 150)
    assert truth.reasons == (reason,)


def test_only_what_lies_in_the_window_counts(lay: Lay) -> None:
    assert judged(lay(1, 1.0), [FREE] * 300, from_s=1.5).outcome is Outcome.FAIL


def test_slack_counts_only_while_it_still_stands(lay: Lay) -> None:
    mover = lay(1, 1.0)
    free = [HELD] * 10 + [FREE] * 195
    assert judged(mover, free).outcome is Outcome.FAIL
    assert judged(mover, free, slack_s=0.1).outcome is Outcome.PASS
    assert judged(mover, [*free, *[HELD] * 20], slack_s=0.1).outcome is Outcome.FAIL


def test_angle_between_rotations() -> None:
    assert angle_deg(turn_z(10.0), turn_z(13.0)) == pytest.approx(3.0)
    assert angle_deg(turn_x(0.0), turn_x(180.0)) == pytest.approx(180.0)


def test_stones_count_by_their_middle(lay: Lay) -> None:
    table = lay(1, 1.0).table
    zone = table.table.zones.stones
    places = {
        "stone red 0": Placed(vec(zone.x0 + 0.1, 0, 5), turn_z(0)),
        "stone red 1": Placed(vec(zone.x0 - 0.1, 0, 5), turn_z(0)),
        "stone blue 0": Placed(vec(zone.x1 - 1, zone.y1 - 1, 5), turn_z(0)),
        "acrobat 0": Placed(vec(zone.x0 + 9, 0, 5), turn_z(0)),
    }
    assert stones_in_zone(places, table.pieces, table.table) == {"yellow": 0, "red": 1, "blue": 1}
