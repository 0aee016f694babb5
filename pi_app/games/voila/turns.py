"""How cards of the running turn change hands, and how a turn ends."""

from dataclasses import replace

from pi_app.core.names import Colour, Task
from pi_app.games.voila.deck import add, changed
from pi_app.games.voila.model import CardState, How, Position, Press, Turn, TurnCard, Won
from pi_app.games.voila.setup import YELLOWS_FOR_A_BONUS, CardKind, TimeUpInClaim


def closed(turn: Turn, state: CardState, claimed_by: int | None = None) -> Turn:
    """Return the turn with its newest card, which is open, decided; claims on it are over."""
    card = replace(turn.cards[-1], state=state, claimed_by=claimed_by)
    return replace(turn, cards=(*turn.cards[:-1], card), presses=(), read_ns=None)


def gone_past(turn: Turn, kind: CardKind | None) -> Turn:
    """Return the turn with its open card (of that kind, if any) decided as one the play went past: nobody gets it."""
    if kind is None:
        return turn
    return closed(turn, CardState.UNCLAIMED if kind.task is Task.FIND else CardState.NOT_DONE)


def found(turn: Turn, seat: int | None) -> Turn:
    """Return the turn with its open Find card decided: for the active player it is one more card done."""
    if seat is None:
        return closed(turn, CardState.UNCLAIMED)
    return closed(turn, CardState.DONE if seat == turn.seat else CardState.CLAIMED, seat)


def others_may_still_claim(turn: Turn) -> bool:
    """Return whether anyone but the active player pressed and is still in."""
    return any(press.out_ns is None and press.seat != turn.seat for press in turn.presses)


def time_up(position: Position, turn: Turn, at_ns: int) -> Position:
    """Stop the turn; claims pressed in time are played out where the settings say so."""
    rules = position.setup.settings
    kind = position.open_kind
    plays_out = rules.time_up_in_claim is TimeUpInClaim.PLAY_OUT and rules.claimed_cards_survive_timeout
    if kind and kind.task is Task.FIND and plays_out and others_may_still_claim(turn):
        return replace(position, turn=replace(turn, stopped_ns=at_ns))
    return stop(position, turn)


def stop(position: Position, turn: Turn) -> Position:
    """End the turn by time: the active player's cards are discarded, those of others stay where the rules say so."""
    survive = position.setup.settings.claimed_cards_survive_timeout
    for card in turn.cards:
        theirs = card.claimed_by if card.state is CardState.CLAIMED and survive else None
        position = _hand_over(position, card, theirs, How.CLAIM)
    return _next_turn(position)


def voila(position: Position, turn: Turn) -> Position:
    """End the turn by Voilà!: cards done are the active player's, and a bonus card for every two yellow stones."""
    for card in turn.cards:
        if card.state is CardState.CLAIMED:
            position = _hand_over(position, card, card.claimed_by, How.CLAIM)
        else:
            position = _hand_over(position, card, turn.seat if card.state is CardState.DONE else None, How.TASK)
    bonus = turn.stones.count(Colour.YELLOW) // YELLOWS_FOR_A_BONUS
    return _next_turn(replace(position, bonus_owed=changed(position.bonus_owed, turn.seat, bonus)))


def give(position: Position, seat: int, card: Won) -> Position:
    """Put a card in front of a player."""
    won = tuple((*cards, card) if owner == seat else cards for owner, cards in enumerate(position.won))
    return replace(position, won=won)


def discard(position: Position, card_id: str) -> Position:
    """Put a card on the discard pile."""
    index = [kind.id for kind in position.setup.deck].index(card_id)
    return replace(position, discard=changed(position.discard, index, +1))


def pause(position: Position, at_ns: int) -> Position:
    """Stop the timer of the running turn."""
    turn = position.turn
    if turn is None or turn.paused_ns is not None:
        return position
    return replace(position, turn=replace(turn, paused_ns=at_ns))


def resume(position: Position, at_ns: int) -> Position:
    """Let the timer go on: every time of the turn moves by the length of the pause."""
    turn = position.turn
    if turn is None or turn.paused_ns is None:
        return position
    by_ns = at_ns - turn.paused_ns
    moved = replace(
        turn,
        started_ns=turn.started_ns + by_ns,
        deadline_ns=turn.deadline_ns + by_ns,
        presses=tuple(_moved(press, by_ns) for press in turn.presses),
        read_ns=_later(turn.read_ns, by_ns),
        stopped_ns=_later(turn.stopped_ns, by_ns),
        paused_ns=None,
    )
    return replace(position, turn=moved)


def _moved(press: Press, by_ns: int) -> Press:
    return Press(press.seat, press.at_ns + by_ns, _later(press.out_ns, by_ns))


def _later(at_ns: int | None, by_ns: int) -> int | None:
    return None if at_ns is None else at_ns + by_ns


def _hand_over(position: Position, card: TurnCard, seat: int | None, how: How) -> Position:
    won = Won(card.card_id, how)
    if card.shuffled:
        return position if seat is None else _bank(position, seat, won)
    return discard(position, card.card_id) if seat is None else give(position, seat, won)


def _bank(position: Position, seat: int, won: Won) -> Position:
    noted = add(position, seat, (won,))
    return replace(position, banked=tuple(noted if s == seat else b for s, b in enumerate(position.banked)))


def _next_turn(position: Position) -> Position:
    return replace(position, turn=None, turns_ended=position.turns_ended + 1)
