"""What holds in every position: cards are conserved, tokens stay on the board."""

from pi_app.games.vowl.decks import changed, plus
from pi_app.games.vowl.model import NONE, Pile, Position
from pi_app.games.vowl.setup import DECKS, Counts


def faults(position: Position) -> tuple[str, ...]:
    """Return what is wrong with a position, each as `what: got, wanted`; empty for every position of a real game."""
    found = []
    total = plus(plus(position.deck, position.discard), plus(position.out, _in_play(position)))
    if total != position.setup.box.cards:
        found.append(f"cards: got {total}, wanted {position.setup.box.cards}")
    if min(*position.deck, *position.discard, *position.out) < 0:
        found.append(f"cards: got {position.deck}, {position.discard}, {position.out}, wanted none below 0")
    last = position.setup.board.last
    if any(space not in range(last + 2) for space in position.scoring):
        found.append(f"scoring tokens: got {position.scoring}, wanted 0 to {last + 1}")
    if any(space not in range(last + 1) for space in position.victory):
        found.append(f"victory tokens: got {position.victory}, wanted 0 to {last}")
    return tuple(found)


def _in_play(position: Position) -> Counts:
    turn = position.turn
    if turn is None:
        return NONE
    cards = NONE if turn.tie_card is None else changed(NONE, turn.tie_card.deck, 1)
    for pile in turn.piles:
        cards = plus(cards, _of(pile))
    return (cards[0] + (turn.selected or 0), cards[1], cards[2])


def _of(pile: Pile) -> Counts:
    cards = NONE
    for group in pile.left:
        cards = plus(cards, group)
    for deck in DECKS:
        cards = changed(cards, deck, sum(card.deck is deck for card in pile.cards))
    return cards
