"""What may come next: one table of phases and events, derived from the position, never stored in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.names import Colour, Task
from pi_app.games.voila.claims import Claim, claim_of
from pi_app.games.voila.events import (
    BonusCardRead,
    CardRevealed,
    ClaimExpired,
    ClaimPressed,
    Event,
    FindJudged,
    StoneDrawn,
    TaskJudged,
    TileLaid,
    TimeUp,
    TurnPaused,
    TurnResumed,
    TurnStarted,
    VoilaCalled,
)
from pi_app.games.voila.model import IllegalMove, Position, Turn
from pi_app.games.voila.setup import CardKind


class Phase(StrEnum):
    """What the game waits for."""

    READY = "ready"
    """The active player's press starts the turn."""
    CHOICE = "choice"
    """Draw a stone, or call Voilà! (not before the first stone)."""
    CARD = "card"
    """A drawn stone asks for a card."""
    TASK = "task"
    """The open card's task is performed and judged."""
    FIND = "find"
    """An open Find card may be claimed."""
    LAST_CLAIMS = "last_claims"
    """Time is up; claims pressed in time are played out."""
    PAUSED = "paused"
    """The timer stands."""
    BONUS = "bonus"
    """Bonus cards are taken for yellow stones, one by one."""
    OVER = "over"
    """Every seat had all its turns."""


TABLE: dict[Phase, frozenset[type[Event]]] = {
    Phase.READY: frozenset({TurnStarted}),
    Phase.CHOICE: frozenset({StoneDrawn, VoilaCalled, TimeUp, TurnPaused}),
    Phase.CARD: frozenset({CardRevealed, ClaimPressed, TimeUp, TurnPaused}),
    Phase.TASK: frozenset({TaskJudged, TimeUp, TurnPaused}),
    Phase.FIND: frozenset({ClaimPressed, TileLaid, ClaimExpired, FindJudged, TimeUp, TurnPaused}),
    Phase.LAST_CLAIMS: frozenset({ClaimPressed, TileLaid, ClaimExpired, FindJudged, TurnPaused}),
    Phase.PAUSED: frozenset({TurnResumed}),
    Phase.BONUS: frozenset({BonusCardRead}),
    Phase.OVER: frozenset(),
}


@dataclass(frozen=True, slots=True)
class Legal:
    """What may come next, for whoever shows or decides it.

    `seat`: who acts: the active player, in BONUS who takes the card, in OVER the first seat.
    `events`: the kinds of event that may come. `colours`: stones still in the bag, where one may be drawn.
    `cards`: card ids that may be revealed or read next; `reshuffle`: the deck must be shuffled before.
    `card`: the card being performed. `claim`: order of the presses and who holds the claim (Find only).
    `due`: what happens by time alone if nothing else does before, with its moment.
    """

    phase: Phase
    seat: int
    events: frozenset[type[Event]]
    colours: tuple[Colour, ...] = ()
    cards: tuple[str, ...] = ()
    reshuffle: bool = False
    card: CardKind | None = None
    claim: Claim | None = None
    due: TimeUp | ClaimExpired | None = None


def phase(position: Position) -> Phase:
    """Return what the game waits for."""
    turn = position.turn
    if turn is None:
        if any(position.bonus_owed):
            return Phase.BONUS
        return Phase.READY if position.turns_ended < position.setup.turns else Phase.OVER
    if turn.paused_ns is not None:
        return Phase.PAUSED
    if turn.stopped_ns is not None:
        return Phase.LAST_CLAIMS
    if kind := position.open_kind:
        return Phase.FIND if kind.task is Task.FIND else Phase.TASK
    return Phase.CARD if turn.cards_owed > 0 and any(position.shuffleable) else Phase.CHOICE


def legal(position: Position) -> Legal:
    """Return what may come next."""
    now, events = _allowed(position)
    draws = CardRevealed in events or BonusCardRead in events
    return Legal(
        phase=now,
        seat=_seat(position, now),
        events=events,
        colours=tuple(c for c, n in position.bag.items() if n) if StoneDrawn in events else (),
        cards=drawable(position) if draws else (),
        reshuffle=draws and not any(position.pile),
        card=position.open_kind,
        claim=claim_of(position),
        due=due(position),
    )


def _allowed(position: Position) -> tuple[Phase, frozenset[type[Event]]]:
    now = phase(position)
    events = TABLE[now]
    if now is Phase.CHOICE and position.turn and not position.turn.stones:
        events -= {VoilaCalled}
    if now is Phase.CHOICE and not any(position.bag.values()):
        events -= {StoneDrawn}
    return now, events


def drawable(position: Position) -> tuple[str, ...]:
    """Return the ids of which a card may be on top of the pile; after a reshuffle where the pile is empty."""
    counts = position.pile if any(position.pile) else position.shuffleable
    return tuple(kind.id for kind, count in zip(position.setup.deck, counts, strict=True) if count)


def due(position: Position) -> TimeUp | ClaimExpired | None:
    """Return what time alone will bring next, with its exact moment; None while the timer stands.

    Apply it once the clock has passed `at_ns` and every input sensed up to then has been applied.
    """
    turn = position.turn
    if turn is None or turn.paused_ns is not None:
        return None
    claim = claim_of(position)
    if claim and claim.holder is not None and (turn.stopped_ns is not None or claim.until_ns <= turn.deadline_ns):
        return ClaimExpired(claim.until_ns)
    return TimeUp(turn.deadline_ns) if turn.stopped_ns is None else None


def event_for_press(position: Position, seat: int, at_ns: int) -> Event | None:
    """Return what a press of that seat's buzzer means here, None where it means nothing.

    Between actions the active player's press is Voilà!; before the turn it starts it; on a Find card any press claims.
    """
    meanings: tuple[Event, ...] = (ClaimPressed(seat, at_ns),)
    if seat == position.active:
        meanings = (TurnStarted(at_ns), VoilaCalled(at_ns), *meanings)
    return next((event for event in meanings if why_not(position, event) is None), None)


def check(position: Position, event: Event) -> None:
    """Raise IllegalMove unless the order and the times of the rules allow the event."""
    if fault := why_not(position, event):
        raise IllegalMove(event, position, *fault)


def why_not(position: Position, event: Event) -> tuple[str, str] | None:
    """Return what was got and what was wanted where order or times forbid the event; None where they do not."""
    now, events = _allowed(position)
    if type(event) not in events:
        wanted = " or ".join(sorted(kind.__name__ for kind in events)) or "nothing: the game is over"
        return f"it in phase {now}", wanted
    return _why_not_turn(position.turn, position, event) if position.turn else _why_not_bonus(position, event)


def _why_not_bonus(position: Position, event: Event) -> tuple[str, str] | None:
    if isinstance(event, BonusCardRead) and event.seat != _seat(position, Phase.BONUS):
        return f"seat {event.seat}", f"seat {_seat(position, Phase.BONUS)}, to whom a bonus card is owed"
    return None


def _why_not_turn(turn: Turn, position: Position, event: Event) -> tuple[str, str] | None:
    match event:
        case VoilaCalled(at_ns):
            return _outside(at_ns, turn.started_ns, last_press_ns(position, turn))
        case ClaimPressed(seat, at_ns):
            if seat in {press.seat for press in turn.presses}:
                return f"a second press of seat {seat}", "one press a seat"
            return _outside(at_ns, turn.started_ns, last_press_ns(position, turn))
        case TileLaid(_, at_ns) | ClaimExpired(at_ns):
            return _why_not_holder(position, event, at_ns)
        case TimeUp(at_ns):
            return _outside(at_ns, turn.deadline_ns, None)
        case TurnPaused(at_ns):
            return _outside(at_ns, turn.started_ns, None)
        case _:
            return None


def _why_not_holder(position: Position, event: Event, at_ns: int) -> tuple[str, str] | None:
    claim = claim_of(position)
    if claim is None or claim.holder is None:
        return "nobody holding the claim", "a press before it"
    if isinstance(event, ClaimExpired):
        return _outside(at_ns, claim.until_ns, None)
    return _outside(at_ns, claim.from_ns, claim.until_ns)


def last_press_ns(position: Position, turn: Turn) -> int:
    """Return the last moment at which a press is still in time."""
    return turn.deadline_ns - (not position.setup.settings.press_at_deadline_counts)


def _outside(at_ns: int, first_ns: int, last_ns: int | None) -> tuple[str, str] | None:
    if at_ns >= first_ns and (last_ns is None or at_ns <= last_ns):
        return None
    return f"{at_ns} ns", f"{first_ns} ns or later" if last_ns is None else f"{first_ns} to {last_ns} ns"


def _seat(position: Position, now: Phase) -> int:
    if now is Phase.BONUS:
        order = [(position.active + step) % len(position.setup.seats) for step in range(len(position.setup.seats))]
        return next(seat for seat in order[::-1] if position.bonus_owed[seat])
    return position.active


def moves(position: Position, at_ns: int) -> Iterator[Event]:
    """Yield every event that may come at that moment, tiles by the objects of the deck and one unknown tile.

    What time alone brings comes at its own moment where that is later. Verdicts are given as the device's.
    """
    for event in _candidates(position, at_ns):
        if why_not(position, event) is None:
            yield event


def _candidates(position: Position, at_ns: int) -> Iterator[Event]:
    now = legal(position)
    seats = range(len(position.setup.seats))
    objects = sorted({kind.object for kind in position.setup.deck if kind.object})
    yield from (TurnStarted(at_ns), VoilaCalled(at_ns), TurnPaused(at_ns), TurnResumed(at_ns))
    if position.turn:
        yield TimeUp(max(at_ns, position.turn.deadline_ns))
    if now.claim:
        yield ClaimExpired(max(at_ns, now.claim.until_ns))
    yield from (StoneDrawn(colour) for colour in now.colours)
    yield from (CardRevealed(card_id, at_ns) for card_id in now.cards)
    yield from (BonusCardRead(card_id, now.seat) for card_id in now.cards)
    yield from (TaskJudged(True), TaskJudged(False), FindJudged(None))
    yield from (FindJudged(seat) for seat in seats)
    yield from (ClaimPressed(seat, at_ns) for seat in seats)
    yield from (TileLaid(tile, at_ns) for tile in (*objects, None))
