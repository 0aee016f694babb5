"""What holds in every position: stones and cards are conserved, and nothing is owed that cannot be."""

from collections import Counter

from pi_app.games.voila.model import Position
from pi_app.games.voila.setup import BAG


def faults(position: Position) -> tuple[str, ...]:
    """Return what is wrong with a position, each as `what: got, wanted`; empty for every position of a real game."""
    found = [*_card_faults(position), *_stone_faults(position)]
    if not 0 <= position.turns_ended <= position.setup.turns:
        found.append(f"turns ended: got {position.turns_ended}, wanted 0 to {position.setup.turns}")
    if any(owed < 0 for owed in position.bonus_owed):
        found.append(f"bonus cards owed: got {position.bonus_owed}, wanted none below 0")
    return tuple(found)


def _card_faults(position: Position) -> list[str]:
    here = Counter(card.card_id for cards in position.won for card in cards)
    here.update(card.card_id for card in (position.turn.cards if position.turn else ()) if not card.shuffled)
    found = []
    for kind, pile, discard in zip(position.setup.deck, position.pile, position.discard, strict=True):
        total = pile + discard + here.pop(kind.id, 0)
        if total != kind.count or min(pile, discard) < 0:
            found.append(f"card {kind.id!r}: got {total} (pile {pile}, discard {discard}), wanted {kind.count}")
    return found + [f"card {card_id!r}: got it, wanted a card of the deck" for card_id in here]


def _stone_faults(position: Position) -> list[str]:
    return [
        f"{colour} stones in the bag: got {count}, wanted 0 to {BAG[colour]}"
        for colour, count in position.bag.items()
        if not 0 <= count <= BAG[colour]
    ]
