"""The OLED's pictures: public view in, 128 x 64 one-bit picture out.

Nothing is told by light alone: stones are letters, claims have marks and numbers, winners a star.
"""

from collections.abc import Callable

from PIL import Image

from pi_app.session.voila.view import ClaimPressView, Phase, PublicView, SeatView, TaskView, TurnView, VerdictView
from pi_app.ui import words
from pi_app.ui.draw import LETTER_H, WIDTH, Canvas

STAND_S = 2.0
ROWS = tuple(range(LETTER_H + 2, 64, LETTER_H))
"""Upper edges of the four lines below the title."""


def screen(view: PublicView) -> Image.Image:
    """Return the picture for a view; made for Audience.TABLE, it shows digits only where the view has them."""
    canvas = Canvas()
    if view.verdict and view.verdict.fresh and _tells_verdict(view):
        _verdict(canvas, view, view.verdict)
    else:
        _SCREENS[view.phase](canvas, view)
    if view.reshuffle:
        canvas.footer("! shuffle a new pile")
    if view.note is not None:
        canvas.footer(words.SHORT_NOTES[view.note])
    if view.faults:
        part, fault = view.faults[0]
        canvas.footer(f"! {part}: {fault}")
    return canvas.picture


def _tells_verdict(view: PublicView) -> bool:
    """A verdict stays until the next thing happens; an attempt that has begun to stand comes before it."""
    stands = view.task is not None and view.task.standing_s is not None
    return view.phase in (Phase.RUNNING, Phase.TASK, Phase.JUDGING) and not stands


def _joining(canvas: Canvas, view: PublicView) -> None:
    canvas.title("Voilà!", f"{len(view.seats)} joined")
    for seat in view.seats[:6]:
        canvas.text(64 * (seat.seat % 2), ROWS[seat.seat // 2], f"{seat.seat + 1} {seat.name}", width=10)
    canvas.footer("1 again: start" if len(view.seats) > 1 else "Press to join")


def _ready(canvas: Canvas, view: PublicView) -> None:
    turn = _turn(view)
    canvas.title("Next turn", f"{turn.number}/{turn.turns}")
    canvas.centred(ROWS[0] + 4, view.name(turn.seat), scale=2)
    canvas.footer(words.waits(view) if view.waits.value == "stones_back" else "Press to begin")


def _running(canvas: Canvas, view: PublicView) -> None:
    turn = _turn(view)
    canvas.title(view.name(turn.seat), _stones(turn))
    if view.clock.remaining_s is None:
        canvas.centred(ROWS[0] + 4, "Time runs", scale=2)
    else:
        canvas.centred(ROWS[0], str(int(view.clock.remaining_s)), scale=3)
    canvas.footer(_after_name(view))


def _task(canvas: Canvas, view: PublicView) -> None:
    task = _open(view)
    canvas.title(words.TASKS[task.task], f"{task.points} p")
    canvas.text(0, ROWS[0], _detail(task))
    canvas.text(0, ROWS[1], _stones(_turn(view)))
    canvas.footer(words.waits(view))


def _judging(canvas: Canvas, view: PublicView) -> None:
    task = _open(view)
    canvas.title(words.TASKS[task.task], f"{task.points} p")
    canvas.text(0, ROWS[0], _detail(task))
    stood_s = task.standing_s or 0.0
    canvas.bar(ROWS[1] + 2, 14, stood_s / STAND_S)
    canvas.footer(f"stands {stood_s:.1f} of {STAND_S:.1f} s" if task.standing_s is not None else "watching")


def _pending(canvas: Canvas, view: PublicView) -> None:
    canvas.title("Was it right?")
    if view.verdict:
        _evidence(canvas, view, view.verdict)
    canvas.footer("Timekeeper: yes or no")


def _verdict(canvas: Canvas, view: PublicView, verdict: VerdictView) -> None:
    by = "timekeeper" if verdict.by and verdict.by.value == "timekeeper" else ""
    canvas.title(words.TASKS[verdict.task], "")
    canvas.centred(ROWS[0], words.headline(view, verdict), scale=2 if len(words.headline(view, verdict)) < 11 else 1)
    lines = [*words.numbers(verdict)[:1], words.reasons(verdict)]
    for row, line in zip((ROWS[2], ROWS[3]), [line for line in lines if line], strict=False):
        canvas.text(0, row, line)
    if by:
        canvas.footer("decided by timekeeper")


def _claim(canvas: Canvas, view: PublicView) -> None:
    task, claim = _open(view), view.claim
    canvas.title(f"Find: {task.object or task.card}", _left(claim.remaining_s if claim else None))
    places = claim.order if claim else ()
    if not places:
        canvas.centred(ROWS[0] + 4, "Who first?", scale=2)
    for row, place in zip(ROWS[:3], _shown(places), strict=False):
        mark = "x" if place.out else ">" if place.holds else " "
        canvas.text(0, row, f"{mark}{view.name(place.seat)}", width=12)
        gap = f"+{place.gap_ms:.1f} ms"
        canvas.text(WIDTH - 6 * len(gap), row, gap)
    canvas.footer(words.waits(view))


def _bonus(canvas: Canvas, view: PublicView) -> None:
    seat = view.bonus_seat if view.bonus_seat is not None else 0
    canvas.title("Bonus card", f"{view.bonus_owed} left")
    canvas.centred(ROWS[0] + 4, view.name(seat), scale=2)
    canvas.footer("Lay it in the zone")


def _paused(canvas: Canvas, view: PublicView) -> None:
    canvas.title("Power was lost" if view.phase is Phase.RESUME else "Paused")
    canvas.centred(ROWS[0] + 4, "Continue?", scale=2)
    canvas.footer("or replay the turn")


def _over(canvas: Canvas, view: PublicView) -> None:
    canvas.title("Score", "p  cards")
    ranked = sorted(view.seats, key=lambda seat: (not seat.winner, -seat.points, -seat.cards))
    height = LETTER_H if len(ranked) <= 4 else 8
    for place, seat in enumerate(ranked):
        _score_line(canvas, ROWS[0] + place * height, seat)


def _score_line(canvas: Canvas, y: int, seat: SeatView) -> None:
    canvas.text(0, y, f"{'*' if seat.winner else ' '}{seat.name}", width=12)
    score = f"{seat.points:3d} {seat.cards:4d}"
    canvas.text(WIDTH - 6 * len(score), y, score)


def _evidence(canvas: Canvas, view: PublicView, verdict: VerdictView) -> None:
    lines = [words.headline(view, verdict), words.reasons(verdict), *words.numbers(verdict)]
    for row, line in zip(ROWS[:3], [line for line in lines if line], strict=False):
        canvas.text(0, row, line)


def _shown(places: tuple[ClaimPressView, ...]) -> tuple[ClaimPressView, ...]:
    """Return the three places that matter: from just before the holder on."""
    holder = next((index for index, place in enumerate(places) if place.holds), len(places))
    first = max(0, min(holder - 1, len(places) - 3))
    return places[first : first + 3]


def _detail(task: TaskView) -> str:
    if any(task.stones):
        return "stones " + "".join(letter * count for letter, count in zip("YRB", task.stones, strict=True))
    return task.figure or task.card


def _stones(turn: TurnView) -> str:
    letters = "".join(colour.value[0].upper() for colour in turn.stones)
    return letters if len(letters) <= 8 else f"{len(letters)} st"


def _after_name(view: PublicView) -> str:
    text = words.waits(view).rpartition(": ")[2]
    return text[0].upper() + text[1:]


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


_SCREENS: dict[Phase, Callable[[Canvas, PublicView], None]] = {
    Phase.JOINING: _joining,
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
