"""How a turn's mode is set, and how a turn ends."""

from dataclasses import replace

from pi_app.games.vowl.decks import changed, discard, draw, put_away
from pi_app.games.vowl.events import Placement
from pi_app.games.vowl.model import NONE, Pile, PlayMode, Position, Turn
from pi_app.games.vowl.setup import SELECTION_DISCARDS, SELECTION_EXTRA, Deck, Face


def mode_of(position: Position, face: Face) -> PlayMode:
    """Return the mode the active player plays in: solitaire within winning distance, whatever the die shows."""
    if position.must_play_solitaire(position.active) or face is Face.SOLITAIRE:
        return PlayMode.SOLITAIRE
    if face is Face.HEAD_TO_HEAD:
        return PlayMode.HEAD_TO_HEAD
    return PlayMode.SELECTION if len(position.setup.seats) == 2 else PlayMode.PARTNER


def select(position: Position, turn: Turn) -> Position:
    """Selection mode: the opponent draws green cards and discards three of them, but never the last one."""
    position, drawn = draw(position, (turn.rolled + SELECTION_EXTRA, 0, 0))
    away = max(0, min(SELECTION_DISCARDS, drawn[0] - 1))
    position = discard(position, changed(NONE, Deck.GREEN, away))
    return replace(position, turn=replace(turn, selected=drawn[0] - away))


def lay_pile(position: Position, turn: Turn, seat: int, placement: Placement) -> Position:
    """Draw the green cards of the roll and those of the seat's own tier."""
    if turn.selected is None:
        extra = SELECTION_EXTRA if turn.mode is PlayMode.PARTNER else 0
        position, green = draw(position, (turn.rolled + extra, 0, 0))
    else:
        green = (turn.selected, 0, 0)
    position, tier = draw(position, position.setup.board.tier_cards(position.scoring[seat]))
    groups = (tier, green) if placement is Placement.ON_TOP else (green, tier)
    selected = 0 if turn.mode is PlayMode.SELECTION else turn.selected
    return replace(position, turn=replace(turn, piles=(*turn.piles, Pile(seat, groups)), selected=selected))


def time_up(position: Position, turn: Turn, at_ns: int) -> Position:
    """End the round by time: in head-to-head more solved cards win, a tie goes to sudden death; else no success."""
    if turn.mode is not PlayMode.HEAD_TO_HEAD or turn.other is None:
        return end(position, turn, ())
    if best := _more_solved(turn):
        return end(position, turn, best)
    clock = replace(turn.clock, last_ns=at_ns) if turn.clock else None
    return replace(position, turn=replace(turn, tied=True, clock=clock))


def gone_past(position: Position) -> Position:
    """Return the position with a turn that the play went past ended as by time, without a sudden death."""
    turn = position.turn
    return position if turn is None else end(position, turn, _more_solved(turn))


def succeeded(turn: Turn, owner: int) -> tuple[int, ...]:
    """Return who scores, in order, once the pile of `owner` is complete."""
    return turn.players if turn.mode is PlayMode.PARTNER else (owner,)


def end(position: Position, turn: Turn, successes: tuple[int, ...]) -> Position:
    """Put all cards away; `successes` take points in that order."""
    for pile in turn.piles:
        position = put_away(position, pile)
    if turn.mode is PlayMode.SELECTION and not turn.piles:
        position = discard(position, (turn.selected or 0, 0, 0))
    position = drop_tie_card(position, turn)
    return replace(position, turn=None, turns_ended=position.turns_ended + 1, owed=(*position.owed, *successes))


def drop_tie_card(position: Position, turn: Turn) -> Position:
    """Discard the sudden death's card, where one lies face up."""
    if turn.tie_card is None:
        return position
    return replace(discard(position, changed(NONE, turn.tie_card.deck, 1)), turn=replace(turn, tie_card=None))


def _more_solved(turn: Turn) -> tuple[int, ...]:
    if turn.mode is not PlayMode.HEAD_TO_HEAD or not turn.piles:
        return ()
    most = max(pile.solved for pile in turn.piles)
    best = tuple(pile.seat for pile in turn.piles if pile.solved == most)
    return best if len(best) == 1 and most else ()
