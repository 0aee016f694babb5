"""The draw pile, and shuffling it anew."""

from dataclasses import replace

from pi_app.games.voila.events import Event
from pi_app.games.voila.model import Banked, CardState, How, IllegalMove, Position, TurnCard, Won


def take_card(position: Position, card_id: str, event: Event) -> Position:
    """Take a card from the pile, shuffled anew first where it is empty; IllegalMove where it cannot be there."""
    kinds = position.setup.deck
    index = next((number for number, kind in enumerate(kinds) if kind.id == card_id), None)
    if index is None:
        raise IllegalMove(event, position, f"card {card_id!r}", "a card of the deck")
    shuffled = position if any(position.pile) else reshuffle(position)
    if not shuffled.pile[index]:
        wanted = f"one that is still in the pile: all {kinds[index].count} of this kind are elsewhere"
        raise IllegalMove(event, position, f"card {card_id!r}", wanted)
    return replace(shuffled, pile=changed(shuffled.pile, index, -1))


def reshuffle(position: Position) -> Position:
    """Note every player's points and cards, then shuffle all cards together again but those in play."""
    pile = position.shuffleable
    keeps = position.setup.settings.cards_in_play_stay_at_reshuffle
    turn = position.turn
    if turn and not keeps:
        turn = replace(turn, cards=tuple(_note(card) for card in turn.cards))
    return replace(
        position,
        pile=pile,
        discard=(0,) * len(pile),
        won=((),) * len(position.won),
        banked=tuple(add(position, seat, won) for seat, won in enumerate(position.won)),
        turn=turn,
        reshuffles=position.reshuffles + 1,
    )


def add(position: Position, seat: int, won: tuple[Won, ...]) -> Banked:
    """Return what a seat has noted once these cards are noted as well."""
    before = position.banked[seat]
    kinds = {kind.id: kind for kind in position.setup.deck}
    return Banked(
        before.points + sum(kinds[card.card_id].points for card in won),
        before.cards + len(won),
        before.claimed + sum(card.how is How.CLAIM for card in won),
    )


def changed(counts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    """Return the counts with one of them changed."""
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


def _note(card: TurnCard) -> TurnCard:
    return card if card.state is CardState.OPEN else replace(card, shuffled=True)
