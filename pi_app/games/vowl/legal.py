"""What may come next: one table of phases and events, derived from the position, never stored in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pi_app.games.vowl.decks import drawable
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
    WhyStopped,
)
from pi_app.games.vowl.model import IllegalMove, Pile, PlayMode, Position, PuzzleState, Turn
from pi_app.games.vowl.setup import DECKS, Deck, Timer

Fault = tuple[str, str]


class Phase(StrEnum):
    """What the game waits for."""

    ROLL = "roll"
    """The active player rolls both dice."""
    PREPARE = "prepare"
    """A player is chosen and piles are drawn, as the mode asks; then the timer is flipped."""
    SOLVE = "solve"
    """The timer runs."""
    PAUSED = "paused"
    """The timer stands."""
    TIE_DRAW = "tie_draw"
    """Sudden death: a card is drawn."""
    TIE = "tie"
    """Sudden death: its card lies face up."""
    SCORE = "score"
    """Points are taken for a success."""
    OVER = "over"


TABLE: dict[Phase, frozenset[type[Event]]] = {
    Phase.ROLL: frozenset({DiceRolled}),
    Phase.PREPARE: frozenset({PlayerChosen, CardsDiscarded, PileLaid, TimerFlipped}),
    Phase.SOLVE: frozenset({CardTurned, CardPassed, CardTakenUp, CardSolved, SandRanOut, TimerStopped}),
    Phase.PAUSED: frozenset({TimerContinued}),
    Phase.TIE_DRAW: frozenset({TieCardTurned, TieCardGivenUp}),
    Phase.TIE: frozenset({TieCardSolved, TieCardGivenUp}),
    Phase.SCORE: frozenset({PointsTaken}),
    Phase.OVER: frozenset(),
}


@dataclass(frozen=True, slots=True)
class Legal:
    """What may come next, for whoever shows or decides it.

    `seat`: whose move it is: the active player, in SCORE who takes points. `choose_from`: who may be chosen.
    `piles_from`: who still lays a pile. `targets`: whose victory token may go down with the own.
    `tie_deck`: of which deck the card of a sudden death is; None where no cards are left.
    `due`: what happens by time alone if nothing else does before, with its moment.
    """

    phase: Phase
    seat: int
    events: frozenset[type[Event]]
    choose_from: tuple[int, ...] = ()
    piles_from: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    tie_deck: Deck | None = None
    due: SandRanOut | None = None


def phase(position: Position) -> Phase:
    """Return what the game waits for."""
    turn = position.turn
    if position.winners:
        return Phase.OVER
    if turn is None:
        if position.owed:
            return Phase.SCORE
        return Phase.ROLL if drawable(position, Deck.GREEN) else Phase.OVER
    if turn.tied:
        return Phase.TIE if turn.tie_deck else Phase.TIE_DRAW
    if turn.clock is None:
        return Phase.PREPARE
    return Phase.SOLVE if turn.clock.paused_ns is None else Phase.PAUSED


def legal(position: Position) -> Legal:
    """Return what may come next."""
    now, turn = phase(position), position.turn
    return Legal(
        phase=now,
        seat=position.owed[0] if now is Phase.SCORE else position.active,
        events=frozenset(kind for kind in TABLE[now] if turn is None or _open_to(position, turn, kind)),
        choose_from=_choose_from(position, turn) if turn and now is Phase.PREPARE else (),
        piles_from=_piles_from(turn) if turn and now is Phase.PREPARE else (),
        targets=targets(position, position.owed[0]) if now is Phase.SCORE else (),
        tie_deck=tie_deck(position) if now is Phase.TIE_DRAW else None,
        due=due(position),
    )


def due(position: Position) -> SandRanOut | None:
    """Return what time alone will bring next; None while no timer runs.

    Apply it once the clock has passed `at_ns` and every input sensed up to then has been applied, in sensed order.
    """
    clock = position.turn.clock if position.turn else None
    return SandRanOut(clock.deadline_ns) if clock and phase(position) is Phase.SOLVE else None


def tie_deck(position: Position) -> Deck | None:
    """Return the deck the next card of a sudden death is of: red, or the next easier one that has cards."""
    return next((deck for deck in reversed(DECKS) if drawable(position, deck)), None)


def targets(position: Position, seat: int) -> tuple[int, ...]:
    """Return the players whose victory token can go down a space: it cannot leave the board below 0."""
    return tuple(other for other in position.setup.others(seat) if position.victory[other] > 0)


def check(position: Position, event: Event) -> None:
    """Raise IllegalMove unless the order and the times of the rules allow the event."""
    if fault := why_not(position, event):
        raise IllegalMove(event, position, *fault)


def why_not(position: Position, event: Event) -> Fault | None:
    """Return what was got and what was wanted where the rules forbid the event; None where they do not."""
    now, turn = phase(position), position.turn
    if type(event) not in TABLE[now]:
        wanted = " or ".join(sorted(kind.__name__ for kind in TABLE[now])) or "nothing: the game is over"
        return f"it in phase {now}", wanted
    match event:
        case DiceRolled(number, face):
            return _why_not_dice(position, number, face)
        case PointsTaken():
            return _why_not_points(position, event)
        case _:
            return _why_not_turn(position, turn, event) if turn else None


def _why_not_dice(position: Position, number: int, face: str) -> Fault | None:
    box = position.setup.box
    if number not in box.number_die:
        return f"a {number}", f"a face of the number die: {', '.join(map(str, sorted(set(box.number_die))))}"
    if face not in box.mode_die:
        return f"{face}", f"a face of the mode die: {', '.join(sorted(set(box.mode_die)))}"
    return None


def _why_not_points(position: Position, event: PointsTaken) -> Fault | None:
    if event.seat != position.owed[0]:
        return f"seat {event.seat}", f"seat {position.owed[0]}, who takes points first"
    may = targets(position, event.seat)
    if event.reward is Reward.TWO:
        return None if event.other is None else (f"seat {event.other}'s victory token", "none for two points")
    if event.other not in may:
        return f"victory token of {event.other}", f"one of another seat above space 0: {may}"
    return None


def _open_to(position: Position, turn: Turn, kind: type[Event]) -> bool:
    """Return whether the mode and what has been done leave room for that kind of event."""
    if kind is PlayerChosen:
        return bool(_choose_from(position, turn))
    if kind is CardsDiscarded:
        return turn.mode is PlayMode.SELECTION and turn.selected is None
    if kind is PileLaid:
        return bool(_piles_from(turn))
    if kind is TimerFlipped:
        return not _choose_from(position, turn) and _prepared(turn)
    if kind is TieCardTurned:
        return tie_deck(position) is not None
    if kind is TieCardGivenUp and turn.tie_deck is None:
        return tie_deck(position) is None
    if kind in (CardPassed, CardSolved):
        return any(pile.open_card is not None for pile in turn.piles)
    if kind is CardTurned:
        return any(pile.open_card is None and pile.face_down for pile in turn.piles)
    if kind is CardTakenUp:
        return any(pile.open_card is None and pile.solved < len(pile.cards) for pile in turn.piles)
    return True


def _choose_from(position: Position, turn: Turn) -> tuple[int, ...]:
    if turn.other is not None:
        return ()
    if turn.mode is PlayMode.PARTNER:
        return position.setup.neighbours(turn.seat)
    return position.setup.others(turn.seat) if turn.mode is PlayMode.HEAD_TO_HEAD else ()


def _piles_from(turn: Turn) -> tuple[int, ...]:
    if turn.mode is PlayMode.SELECTION and turn.selected is None:
        return ()
    return tuple(seat for seat in turn.owners if seat not in {pile.seat for pile in turn.piles})


def _prepared(turn: Turn) -> bool:
    return len(turn.piles) == len(turn.owners)


def _why_not_turn(position: Position, turn: Turn, event: Event) -> Fault | None:
    if not _open_to(position, turn, type(event)):
        return f"it in {turn.mode} mode at this point", "what is still missing, or nothing more of this kind"
    if isinstance(event, PlayerChosen) and event.seat not in (may := _choose_from(position, turn)):
        return f"seat {event.seat}", f"one of seats {may}"
    if isinstance(event, PileLaid) and event.seat not in (may := _piles_from(turn)):
        return f"seat {event.seat}", f"one of seats {may}, whose piles are missing"
    if isinstance(event, TieCardSolved) and event.seat not in turn.players:
        return f"seat {event.seat}", f"one of seats {turn.players}, who are tied"
    if isinstance(event, CardTurned | CardPassed | CardTakenUp | CardSolved):
        return _why_not_card(position, turn, event)
    if isinstance(event, SandRanOut | TimerStopped | TieCardTurned | TieCardSolved | TieCardGivenUp):
        return _why_not_time(position, turn, event)
    return None


def _why_not_time(
    position: Position, turn: Turn, event: SandRanOut | TimerStopped | TieCardTurned | TieCardSolved | TieCardGivenUp
) -> Fault | None:
    if turn.clock is None:
        return None
    if isinstance(event, TimerStopped):
        challenge = event.why is WhyStopped.CHALLENGE
        if challenge and not position.setup.rulings.challenge_stops_timer:
            return "a challenge", "no stop of the timer for it, as the rulings say"
        return _outside(event.at_ns, turn.clock.last_ns, None)
    first_ns = turn.clock.deadline_ns if isinstance(event, SandRanOut) else turn.clock.last_ns
    return _outside(event.at_ns, first_ns, None)


def _why_not_card(
    position: Position, turn: Turn, event: CardTurned | CardPassed | CardTakenUp | CardSolved
) -> Fault | None:
    pile = turn.pile_of(event.seat) if event.seat in turn.players else None
    if pile is None or turn.clock is None:
        return f"seat {event.seat}", f"one of seats {turn.players}, who solve"
    if late := _outside(event.at_ns, turn.clock.last_ns, turn.clock.deadline_ns):
        return late
    if isinstance(event, CardPassed | CardSolved):
        if pile.open_card is None:
            return "no card face up", "one turned or taken up before"
        return _why_not_word(position, turn, event) if isinstance(event, CardSolved) else None
    if pile.open_card is not None:
        return "it while a card lies face up", "that card solved or passed before"
    if isinstance(event, CardTakenUp):
        passed = tuple(n for n, card in enumerate(pile.cards) if card.state is PuzzleState.PASSED)
        return None if event.card in passed else (f"card {event.card}", f"one of the passed cards: {passed}")
    return _why_not_turned(position, pile, event)


def _why_not_turned(position: Position, pile: Pile, event: CardTurned) -> Fault | None:
    if event.deck not in pile.next_decks:
        return f"a {event.deck} card", f"{' or '.join(pile.next_decks) or 'none: all are turned'}"
    if event.letters is None:
        return None
    box = position.setup.box
    fewest, most = box.letters[DECKS.index(event.deck)]
    if not fewest <= len(event.letters) <= most or set(event.letters) - set(box.alphabet):
        return f"letters {event.letters[:20]!r}", f"{fewest} to {most} of {box.alphabet}"
    return None


def _why_not_word(position: Position, turn: Turn, event: CardSolved) -> Fault | None:
    said = {card.word for pile in turn.piles for card in pile.cards if card.word}
    if event.word in said and not position.setup.rulings.words_may_repeat:
        return f"{event.word!r} again", "a word not yet used in this turn"
    return None


def _outside(at_ns: int, first_ns: int, last_ns: int | None) -> Fault | None:
    if at_ns >= first_ns and (last_ns is None or at_ns <= last_ns):
        return None
    return f"{at_ns} ns", f"{first_ns} ns or later" if last_ns is None else f"{first_ns} to {last_ns} ns"


def moves(position: Position, at_ns: int) -> Iterator[Event]:
    """Yield every event that may come at that moment, with unread letters; time-outs at their own moment if later."""
    kinds = legal(position).events
    for event in _candidates(position, at_ns):
        if type(event) in kinds and why_not(position, event) is None:
            yield event


def _candidates(position: Position, at_ns: int) -> Iterator[Event]:
    box, turn = position.setup.box, position.turn
    seats = range(len(position.setup.seats))
    for number in sorted(set(box.number_die)):
        yield from (DiceRolled(number, face) for face in sorted(set(box.mode_die)))
    yield CardsDiscarded()
    yield from (TimerFlipped(at_ns, timer) for timer in Timer)
    yield from (TimerStopped(at_ns), TimerContinued(at_ns), TieCardTurned(at_ns), TieCardGivenUp(at_ns))
    if turn and turn.clock:
        yield SandRanOut(max(at_ns, turn.clock.deadline_ns))
    for seat in seats:
        yield from (PlayerChosen(seat), CardPassed(seat, at_ns), CardSolved(seat, at_ns), TieCardSolved(seat, at_ns))
        yield from (PileLaid(seat, placement) for placement in Placement)
        yield from (CardTurned(seat, deck, at_ns) for deck in Deck)
        pile = turn.pile_of(seat) if turn else None
        yield from (CardTakenUp(seat, card, at_ns) for card in range(len(pile.cards) if pile else 0))
        yield PointsTaken(seat, Reward.TWO)
        yield from (PointsTaken(seat, Reward.ONE, other) for other in seats)
