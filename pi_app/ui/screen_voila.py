"""Voilà!'s screens, one a phase; each draws and returns what belongs in the line at the bottom."""

from collections.abc import Callable

from pi_app.session.events import By
from pi_app.session.voila.view import ClaimPressView, Phase, PublicView, SeatView, TaskView, TurnView, VerdictView, Wait
from pi_app.ui import words
from pi_app.ui.draw import LETTER_H, ROWS, Canvas

STAND_S = 2.0
"""How long a structure has to stand (rulebook)."""
BIG_Y = ROWS[0] + 4


def body(canvas: Canvas, view: PublicView) -> str | None:
    """Draw a view of a game that has begun; return the line at the bottom, None where there is no room for one."""
    if view.verdict and view.verdict.fresh and _tells_verdict(view):
        return _verdict(canvas, view, view.verdict)
    return _SCREENS[view.phase](canvas, view)


def _tells_verdict(view: PublicView) -> bool:
    """A verdict stays until the next thing happens; an attempt that has begun to stand comes before it."""
    stands = view.task is not None and view.task.standing_s is not None
    return view.phase in (Phase.RUNNING, Phase.TASK, Phase.JUDGING) and not stands


def _ready(canvas: Canvas, view: PublicView) -> str:
    turn = _turn(view)
    canvas.title("Next turn", f"{turn.number}/{turn.turns}")
    canvas.centred(BIG_Y, view.name(turn.seat), scale=2)
    return words.asks(view, canvas.letters) if view.waits is Wait.STONES_BACK else "Press to begin"


def _running(canvas: Canvas, view: PublicView) -> str:
    turn = _turn(view)
    canvas.title(view.name(turn.seat), _stones(turn))
    if view.clock.remaining_s is None:
        canvas.centred(BIG_Y, "Time runs", scale=2)
    else:
        canvas.centred(ROWS[0], str(int(view.clock.remaining_s)), scale=3)
    return words.asks(view, 0)


def _task(canvas: Canvas, view: PublicView) -> str:
    _head(canvas, view)
    canvas.text(0, ROWS[1], _stones(_turn(view)))
    return words.asks(view, canvas.letters)


def _judging(canvas: Canvas, view: PublicView) -> str:
    task = _head(canvas, view)
    canvas.bar(ROWS[1] + 2, 14, (task.standing_s or 0.0) / STAND_S)
    return "watching" if task.standing_s is None else f"stands {task.standing_s:.1f} of {STAND_S:.1f} s"


def _pending(canvas: Canvas, view: PublicView) -> str:
    canvas.title("Was it right?")
    if view.verdict:
        told = [words.headline(view, view.verdict), words.reasons(view.verdict), *words.numbers(view.verdict)]
        canvas.block(ROWS, told)
    return "Timekeeper: yes or no"


def _verdict(canvas: Canvas, view: PublicView, verdict: VerdictView) -> str:
    canvas.title(words.TASKS[verdict.task])
    canvas.centred(ROWS[0], words.headline(view, verdict), scale=2)
    canvas.block(ROWS[2:], [*words.numbers(verdict)[:1], words.reasons(verdict)])
    return "decided by timekeeper" if verdict.by is By.TIMEKEEPER else ""


def _claim(canvas: Canvas, view: PublicView) -> str:
    task, claim = _open(view), view.claim
    canvas.title(f"Find: {task.object or task.card}", _left(claim.remaining_s if claim else None))
    places = claim.order if claim else ()
    if not places:
        canvas.centred(BIG_Y, "Who first?", scale=2)
    for y, place in zip(ROWS, _shown(places), strict=False):
        mark = "x" if place.out else ">" if place.holds else " "
        canvas.row(y, f"{mark}{view.name(place.seat)}", _gap(place))
    return words.asks(view, canvas.letters)


def _bonus(canvas: Canvas, view: PublicView) -> str:
    seat = view.bonus_seat if view.bonus_seat is not None else 0
    canvas.title("Bonus card", f"{view.bonus_owed} left")
    canvas.centred(BIG_Y, view.name(seat), scale=2)
    return "Lay it in the zone"


def _paused(canvas: Canvas, view: PublicView) -> str:
    canvas.title("Power was lost" if view.phase is Phase.RESUME else "Paused")
    canvas.centred(BIG_Y, "Continue?", scale=2)
    return "or replay the turn"


def _over(canvas: Canvas, view: PublicView) -> str | None:
    """Scores of more than five seats need the whole height: the title and the line at the bottom give way."""
    ranked = sorted(view.seats, key=lambda seat: (not seat.winner, -seat.points, -seat.cards))
    crowded = len(ranked) > len(ROWS)
    if not crowded:
        canvas.title("Score", "points cards")
    rows = range(0, LETTER_H * len(ranked), LETTER_H) if crowded else ROWS
    for y, seat in zip(rows, ranked, strict=False):
        canvas.row(y, f"{'*' if seat.winner else ' '}{seat.name}", _score(seat, crowded))
    return None if crowded else ""


def _score(seat: SeatView, crowded: bool) -> str:
    return f"{seat.points} p {seat.cards:2d} c" if crowded else f"{seat.points:d} {seat.cards:5d}"


def _head(canvas: Canvas, view: PublicView) -> TaskView:
    task = _open(view)
    canvas.title(words.TASKS[task.task], f"{task.points} p")
    canvas.text(0, ROWS[0], _detail(task))
    return task


def _shown(places: tuple[ClaimPressView, ...]) -> tuple[ClaimPressView, ...]:
    """Return the places that matter where there are more than rows: from just before the holder on."""
    holder = next((index for index, place in enumerate(places) if place.holds), len(places))
    first = max(0, min(holder - 1, len(places) - len(ROWS)))
    return places[first : first + len(ROWS)]


def _gap(place: ClaimPressView) -> str:
    sign = "=" if place.tied else "+"
    return f"{sign}{place.gap_ms:.1f} ms" if place.gap_ms < 1000 else f"{sign}{place.gap_ms / 1000:.1f} s"


def _detail(task: TaskView) -> str:
    if any(task.stones):
        return "stones " + "".join(letter * count for letter, count in zip("YRB", task.stones, strict=True))
    return task.figure or task.card


def _stones(turn: TurnView) -> str:
    letters = "".join(colour.value[0].upper() for colour in turn.stones)
    return letters if len(letters) <= 8 else f"{len(letters)} st"


def _left(remaining_s: float | None) -> str:
    return "" if remaining_s is None else f"{remaining_s:.1f} s"


def _turn(view: PublicView) -> TurnView:
    if view.turn is None:
        raise ValueError(f"got a view in phase {view.phase} without a turn")
    return view.turn


def _open(view: PublicView) -> TaskView:
    if view.task is None:
        raise ValueError(f"got a view in phase {view.phase} without a task")
    return view.task


_SCREENS: dict[Phase, Callable[[Canvas, PublicView], str | None]] = {
    Phase.READY: _ready,
    Phase.RUNNING: _running,
    Phase.TASK: _task,
    Phase.CLAIM: _claim,
    Phase.JUDGING: _judging,
    Phase.PENDING: _pending,
    Phase.BONUS: _bonus,
    Phase.PAUSED: _paused,
    Phase.RESUME: _paused,
    Phase.OVER: _over,
}
