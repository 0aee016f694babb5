"""Journal files to sessions: begin one, go on with one, read one again."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from pi_app.core.errors import UserError
from pi_app.core.events import Restarted, Tick
from pi_app.core.ports import Clock
from pi_app.games.voila import CardKind, IllegalCorrection, IllegalMove, Settings
from pi_app.session.engine import State, decide, fold, opening
from pi_app.session.events import SessionEvent, SessionOpened
from pi_app.session.journal import Moment, Record, create_journal, open_journal, read_journal
from pi_app.session.kinds import CODEC
from pi_app.session.options import Options
from pi_app.session.phases import Taken
from pi_app.session.runner import Runner, WallClock, wall_time

UNKNOWN_BOOT = "unknown"
"""A boot without a name is like no other."""


def start_session(
    path: Path,
    clock: Clock,
    deck: tuple[CardKind, ...],
    options: Options | None = None,
    settings: Settings | None = None,
    wall: WallClock = wall_time,
) -> Runner:
    """Begin a session with a new journal at `path`; UserError where it exists or cannot be written."""
    journal = create_journal(path, CODEC)
    opened = opening(options or Options(), settings or Settings(), deck)
    now_ns = clock.now_ns()
    journal.append(Moment(now_ns, clock.boot_id()), wall(), Tick(now_ns), (opened,))
    return Runner(journal, clock, fold([opened]), wall)


def resume_session(path: Path, clock: Clock, wall: WallClock = wall_time) -> Runner:
    """Go on with the session of a journal; UserError where it is none, is broken or cannot be written.

    On the same boot everything stands, deadlines included; after another boot a running turn is offered to be
    replayed or continued. Questions to the camera are asked again with the next step.
    """
    journal = open_journal(path, CODEC)
    try:
        state = state_of(path, list(journal.records()))
        last = journal.last_moment()
    except UserError:
        journal.close()
        raise
    runner = Runner(journal, clock, state, wall)
    same_boot = last is not None and last.boot == clock.boot_id() != UNKNOWN_BOOT
    runner.post(Restarted(same_boot, last.at_ns if last else 0, clock.now_ns()))
    return runner


def state_of(path: Path, records: Sequence[Record]) -> State:
    """Return the state a journal's records fold to; UserError names the first that does not fit."""
    if not records or not _opens(records[0]):
        raise UserError(f"{path}: got a journal without its first record, wanted an opened session")
    state = State()
    for record in records:
        try:
            state = fold(cast("tuple[SessionEvent, ...]", record.events), state)
        except (IllegalMove, IllegalCorrection, ValueError, UserError) as error:
            raise UserError(f"{path}: record {record.number} does not fit those before it: {error}") from None
    return state


def check_decisions(path: Path, records: Sequence[Record]) -> State:
    """Decide every input of a journal again; UserError names the first that would now be decided otherwise."""
    state = fold(cast("tuple[SessionEvent, ...]", records[0].events)) if records else State()
    for record in records[1:]:
        events = decide(state, cast("Taken", record.input))
        if events != record.events:
            raise UserError(f"{path}: record {record.number}: got {record.events}, wanted {events}")
        state = fold(events, state)
    return state


def read_session(path: Path) -> list[Record]:
    """Return a journal's records without writing to it; UserError as for `resume_session`."""
    records = read_journal(path, CODEC)
    state_of(path, records)
    return records


def _opens(record: Record) -> bool:
    return isinstance(record.events[0], SessionOpened) if record.events else False
