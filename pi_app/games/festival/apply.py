"""One event, one new position.

`apply` is for what happens now: every rule is enforced. `settle` takes the record of what has happened: it refuses
only what the material makes impossible, so that a game folds again after an earlier decision was corrected. For events
that `apply` allows both give the same position.
"""

from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from pi_app.games.festival.events import (
    Event,
    ObjectiveShown,
    ObjectiveTaken,
    TokenPlaced,
    TopShown,
    TurnPassed,
)
from pi_app.games.festival.legal import why_not
from pi_app.games.festival.material import material_fault
from pi_app.games.festival.model import IllegalMove, Player, Position
from pi_app.games.festival.tokens import placed

Item = TypeVar("Item")


def apply(position: Position, event: Event) -> Position:
    """Return the position after an event that happens now; IllegalMove where the rules do not allow it."""
    if fault := why_not(position, event):
        raise IllegalMove(event, position, fault)
    return _after(position, event)


def settle(position: Position, event: Event) -> Position:
    """Return the position after a recorded event; IllegalMove where the material forbids it.

    Nobody is asked whose turn it was: a seat with fewer turns than the others is owed one. A seventh open objective
    stays; a discarded one that is no longer open changes nothing. What was done after the end counts for nobody.
    """
    if position.over:
        return replace(position, surplus=position.surplus + 1)
    if fault := material_fault(position, event):
        raise IllegalMove(event, position, fault)
    return _after(position, event)


def _after(position: Position, event: Event) -> Position:
    match event:
        case TopShown(stack, token):
            return replace(position, tops=_changed(position.tops, stack, token))
        case ObjectiveShown(pile, card_id):
            return replace(position, shown=_changed(_without(position.shown, card_id), pile, card_id))
        case TokenPlaced(seat):
            return _checked(_place(position, event), seat)
        case ObjectiveTaken(seat):
            return _checked(_take(position, event), seat)
        case TurnPassed(seat):
            player = position.players[seat]
            return _with_player(position, seat, replace(player, turns=player.turns + 1))
        case _:
            assert_never(event)


def _place(position: Position, event: TokenPlaced) -> Position:
    return replace(
        position,
        skies=_changed(position.skies, event.seat, placed(position.skies[event.seat], event.cell, event.token)),
        taken=_changed(position.taken, event.stack, (*position.taken[event.stack], event.token)),
        tops=_changed(position.tops, event.stack, None),
    )


def _take(position: Position, event: ObjectiveTaken) -> Position:
    player = position.players[event.seat]
    if event.discarded in player.open:
        player = replace(
            player,
            open=tuple(card for card in player.open if card != event.discarded),
            discarded=(*player.discarded, event.discarded),
        )
    position = replace(
        position,
        gone=_changed(position.gone, event.pile, (*position.gone[event.pile], event.card_id)),
        shown=_changed(_without(position.shown, event.card_id), event.pile, None),
    )
    return _with_player(position, event.seat, replace(player, open=(*player.open, event.card_id)))


def _checked(position: Position, seat: int) -> Position:
    """Check a seat's open objectives and the free spectator tiles, and count its turn."""
    player, sky, book = position.players[seat], position.skies[seat], position.setup.book
    costs = book.costs(sky)
    done = tuple(card for card in player.open if book.holds(card, sky, costs))
    won = tuple(face for face in position.free if book.holds(face, sky, costs))
    player = replace(
        player,
        open=tuple(card for card in player.open if card not in done),
        done=(*player.done, *done),
        spectators=(*player.spectators, *won),
        turns=player.turns + 1,
    )
    free = tuple(face for face in position.free if face not in won)
    return _with_player(replace(position, free=free), seat, player)


def _with_player(position: Position, seat: int, player: Player) -> Position:
    return replace(position, players=_changed(position.players, seat, player))


def _changed(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _without(shown: tuple[str | None, ...], card_id: str) -> tuple[str | None, ...]:
    return tuple(None if card == card_id else card for card in shown)


@dataclass(frozen=True, slots=True)
class Gained:
    """What an action completed: objectives and spectator tiles, to be announced."""

    seat: int
    objectives: tuple[str, ...]
    spectators: tuple[str, ...]


def gained(before: Position, after: Position) -> tuple[Gained, ...]:
    """Return by seat what is new of completed objectives and won tiles between two positions of one game."""
    found = []
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        objectives = tuple(card for card in new.done if card not in old.done)
        spectators = tuple(face for face in new.spectators if face not in old.spectators)
        if objectives or spectators:
            found.append(Gained(seat, objectives, spectators))
    return tuple(found)
