"""Journal files to sessions of any game: begin one, go on with one, read one again."""

from collections.abc import Sequence
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.core.events import Restarted, Tick
from pi_app.core.ports import Clock
from pi_app.session.flow import Flow, StateT, ViewT
from pi_app.session.journal import Moment, Record, create_journal, open_journal, read_journal
from pi_app.session.runner import Runner, WallClock, wall_time

UNKNOWN_BOOT = "unknown"
"""A boot without a name is like no other."""


def start_session(
    path: Path, clock: Clock, flow: Flow[StateT, ViewT], opened: object, wall: WallClock = wall_time
) -> Runner[StateT, ViewT]:
    """Begin a session with a new journal at `path`; UserError where it exists or cannot be written."""
    journal = create_journal(path, flow.codec)
    now_ns = clock.now_ns()
    journal.append(Moment(now_ns, clock.boot_id()), wall(), Tick(now_ns), (opened,))
    return Runner(journal, clock, flow, flow.fold([opened]), wall)


def resume_session(
    path: Path, clock: Clock, flow: Flow[StateT, ViewT], wall: WallClock = wall_time
) -> Runner[StateT, ViewT]:
    """Go on with the session of a journal; UserError where it is none, is broken or cannot be written.

    On the same boot everything stands, deadlines included; after another boot a running turn is offered to be
    replayed or continued. Questions to the camera are asked again with the next step.
    """
    journal = open_journal(path, flow.codec)
    try:
        state = state_of(path, list(journal.records()), flow)
        last = journal.last_moment()
    except UserError:
        journal.close()
        raise
    runner = Runner(journal, clock, flow, state, wall)
    same_boot = last is not None and last.boot == clock.boot_id() != UNKNOWN_BOOT
    runner.post(Restarted(same_boot, last.at_ns if last else 0, clock.now_ns()))
    return runner


def state_of(path: Path, records: Sequence[Record], flow: Flow[StateT, ViewT]) -> StateT:
    """Return the state a journal's records fold to; UserError names the first that does not fit."""
    if not records or not _opens(records[0], flow):
        raise UserError(f"{path}: got a journal without its first record, wanted an opened session")
    state = flow.before
    for record in records:
        try:
            state = flow.fold(record.events, state)
        except flow.misfits as error:
            raise UserError(f"{path}: record {record.number} does not fit those before it: {error}") from None
    return state


def check_decisions(path: Path, records: Sequence[Record], flow: Flow[StateT, ViewT]) -> StateT:
    """Decide every input of a journal again; UserError names the first that would now be decided otherwise."""
    state = flow.fold(records[0].events) if records else flow.before
    for record in records[1:]:
        events = flow.decide(state, record.input)
        if events != record.events:
            raise UserError(f"{path}: record {record.number}: got {record.events}, wanted {events}")
        state = flow.fold(events, state)
    return state


def read_session(path: Path, flow: Flow[StateT, ViewT]) -> list[Record]:
    """Return a journal's records without writing to it; UserError as for `resume_session`."""
    records = read_journal(path, flow.codec)
    state_of(path, records, flow)
    return records


def _opens(record: Record, flow: Flow[StateT, ViewT]) -> bool:
    return isinstance(record.events[0], flow.opens) if record.events else False
