"""Sessions of Voilà!: begin one, go on with one, read one again."""

from collections.abc import Sequence
from pathlib import Path

from pi_app.core.ports import Clock
from pi_app.games.voila import CardKind, Settings
from pi_app.session import sessions
from pi_app.session.journal import Record
from pi_app.session.runner import Runner, WallClock, wall_time
from pi_app.session.voila.engine import FLOW, opening
from pi_app.session.voila.options import Options
from pi_app.session.voila.state import State
from pi_app.session.voila.view import PublicView

VoilaRunner = Runner[State, PublicView]


def start_session(
    path: Path,
    clock: Clock,
    deck: tuple[CardKind, ...],
    options: Options | None = None,
    settings: Settings | None = None,
    wall: WallClock = wall_time,
) -> VoilaRunner:
    """Begin a session with a new journal at `path`; UserError where it exists or cannot be written."""
    opened = opening(options or Options(), settings or Settings(), deck)
    return sessions.start_session(path, clock, FLOW, opened, wall)


def resume_session(path: Path, clock: Clock, wall: WallClock = wall_time) -> VoilaRunner:
    """Go on with the session of a journal; see `pi_app.session.sessions`."""
    return sessions.resume_session(path, clock, FLOW, wall)


def state_of(path: Path, records: Sequence[Record]) -> State:
    """Return the state a journal's records fold to; UserError names the first that does not fit."""
    return sessions.state_of(path, records, FLOW)


def check_decisions(path: Path, records: Sequence[Record]) -> State:
    """Decide every input of a journal again; UserError names the first that would now be decided otherwise."""
    return sessions.check_decisions(path, records, FLOW)


def read_session(path: Path) -> list[Record]:
    """Return a journal's records without writing to it; UserError as for `resume_session`."""
    return sessions.read_session(path, FLOW)
