"""Correcting what was decided earlier: the list of events is changed and folded anew.

Everything recorded after the corrected event is kept as what physically happened (see `apply.settle`); what follows
from it is derived again. So a success taken back takes its points with it, points newly earned are owed until they are
taken, and a winner found earlier ends the game there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pi_app.games.vowl.apply import settle
from pi_app.games.vowl.events import (
    CardPassed,
    CardsDiscarded,
    CardSolved,
    CardTakenUp,
    CardTurned,
    DiceRolled,
    Event,
    PileLaid,
    PlayerChosen,
    PointsTaken,
    SandRanOut,
    TieCardGivenUp,
    TieCardSolved,
    TieCardTurned,
    TimerFlipped,
)
from pi_app.games.vowl.legal import Fault
from pi_app.games.vowl.model import IllegalMove, Position, new_game
from pi_app.games.vowl.moves import moves
from pi_app.games.vowl.refuse import why_not
from pi_app.games.vowl.setup import Setup

KINDS: tuple[tuple[type[Event], ...], ...] = (
    (DiceRolled,),
    (PlayerChosen,),
    (PileLaid,),
    (CardTurned,),
    (CardTakenUp,),
    (CardSolved, CardPassed, SandRanOut),
    (TieCardTurned,),
    (TieCardSolved, TieCardGivenUp),
    (PointsTaken,),
)
"""What may be corrected, and into what kinds of event."""
REMOVABLE = (
    CardsDiscarded,
    CardTurned,
    CardPassed,
    CardTakenUp,
    CardSolved,
    SandRanOut,
    TieCardTurned,
    TieCardSolved,
    TieCardGivenUp,
    PointsTaken,
)
"""What may be taken out of the middle of a record; anything may be undone as its last event."""
PREPARING = (PlayerChosen, CardsDiscarded, PileLaid)
"""What comes between the roll and the timer's flip."""


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
    """One event of the record, for a list to choose from.

    `turn` counts from 0, `seat` is whose turn it was. `could_be`: what the event could be corrected to as far as its
    own place goes; something recorded later may still forbid it, as `replaced` says.
    """

    index: int
    turn: int
    seat: int
    event: Event
    could_be: tuple[Event, ...]


def replay(setup: Setup, events: Iterable[Event]) -> Position:
    """Return the position a record folds to; IllegalCorrection names the first event that cannot have happened."""
    return _fold(new_game(setup), events, 0)


def replaced(setup: Setup, events: Sequence[Event], index: int, event: Event) -> Corrected:
    """Put `event` in the place of the event at `index`: other dice, player, card, answer, end or points."""
    return replaced_together(setup, events, {index: event})


def replaced_together(setup: Setup, events: Sequence[Event], changes: Mapping[int, Event]) -> Corrected:
    """Replace several events at once, where one alone would not fit the others."""
    for index in changes:
        _at(events, index)
    position, record = new_game(setup), [changes.get(index, event) for index, event in enumerate(events)]
    for index, old in enumerate(events):
        if index in changes:
            _check_replacement(position, old, record[index], index)
            _check_prepared(position, events[index:], record[index:], index)
        position = _settle_at(position, record[index], index)
    return Corrected(tuple(record), position)


def prepared_anew(setup: Setup, events: Sequence[Event], index: int, preparation: Sequence[Event]) -> Corrected:
    """Put a roll and what it asks for in the place of the roll at `index` and all recorded up to the timer's flip.

    For a roll of another mode, which asks for a partner, an opponent's pile or a selection that the record lacks.
    """
    old, before = _at(events, index), replay(setup, events[:index])
    end = next((n for n in range(index + 1, len(events)) if not isinstance(events[n], PREPARING)), len(events))
    record = (*events[:index], *preparation, *events[end:])
    if not preparation or not isinstance(old, DiceRolled):
        raise IllegalCorrection(index, old, f"{len(preparation)} events in its place", "a roll in place of a roll")
    _check_replacement(before, old, preparation[0], index)
    position = _settle_at(before, preparation[0], index)
    for place, event in enumerate(preparation[1:], index + 1):
        if fault := why_not(position, event):
            raise IllegalCorrection(place, event, *fault)
        position = _settle_at(position, event, place)
    _check_prepared(before, events[index:], record[index:], index)
    return Corrected(record, _fold(position, record[index + len(preparation) :], index + len(preparation)))


def inserted(setup: Setup, events: Sequence[Event], index: int, event: Event) -> Corrected:
    """Put in an event that was missed, before the event at `index`; it must be legal there."""
    before = replay(setup, events[:index])
    if fault := why_not(before, event):
        raise IllegalCorrection(index, event, *fault)
    record = (*events[:index], event, *events[index:])
    return Corrected(record, _fold(before, record[index:], index))


def removed(setup: Setup, events: Sequence[Event], index: int) -> Corrected:
    """Take out an event that did not happen; dice, players, piles and the timer only as the last event."""
    old = _at(events, index)
    if not isinstance(old, REMOVABLE) and index != len(events) - 1:
        raise IllegalCorrection(index, old, "it removed from the middle", "it replaced, or removed as the last event")
    record = (*events[:index], *events[index + 1 :])
    return Corrected(record, replay(setup, record))


def undone(setup: Setup, events: Sequence[Event]) -> Corrected:
    """Take back the last event; IllegalCorrection where there is none."""
    return removed(setup, events, len(events) - 1)


def turn_replayed(setup: Setup, events: Sequence[Event]) -> Corrected:
    """Take back the running turn as a whole, to its roll; its cards go back into the decks, to be shuffled."""
    starts = [index for index, event in enumerate(events) if isinstance(event, DiceRolled)]
    if not starts or replay(setup, events).turn is None:
        raise IllegalCorrection(len(events), None, "no turn running", "a running turn")
    record = tuple(events[: starts[-1]])
    return Corrected(record, replay(setup, record))


def decisions(setup: Setup, events: Sequence[Event]) -> Iterator[Decision]:
    """Yield the record with the turn and seat each event belongs to; one fold for the whole list."""
    position, turn = new_game(setup), -1
    for index, event in enumerate(events):
        turn += isinstance(event, DiceRolled)
        seat = setup.seat_of_turn(max(turn, 0))
        yield Decision(index, turn, seat, event, tuple(_here(position, event)))
        position = _settle_at(position, event, index)


def alternatives(setup: Setup, events: Sequence[Event], index: int) -> tuple[Event, ...]:
    """Return what the event at `index` can be corrected to, each already tried on the whole record."""
    old = _at(events, index)
    before = replay(setup, events[:index])
    return tuple(event for event in _here(before, old) if _fits(before, events[index:], index, event))


def _here(before: Position, old: Event) -> Iterator[Event]:
    """Yield what can stand in the place of `old`, at its own time, whatever comes after."""
    for event in moves(before, getattr(old, "at_ns", 0)):
        if event != old and _alike(old, event):
            yield event


def _fits(before: Position, events: Sequence[Event], index: int, event: Event) -> bool:
    record = (event, *events[1:])
    try:
        _check_prepared(before, events, record, index)
        _fold(before, record, index)
    except IllegalCorrection:
        return False
    return True


def _check_replacement(before: Position, old: Event, event: Event, index: int) -> None:
    """Refuse another kind of event, and one that the rules forbid there unless the one it replaces was so too."""
    if not _alike(old, event):
        raise IllegalCorrection(index, event, f"it in place of {type(old).__name__}", "an event of the same kind")
    fault = why_not(before, event)
    if fault and (type(old) is not type(event) or why_not(before, old) is None):
        raise IllegalCorrection(index, event, *fault)


def _alike(old: Event, event: Event) -> bool:
    return any(isinstance(old, kinds) and isinstance(event, kinds) for kinds in KINDS)


def _check_prepared(before: Position, old: Sequence[Event], new: Sequence[Event], index: int) -> None:
    """Refuse another roll that leaves the turn unprepared when its timer is flipped; both records are from the roll."""
    if not isinstance(new[0], DiceRolled) or _why_not_flipped(before, old):
        return
    if fault := _why_not_flipped(before, new):
        raise IllegalCorrection(index, new[0], *fault)


def _why_not_flipped(position: Position, events: Sequence[Event]) -> Fault | None:
    """Return why the timer of the turn that the events begin with cannot be flipped where the record has it."""
    for place, event in enumerate(events):
        if isinstance(event, TimerFlipped):
            return why_not(position, event)
        if isinstance(event, DiceRolled) and place:
            return None
        try:
            position = settle(position, event)
        except IllegalMove as fault:
            return fault.got, fault.wanted
    return None


def _fold(position: Position, events: Iterable[Event], first_index: int) -> Position:
    for index, event in enumerate(events, first_index):
        position = _settle_at(position, event, index)
    return position


def _settle_at(position: Position, event: Event, index: int) -> Position:
    try:
        return settle(position, event)
    except IllegalMove as fault:
        raise IllegalCorrection(index, event, fault.got, fault.wanted) from fault


def _at(events: Sequence[Event], index: int) -> Event:
    if not 0 <= index < len(events):
        raise IllegalCorrection(index, None, f"event {index}", f"one of {len(events)}")
    return events[index]
