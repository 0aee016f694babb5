"""What boards, stacks and piles make impossible, whatever was decided before."""

from collections.abc import Sequence
from typing import assert_never

from pi_app.games.festival.events import Event, ObjectiveShown, ObjectiveTaken, TokenPlaced, TopShown, TurnPassed
from pi_app.games.festival.model import Impossible, Position, Reason
from pi_app.games.festival.tokens import CELLS, Token


def material_fault(position: Position, event: Event) -> Impossible | None:
    """Return why an event cannot have happened at this table, None where it can."""
    match event:
        case TopShown(stack, token):
            return _stack_fault(position, stack, token)
        case ObjectiveShown(pile, card_id):
            return _pile_fault(position, pile, card_id)
        case TokenPlaced(seat, stack, token, cell):
            return (
                _seat_fault(position, seat)
                or _outside(Reason.NO_SUCH_CELL, "cell", cell, CELLS)
                or _stack_fault(position, stack, token)
            )
        case ObjectiveTaken(seat, pile, card_id, discarded):
            return _seat_fault(position, seat) or _pile_fault(position, pile, card_id) or _card(position, discarded)
        case TurnPassed(seat):
            return _seat_fault(position, seat)
        case _:
            assert_never(event)


def _seat_fault(position: Position, seat: int) -> Impossible | None:
    return _outside(Reason.NO_SUCH_SEAT, "seat", seat, len(position.players))


def _stack_fault(position: Position, stack: int, token: Token) -> Impossible | None:
    if fault := _outside(Reason.NO_SUCH_STACK, "stack", stack, len(position.taken)):
        return fault
    if token not in position.setup.tokens:
        return Impossible(Reason.NO_SUCH_TOKEN, f"{token}", "a token of the box")
    if not position.left(stack):
        return Impossible(Reason.STACK_EMPTY, f"a token of stack {stack}, which is empty", "one of another stack")
    if position.setup.stacks and (top := position.top(stack)) != token:
        return Impossible(Reason.OTHER_ON_TOP, f"{token} from stack {stack}", f"{top}, which lies on top")
    if not position.tokens_left(stack)[token]:
        return Impossible(
            Reason.TOKEN_ELSEWHERE, f"{token} from stack {stack}", "one it still has: all of this kind are elsewhere"
        )
    return None


def _pile_fault(position: Position, pile: int, card_id: str) -> Impossible | None:
    if fault := _outside(Reason.NO_SUCH_PILE, "pile", pile, len(position.gone)):
        return fault
    if card_id not in position.setup.deck:
        return Impossible(Reason.NO_SUCH_CARD, f"card {card_id!r}", "an objective of the box")
    if not position.cards_left(pile):
        return Impossible(Reason.PILE_EMPTY, f"a card of pile {pile}, which is empty", "one of another pile")
    if any(card_id in cards for cards in position.gone):
        return Impossible(Reason.CARD_ELSEWHERE, f"card {card_id!r}", "one that was not taken before")
    if position.setup.piles and (top := position.objective(pile)) != card_id:
        return Impossible(Reason.OTHER_ON_TOP, f"card {card_id!r} from pile {pile}", f"{top}, which lies on top")
    return None


def _card(position: Position, card_id: str | None) -> Impossible | None:
    known: Sequence[str | None] = (None, *position.setup.deck, *position.setup.starting)
    if card_id in known:
        return None
    return Impossible(Reason.NO_SUCH_CARD, f"card {card_id!r} to discard", "an objective of the box")


def _outside(reason: Reason, what: str, number: int, count: int) -> Impossible | None:
    return None if number in range(count) else Impossible(reason, f"{what} {number}", f"0 to {count - 1}")
