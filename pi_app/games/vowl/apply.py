"""One event, one new position.

`apply` is for what happens now: rules of order and time are enforced. `settle` takes the record of what has happened:
it refuses only what seats, dice and cards make impossible, so that a game folds again after an earlier decision was
corrected. For events that `apply` allows both give the same position.
"""

from dataclasses import replace
from typing import assert_never

from pi_app.games.vowl import rounds
from pi_app.games.vowl.decks import changed, discard, draw
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
from pi_app.games.vowl.legal import tie_deck
from pi_app.games.vowl.model import NONE, Clock, IllegalMove, Pile, PlayMode, Position, Puzzle, PuzzleState, Turn
from pi_app.games.vowl.refuse import check
from pi_app.games.vowl.setup import Deck, TieCardUnsolved
from pi_app.games.vowl.tokens import take_points

CardEvent = CardTurned | CardPassed | CardTakenUp | CardSolved
TieEvent = TieCardTurned | TieCardSolved | TieCardGivenUp


def apply(position: Position, event: Event) -> Position:
    """Return the position after an event that happens now; IllegalMove where the rules do not allow it."""
    check(position, event)
    return settle(position, event)


def settle(position: Position, event: Event) -> Position:
    """Return the position after a recorded event, whose order the table has already played.

    A turn that the play went past ends as by time; points owed stay owed; words about a round that is over change
    nothing; after the end of the game nothing does. IllegalMove: no such seat, no such face of a die, no such card.
    """
    _check_material(position, event)
    if position.winners:
        return position
    match event:
        case DiceRolled(number, face):
            return _roll(position, number, rounds.mode_of(rounds.gone_past(position), face))
        case PointsTaken():
            return take_points(position, event)
        case _:
            return _settle_turn(position, event)


def _roll(position: Position, number: int, mode: PlayMode) -> Position:
    position = rounds.gone_past(position)
    return replace(position, turn=Turn(position.turns_ended, position.active, number, mode))


def _settle_turn(position: Position, event: Event) -> Position:
    turn = position.turn
    match event:
        case CardTurned() | CardPassed() | CardTakenUp() | CardSolved():
            return _settle_card(position, turn, event)
        case TieCardTurned() | TieCardSolved() | TieCardGivenUp():
            return _settle_tie(position, turn, event)
        case _ if turn is None:
            return position
        case TimerFlipped() | TimerStopped() | TimerContinued() | SandRanOut():
            return _settle_timer(position, turn, event)
        case PlayerChosen() | CardsDiscarded() | PileLaid():
            return _prepare(position, turn, event)
        case DiceRolled() | PointsTaken():
            return position
        case _:
            assert_never(event)


def _prepare(position: Position, turn: Turn, event: PlayerChosen | CardsDiscarded | PileLaid) -> Position:
    if turn.clock is not None:
        return position
    if isinstance(event, PlayerChosen):
        chooses = turn.mode in (PlayMode.PARTNER, PlayMode.HEAD_TO_HEAD) and turn.other is None
        return replace(position, turn=replace(turn, other=event.seat)) if chooses else position
    if isinstance(event, CardsDiscarded):
        selects = turn.mode is PlayMode.SELECTION and turn.selected is None
        return rounds.select(position, turn) if selects else position
    if event.seat not in turn.owners or turn.pile_of(event.seat):
        return position
    return rounds.lay_pile(position, turn, event.seat, event.tier_cards)


def _settle_timer(
    position: Position, turn: Turn, event: TimerFlipped | TimerStopped | TimerContinued | SandRanOut
) -> Position:
    clock = turn.clock
    if isinstance(event, TimerFlipped):
        return position if clock else _flip(position, turn, event)
    if clock is None or turn.tied:
        return position
    if isinstance(event, SandRanOut):
        return rounds.time_up(position, turn, event.at_ns)
    if isinstance(event, TimerStopped):
        paused = clock if clock.paused_ns is not None else replace(clock, paused_ns=event.at_ns)
        return replace(position, turn=replace(turn, clock=paused))
    return replace(position, turn=replace(turn, clock=_continued(clock, event.at_ns)))


def _flip(position: Position, turn: Turn, event: TimerFlipped) -> Position:
    deadline_ns = event.at_ns + position.setup.rulings.timer_ns(event.timer)
    return replace(position, turn=replace(turn, clock=Clock(event.at_ns, deadline_ns, event.at_ns)))


def _continued(clock: Clock, at_ns: int) -> Clock:
    if clock.paused_ns is None:
        return clock
    by_ns = at_ns - clock.paused_ns
    return Clock(clock.started_ns + by_ns, clock.deadline_ns + by_ns, at_ns)


def _settle_card(position: Position, turn: Turn | None, event: CardEvent) -> Position:
    pile = turn.pile_of(event.seat) if turn and turn.clock and not turn.tied else None
    if turn is None or turn.clock is None or pile is None:
        return _surplus(position, event, event.deck) if isinstance(event, CardTurned) else position
    new = _moved(pile, event)
    if isinstance(event, CardTurned) and new is None:
        return _surplus(position, event, event.deck)
    piles = tuple(new if old is pile and new else old for old in turn.piles)
    clock = replace(turn.clock, last_ns=max(event.at_ns, turn.clock.last_ns))
    turn = replace(turn, piles=piles, clock=clock)
    if new and new.complete:
        return rounds.end(position, turn, rounds.succeeded(turn, new.seat))
    return replace(position, turn=turn)


def _moved(pile: Pile, event: CardEvent) -> Pile | None:
    """Return the pile after the event; None where it has no such card."""
    place = pile.open_card
    match event:
        case CardTurned():
            return _turned(pile, event)
        case CardPassed():
            return None if place is None else _put(pile, place, PuzzleState.PASSED)
        case CardSolved(word=word):
            return None if place is None else _put(pile, place, PuzzleState.SOLVED, word)
        case CardTakenUp(card=card):
            passed = card in range(len(pile.cards)) and pile.cards[card].state is PuzzleState.PASSED
            return _put(_set_aside(pile), card, PuzzleState.OPEN) if passed else None


def _turned(pile: Pile, event: CardTurned) -> Pile | None:
    index = tuple(Deck).index(event.deck)
    group = next((number for number, counts in enumerate(pile.left) if counts[index]), None)
    if group is None:
        return None
    left = tuple(changed(c, event.deck, -1) if n == group else c for n, c in enumerate(pile.left))
    pile = _set_aside(pile)
    return Pile(pile.seat, left, (*pile.cards, Puzzle(event.deck, event.letters)))


def _set_aside(pile: Pile) -> Pile:
    return pile if pile.open_card is None else _put(pile, pile.open_card, PuzzleState.PASSED)


def _put(pile: Pile, place: int, state: PuzzleState, word: str | None = None) -> Pile:
    card = replace(pile.cards[place], state=state, word=word)
    return replace(pile, cards=(*pile.cards[:place], card, *pile.cards[place + 1 :]))


def _settle_tie(position: Position, turn: Turn | None, event: TieEvent) -> Position:
    if isinstance(event, TieCardTurned):
        return _turn_tie_card(position, turn, event)
    if turn is None or not turn.tied:
        return position
    if isinstance(event, TieCardSolved):
        return rounds.end(position, turn, (event.seat,)) if event.seat in turn.players else position
    again = position.setup.rulings.tie_card_unsolved is TieCardUnsolved.ANOTHER and turn.tie_card is not None
    return rounds.drop_tie_card(position, turn) if again else rounds.end(position, turn, ())


def _turn_tie_card(position: Position, turn: Turn | None, event: TieCardTurned) -> Position:
    deck = tie_deck(position)
    if deck is None:
        return position
    if turn is None or not turn.tied:
        return _surplus(position, event, deck)
    position = rounds.drop_tie_card(position, turn)
    drawn, _ = draw(position, changed(NONE, deck, 1))
    return replace(drawn, turn=replace(turn, tie_card=Puzzle(deck, event.letters)))


def _surplus(position: Position, event: Event, deck: Deck) -> Position:
    """Discard a card that was turned although, as corrected, none was due."""
    drawn, cards = draw(position, changed(NONE, deck, 1))
    if not any(cards):
        raise IllegalMove(event, position, f"a {deck} card", "one that is left: all of this deck are elsewhere")
    return discard(drawn, cards)


def _check_material(position: Position, event: Event) -> None:
    seats = position.setup.others(-1)
    box = position.setup.box
    for seat in (getattr(event, "seat", None), getattr(event, "other", None)):
        if seat is not None and seat not in seats:
            raise IllegalMove(event, position, f"seat {seat}", f"0 to {len(seats) - 1}")
    if isinstance(event, PlayerChosen) and event.seat == position.active:
        raise IllegalMove(event, position, f"the active player, seat {event.seat}", "another seat")
    if isinstance(event, PointsTaken) and event.other == event.seat:
        raise IllegalMove(event, position, f"seat {event.seat}'s own victory token twice", "another player's")
    if isinstance(event, DiceRolled) and (event.number not in box.number_die or event.face not in box.mode_die):
        raise IllegalMove(event, position, f"{event.number} and {event.face}", "faces of the dice")
