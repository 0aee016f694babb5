"""The reader board on a serial port (pyserial): one thread owns the port, finds it again and never gives up."""

import queue
import threading
from collections.abc import Callable
from typing import TypeVar

import serial
from serial.tools import list_ports

from pi_app.core.observations import Edge, TagRead
from pi_app.core.ports import Clock
from pi_app.link.conversation import BoardLost, BoardNews, BoardSilent, Conversation, LinkEvent

RASPBERRY_PI = 0x2E8A
"""USB vendor number of the Pico boards."""
READ_S, WRITE_S = 0.02, 0.3
RETRY_S = 1.0
CHUNK = 256
TAG_LAG_NS = 250_000_000
"""A tag is told after two equal polls, stamped at the first; the firmware polls every 60 ms."""
EDGE_LAG_NS = 40_000_000
"""An edge is noted in an interrupt and told with the board's next pass."""

Find = Callable[[], str | None]
Told = TypeVar("Told")


def usb_board(serial_number: str | None = None) -> Find:
    """Return what finds the board's port: by its USB serial number, or the first Raspberry Pi board there is.

    Ports are named anew with each plugging; the serial number stays.
    """

    def find() -> str | None:
        ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
        for port in ports:
            if port.serial_number == serial_number if serial_number else port.vid == RASPBERRY_PI:
                return str(port.device)
        return None

    return find


def port_named(url: str) -> Find:
    """Return what always names this port: a device, or any URL of serial_for_url."""
    return lambda: url


class SerialBoard:
    """What the board tells, by kind: a TagSource by `reads`, its own buttons by `edges` (BoardButtons), and `news`."""

    def __init__(self, find: Find, clock: Clock, retry_s: float = RETRY_S) -> None:
        self._find, self._clock, self._retry_s = find, clock, retry_s
        self._edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self._reads: queue.SimpleQueue[TagRead] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[BoardNews] = queue.SimpleQueue()
        self._lost = False
        self._wake: Callable[[], None] = _nobody
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="reader board", daemon=True)
        self._thread.start()

    def on_edge(self, wake: Callable[[], None]) -> None:
        """Call `wake` with every edge, on the port's thread."""
        self._wake = wake

    def known_ns(self, now_ns: int) -> int:
        """Return up to when `reads` is known."""
        return now_ns - TAG_LAG_NS

    def edges(self) -> list[Edge]:
        """Return the edges of the board's own buttons since the last call, oldest first."""
        return _drained(self._edges)

    def reads(self) -> list[TagRead]:
        """Return what was placed and lifted since the last call, oldest first; a board that is lost reads nothing."""
        return _drained(self._reads)

    def news(self) -> list[BoardNews]:
        """Return what happened to the board itself since the last call: ready, refused, reader dead, silent, lost."""
        return _drained(self._news)

    def close(self) -> None:
        """Let go of the port; safe to call twice."""
        self._closed.set()
        self._thread.join(timeout=5)

    def _work(self) -> None:
        while not self._closed.is_set():
            url = self._find()
            if url is None:
                self._lose("no reader board is plugged in")
            else:
                self._use(url)
            self._closed.wait(self._retry_s)

    def _use(self, url: str) -> None:
        try:
            with serial.serial_for_url(url, baudrate=115200, timeout=READ_S, write_timeout=WRITE_S) as port:
                self._talk(port)
        except (OSError, ValueError) as error:  # pyserial's own errors are OSErrors, a bad URL is a ValueError
            self._lose(f"{url}: {error}")

    def _talk(self, port: serial.SerialBase) -> None:
        talk = Conversation()
        while not self._closed.is_set():
            data = port.read(max(1, min(port.in_waiting, CHUNK)))
            now_ns = self._clock.now_ns()
            for event in [*talk.feed(data, now_ns), *talk.poll(now_ns)]:
                self._tell(event)
            out = talk.to_send()
            if out:
                port.write(out)

    def _tell(self, event: LinkEvent) -> None:
        match event:
            case Edge():
                self._edges.put(event)
                self._wake()
            case TagRead():
                self._reads.put(event)
            case _:
                self._lost = self._lost and isinstance(event, BoardSilent)
                self._news.put(event)

    def _lose(self, why: str) -> None:
        """Say once that the board is away."""
        if not self._lost and not self._closed.is_set():
            self._lost = True
            self._news.put(BoardLost(why, self._clock.now_ns()))


class BoardButtons:
    """An EdgeSource over the board's own buttons, which are counted from `first` on."""

    def __init__(self, board: SerialBoard, first: int = 1) -> None:
        self._board, self._first = board, first

    def on_edge(self, wake: Callable[[], None]) -> None:
        """Call `wake` with every edge."""
        self._board.on_edge(wake)

    def known_ns(self, now_ns: int) -> int:
        """Return up to when the edges are known: the board does not say when there were none."""
        return now_ns - EDGE_LAG_NS

    def edges(self) -> list[Edge]:
        """Return the edges since the last call, oldest first."""
        return [Edge(edge.button + self._first - 1, edge.pressed, edge.at_ns) for edge in self._board.edges()]

    def down(self) -> frozenset[int]:
        """Return none: the board tells changes alone."""
        return frozenset()


def _nobody() -> None:
    """Wake nobody."""


def _drained(source: "queue.SimpleQueue[Told]") -> list[Told]:
    found: list[Told] = []
    while True:
        try:
            found.append(source.get_nowait())
        except queue.Empty:
            return found
