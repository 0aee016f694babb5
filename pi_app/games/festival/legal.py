"""What may come next, derived from the position."""

from collections.abc import Iterator
from typing import assert_never

from pi_app.games.festival.events import (
    Action,
    Event,
    ObjectiveShown,
    ObjectiveTaken,
    TokenPlaced,
    TopShown,
    TurnPassed,
)
from pi_app.games.festival.material import material_fault
from pi_app.games.festival.model import Impossible, Position, Reason
from pi_app.games.festival.tokens import CELLS, Token

OF_STACKS = {Reason.STACK_EMPTY, Reason.TOKEN_ELSEWHERE, Reason.OTHER_ON_TOP, Reason.NOT_THEIR_STACK}
"""Reasons that speak of one stack and not of the placement as a whole."""


def why_not(position: Position, event: Event) -> Impossible | None:
    """Return why an event is impossible from this position, None where it may come."""
    fault = why_never(position, event)
    if fault is None and isinstance(event, Action):
        return _turn_fault(position, event.seat)
    return fault


def why_never(position: Position, event: Event) -> Impossible | None:
    """Return why an event is impossible here whosever turn it is, None where only that may forbid it."""
    if position.over:
        return Impossible(Reason.OVER, "it after the end", "nothing: the game is over")
    return material_fault(position, event) or _rule_fault(position, event)


def _rule_fault(position: Position, event: Event) -> Impossible | None:
    match event:
        case TopShown():
            return None
        case ObjectiveShown(pile, card_id):
            return _shown_elsewhere(position, pile, card_id)
        case TokenPlaced(seat, stack, token, _):
            return _stack_fault(position, seat, stack, token)
        case ObjectiveTaken(seat, pile, card_id, discarded):
            return (
                _shown_elsewhere(position, pile, card_id)
                or _pile_fault(position, pile, card_id)
                or _room_fault(position, seat, card_id, discarded)
            )
        case TurnPassed(seat):
            return _act_fault(position, seat)
        case _:
            assert_never(event)


def _turn_fault(position: Position, seat: int) -> Impossible | None:
    if seat == position.active:
        return None
    return Impossible(Reason.NOT_THEIR_TURN, f"an action of seat {seat}", f"one of seat {position.active}")


def _stack_fault(position: Position, seat: int, stack: int, token: Token) -> Impossible | None:
    theirs = position.setup.stacks_of(seat)
    if stack not in theirs:
        return Impossible(Reason.NOT_THEIR_STACK, f"stack {stack}", f"stack {theirs[0]} or {theirs[1]}")
    top = position.top(stack)
    if top not in (None, token):
        return Impossible(Reason.OTHER_ON_TOP, f"{token} from stack {stack}", f"{top}, which lies on top")
    return None


def _shown_elsewhere(position: Position, pile: int, card_id: str) -> Impossible | None:
    for other in range(len(position.gone)):
        if other != pile and position.objective(other) == card_id:
            return Impossible(Reason.OTHER_ON_TOP, f"card {card_id!r} on pile {pile}", f"it on pile {other}")
    return None


def _pile_fault(position: Position, pile: int, card_id: str) -> Impossible | None:
    top = position.objective(pile)
    if top in (None, card_id):
        return None
    return Impossible(Reason.OTHER_ON_TOP, f"card {card_id!r} from pile {pile}", f"{top!r}, which lies on top")


def _room_fault(position: Position, seat: int, card_id: str, discarded: str | None) -> Impossible | None:
    if discarded is None:
        if has_room(position, seat, card_id):
            return None
        wanted = f"one of the {position.setup.rules.max_open} open objectives discarded"
        return Impossible(Reason.NO_ROOM, "no card discarded", wanted)
    may = discardable(position, seat)
    if discarded not in may:
        return Impossible(Reason.NOT_OPEN, f"card {discarded!r} to discard", f"one of {', '.join(may) or 'none'}")
    if has_room(position, seat, card_id):
        return Impossible(Reason.NEEDLESS_DISCARD, f"card {discarded!r} discarded", "none: there is room")
    return None


def _act_fault(position: Position, seat: int) -> Impossible | None:
    if any(map(position.left, position.setup.stacks_of(seat))):
        return Impossible(Reason.CAN_ACT, "a pass", "a token of their stacks taken")
    if any(map(position.cards_left, range(len(position.gone)))):
        return Impossible(Reason.CAN_ACT, "a pass", "an objective taken")
    return None


def has_room(position: Position, seat: int, card_id: str) -> bool:
    """Return whether a seat may take this objective without discarding one."""
    if position.has_room(seat):
        return True
    needs_room = position.setup.rules.fulfilled_needs_room
    return not needs_room and position.setup.book.holds(card_id, position.skies[seat])


def discardable(position: Position, seat: int) -> tuple[str, ...]:
    """Return the open objectives a seat may give up for another."""
    cards = position.players[seat].open
    if position.setup.rules.starting_may_be_discarded:
        return cards
    return tuple(card for card in cards if card in position.setup.deck)


def moves(position: Position) -> Iterator[Action]:
    """Yield every action that may come: where a top is not known, each one it may be."""
    if position.over:
        return
    seat = position.active
    acts: list[Action] = [*_placings(position, seat), *_takings(position, seat)]
    yield from acts or (TurnPassed(seat),)


def _placings(position: Position, seat: int) -> Iterator[TokenPlaced]:
    for stack in dict.fromkeys(position.setup.stacks_of(seat)):
        for token in tops(position, stack):
            yield from (TokenPlaced(seat, stack, token, cell) for cell in range(CELLS))


def _takings(position: Position, seat: int) -> Iterator[ObjectiveTaken]:
    for pile in range(len(position.gone)):
        for card_id in objectives(position, pile):
            room = has_room(position, seat, card_id)
            for discarded in (None,) if room else discardable(position, seat):
                yield ObjectiveTaken(seat, pile, card_id, discarded)


def tops(position: Position, stack: int) -> tuple[Token, ...]:
    """Return which tokens may lie on top of a stack: one where it is known, none where the stack is empty."""
    top = position.top(stack)
    left = position.tokens_left(stack)
    return tuple(left) if top is None else (top,) if left[top] else ()


def objectives(position: Position, pile: int) -> tuple[str, ...]:
    """Return which objectives may lie on top of a pile: one where it is known, none where the pile is empty."""
    if not position.cards_left(pile):
        return ()
    top = position.objective(pile)
    if top is not None:
        return (top,)
    seen = {card for cards in position.gone for card in cards}
    seen |= {card for other in range(len(position.gone)) if (card := position.objective(other))}
    return tuple(goal.id for goal in position.setup.box.goals if goal.id in position.setup.deck - seen)


def placings(position: Position, seat: int, token: Token, cell: int) -> tuple[TokenPlaced, ...] | Impossible:
    """Return what a token that came onto a seat's cell can have been: one event for each stack it may be from.

    Impossible with the reason where it can be from none.
    """
    tried = [TokenPlaced(seat, stack, token, cell) for stack in range(len(position.taken))]
    faults = [why_not(position, event) for event in tried]
    if fits := tuple(event for event, fault in zip(tried, faults, strict=True) if fault is None):
        return fits
    if other := next((fault for fault in faults if fault and fault.reason not in OF_STACKS), None):
        return other
    may = [f"{top} of stack {n}" for n in sorted(position.setup.stacks_of(seat)) for top in tops(position, n)]
    return Impossible(Reason.NOTHING_FITS, f"{token} on cell {cell} of seat {seat}", " or ".join(may) or "no token")
