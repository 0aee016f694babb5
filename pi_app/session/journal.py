"""The session's journal: one SQLite file (WAL), one record an input and the events it caused.

A record is committed, and flushed to the disk, before any effect of it is carried out: a crash may repeat a beep, never
lose or halve a move. Times are monotonic nanoseconds of the boot named beside them; wall time is for people alone.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pi_app.core.codec import Codec, CodecError
from pi_app.core.errors import UserError

APPLICATION_ID = 0x56554D50
"""Marks the file as a journal of this program (SQLite's application_id)."""

FORMAT = 1
"""Version of the tables (SQLite's user_version); events have versions of their own in the codec."""

_TABLES = """
CREATE TABLE record (
    number INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL,
    input TEXT NOT NULL, events TEXT NOT NULL
) STRICT;
CREATE TABLE beat (only INTEGER PRIMARY KEY CHECK (only = 1), at_ns INTEGER NOT NULL, boot TEXT NOT NULL) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Record:
    """One input and the events it caused; numbers count from 1."""

    number: int
    at_ns: int
    boot: str
    wall: str
    input: object
    events: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A time on one boot's monotonic clock."""

    at_ns: int
    boot: str


class Journal:
    """An open journal; made by `create_journal` or `open_journal`, used by one thread at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection, codec: Codec, held: int | None = None) -> None:
        """`held` is the descriptor whose lock keeps other programs from going on with the same game."""
        self.path = path
        self._connection = connection
        self._held = held
        self._codec = codec
        with _as_user_error(path):
            (self._number,) = connection.execute("SELECT coalesce(max(number), 0) FROM record").fetchone()

    def __len__(self) -> int:
        return int(self._number)

    def append(self, moment: Moment, wall: str, taken: object, events: tuple[object, ...]) -> Record:
        """Write and flush one record; UserError where the disk refuses."""
        record = Record(len(self) + 1, moment.at_ns, moment.boot, wall, taken, events)
        row = (
            record.number,
            record.at_ns,
            record.boot,
            wall,
            self._codec.encode(taken),
            self._codec.encode_all(events),
        )
        with _as_user_error(self.path), self._connection:
            self._connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)", row)
        self._number = record.number
        return record

    def beat(self, moment: Moment) -> None:
        """Note that the program was alive, so that after a power cut the clock stands at most one beat back."""
        with _as_user_error(self.path), self._connection:
            self._connection.execute("INSERT OR REPLACE INTO beat VALUES (1, ?, ?)", (moment.at_ns, moment.boot))

    def last_moment(self) -> Moment | None:
        """Return the last time this journal knows of, or None where it is empty."""
        with _as_user_error(self.path):
            last = self._connection.execute("SELECT at_ns, boot FROM record ORDER BY number DESC LIMIT 1").fetchone()
            beat = self._connection.execute("SELECT at_ns, boot FROM beat").fetchone()
        if last is None:
            return None
        at_ns, boot = last
        return Moment(max(at_ns, beat[0]) if beat is not None and beat[1] == boot else at_ns, boot)

    def records(self) -> Iterator[Record]:
        """Yield every record in order; UserError names the first that cannot be read."""
        wanted = 0
        with _as_user_error(self.path):
            for row in self._connection.execute("SELECT * FROM record ORDER BY number"):
                wanted += 1
                yield self._record(row, wanted)

    def patience(self, seconds: float) -> None:
        """Set how long a write waits for another program that holds the file; one second at first."""
        self._connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._connection.close()
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _record(self, row: tuple[int, int, str, str, str, str], wanted: int) -> Record:
        number, at_ns, boot, wall, taken, events = row
        if number != wanted:
            raise UserError(f"{self.path}: got record {number}, wanted record {wanted}")
        try:
            return Record(number, at_ns, boot, wall, self._codec.decode(taken), self._codec.decode_all(events))
        except CodecError as error:
            raise UserError(f"{self.path}: record {number}: {error}") from None


def create_journal(path: Path, codec: Codec) -> Journal:
    """Make a new journal; UserError where the file exists or cannot be written."""
    if path.exists():
        raise UserError(f"{path}: got a file that exists, wanted the name of a new journal")
    marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
    with (
        _as_user_error(path),
        _closed_on_error(sqlite3.connect(path, isolation_level="IMMEDIATE", check_same_thread=False)) as connection,
    ):
        _make_durable(connection)
        connection.executescript(f"BEGIN; {_TABLES} {marks} COMMIT;")
        return Journal(path, connection, codec, _hold(path))


def open_journal(path: Path, codec: Codec) -> Journal:
    """Open a journal to go on with it; UserError where it is missing, foreign, broken or not writable."""
    _check(path)
    with (
        _as_user_error(path),
        _closed_on_error(sqlite3.connect(path, isolation_level="IMMEDIATE", check_same_thread=False)) as connection,
    ):
        held = _hold(path)
        try:
            _make_durable(connection)
            if connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise UserError(f"{path}: got a damaged journal, wanted a whole one")
            return Journal(path, connection, codec, held)
        except BaseException:
            os.close(held)
            raise


def _hold(path: Path) -> int:
    """Lock the file for this program; UserError where another one goes on with it.

    The lock is flock's, which is apart from SQLite's own locks and ends with the process whatever way it ends.
    """
    held = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise UserError(f"{path}: in use by another umpire, wanted a journal that nobody plays from") from None
    return held


def read_journal(path: Path, codec: Codec) -> list[Record]:
    """Return all records without writing anything; UserError as for `open_journal`."""
    _check(path)
    with _as_user_error(path), _closed_on_error(_read_only(path)) as connection:
        records = list(Journal(path, connection, codec).records())
        connection.close()
        return records


def _make_durable(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA busy_timeout = 1000")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _check(path: Path) -> None:
    """Refuse a file that is not ours before anything is written to it."""
    if not path.is_file():
        raise UserError(f"{path}: got no such file, wanted a journal")
    with _as_user_error(path), closing(_read_only(path)) as connection:
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    if mark != APPLICATION_ID:
        raise UserError(f"{path}: got a database of another program, wanted a journal")
    if not 1 <= version <= FORMAT:
        raise UserError(f"{path}: got journal format {version}, wanted at most {FORMAT}; a newer program wrote it")


def _read_only(path: Path) -> sqlite3.Connection:
    """Open without leave to write; a file that nobody writes needs no shared memory beside it."""
    alone = not path.with_name(f"{path.name}-wal").exists()
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if alone else ''}", uri=True)


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


@contextmanager
def _as_user_error(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise UserError(f"{path}: the journal cannot be used: {error}") from None
    except OSError as error:
        raise UserError(f"{path}: the journal cannot be used: {error.strerror or error}") from None
