"""The engine: three pure functions and no clock, file or random source.

    decide(state, input) -> events      evolve(state, event) -> state      react(event, state) -> effects

The state is the fold of all events. `opening` is the first event of every session.
"""

from collections.abc import Iterable

from pi_app.games.voila import CardKind, Settings
from pi_app.session.decide import decide
from pi_app.session.draft import Refused
from pi_app.session.events import SessionEvent, SessionOpened
from pi_app.session.evolve import evolve
from pi_app.session.options import Options
from pi_app.session.phases import Phase, Unexpected
from pi_app.session.react import react
from pi_app.session.state import State, phase_of

__all__ = ["Phase", "Refused", "State", "Unexpected", "decide", "evolve", "fold", "opening", "phase_of", "react"]


def opening(options: Options, settings: Settings, deck: tuple[CardKind, ...]) -> SessionOpened:
    """Return the first event of a session."""
    return SessionOpened(options, settings, deck)


def fold(events: Iterable[SessionEvent], state: State | None = None) -> State:
    """Return the state after all events."""
    state = State() if state is None else state
    for event in events:
        state = evolve(state, event)
    return state
