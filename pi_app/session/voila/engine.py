"""Voilà!'s flow, and the first event of its sessions."""

from pi_app.core.errors import UserError
from pi_app.games import voila
from pi_app.games.voila import CardKind, IllegalCorrection, IllegalMove, Settings, TimeUp
from pi_app.session.flow import Due, Flow
from pi_app.session.voila.decide import decide
from pi_app.session.voila.events import SessionOpened
from pi_app.session.voila.evolve import evolve
from pi_app.session.voila.kinds import CODEC
from pi_app.session.voila.options import Options
from pi_app.session.voila.react import react
from pi_app.session.voila.show import public_view
from pi_app.session.voila.state import State
from pi_app.session.voila.view import PublicView


def opening(options: Options, settings: Settings, deck: tuple[CardKind, ...]) -> SessionOpened:
    """Return the first event of a session."""
    return SessionOpened(options, settings, deck)


def due(state: State) -> Due | None:
    """Return when time alone changes something: a turn ends by presses alone, a claim by a tile, too."""
    move = voila.due(state.position) if state.position else None
    return Due(move.at_ns, by_tile=not isinstance(move, TimeUp)) if move else None


def runs(state: State) -> bool:
    """Return whether a turn's time runs."""
    turn = state.position.turn if state.position else None
    return turn is not None and turn.paused_ns is None


FLOW: Flow[State, PublicView] = Flow(
    CODEC,
    SessionOpened,
    State(),
    decide,
    evolve,
    react,
    due,
    runs,
    public_view,
    misfits=(IllegalMove, IllegalCorrection, ValueError, UserError),
)
