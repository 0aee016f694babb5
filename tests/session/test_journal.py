"""The journal file: order, durability, and files that are no journals."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.core.codec import Codec
from pi_app.core.errors import UserError
from pi_app.core.events import Pressed, Tick
from pi_app.session.journal import Journal, Moment, create_journal, open_journal, read_journal

CODEC = Codec({"Pressed": Pressed, "Tick": Tick})


def _journal(path: Path, records: int = 3) -> Journal:
    journal = create_journal(path, CODEC)
    for number in range(records):
        journal.append(Moment(number * 10, "boot"), "2026-01-01T00:00:00Z", Pressed(1, number * 10), (Tick(number),))
    return journal


def test_records_come_back_in_order(tmp_path: Path) -> None:
    _journal(tmp_path / "a.journal").close()
    journal = open_journal(tmp_path / "a.journal", CODEC)
    assert [(record.number, record.input, record.events) for record in journal.records()] == [
        (1, Pressed(1, 0), (Tick(0),)),
        (2, Pressed(1, 10), (Tick(1),)),
        (3, Pressed(1, 20), (Tick(2),)),
    ]
    assert journal.append(Moment(30, "boot"), "", Tick(30), ()).number == 4
    journal.close()
    journal.close()


def test_it_can_be_read_while_it_is_written_and_without_leave_to_write(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    journal = _journal(path)
    assert len(read_journal(path, CODEC)) == 3
    journal.close()
    path.chmod(0o400)
    assert [record.number for record in read_journal(path, CODEC)] == [1, 2, 3]


def test_the_last_moment_is_that_of_the_beat_on_the_same_boot(tmp_path: Path) -> None:
    journal = create_journal(tmp_path / "a.journal", CODEC)
    assert journal.last_moment() is None
    journal.append(Moment(100, "first"), "", Tick(100), ())
    journal.beat(Moment(150, "first"))
    assert journal.last_moment() == Moment(150, "first")
    journal.append(Moment(7, "second"), "", Tick(7), ())
    assert journal.last_moment() == Moment(7, "second")
    journal.close()


def test_a_journal_is_never_overwritten(tmp_path: Path) -> None:
    _journal(tmp_path / "a.journal").close()
    with pytest.raises(UserError, match="got a file that exists"):
        create_journal(tmp_path / "a.journal", CODEC)


def _foreign_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (x)")
    connection.commit()
    connection.close()


def _newer(path: Path) -> None:
    _journal(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def _long(path: Path) -> None:
    _journal(path, records=1).close()
    connection = sqlite3.connect(path)
    connection.executemany("INSERT INTO record VALUES (?, 0, '', '', ?, '')", [(n, "x" * 90) for n in range(2, 300)])
    connection.commit()
    connection.close()


def _damaged(path: Path) -> None:
    _long(path)
    data = bytearray(path.read_bytes())
    data[8192:12288] = b"\xff" * 4096
    path.write_bytes(bytes(data))


def _cut(path: Path) -> None:
    _long(path)
    path.write_bytes(path.read_bytes()[:6000])


def _hole(path: Path) -> None:
    _journal(path).close()
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM record WHERE number = 2")
    connection.commit()
    connection.close()


def _strange_record(path: Path) -> None:
    _journal(path).close()
    connection = sqlite3.connect(path)
    connection.execute("""UPDATE record SET input = '{"kind":"Dance","v":1}' WHERE number = 2""")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "got no such file, wanted a journal"),
        (Path.mkdir, "got no such file, wanted a journal"),
        (lambda path: path.write_bytes(b""), "got a database of another program"),
        (lambda path: path.write_bytes(b"\0" * 5000), "the journal cannot be used: file is not a database"),
        (lambda path: path.write_text("score: 7"), "the journal cannot be used: file is not a database"),
        (_foreign_database, "got a database of another program, wanted a journal"),
        (_newer, "got journal format 99, wanted at most 1; a newer program wrote it"),
        (_damaged, "journal"),
        (_cut, "journal"),
        (_hole, "got record 3, wanted record 2"),
        (_strange_record, "record 2: got the unknown kind 'Dance'"),
    ],
)
def test_what_is_no_journal_is_named_in_one_line(tmp_path: Path, make: object, message: str) -> None:
    path = tmp_path / "a.journal"
    make(path)  # type: ignore[operator]
    with pytest.raises(UserError, match=message) as caught, closing(open_journal(path, CODEC)) as journal:
        list(journal.records())
    assert "\n" not in str(caught.value)
    assert "a.journal" in str(caught.value)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the journal cannot be used: unable to open database file"):
        create_journal(tmp_path / "none" / "a.journal", CODEC)


def test_a_write_that_fails_is_told(tmp_path: Path) -> None:
    """A second writer holds the file: nothing is half-written."""
    path = tmp_path / "a.journal"
    journal = _journal(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    journal.patience(0.0)
    with pytest.raises(UserError, match="database is locked"):
        journal.append(Moment(40, "boot"), "", Tick(40), ())
    other.execute("ROLLBACK")
    assert journal.append(Moment(40, "boot"), "", Tick(40), ()).number == 4
    journal.close()
    other.close()
