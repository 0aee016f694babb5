"""What holds in every position: tokens, cards and tiles are conserved, and nothing met is left open."""

from collections import Counter
from collections.abc import Iterator

from pi_app.games.festival.model import Position


def faults(position: Position) -> tuple[str, ...]:
    """Return what is wrong with a position, each as `what: got, wanted`; empty for every position of a real game."""
    return (*_token_faults(position), *_card_faults(position), *_tile_faults(position), *_goal_faults(position))


def _token_faults(position: Position) -> Iterator[str]:
    on_boards = Counter(token for sky in position.skies for pile in sky for token in pile)
    taken = Counter(token for tokens in position.taken for token in tokens)
    if on_boards != taken:
        yield f"tokens on the boards: got {on_boards.total()}, wanted the {taken.total()} taken from the stacks"
    for stack in range(len(position.taken)):
        if not 0 <= position.left(stack) <= position.tokens_left(stack).total():
            yield f"stack {stack}: got {position.left(stack)} tokens, wanted no more than there are"


def _card_faults(position: Position) -> Iterator[str]:
    held = Counter(
        card for player in position.players for cards in (player.open, player.done, player.discarded) for card in cards
    )
    wanted = Counter(position.setup.starting) + Counter(card for cards in position.gone for card in cards)
    if held != wanted or max(held.values()) > 1:
        yield f"cards with the players: got {sorted(held.elements())}, wanted {sorted(wanted)} once each"


def _tile_faults(position: Position) -> Iterator[str]:
    tiles = sorted([*position.free, *(face for player in position.players for face in player.spectators)])
    if tiles != sorted(position.setup.spectators):
        yield f"spectator tiles: got {tiles}, wanted {sorted(position.setup.spectators)}"


def _goal_faults(position: Position) -> Iterator[str]:
    book = position.setup.book
    for seat, player in enumerate(position.players):
        wanted = (*player.open, *position.free) if player.turns else ()
        for goal in wanted:
            if book.holds(goal, position.skies[seat]):
                yield f"seat {seat}: got {goal} still to be met, wanted it completed"
