"""The firmware on the real MicroPython interpreter: its parts by themselves, and the whole over a pseudo terminal."""

import os
import pty
import select
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from pi_app.adapters.board_serial import SerialBoard, port_named, usb_board
from pi_app.core.clock import SystemClock
from pi_app.link.conversation import BoardLost, BoardNews, BoardReady, ClocksMet, ReaderState
from pi_app.link.framing import format_frame
from pi_app.link.messages import Hello, format_message
from pi_app.link.wire import PROTOCOL

ROOT = Path(__file__).parents[2]
MICROPYTHON = Path(sys.executable).with_name("micropython")
PLACES = (ROOT / "firmware", ROOT / "pi_app" / "link", Path(__file__).parent / "board")
ENVIRONMENT = {**os.environ, "MICROPYPATH": ":".join(map(str, PLACES))}
BOARD = Path(__file__).parent / "board"
TILE, OTHER = "04A3C6CAE26180", "04A3C6CBE26180"
PATIENCE_S = 8.0
MS = 1_000_000
Told = TypeVar("Told")


def test_the_parts_by_themselves() -> None:
    command = [str(MICROPYTHON), str(BOARD / "check_units.py"), str(ROOT / "tests" / "vectors" / "wire.json")]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok check_") == 8


@dataclass
class Rig:
    """A board that runs, its port, and a line to what happens at its table."""

    port: str
    control: int
    process: subprocess.Popen[bytes]

    def do(self, what: str) -> int:
        """Let something happen; return how many passes the board has made."""
        os.write(self.control, f"{what}\n".encode())
        answer = b""
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([self.control], [], [], PATIENCE_S)
            assert ready, "the board's loop stands"
            answer += os.read(self.control, 64)
        return int(answer.split()[1])


@contextmanager
def running_board() -> Iterator[Rig]:
    """Run the firmware with the master's end of a terminal as its USB port."""
    ends = (serial, serial_slave, control, control_slave) = (*pty.openpty(), *pty.openpty())
    for end in (serial_slave, control_slave):
        tty.setraw(end)
    command = [str(MICROPYTHON), str(BOARD / "run_board.py"), os.ttyname(control_slave)]
    process = subprocess.Popen(command, env=ENVIRONMENT, stdin=serial, stdout=serial)
    try:
        yield Rig(os.ttyname(serial_slave), control, process)
    finally:
        process.kill()
        process.wait()
        for end in ends:
            os.close(end)


@pytest.fixture
def rig() -> Iterator[Rig]:
    with running_board() as running:
        yield running


@pytest.fixture
def board(rig: Rig) -> Iterator[SerialBoard]:
    host = SerialBoard(port_named(rig.port), SystemClock(), retry_s=0.05)
    yield host
    host.close()


def until(look: Callable[[], list[Told]], wanted: int = 1) -> list[Told]:
    """Return what is told once there is so much of it."""
    found: list[Told] = []
    give_up_s = time.monotonic() + PATIENCE_S
    while len(found) < wanted:
        assert time.monotonic() < give_up_s, found
        found += look()
    return found


def told(board: SerialBoard, wanted: BoardNews) -> list[BoardNews]:
    """Return the news up to that wanted."""
    found: list[BoardNews] = []
    while wanted not in found:
        found += until(board.news)
    return found


def met(board: SerialBoard) -> list[BoardNews]:
    """Return the news up to the meeting of the clocks and the first state of the reader."""
    found = told(board, ReaderState("ready"))
    while not any(isinstance(one, ClocksMet) for one in found):
        found += until(board.news)
    return found


def test_tiles_and_presses_arrive_with_the_time_they_were_sensed(rig: Rig, board: SerialBoard) -> None:
    assert met(board)[0] == BoardReady("0.1.0", "e6614c311b7a2f28", 4)
    before_ns = time.monotonic_ns()
    rig.do(f"place {TILE}")
    (placed,) = until(board.reads)
    assert placed.tag == TILE
    assert before_ns - MS <= placed.at_ns <= time.monotonic_ns()
    rig.do("lift")
    assert [read.tag for read in until(board.reads)] == [None]
    rig.do("press 2")
    rig.do("release 2")
    assert [(edge.button, edge.pressed) for edge in until(board.edges, 2)] == [(2, True), (2, False)]


def test_a_reader_that_dies_is_no_empty_pad_and_comes_back(rig: Rig, board: SerialBoard) -> None:
    met(board)
    rig.do(f"place {TILE}")
    assert [read.tag for read in until(board.reads)] == [TILE]
    rig.do("dead")
    told(board, ReaderState("dead"))
    rig.do("alive")
    assert [read.tag for read in until(board.reads, 2)] == [None, TILE]
    told(board, ReaderState("ready"))
    rig.do("brownout")
    rig.do(f"place {OTHER}")
    assert [read.tag for read in until(board.reads, 2)] == [None, OTHER]


def test_a_host_that_does_not_read_stops_nothing(rig: Rig) -> None:
    """SER-5: the terminal's room fills up, the board's loop runs on, and then tells what is so."""
    first = rig.do("lift")
    for _ in range(200):
        rig.do("press 1")
    rig.do(f"place {TILE}")
    assert rig.do("lift") > first + 200
    rig.do(f"place {OTHER}")
    host = SerialBoard(port_named(rig.port), SystemClock())
    try:
        assert [read.tag for read in until(host.reads)][-1] == OTHER
    finally:
        host.close()


def test_a_board_that_is_unplugged_is_found_again_and_no_descriptor_is_left() -> None:
    """SER-2: the board comes back under another name."""
    plugged: list[str] = []
    host = SerialBoard(lambda: plugged[0] if plugged else None, SystemClock(), retry_s=0.002)
    assert [type(one) for one in until(host.news)] == [BoardLost]
    hello = format_frame(format_message(Hello(PROTOCOL, 0, 1, 0, 4, bytes(8), 0)))
    open_at_first = 0
    for _ in range(50):
        master, slave = pty.openpty()
        tty.setraw(slave)
        plugged[:] = [os.ttyname(slave)]
        assert select.select([master], [], [], PATIENCE_S)[0], "the host asks"
        os.write(master, hello)
        assert [type(one) for one in until(host.news)] == [BoardReady]
        plugged.clear()
        os.close(slave)
        os.close(master)
        assert [type(one) for one in until(host.news)] == [BoardLost]
        open_at_first = open_at_first or descriptors()
    assert descriptors() <= open_at_first
    host.close()


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_the_board_is_found_by_its_serial_number(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [
        Port("/dev/ttyACM1", 0x1234, "F00"),
        Port("/dev/ttyACM0", 0x2E8A, "E66"),
        Port("/dev/ttyACM2", 0x2E8A, "A11"),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    assert usb_board("A11")() == "/dev/ttyACM2"
    assert usb_board()() == "/dev/ttyACM0"
    assert usb_board("B22")() is None


@dataclass
class Port:
    """What list_ports tells of a port."""

    device: str
    vid: int
    serial_number: str
