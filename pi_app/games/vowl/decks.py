"""Drawing from the three decks, and shuffling one anew."""

from dataclasses import replace

from pi_app.games.vowl.model import NONE, Pile, Position, PuzzleState
from pi_app.games.vowl.setup import DECKS, Counts, Deck, DeckRunsOut, SolvedCards, UnsolvedCards


def drawable(position: Position, deck: Deck) -> int:
    """Return how many cards of a deck can be drawn, a reshuffle included where the rulings have one."""
    index = DECKS.index(deck)
    again = position.setup.rulings.deck_runs_out is DeckRunsOut.RESHUFFLE
    return position.deck[index] + position.discard[index] * again


def draw(position: Position, wanted: Counts) -> tuple[Position, Counts]:
    """Return the position without the cards drawn, and how many of each deck they are: fewer where decks lack them."""
    drawn = NONE
    for deck, number in zip(DECKS, wanted, strict=True):
        position, got = _draw_from(position, deck, number)
        drawn = changed(drawn, deck, got)
    return position, drawn


def discard(position: Position, cards: Counts) -> Position:
    """Put cards on the discard piles."""
    return replace(position, discard=plus(position.discard, cards))


def put_away(position: Position, pile: Pile) -> Position:
    """Put the cards of a pile where the rulings have them after a turn."""
    solved, unsolved = NONE, NONE
    for card in pile.cards:
        if card.state is PuzzleState.SOLVED:
            solved = changed(solved, card.deck, +1)
        else:
            unsolved = changed(unsolved, card.deck, +1)
    for group in pile.left:
        unsolved = plus(unsolved, group)
    rulings = position.setup.rulings
    if rulings.solved_cards is SolvedCards.OUT_OF_GAME:
        position = replace(position, out=plus(position.out, solved))
    else:
        position = discard(position, solved)
    if rulings.unsolved_cards is UnsolvedCards.UNDER_DECK:
        return replace(position, deck=plus(position.deck, unsolved))
    return discard(position, unsolved)


def plus(a: Counts, b: Counts) -> Counts:
    """Return the sums by deck."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def changed(counts: Counts, deck: Deck, by: int) -> Counts:
    """Return the counts with that of one deck changed."""
    green, yellow, red = (count + by * (deck is here) for here, count in zip(DECKS, counts, strict=True))
    return green, yellow, red


def _draw_from(position: Position, deck: Deck, number: int) -> tuple[Position, int]:
    index = DECKS.index(deck)
    number = min(number, drawable(position, deck))
    if number > position.deck[index]:
        again = position.discard[index]
        position = replace(
            position,
            deck=changed(position.deck, deck, again),
            discard=changed(position.discard, deck, -again),
            reshuffles=changed(position.reshuffles, deck, +1),
        )
    return replace(position, deck=changed(position.deck, deck, -number)), number
