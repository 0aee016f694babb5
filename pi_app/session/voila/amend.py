"""Undo and corrections: another record of the game, folded anew by the rules."""

from dataclasses import dataclass
from typing import assert_never

from pi_app.games import voila
from pi_app.games.voila import (
    BonusCardRead,
    CardRevealed,
    ClaimExpired,
    ClaimPressed,
    FindJudged,
    IllegalCorrection,
    Judge,
    StoneDrawn,
    TaskJudged,
    TileLaid,
    TimeUp,
    TurnPaused,
    TurnResumed,
    TurnStarted,
    VoilaCalled,
)
from pi_app.session.events import By
from pi_app.session.flow import Refused
from pi_app.session.voila.commands import (
    Correct,
    To,
    ToCard,
    ToFinder,
    ToJudged,
    ToNothing,
    ToStone,
    ToStop,
    ToVoila,
)
from pi_app.session.voila.draft import Draft
from pi_app.session.voila.events import Amended, CameraDropped, StonesNoted, TurnTakenBack
from pi_app.session.voila.state import LogEntry, State
from pi_app.session.voila.stones import other_as_seen

CORRECTABLE = (
    StoneDrawn,
    CardRevealed,
    TaskJudged,
    ClaimPressed,
    TileLaid,
    ClaimExpired,
    FindJudged,
    VoilaCalled,
    TimeUp,
    BonusCardRead,
)
"""Decisions that may become others; the rest can only be taken back."""

_PAUSES = (TurnPaused, TurnResumed)


@dataclass(frozen=True, slots=True)
class CardEntry(LogEntry):
    """The decision that a card was revealed."""

    move: CardRevealed


def correct(draft: Draft, command: Correct, by: str) -> None:
    """Correct the decision of that number; Refused where there is none or the record would not fit."""
    entry = _entry(draft.state, command.number)
    amend(draft, entry, _replacement(draft.state, entry, command.to), by)


def amend(draft: Draft, entry: LogEntry, move: voila.Event | None, by: str) -> None:
    """Put `move` in the place of a decision, None: take it out; Refused where the record would not fit."""
    state = draft.state
    index = [one.number for one in state.log].index(entry.number)
    try:
        if move is None:
            voila.removed(state.game.setup, state.moves, index)
        else:
            voila.replaced(state.game.setup, state.moves, index, move)
    except IllegalCorrection as fault:
        raise Refused(f"decision {entry.number} cannot be that: got {fault.got}, wanted {fault.wanted}") from fault
    if state.asked is not None:
        draft.add(CameraDropped())
    draft.add(Amended(entry.number, move, by))
    if isinstance(entry.move, StoneDrawn):
        draft.add(StonesNoted(draft.state.stones_seen, other_as_seen(draft.state)))


def undo(draft: Draft, by: str) -> None:
    """Take back the last decision; a Voilà! taken back leaves the turn paused at that moment."""
    entries = [entry for entry in draft.state.log if not isinstance(entry.move, _PAUSES)]
    if not entries:
        raise Refused("there is no decision to take back")
    entry = entries[-1]
    match entry.move:
        case TimeUp():
            raise Refused(f"a time-out cannot be taken back; correct {entry.number} to voila where it came in time")
        case TurnStarted():
            take_turn_back(draft, by)
        case VoilaCalled(at_ns):
            amend(draft, entry, None, by)
            draft.move(TurnPaused(at_ns), By.TIMEKEEPER)
        case _:
            amend(draft, entry, None, by)


def take_turn_back(draft: Draft, by: str) -> None:
    """Take the running turn back as a whole; Refused where none is running."""
    starts = [entry.number for entry in draft.state.log if isinstance(entry.move, TurnStarted)]
    if draft.state.game.turn is None or not starts:
        raise Refused("no turn is running")
    draft.add(TurnTakenBack(starts[-1], by))


def last_judgement(state: State) -> LogEntry:
    """Return the judgement that may be overruled: the last one, until the next stone; Refused where there is none."""
    for entry in reversed(state.log):
        if isinstance(entry.move, TaskJudged):
            return entry
        if isinstance(entry.move, StoneDrawn | CardRevealed | TurnStarted | VoilaCalled | TimeUp):
            break
    raise Refused("no verdict to overrule since the last stone; correct the decision by its number")


def last_card(state: State) -> CardEntry:
    """Return the decision that says which card is open; Refused where no card was revealed."""
    for entry in reversed(state.log):
        if isinstance(entry.move, CardRevealed):
            return CardEntry(entry.number, entry.move, entry.by, entry.turn, entry.seat)
    raise Refused("no card was revealed")


def choices(state: State, number: int) -> tuple[To, ...]:
    """Return what the decision of that number may be corrected to, each tried on the rules; empty for none."""
    index = next((index for index, entry in enumerate(state.log) if entry.number == number), None)
    if index is None:
        return ()
    moves = voila.alternatives(state.game.setup, state.moves, index)
    return tuple(made for move in moves if (made := _to(move)) is not None)


def _entry(state: State, number: int) -> LogEntry:
    for entry in state.log:
        if entry.number == number:
            return entry
    raise Refused(f"got decision {number}, wanted the number of one that stands")


def _replacement(state: State, entry: LogEntry, to: To) -> voila.Event | None:
    match to:
        case ToStone(colour):
            return StoneDrawn(colour)
        case ToCard(card):
            return _card(entry, card)
        case ToJudged(passed):
            return TaskJudged(passed, Judge.TIMEKEEPER)
        case ToFinder(seat):
            return FindJudged(seat)
        case ToVoila():
            return _end(state, entry, VoilaCalled)
        case ToStop():
            return _end(state, entry, TimeUp)
        case ToNothing():
            return None
        case _:
            assert_never(to)


def _card(entry: LogEntry, card: str) -> voila.Event:
    match entry.move:
        case CardRevealed(_, at_ns):
            return CardRevealed(card, at_ns)
        case BonusCardRead(_, seat):
            return BonusCardRead(card, seat)
        case _:
            raise Refused(f"decision {entry.number} is no card")


def _end(state: State, entry: LogEntry, kind: type[VoilaCalled | TimeUp]) -> voila.Event:
    moves = voila.alternatives(state.game.setup, state.moves, state.log.index(entry))
    for move in moves:
        if isinstance(move, kind):
            return move
    raise Refused(f"decision {entry.number} cannot be a {kind.__name__}")


def _to(move: voila.Event) -> To | None:
    match move:
        case StoneDrawn(colour):
            return ToStone(colour)
        case CardRevealed(card) | BonusCardRead(card):
            return ToCard(card)
        case TaskJudged(passed):
            return ToJudged(passed)
        case FindJudged(winner):
            return ToFinder(winner)
        case VoilaCalled():
            return ToVoila()
        case TimeUp():
            return ToStop()
        case _:
            return None
