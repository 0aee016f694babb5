"""Every event that may come next, for whoever chooses or counts them."""

from collections.abc import Iterator
from typing import get_args

from pi_app.games.vowl.events import (
    CardPassed,
    CardsDiscarded,
    CardSolved,
    CardTakenUp,
    CardTurned,
    DiceRolled,
    Event,
    PileLaid,
    Placement,
    PlayerChosen,
    PointsTaken,
    Reward,
    SandRanOut,
    TieCardGivenUp,
    TieCardSolved,
    TieCardTurned,
    TimerContinued,
    TimerFlipped,
    TimerStopped,
)
from pi_app.games.vowl.legal import Legal, legal
from pi_app.games.vowl.model import Position, PuzzleState, Turn
from pi_app.games.vowl.refuse import why_not
from pi_app.games.vowl.setup import Timer

KINDS: tuple[type[Event], ...] = get_args(Event)


def moves(position: Position, at_ns: int) -> Iterator[Event]:
    """Yield every event that may come at that moment, with unread letters; time-outs at their own moment if later."""
    now = legal(position)
    for kind in KINDS:
        if kind in now.events:
            yield from (event for event in _of_kind(position, now, kind, at_ns) if why_not(position, event) is None)


def _of_kind(position: Position, now: Legal, kind: type[Event], at_ns: int) -> Iterator[Event]:
    if kind is DiceRolled:
        yield from _rolls(position)
    elif kind is PointsTaken:
        yield PointsTaken(now.seat, Reward.TWO)
        yield from (PointsTaken(now.seat, Reward.ONE, other) for other in now.targets)
    elif position.turn is not None:
        yield from _of_turn(position.turn, now, kind, at_ns)


def _rolls(position: Position) -> Iterator[DiceRolled]:
    box = position.setup.box
    for number in sorted(set(box.number_die)):
        yield from (DiceRolled(number, face) for face in sorted(set(box.mode_die)))


def _of_turn(turn: Turn, now: Legal, kind: type[Event], at_ns: int) -> Iterator[Event]:
    if kind is CardsDiscarded:
        yield CardsDiscarded()
    elif kind is PlayerChosen:
        yield from (PlayerChosen(seat) for seat in now.choose_from)
    elif kind is PileLaid:
        yield from (PileLaid(seat, placement) for seat in now.piles_from for placement in Placement)
    elif kind is TimerFlipped:
        yield from (TimerFlipped(at_ns, timer) for timer in Timer)
    elif kind is SandRanOut:
        yield from (SandRanOut(max(at_ns, sand.at_ns)) for sand in (now.due,) if sand)
    elif kind in (TimerStopped, TimerContinued, TieCardTurned, TieCardGivenUp):
        yield kind(at_ns)
    else:
        for seat in turn.players:
            yield from _of_seat(turn, seat, kind, at_ns)


def _of_seat(turn: Turn, seat: int, kind: type[Event], at_ns: int) -> Iterator[Event]:
    pile = turn.pile_of(seat)
    if kind in (CardPassed, CardSolved, TieCardSolved):
        yield kind(seat, at_ns)
    elif pile and kind is CardTurned:
        yield from (CardTurned(seat, deck, at_ns) for deck in pile.next_decks)
    elif pile and kind is CardTakenUp:
        for place, card in enumerate(pile.cards):
            if card.state is PuzzleState.PASSED:
                yield CardTakenUp(seat, place, at_ns)
