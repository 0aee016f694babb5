"""Views to draw in tests: one for every screen."""

from dataclasses import replace

from pi_app.core.names import Colour, Lamp, Task
from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.session.events import By
from pi_app.session.flow import Audience
from pi_app.session.view import ClockView
from pi_app.session.voila.view import (
    ClaimPressView,
    ClaimView,
    Note,
    Phase,
    PublicView,
    SeatView,
    TaskView,
    TurnView,
    VerdictView,
    Wait,
)

SEATS = (
    SeatView(0, "Anna", 1, 12, 7, 2, 1, active=True, lamp=Lamp.ON),
    SeatView(1, "Benoît", 2, 9, 5, 0, 2, timekeeper=True),
    SeatView(2, "Cy", 3, 12, 6, 0, 2),
)
HIDDEN = ClockView(45.0, running=True, hidden=True)
SHOWN = ClockView(45.0, running=True, remaining_s=37.4)
TURN = TurnView(5, 9, 0, running=True, stones=(Colour.YELLOW, Colour.YELLOW, Colour.RED))
TOWER = TaskView("tower-2", Task.TOWER, 2, None, None, (0, 0, 0), by_camera=True)
FIND = TaskView("find-cat", Task.FIND, 1, None, "cat", (0, 0, 0), by_camera=False)
PASSED = VerdictView(
    3, Task.TOWER, "tower-2", Outcome.PASS, (Reason.OK,), (), 2.13, 0.97, False, True, By.CAMERA, None, True
)
BASE = PublicView(Audience.TABLE, Phase.RUNNING, Wait.STONE_OR_VOILA, SEATS, HIDDEN, TURN)


def _claims(*places: tuple[int, float, bool, bool]) -> ClaimView:
    order = tuple(ClaimPressView(*place) for place in places)
    holder = next((place.seat for place in order if place.holds), None)
    return ClaimView(order, holder, 2.4 if holder is not None else None)


VIEWS: dict[str, PublicView] = {
    "joining": PublicView(Audience.TABLE, Phase.JOINING, Wait.PLAYERS, SEATS, ClockView(45.0)),
    "joining-nobody": PublicView(Audience.TABLE, Phase.JOINING, Wait.PLAYERS, (), ClockView(45.0)),
    "ready": replace(BASE, phase=Phase.READY, waits=Wait.TURN, clock=ClockView(45.0), turn=TurnView(5, 9, 1, False)),
    "ready-stones": replace(BASE, phase=Phase.READY, waits=Wait.STONES_BACK, turn=TurnView(6, 9, 2, False)),
    "running-hidden": BASE,
    "running-digits": replace(BASE, clock=SHOWN, audience=Audience.TIMEKEEPER, waits=Wait.CARD),
    "task": replace(
        BASE,
        phase=Phase.TASK,
        waits=Wait.TIMEKEEPER,
        task=TaskView("juggler-3", Task.JUGGLER, 3, None, None, (1, 2, 1), by_camera=False),
    ),
    "judging-watching": replace(BASE, phase=Phase.JUDGING, waits=Wait.TASK, task=TOWER),
    "judging-standing": replace(BASE, phase=Phase.JUDGING, waits=Wait.TASK, task=replace(TOWER, standing_s=1.3)),
    "verdict-passed": replace(BASE, verdict=PASSED),
    "verdict-failed": replace(
        BASE,
        phase=Phase.JUDGING,
        waits=Wait.TASK,
        task=TOWER,
        verdict=replace(PASSED, outcome=Outcome.FAIL, reasons=(Reason.FELL,), stood_for_s=1.24, passed=False),
    ),
    "verdict-timekeeper": replace(
        BASE,
        verdict=VerdictView(
            0, Task.THROW, "throw", None, (), (), None, None, False, True, By.TIMEKEEPER, None, fresh=True
        ),
    ),
    "verdict-found": replace(
        BASE,
        verdict=VerdictView(0, Task.FIND, "find-cat", None, (), (), None, None, False, True, By.PLAYER, 1, fresh=True),
    ),
    "pending-unsure": replace(
        BASE,
        phase=Phase.PENDING,
        waits=Wait.APPROVAL,
        task=TOWER,
        verdict=replace(
            PASSED,
            outcome=Outcome.UNSURE,
            reasons=(Reason.HIDDEN, Reason.DOUBTFUL),
            measures=(Measure("gap", 4.25, "mm"),),
            stood_for_s=None,
            waits=True,
            passed=None,
            by=None,
        ),
    ),
    "claim-open": replace(BASE, phase=Phase.CLAIM, waits=Wait.CLAIMS, task=FIND, claim=_claims()),
    "claim-held": replace(
        BASE,
        phase=Phase.CLAIM,
        waits=Wait.TILE,
        task=FIND,
        claim=_claims((2, 0.0, True, False), (1, 3.2, False, True), (0, 118.9, False, False)),
    ),
    "bonus": replace(BASE, phase=Phase.BONUS, waits=Wait.BONUS, bonus_seat=1, bonus_owed=2),
    "paused": replace(BASE, phase=Phase.PAUSED, waits=Wait.CONTINUE),
    "resume": replace(BASE, phase=Phase.RESUME, waits=Wait.CONTINUE),
    "score": replace(
        BASE,
        phase=Phase.OVER,
        waits=Wait.NOTHING,
        turn=None,
        seats=tuple(replace(seat, winner=seat.seat == 0, active=False, timekeeper=False) for seat in SEATS),
    ),
    "score-six": replace(
        BASE,
        phase=Phase.OVER,
        waits=Wait.NOTHING,
        turn=None,
        seats=tuple(SeatView(n, f"Player {n + 1}", n + 1, 30 - n, 12 - n, winner=n == 0) for n in range(6)),
    ),
    "claim-tied": replace(
        BASE,
        phase=Phase.CLAIM,
        waits=Wait.TILE,
        task=FIND,
        claim=ClaimView(
            (ClaimPressView(2, 0.0, False, True, tied=True), ClaimPressView(1, 0.1, False, False, tied=True)), 2, 2.4
        ),
    ),
    "claim-six": replace(
        BASE,
        phase=Phase.CLAIM,
        waits=Wait.TILE,
        task=FIND,
        seats=tuple(SeatView(n, f"Élodie-Ågnès {n + 1}", n + 1) for n in range(6)),
        claim=_claims(*((n, 1.5 * n**6, n < 3, n == 3) for n in range(6))),
    ),
    "faults": replace(
        BASE,
        phase=Phase.PAUSED,
        waits=Wait.CONTINUE,
        faults=(("camera", "lost"), ("reader", "no board is plugged in"), ("sound", "no card")),
    ),
    "faults-running": replace(BASE, faults=(("camera", "lost"), ("sound", "no card"))),
    "fault": replace(BASE, faults=(("camera", "lost"),), note=Note.STRAY_TILE),
    "reshuffle": replace(BASE, waits=Wait.CARD, reshuffle=True),
    "note": replace(BASE, note=Note.ACTION_FIRST),
}
