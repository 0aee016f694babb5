"""State and input to events: pure; what is done with which input in which phase is the table of `phases`."""

from collections.abc import Callable
from typing import TypeVar

from pi_app.core.errors import UserError
from pi_app.core.events import CardsSeen, PartFault, Pressed, Restarted, StonesSeen, TileOnPad, VerdictGiven
from pi_app.games import voila
from pi_app.games.voila import (
    BonusCardRead,
    CardRevealed,
    CardState,
    FindJudged,
    StoneDrawn,
    TileLaid,
    TurnPaused,
    TurnResumed,
    VoilaCalled,
)
from pi_app.session import seats
from pi_app.session.commands import Commanded, NameSeat, Press, Start
from pi_app.session.events import By, FaultNoted, GameStarted
from pi_app.session.flow import Refused
from pi_app.session.voila import amend, cards, judged, stones
from pi_app.session.voila.commands import Approve, Correct, LayTile, TellCard, TellFinder, TellStone
from pi_app.session.voila.draft import Draft
from pi_app.session.voila.events import CardsNoted, Note, RestartNoted, SessionEvent, StonesNoted
from pi_app.session.voila.phases import Do, Taken, doing
from pi_app.session.voila.state import State, phase_of, setup_of

MAX_SEATS = 6
_STAMPED = (Pressed, TileOnPad)
"""Inputs that are in order of their times: what time brought before them has happened."""

Wanted = TypeVar("Wanted")
Handler = Callable[[Draft, Taken], None]


def decide(state: State, taken: Taken) -> tuple[SessionEvent, ...]:
    """Return what an input causes, nothing where it has no meaning now.

    Commands that cannot be carried out raise Unexpected (not in this phase) or Refused (not by the rules); what is
    sensed never raises.
    """
    draft = Draft(state)
    if isinstance(taken, _STAMPED):
        judged.pass_time(draft, taken.at_ns - 1)
    _HANDLERS[doing(phase_of(draft.state), taken)](draft, taken)
    if draft.state.position is not None:
        _draw_seen_stone(draft)
        _reveal_seen_card(draft, taken.at_ns)
        judged.ask_camera(draft, taken.at_ns)
    return tuple(draft.events)


def _ignore(_draft: Draft, _taken: Taken) -> None:
    return


def _join(draft: Draft, taken: Taken) -> None:
    state, button = draft.state, _button(taken)
    if state.seat_of(button) is None and len(state.joined) < MAX_SEATS:
        draft.add(seats.join(state.joined, button, state.options.names))
    elif state.seat_of(button) == 0 and len(state.joined) > 1 and state.options.start_by_press:
        draft.add(GameStarted(0))


def _leave(draft: Draft, _taken: Taken) -> None:
    draft.add(seats.leave(draft.state.joined))


def _name(draft: Draft, taken: Taken) -> None:
    command = _command(taken, NameSeat)
    draft.add(seats.rename(draft.state.joined, command.seat, command.name))


def _start(draft: Draft, taken: Taken) -> None:
    first_seat = _command(taken, Start).first_seat
    try:
        setup_of(draft.state, first_seat)
    except UserError as error:
        raise Refused(str(error)) from error
    draft.add(GameStarted(first_seat))


def _press(draft: Draft, taken: Taken) -> None:
    seat = draft.state.seat_of(_button(taken))
    if seat is None:
        return
    move = voila.event_for_press(draft.state.game, seat, taken.at_ns)
    if move is not None:
        draft.move(move, By.PLAYER)
    elif draft.state.game.turn and seat == draft.state.game.active and draft.state.game.turn.stones:
        draft.note(Note.ACTION_FIRST)


def _keep_voila(draft: Draft, taken: Taken) -> None:
    called = isinstance(taken, Commanded) and not isinstance(taken.command, Press)
    if called or draft.state.seat_of(_button(taken)) == draft.state.game.active:
        judged.keep_voila(draft, taken.at_ns)


def _call_voila(draft: Draft, taken: Taken) -> None:
    draft.move(VoilaCalled(taken.at_ns), By.TIMEKEEPER)


def _see_stones(draft: Draft, taken: Taken) -> None:
    zone = _sensed(taken, StonesSeen)
    seen = (zone.yellow, zone.red, zone.blue)
    if seen == draft.state.stones_seen:
        return
    draft.add(StonesNoted(seen, stones.other_after(draft.state, seen)))
    turn = draft.state.game.turn if draft.state.position else None
    if turn and StoneDrawn not in voila.legal(draft.state.game).events and max(stones.surplus(draft.state)) > 0:
        draft.note(Note.STONE_EARLY)


def _draw_seen_stone(draft: Draft) -> None:
    """Take what lies in the stone zone for a draw, as soon as a stone may be drawn."""
    legal = voila.legal(draft.state.game)
    if StoneDrawn not in legal.events:
        return
    reading = stones.read(draft.state)
    if reading.new in legal.colours and reading.new is not None:
        draft.move(StoneDrawn(reading.new), By.CAMERA)
    elif reading.unclear or reading.new is not None:
        draft.note(Note.STONES_UNCLEAR)


def _tell_stone(draft: Draft, taken: Taken) -> None:
    draft.move(StoneDrawn(_command(taken, TellStone).colour), By.TIMEKEEPER)


def _see_cards(draft: Draft, taken: Taken) -> None:
    zone = _sensed(taken, CardsSeen)
    seen = tuple(sorted(zone.cards))
    if seen != draft.state.cards_seen:
        draft.add(CardsNoted(seen, cards.old_after(draft.state, seen)))
    if zone.unknown and draft.state.position is not None and _card_is_owed(draft):
        draft.note(Note.CARD_UNKNOWN)


def _reveal_seen_card(draft: Draft, at_ns: int) -> None:
    """Take what lies in the card zone for the card that is owed, as soon as one is."""
    fresh = cards.fresh(draft.state)
    if not fresh or not _card_is_owed(draft):
        return
    move = _card_move(draft, fresh[0], at_ns)
    if len(fresh) == 1 and draft.may(move):
        _reveal(draft, move, By.CAMERA)
    else:
        draft.note(Note.CARDS_UNCLEAR)


def _card_is_owed(draft: Draft) -> bool:
    legal = voila.legal(draft.state.game).events
    return CardRevealed in legal or BonusCardRead in legal


def _card(draft: Draft, taken: Taken) -> None:
    _reveal(draft, _card_move(draft, _command(taken, TellCard).card, taken.at_ns), By.TIMEKEEPER)


def _card_move(draft: Draft, card: str, at_ns: int) -> CardRevealed | BonusCardRead:
    bonus = voila.phase(draft.state.game) is voila.Phase.BONUS
    return BonusCardRead(card, voila.legal(draft.state.game).seat) if bonus else CardRevealed(card, at_ns)


def _reveal(draft: Draft, move: CardRevealed | BonusCardRead, by: By) -> None:
    draft.move(move, by)
    turn = draft.state.game.turn
    if turn and turn.cards and turn.cards[-1].state is CardState.IMPOSSIBLE:
        draft.note(Note.IMPOSSIBLE)


def _same_card(draft: Draft, taken: Taken) -> None:
    entry, card = amend.last_card(draft.state), _command(taken, TellCard).card
    if entry.move.card_id != card:
        amend.amend(draft, entry, CardRevealed(card, entry.move.at_ns), _by(taken))


def _tile(draft: Draft, taken: Taken) -> None:
    tile = _command(taken, LayTile).tile if isinstance(taken, Commanded) else _tile_of(taken)
    move = TileLaid(tile, taken.at_ns)
    if draft.may(move):
        draft.move(move, By.PLAYER)
    else:
        draft.note(Note.STRAY_TILE if tile is not None else Note.UNKNOWN_TILE)


def _stray_tile(draft: Draft, taken: Taken) -> None:
    """Tiles are also parts of a tower: only one that nobody knows is worth a word."""
    if _tile_of(taken) is None:
        draft.note(Note.UNKNOWN_TILE)


def _finder(draft: Draft, taken: Taken) -> None:
    draft.move(FindJudged(_command(taken, TellFinder).seat), By.TIMEKEEPER)


def _verdict(draft: Draft, taken: Taken) -> None:
    judged.take_verdict(draft, _sensed(taken, VerdictGiven))


def _judge(draft: Draft, taken: Taken) -> None:
    judged.judge(draft, _says_yes(taken))


def _overrule(draft: Draft, taken: Taken) -> None:
    judged.overrule(draft, _says_yes(taken), _by(taken))


def _pause(draft: Draft, taken: Taken) -> None:
    draft.move(TurnPaused(taken.at_ns), By.TIMEKEEPER)


def _resume(draft: Draft, taken: Taken) -> None:
    draft.move(TurnResumed(taken.at_ns), By.TIMEKEEPER)


def _replay(draft: Draft, taken: Taken) -> None:
    amend.take_turn_back(draft, _by(taken))


def _undo(draft: Draft, taken: Taken) -> None:
    amend.undo(draft, _by(taken))


def _correct(draft: Draft, taken: Taken) -> None:
    amend.correct(draft, _command(taken, Correct), _by(taken))


def _time(draft: Draft, taken: Taken) -> None:
    judged.pass_time(draft, taken.at_ns)


def _fault(draft: Draft, taken: Taken) -> None:
    part = _sensed(taken, PartFault)
    if dict(draft.state.faults).get(part.part) != part.fault:
        draft.add(FaultNoted(part.part, part.fault))


def _restart(draft: Draft, taken: Taken) -> None:
    """After another boot the clock of a running turn stands where it was last known to be."""
    restart = _sensed(taken, Restarted)
    turn = draft.state.game.turn if draft.state.position else None
    stopped = turn is not None and not restart.same_boot and turn.paused_ns is None
    if stopped and turn is not None:
        draft.move(TurnPaused(max(restart.last_ns, turn.started_ns)), By.CLOCK)
    draft.add(RestartNoted(stopped or draft.state.turn_offered))


def _button(taken: Taken) -> int:
    return taken.button if isinstance(taken, Pressed) else _command(taken, Press).button


def _tile_of(taken: Taken) -> str | None:
    return _sensed(taken, TileOnPad).tile


def _says_yes(taken: Taken) -> bool:
    return isinstance(taken, Commanded) and isinstance(taken.command, Approve)


def _by(taken: Taken) -> str:
    return taken.by if isinstance(taken, Commanded) else "device"


def _command(taken: Taken, kind: type[Wanted]) -> Wanted:
    if not isinstance(taken, Commanded) or not isinstance(taken.command, kind):
        raise TypeError(f"got {taken}, wanted the command {kind.__name__}")
    return taken.command


def _sensed(taken: Taken, kind: type[Wanted]) -> Wanted:
    if not isinstance(taken, kind):
        raise TypeError(f"got {taken}, wanted {kind.__name__}")
    return taken


_HANDLERS: dict[Do, Handler] = {
    Do.IGNORE: _ignore,
    Do.JOIN: _join,
    Do.LEAVE: _leave,
    Do.NAME: _name,
    Do.START: _start,
    Do.PRESS: _press,
    Do.KEEP_VOILA: _keep_voila,
    Do.CALL_VOILA: _call_voila,
    Do.STONES: _see_stones,
    Do.STONE: _tell_stone,
    Do.CARDS: _see_cards,
    Do.CARD: _card,
    Do.SAME_CARD: _same_card,
    Do.TILE: _tile,
    Do.STRAY_TILE: _stray_tile,
    Do.FINDER: _finder,
    Do.VERDICT: _verdict,
    Do.JUDGE: _judge,
    Do.OVERRULE: _overrule,
    Do.PAUSE: _pause,
    Do.RESUME: _resume,
    Do.REPLAY: _replay,
    Do.UNDO: _undo,
    Do.CORRECT: _correct,
    Do.TIME: _time,
    Do.FAULT: _fault,
    Do.RESTART: _restart,
}
