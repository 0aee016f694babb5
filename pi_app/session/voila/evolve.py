"""State after an event: pure, and defined for every event a journal may hold."""

from dataclasses import replace
from typing import assert_never

from pi_app.games import voila
from pi_app.games.voila import (
    BonusCardRead,
    CardRevealed,
    CardState,
    FindJudged,
    Position,
    TaskJudged,
    TurnResumed,
    TurnStarted,
)
from pi_app.session.events import By, FaultNoted, GameStarted, SeatJoined, SeatLeft, SeatNamed
from pi_app.session.seats import seated
from pi_app.session.voila.cards import fresh
from pi_app.session.voila.events import (
    Amended,
    CameraAsked,
    CameraDropped,
    CardsNoted,
    Decided,
    Noted,
    RestartNoted,
    SessionEvent,
    SessionOpened,
    StonesNoted,
    TurnTakenBack,
    VerdictTold,
    VoilaKept,
)
from pi_app.session.voila.state import Asked, Last, LogEntry, State, setup_of

_SeatEvent = SeatJoined | SeatLeft | SeatNamed | GameStarted
_TableEvent = StonesNoted | CardsNoted | FaultNoted | Noted | RestartNoted


def evolve(state: State, event: SessionEvent) -> State:
    """Return the state after an event of the journal."""
    match event:
        case SessionOpened(options, settings, deck):
            return State(options, settings, deck)
        case SeatJoined() | SeatLeft() | SeatNamed() | GameStarted():
            return _seated(state, event)
        case Decided():
            return _decided(state, event)
        case Amended() | TurnTakenBack():
            return _folded_anew(state, event)
        case CameraAsked(task, card, at_ns):
            return replace(state, asked=Asked(task, card, at_ns))
        case CameraDropped():
            return replace(state, asked=None)
        case VerdictTold():
            return _told(state, event)
        case VoilaKept(kept_ns):
            return replace(state, voila_ns=kept_ns)
        case StonesNoted() | CardsNoted() | FaultNoted() | Noted() | RestartNoted():
            return _noted(state, event)
        case _:
            assert_never(event)


def _seated(state: State, event: _SeatEvent) -> State:
    match event:
        case SeatJoined() | SeatLeft() | SeatNamed():
            return _named(replace(state, joined=seated(state.joined, event)))
        case GameStarted(first_seat):
            return replace(state, position=voila.new_game(setup_of(state, first_seat)))
        case _:
            assert_never(event)


def _noted(state: State, event: _TableEvent) -> State:
    match event:
        case StonesNoted(seen, other):
            return replace(state, stones_seen=seen, stones_other=other)
        case CardsNoted(seen, old):
            told = None if state.card_told in seen else state.card_told
            return replace(state, cards_seen=seen, cards_old=old, card_told=told)
        case FaultNoted(part, fault):
            others = tuple(known for known in state.faults if known[0] != part)
            return replace(state, faults=others if fault is None else (*others, (part, fault)))
        case Noted(note):
            return replace(state, note=note)
        case RestartNoted(turn_offered):
            return replace(state, asked=None, faults=(), note=None, turn_offered=turn_offered)
        case _:
            assert_never(event)


def _named(state: State) -> State:
    if state.position is None:
        return state
    names = tuple(one.name for one in state.joined)
    return replace(state, position=replace(state.position, setup=replace(state.position.setup, seats=names)))


def _decided(state: State, event: Decided) -> State:
    before = state.game
    after = voila.settle(before, event.move)
    log = (*state.log, _entry(before, event))
    other = state.stones_seen if isinstance(event.move, TurnStarted) else state.stones_other
    state = replace(
        state, position=after, log=log, decided=event.number, stones_other=other, note=None, turn_offered=False
    )
    state = _with_last(_with_cards(state, event), before, event)
    if state.last and state.last.waits and not state.waits_for_timekeeper:
        state = replace(state, last=replace(state.last, waits=False))
    return _with_voila(state, before, event)


def _with_cards(state: State, event: Decided) -> State:
    """What lies there when a turn begins or a card is counted is no new card any more."""
    match event.move:
        case TurnStarted():
            return replace(state, cards_old=state.cards_seen, card_told=None)
        case CardRevealed(card) | BonusCardRead(card):
            told = event.by is By.TIMEKEEPER and card not in fresh(state)
            return replace(state, cards_old=state.cards_seen, card_told=card if told else None)
        case _:
            return state


def _entry(before: Position, event: Decided) -> LogEntry:
    if isinstance(event.move, BonusCardRead):
        return LogEntry(event.number, event.move, event.by, before.turns_ended - 1, event.move.seat)
    return LogEntry(event.number, event.move, event.by, before.turns_ended, before.active)


def _with_last(state: State, before: Position, event: Decided) -> State:
    kind = before.open_kind
    if kind is None:
        return state
    if isinstance(event.move, TaskJudged):
        told = state.last if state.last and state.last.card == kind.id and state.last.passed is None else None
        last = replace(told or Last(kind.task, kind.id), passed=event.move.passed, by=event.by, waits=False)
        return replace(state, last=replace(last, decision=event.number))
    if voila.claim_of(before) and (winner := _found(state.game)) is not None:
        last = Last(kind.task, kind.id, passed=winner >= 0, by=event.by, winner=winner if winner >= 0 else None)
        return replace(state, last=replace(last, decision=event.number))
    return state


def _found(after: Position) -> int | None:
    """Return who just found the object, -1 for nobody, None where the card is still open or the turn is over."""
    if after.turn is None or after.turn.open_card is not None:
        return None
    card = after.turn.cards[-1]
    if card.state is CardState.UNCLAIMED or card.claimed_by is None:
        return -1
    return card.claimed_by


def _with_voila(state: State, before: Position, event: Decided) -> State:
    """A kept Voilà! ends with its task, and moves with the turn's times over a pause."""
    if state.voila_ns is None:
        return state
    if isinstance(event.move, TurnResumed) and before.turn and state.game.turn:
        by_ns = state.game.turn.deadline_ns - before.turn.deadline_ns
        return replace(state, voila_ns=state.voila_ns + by_ns)
    return (
        replace(state, voila_ns=None) if isinstance(event.move, TaskJudged) or state.game.open_kind is None else state
    )


def _told(state: State, event: VerdictTold) -> State:
    last = Last(event.task, event.card, event.number, event.verdict, event.waits)
    return replace(state, last=last, verdicts=event.number, asked=None, note=None)


def _folded_anew(state: State, event: Amended | TurnTakenBack) -> State:
    if isinstance(event, Amended):
        log = tuple(one for entry in state.log for one in _amended(entry, event))
        last = _last_amended(state.last, event)
    else:
        log = tuple(entry for entry in state.log if entry.number < event.first_number)
        last = replace(state.last, waits=False) if state.last else None
    position = voila.replay(state.game.setup, [entry.move for entry in log])
    offered = state.turn_offered and isinstance(event, Amended)
    return replace(state, log=log, position=position, last=last, voila_ns=None, note=None, turn_offered=offered)


def _amended(entry: LogEntry, event: Amended) -> tuple[LogEntry, ...]:
    if entry.number != event.number:
        return (entry,)
    return () if event.move is None else (replace(entry, move=event.move, by=By.TIMEKEEPER),)


def _last_amended(last: Last | None, event: Amended) -> Last | None:
    if last is None or last.decision != event.number:
        return last
    match event.move:
        case TaskJudged(passed):
            return replace(last, passed=passed, by=By.TIMEKEEPER, waits=False)
        case FindJudged(winner):
            return replace(last, passed=winner is not None, winner=winner, by=By.TIMEKEEPER, waits=False)
        case _:
            return replace(last, passed=None, winner=None, by=By.TIMEKEEPER, waits=False)
