"""What may come next: one table of phases and events, derived from the position, never stored in it."""

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
    PlayerChosen,
    PointsTaken,
    SandRanOut,
    TieCardGivenUp,
    TieCardSolved,
    TieCardTurned,
    TimerContinued,
    TimerFlipped,
    TimerStopped,
)
from pi_app.games.vowl.model import PlayMode, Position, Turn
from pi_app.games.vowl.setup import DECKS, Deck

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
        return Phase.TIE if turn.tie_card else Phase.TIE_DRAW
    if turn.clock is None:
        return Phase.PREPARE
    return Phase.SOLVE if turn.clock.paused_ns is None else Phase.PAUSED


def legal(position: Position) -> Legal:
    """Return what may come next."""
    now, turn = phase(position), position.turn
    return Legal(
        phase=now,
        seat=position.owed[0] if now is Phase.SCORE else position.active,
        events=frozenset(kind for kind in TABLE[now] if turn is None or why_closed(position, turn, kind) is None),
        choose_from=choose_from(position, turn) if turn and now is Phase.PREPARE else (),
        piles_from=piles_from(turn) if turn and now is Phase.PREPARE else (),
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


def choose_from(position: Position, turn: Turn) -> tuple[int, ...]:
    """Return who may be chosen as partner or opponent; nobody once that is done."""
    if turn.other is not None:
        return ()
    if turn.mode is PlayMode.PARTNER:
        return position.setup.neighbours(turn.seat)
    return position.setup.others(turn.seat) if turn.mode is PlayMode.HEAD_TO_HEAD else ()


def piles_from(turn: Turn) -> tuple[int, ...]:
    """Return who still lays a pile, as far as is known yet."""
    if turn.mode is PlayMode.SELECTION and turn.selected is None:
        return ()
    return tuple(seat for seat in turn.owners if seat not in {pile.seat for pile in turn.piles})


def why_closed(position: Position, turn: Turn, kind: type[Event]) -> Fault | None:
    """Return what keeps every event of that kind out of this phase of the turn; None where nothing does."""
    if kind is PlayerChosen:
        return _why_nobody_chosen(position, turn)
    if kind is CardsDiscarded:
        return _why_nothing_discarded(turn)
    if kind is PileLaid:
        return _why_no_pile(turn)
    if kind is TimerFlipped:
        return _why_not_ready(position, turn)
    if kind in (TieCardTurned, TieCardGivenUp):
        return _why_no_tie_card(position, turn, kind)
    return _why_no_card(turn, kind)


def _why_nobody_chosen(position: Position, turn: Turn) -> Fault | None:
    if choose_from(position, turn):
        return None
    if turn.other is not None:
        return f"it after seat {turn.other} was chosen", "one player chosen in a turn"
    return f"it in {turn.mode} mode", f"{PlayMode.PARTNER} or {PlayMode.HEAD_TO_HEAD} mode"


def _why_nothing_discarded(turn: Turn) -> Fault | None:
    if turn.mode is not PlayMode.SELECTION:
        return f"it in {turn.mode} mode", f"{PlayMode.SELECTION} mode"
    return None if turn.selected is None else ("it a second time", "cards discarded once in a turn")


def _why_no_pile(turn: Turn) -> Fault | None:
    if piles_from(turn):
        return None
    if turn.mode is PlayMode.SELECTION and turn.selected is None:
        return "it before the opponent's selection", "CardsDiscarded first"
    return "it with all piles laid", f"one pile for each of seats {turn.owners}"


def _why_not_ready(position: Position, turn: Turn) -> Fault | None:
    if may := choose_from(position, turn):
        return "it before a player was chosen", f"PlayerChosen first: one of seats {may}"
    if turn.mode is PlayMode.SELECTION and turn.selected is None:
        return "it before the opponent's selection", "CardsDiscarded first"
    if missing := piles_from(turn):
        return "it before all piles were laid", f"PileLaid first: by seats {missing}"
    return None


def _why_no_tie_card(position: Position, turn: Turn, kind: type[Event]) -> Fault | None:
    if turn.tie_card is not None:
        return None
    deck = tie_deck(position)
    if kind is TieCardTurned:
        return None if deck else ("it with no card left in any deck", "TieCardGivenUp")
    return ("it before a card lies face up", f"TieCardTurned first: a {deck} card") if deck else None


def _why_no_card(turn: Turn, kind: type[Event]) -> Fault | None:
    waiting = [pile for pile in turn.piles if pile.open_card is None]
    if kind in (CardPassed, CardSolved) and len(waiting) == len(turn.piles):
        return "no card face up", "one turned or taken up before"
    if kind in (CardTurned, CardTakenUp) and not waiting:
        return "it while a card lies face up", "that card solved or passed before"
    if kind is CardTurned and not any(pile.face_down for pile in waiting):
        return "it with no card left to turn", "a passed card taken up"
    if kind is CardTakenUp and not any(pile.solved < len(pile.cards) for pile in waiting):
        return "it with no card passed", "the next card turned"
    return None
