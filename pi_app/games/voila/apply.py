"""One event, one new position.

`apply` is for what happens now: rules of order and time are enforced. `settle` takes the record of what has happened:
it refuses only what the material makes impossible, so that a game folds again after an earlier decision was corrected.
For events that `apply` allows both give the same position.
"""

from dataclasses import replace
from typing import assert_never

from pi_app.core.names import Colour, Task
from pi_app.games.voila import turns
from pi_app.games.voila.claims import claim_of
from pi_app.games.voila.deck import take_card
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
from pi_app.games.voila.legal import check
from pi_app.games.voila.model import CardState, How, IllegalMove, Position, Press, Turn, TurnCard, Won
from pi_app.games.voila.setup import LINE_STONES, EverybodyOut

ClaimEvent = ClaimPressed | TileLaid | ClaimExpired | FindJudged


def apply(position: Position, event: Event) -> Position:
    """Return the position after an event that happens now; IllegalMove where the rules do not allow it."""
    check(position, event)
    return settle(position, event)


def settle(position: Position, event: Event) -> Position:
    """Return the position after a recorded event, whose order the table has already played.

    An action that was left unfinished stays unfinished: its card is discarded, the stone's debt remains until the
    turn ends. Words about a card that is no longer open change nothing. IllegalMove where the material forbids it: no
    such stone in the bag, no such card in the pile, no such seat, no turn to which it belongs.
    """
    match event:
        case TurnStarted():
            return _start(position, event)
        case StoneDrawn():
            return _draw_stone(position, event)
        case CardRevealed():
            return _reveal(position, event)
        case TaskJudged():
            return _judge_task(position, event)
        case ClaimPressed() | TileLaid() | ClaimExpired() | FindJudged():
            return _settle_claim(position, event)
        case VoilaCalled() | TimeUp():
            return _end(position, event)
        case BonusCardRead():
            return _read_bonus(position, event)
        case TurnPaused(at_ns):
            return turns.pause(position, at_ns)
        case TurnResumed(at_ns):
            return turns.resume(position, at_ns)
        case _:
            assert_never(event)


def _start(position: Position, event: TurnStarted) -> Position:
    if position.turn and position.turn.stopped_ns is None:
        raise IllegalMove(
            event, position, f"it while seat {position.turn.seat}'s turn runs", "Voilà! or time up before"
        )
    number = position.turns_ended + (position.turn is not None)
    if number >= position.setup.turns:
        raise IllegalMove(event, position, f"turn {number + 1}", f"{position.setup.turns} turns")
    position = turns.stop(position, position.turn) if position.turn else position
    deadline_ns = event.at_ns + position.setup.settings.turn_ns
    return replace(position, turn=Turn(number, position.active, event.at_ns, deadline_ns))


def _draw_stone(position: Position, event: StoneDrawn) -> Position:
    turn = turns.gone_past(_running(position, event), position.open_kind)
    if not position.bag[event.colour]:
        raise IllegalMove(event, position, f"one more {event.colour} stone", f"one of the bag: {_bag(position)}")
    return replace(position, turn=replace(turn, stones=(*turn.stones, event.colour), presses=()))


def _reveal(position: Position, event: CardRevealed) -> Position:
    before = _running(position, event)
    position = take_card(position, event.card_id, event)
    turn = turns.gone_past(position.turn or before, position.open_kind)
    card = TurnCard(event.card_id, _state_of(position, turn, event.card_id))
    presses = _early_presses(turn, event)
    turn = replace(turn, cards=(*turn.cards, card), presses=presses, read_ns=event.read_ns)
    position = replace(position, turn=turn)
    return position if claim_of(position) else replace(position, turn=replace(turn, presses=(), read_ns=None))


def _early_presses(turn: Turn, event: CardRevealed) -> tuple[Press, ...]:
    """Return the presses from the moment at which the card lay open."""
    if event.at_ns is None:
        return ()
    return tuple(press for press in turn.presses if press.at_ns >= event.at_ns)


def _state_of(position: Position, turn: Turn, card_id: str) -> CardState:
    if turn.cards_owed <= 0:
        return CardState.SURPLUS
    return CardState.IMPOSSIBLE if is_impossible(position, card_id) else CardState.OPEN


def is_impossible(position: Position, card_id: str) -> bool:
    """Return whether the bag lacks the stones this card's task needs (The Line: as the settings say)."""
    kind = position.setup.kind(card_id)
    if kind is None:
        return False
    bag = position.bag
    if kind.task is Task.JUGGLER:
        return any(need > bag[colour] for need, colour in zip(kind.stones, Colour, strict=True))
    short = sum(bag.values()) < LINE_STONES
    return kind.task is Task.LINE and short and position.setup.settings.line_short_bag_like_juggler


def _judge_task(position: Position, event: TaskJudged) -> Position:
    turn, kind = position.turn, position.open_kind
    if turn is None or kind is None or kind.task is Task.FIND or not event.passed:
        return position
    return replace(position, turn=turns.closed(turn, CardState.DONE))


def _settle_claim(position: Position, event: ClaimEvent) -> Position:
    seat = event.seat if isinstance(event, ClaimPressed) else event.winner if isinstance(event, FindJudged) else None
    if seat is not None:
        _check_seat(position, event, seat)
    if position.turn is None:
        return position
    turn = _claim(position, position.turn, event)
    position = replace(position, turn=turn)
    waits = turn.open_card and turns.others_may_still_claim(turn)
    return position if turn.stopped_ns is None or waits else turns.stop(position, turn)


def _claim(position: Position, turn: Turn, event: ClaimEvent) -> Turn:
    if isinstance(event, ClaimPressed):
        return _press(position, turn, event)
    claim, kind = claim_of(position), position.open_kind
    if claim is None or kind is None:
        return turn
    if isinstance(event, FindJudged):
        return turns.found(turn, event.winner)
    if claim.holder is None:
        return turn
    if isinstance(event, TileLaid) and event.tile_id is not None and event.tile_id == kind.object:
        return turns.found(turn, claim.holder)
    return _put_out(position, turn, claim.holder, event.at_ns)


def _press(position: Position, turn: Turn, event: ClaimPressed) -> Turn:
    awaits_card = turn.open_card is None and turn.cards_owed > 0
    pressed = event.seat in {press.seat for press in turn.presses}
    if pressed or (claim_of(position) is None and not awaits_card):
        return turn
    return replace(turn, presses=(*turn.presses, Press(event.seat, event.at_ns)))


def _put_out(position: Position, turn: Turn, seat: int, at_ns: int) -> Turn:
    presses = tuple(replace(press, out_ns=at_ns) if press.seat == seat else press for press in turn.presses)
    turn = replace(turn, presses=presses)
    if len(presses) < len(position.setup.seats) or any(press.out_ns is None for press in presses):
        return turn
    if position.setup.settings.everybody_out is EverybodyOut.REOPEN and turn.stopped_ns is None:
        return replace(turn, presses=())
    return turns.found(turn, None)


def _end(position: Position, event: VoilaCalled | TimeUp) -> Position:
    turn = _running(position, event)
    if isinstance(event, TimeUp):
        return turns.time_up(position, turn, event.at_ns)
    return turns.voila(position, turns.gone_past(turn, position.open_kind))


def _read_bonus(position: Position, event: BonusCardRead) -> Position:
    _check_seat(position, event, event.seat)
    position = take_card(position, event.card_id, event)
    if not position.bonus_owed[event.seat]:
        return turns.discard(position, event.card_id)
    owed = tuple(n - (seat == event.seat) for seat, n in enumerate(position.bonus_owed))
    return turns.give(replace(position, bonus_owed=owed), event.seat, Won(event.card_id, How.BONUS))


def _running(position: Position, event: Event) -> Turn:
    if position.turn is None or position.turn.stopped_ns is not None:
        raise IllegalMove(event, position, "no turn running", "TurnStarted before")
    return position.turn


def _check_seat(position: Position, event: Event, seat: int) -> None:
    if seat not in range(len(position.setup.seats)):
        raise IllegalMove(event, position, f"seat {seat}", f"0 to {len(position.setup.seats) - 1}")


def _bag(position: Position) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in position.bag.items())
