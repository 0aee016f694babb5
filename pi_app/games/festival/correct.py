"""Correcting what was decided earlier: the list of events is changed and folded anew.

Everything recorded after the corrected event is kept as what physically happened (see `apply.settle`). Objectives,
spectator tiles, the end and scores are derived again, so a tile may come to another player and a game may end earlier:
what was done after its end is surplus.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from pi_app.games.festival.apply import settle
from pi_app.games.festival.events import (
    Event,
    ObjectiveShown,
    ObjectiveTaken,
    TokenPlaced,
    TopShown,
    TurnPassed,
)
from pi_app.games.festival.legal import discardable, why_never
from pi_app.games.festival.model import IllegalMove, Position, new_game
from pi_app.games.festival.setup import Setup
from pi_app.games.festival.tokens import CELLS

ACTIONS = (TokenPlaced, ObjectiveTaken, TurnPassed)


@dataclass(frozen=True, slots=True)
class Corrected:
    """The record after a correction and the position it folds to."""

    events: tuple[Event, ...]
    position: Position


@dataclass(eq=False)
class IllegalCorrection(Exception):  # noqa: N818 - like IllegalMove
    """A correction that cannot be: `index` is the event at which the record no longer fits, `got` and `wanted` why."""

    index: int
    event: Event | None
    got: str
    wanted: str

    def __str__(self) -> str:
        name = type(self.event).__name__ if self.event else "no event"
        return f"correction does not fit at event {self.index} ({name}): got {self.got}, wanted {self.wanted}"


@dataclass(frozen=True, slots=True)
class Decision:
    """One event of the record, for a list to choose from: `seat` had its turn number `turn`, both counted from 0."""

    index: int
    turn: int
    seat: int
    event: Event


def replay(setup: Setup, events: Iterable[Event]) -> Position:
    """Return the position a record folds to; IllegalCorrection names the first event that cannot have happened."""
    return _fold(new_game(setup), events, 0)


def replaced(setup: Setup, events: Sequence[Event], index: int, event: Event) -> Corrected:
    """Put `event` in the place of the event at `index`: an action for an action, what was shown for the same."""
    return replaced_together(setup, events, {index: event})


def replaced_together(setup: Setup, events: Sequence[Event], changes: Mapping[int, Event]) -> Corrected:
    """Replace several events at once: two tokens that were taken for each other may not fit one after the other."""
    record = list(events)
    for index, event in changes.items():
        _check_kind(_at(events, index), event, index)
        record[index] = event
    return Corrected(tuple(record), replay(setup, record))


def inserted(setup: Setup, events: Sequence[Event], index: int, event: Event) -> Corrected:
    """Put in an event that was missed, before the event at `index`; legal there but for whose turn it is."""
    if fault := why_never(replay(setup, events[:index]), event):
        raise IllegalCorrection(index, event, fault.got, fault.wanted)
    return _corrected(setup, (*events[:index], event, *events[index:]))


def removed(setup: Setup, events: Sequence[Event], index: int) -> Corrected:
    """Take out an event that did not happen; the seat is owed the turn."""
    _at(events, index)
    return _corrected(setup, (*events[:index], *events[index + 1 :]))


def undone(setup: Setup, events: Sequence[Event]) -> Corrected:
    """Take back the last event; IllegalCorrection where there is none."""
    return removed(setup, events, len(events) - 1)


def decisions(setup: Setup, events: Sequence[Event]) -> Iterator[Decision]:
    """Yield the record with the turn and seat each event belongs to; one fold for the whole list."""
    position = new_game(setup)
    for index, event in enumerate(events):
        seat = event.seat if isinstance(event, ACTIONS) else position.active
        yield Decision(index, position.players[seat].turns, seat, event)
        position = _settle_at(position, event, index)


def alternatives(setup: Setup, events: Sequence[Event], index: int) -> tuple[Event, ...]:
    """Return what the event at `index` can be corrected to, each already tried on the whole record.

    One thing of it changed: the token, the cell, the stack or the seat; the card, the pile, the seat or the discarded
    card. An action of another kind is put in by `replaced` alone.
    """
    old = _at(events, index)
    before = replay(setup, events[:index])
    tried = dict.fromkeys(event for event in _candidates(before, old) if event != old)
    return tuple(event for event in tried if _fits(before, events, index, event))


def _candidates(before: Position, old: Event) -> Iterator[Event]:
    setup = before.setup
    seats, stacks, piles = range(len(setup.seats)), range(len(before.taken)), range(len(before.gone))
    tokens, cards = setup.box.tokens, [goal.id for goal in setup.box.goals if goal.id in setup.deck]
    match old:
        case TopShown(stack, token):
            yield from (TopShown(stack, other) for other in tokens)
            yield from (TopShown(other, token) for other in stacks)
        case ObjectiveShown(pile, card_id):
            yield from (ObjectiveShown(pile, other) for other in cards)
            yield from (ObjectiveShown(other, card_id) for other in piles)
        case TokenPlaced(seat, stack, token, cell):
            yield from (TokenPlaced(seat, stack, other, cell) for other in tokens)
            yield from (TokenPlaced(seat, stack, token, other) for other in range(CELLS))
            yield from (TokenPlaced(seat, other, token, cell) for other in setup.stacks_of(seat))
            yield from (TokenPlaced(other, stack, token, cell) for other in seats if stack in setup.stacks_of(other))
        case ObjectiveTaken(seat, pile, card_id, given):
            yield from (ObjectiveTaken(seat, pile, other, given) for other in cards)
            yield from (ObjectiveTaken(seat, other, card_id, given) for other in piles)
            yield from (ObjectiveTaken(other, pile, card_id, None) for other in seats)
            yield from (ObjectiveTaken(seat, pile, card_id, other) for other in discardable(before, seat) if given)
        case TurnPassed():
            return
        case _:
            assert_never(old)


def _fits(before: Position, events: Sequence[Event], index: int, event: Event) -> bool:
    try:
        _fold(before, (event, *events[index + 1 :]), index)
    except IllegalCorrection:
        return False
    return True


def _check_kind(old: Event, event: Event, index: int) -> None:
    """Refuse an action in place of what was shown and the other way round."""
    if type(old) is not type(event) and not (isinstance(old, ACTIONS) and isinstance(event, ACTIONS)):
        raise IllegalCorrection(index, event, f"it in place of {type(old).__name__}", "an event of the same kind")


def _corrected(setup: Setup, events: tuple[Event, ...]) -> Corrected:
    return Corrected(events, replay(setup, events))


def _fold(position: Position, events: Iterable[Event], first_index: int) -> Position:
    for index, event in enumerate(events, first_index):
        position = _settle_at(position, event, index)
    return position


def _settle_at(position: Position, event: Event, index: int) -> Position:
    try:
        return settle(position, event)
    except IllegalMove as fault:
        raise IllegalCorrection(index, event, fault.why.got, fault.why.wanted) from fault


def _at(events: Sequence[Event], index: int) -> Event:
    if not 0 <= index < len(events):
        raise IllegalCorrection(index, None, f"event {index}", f"one of {len(events)}")
    return events[index]
