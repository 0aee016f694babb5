"""Which card was drawn, from what lies in the card zone: cards are counted, for a deck holds many of a kind.

Fewer cards are no event: hands cover them, and a card is laid over another.
"""

from collections import Counter

from pi_app.session.voila.state import State


def fresh(state: State) -> tuple[str, ...]:
    """Return the cards that lie there and have not been counted."""
    return tuple((Counter(state.cards_seen) - Counter(state.cards_old)).elements())


def old_after(state: State, seen: tuple[str, ...]) -> tuple[str, ...]:
    """Return which cards are counted once the zone holds `seen`: what was taken away may come again as new."""
    told = (state.card_told,) if state.card_told is not None else ()
    return tuple((Counter(state.cards_old + told) & Counter(seen)).elements())
