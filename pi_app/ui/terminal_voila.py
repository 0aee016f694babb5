"""Voilà!'s public view as lines of text."""

from pi_app.session.view import DecisionView
from pi_app.session.voila.view import PublicView, SeatView, VerdictView
from pi_app.ui import words
from pi_app.ui.oled_text import braille_lines, oled_lines
from pi_app.ui.screens import screen
from pi_app.ui.text import MAX_COLUMNS, columns_of, cut, fit

LAST_DECISIONS = 8
HELP = (
    "1-6 buzzer  a yes  r no  v Voilà!  s stone  c card  t tile  f finder  p pause  x correct  u undo  "
    "n start  w replay turn  o OLED  : command  q quit"
)


def lines(view: PublicView, columns: int = 80, height: int = 0, oled: PublicView | None = None) -> list[str]:
    """Return the picture of a view, every line exactly `columns` wide and without colour codes.

    `height` limits the list of decisions where it is above 0; `oled` is the view whose OLED picture is put below.
    """
    body = [_title(view), "", *_seats(view, columns), "", *_table(view), *_verdict(view), *messages(view)]
    below = _oled(oled, columns) if oled else []
    room = height - len(body) - len(below) - 4 if height else LAST_DECISIONS
    body += _decisions(view, max(0, min(room, LAST_DECISIONS)))
    return [fit(line, columns) for line in (*body, *below)]


def report(view: PublicView, decision: DecisionView) -> str:
    """Return one decision as a line of a report."""
    who = view.name(decision.seat)
    return cut(f"turn {decision.turn} {who}: {decision.what} ({words.BY[decision.by]})", MAX_COLUMNS)


def score_lines(view: PublicView) -> list[str]:
    """Return the score table, best first."""
    ranked = sorted(view.seats, key=lambda seat: (not seat.winner, -seat.points, -seat.cards))
    head = columns_of([("", 1), ("player", 20), ("points", -6), ("cards", -5)])
    return [head, *(_score(seat) for seat in ranked)]


def _score(seat: SeatView) -> str:
    mark = "*" if seat.winner else ""
    return columns_of([(mark, 1), (seat.name, 20), (str(seat.points), -6), (str(seat.cards), -5)])


def _title(view: PublicView) -> str:
    turn = f"  turn {view.turn.number} of {view.turn.turns}" if view.turn else ""
    clock = f"  {_clock(view)}" if view.turn and view.turn.running else ""
    return f" {words.waits(view)}{turn}{clock}"


def _clock(view: PublicView) -> str:
    if view.clock.remaining_s is None:
        return "time runs" if view.clock.running else ""
    return f"{view.clock.remaining_s:4.1f} s left{'' if view.clock.running else ' (stands)'}"


def _seats(view: PublicView, columns: int) -> list[str]:
    name = max(8, min(24, columns - 36))
    head = columns_of([("", 2), ("key", 3), ("player", name), ("points", -6), ("at stake", -8), ("cards", -5)])
    return [head, *(_seat(seat, name) for seat in view.seats)]


def _seat(seat: SeatView, name: int) -> str:
    mark = "*" if seat.winner else ">" if seat.active else "t" if seat.timekeeper else ""
    stake = f"+{seat.at_stake}" if seat.at_stake else ""
    cells = [(mark, 2), (str(seat.button), 3), (seat.name, name), (str(seat.points), -6), (stake, -8)]
    return columns_of([*cells, (str(seat.cards), -5)])


def _table(view: PublicView) -> list[str]:
    made = []
    if view.turn and view.turn.running:
        stones = " ".join(colour.value for colour in view.turn.stones) or "none yet"
        bonus = f"  (bonus cards: {view.turn.bonus_cards})" if view.turn.bonus_cards else ""
        made.append(f"stones  {stones}{bonus}")
        cards = ", ".join(f"{card.card} {card.state}" for card in view.turn.cards)
        made.append(f"cards   {cards or 'none yet'}")
    if view.task:
        made.append(f"task    {_task(view)}")
    if view.claim:
        made += [f"claim   {line}" for line in _claims(view)] or ["claim   nobody yet"]
    return made


def _task(view: PublicView) -> str:
    task = view.task
    if task is None:
        return ""
    wanted = task.figure or task.object or ""
    if any(task.stones):
        wanted = ", ".join(f"{n} {c}" for n, c in zip(task.stones, ("yellow", "red", "blue"), strict=True) if n)
    judge = "the camera watches" if task.by_camera else "the timekeeper decides"
    stands = f"  stands {task.standing_s:.1f} of 2.0 s" if task.standing_s is not None else ""
    named = f"{words.TASKS[task.task]} {wanted}".rstrip()
    return f"{named} ({task.points} p)  {judge}{stands}"


def _claims(view: PublicView) -> list[str]:
    claim = view.claim
    if claim is None:
        return []
    left = "" if claim.remaining_s is None else f"  {claim.remaining_s:.1f} s to lay the tile"
    return [
        f"+{place.gap_ms:.3f} ms  {view.name(place.seat)}{'  out' if place.out else left if place.holds else ''}"
        for place in claim.order
    ]


def _verdict(view: PublicView) -> list[str]:
    verdict = view.verdict
    if verdict is None:
        return []
    made = [f"verdict {words.TASKS[verdict.task]}: {words.headline(view, verdict)}{_by(verdict)}"]
    if verdict.outcome:
        seen = [f"camera: {words.OUTCOMES[verdict.outcome]}", words.reasons(verdict), *words.numbers(verdict)]
        made.append(f"        {'; '.join(part for part in seen if part)}")
    return made


def _by(verdict: VerdictView) -> str:
    return f" ({words.BY[verdict.by]})" if verdict.by and not verdict.waits else ""


def messages(view: PublicView) -> list[str]:
    """Return what the device has to say of itself, a line each."""
    made = [f"! {part}: {fault}" for part, fault in view.faults]
    made += [f"! {words.NOTES[view.note]}"] if view.note else []
    made += [f"! {words.RESHUFFLE}"] if view.reshuffle else []
    return [*made, *([f"! {view.refusal}"] if view.refusal else [])]


def _decisions(view: PublicView, limit: int) -> list[str]:
    shown = view.decisions[-limit:] if limit else ()
    return ["", *(f"{one.number:4d} {report(view, one)}" for one in shown)] if shown else []


def _oled(view: PublicView, columns: int) -> list[str]:
    picture = screen(view)
    return ["", *(oled_lines(picture) if columns >= picture.width else braille_lines(picture))]
