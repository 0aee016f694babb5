"""Why an event may not come next: `why_not` holds every rule of order, time and material."""

from typing import assert_never

from pi_app.games.vowl.events import (
    CardPassed,
    CardSolved,
    CardTakenUp,
    CardTurned,
    DiceRolled,
    Event,
    PileLaid,
    PlayerChosen,
    PointsTaken,
    Reward,
    SandRanOut,
    TieCardGivenUp,
    TieCardSolved,
    TieCardTurned,
    TimerStopped,
    WhyStopped,
)
from pi_app.games.vowl.legal import TABLE, Fault, choose_from, phase, piles_from, targets, tie_deck, why_closed
from pi_app.games.vowl.model import IllegalMove, Pile, Position, PuzzleState, Turn
from pi_app.games.vowl.setup import DECKS, Deck


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


def _why_not_turn(position: Position, turn: Turn, event: Event) -> Fault | None:
    if isinstance(event, CardTurned | CardPassed | CardTakenUp | CardSolved):
        return _why_not_card(position, turn, event)
    if closed := why_closed(position, turn, type(event)):
        return closed
    if isinstance(event, PlayerChosen | PileLaid | TieCardSolved) and (fault := _why_not_seat(position, turn, event)):
        return fault
    if isinstance(event, TieCardTurned) and (deck := tie_deck(position)):
        return _why_not_time(position, turn, event) or _why_not_letters(position, deck, event.letters)
    if isinstance(event, TieCardSolved):
        return _why_not_time(position, turn, event) or _why_not_word(position, turn, event)
    if isinstance(event, SandRanOut | TimerStopped | TieCardGivenUp):
        return _why_not_time(position, turn, event)
    return None


def _why_not_seat(position: Position, turn: Turn, event: PlayerChosen | PileLaid | TieCardSolved) -> Fault | None:
    match event:
        case PlayerChosen():
            may, why = choose_from(position, turn), "who may be chosen"
        case PileLaid():
            may, why = piles_from(turn), "whose piles are missing"
        case TieCardSolved():
            may, why = turn.players, "who are tied"
        case _:
            assert_never(event)
    return None if event.seat in may else (f"seat {event.seat}", f"one of seats {may}, {why}")


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
    return _why_not_letters(position, event.deck, event.letters)


def _why_not_letters(position: Position, deck: Deck, letters: str | None) -> Fault | None:
    box = position.setup.box
    fewest, most = box.letters[DECKS.index(deck)]
    if letters is None or (fewest <= len(letters) <= most and not set(letters) - set(box.alphabet)):
        return None
    return f"letters {letters[:20]!r}", f"{fewest} to {most} of {box.alphabet}"


def _why_not_word(position: Position, turn: Turn, event: CardSolved | TieCardSolved) -> Fault | None:
    said = {card.word for pile in turn.piles for card in pile.cards if card.word}
    if event.word in said and not position.setup.rulings.words_may_repeat:
        return f"{event.word!r} again", "a word not yet used in this turn"
    return None


def _outside(at_ns: int, first_ns: int, last_ns: int | None) -> Fault | None:
    if at_ns >= first_ns and (last_ns is None or at_ns <= last_ns):
        return None
    return f"{at_ns} ns", f"{first_ns} ns or later" if last_ns is None else f"{first_ns} to {last_ns} ns"
