"""Buzzers, claim pad and reader board to the session's inputs."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

from pi_app.core.events import PartFault, Pressed, Sensed, TileOnPad
from pi_app.core.ports import EdgeSource, TagSource
from pi_app.link.conversation import BoardLost, BoardNews, BoardReady, BoardRefused, BoardSilent, ClocksMet, ReaderState
from pi_app.sensing.holds import STUCK_NS, Freed, HeldLong, Hold, HoldWatch, Stuck
from pi_app.sensing.order import Known
from pi_app.sensing.presses import ORDER_NS, WIDTH_NS, Debouncer
from pi_app.sensing.tiles import TilePad, TilePlaced

POLL_S = 0.005
READER = "reader"

Post = Callable[[Sensed], None]


class Board(Protocol):
    """What tells how the reader board is: adapters.board_serial.SerialBoard."""

    def news(self) -> list[BoardNews]:
        """Return what happened to it since the last call."""
        ...


@dataclass(frozen=True)
class Pad:
    """The claim pad: its reader, and who follows what lies on it."""

    source: TagSource
    tiles: TilePad


def _nothing(_: object) -> None:
    """Tell nobody."""


class Senses:
    """Polls all of them; `poll` is called by one thread, as often as that thread likes: times come from the sources.

    `sensed_until` hears after every poll up to when all is known; `held_long` hears of long presses.
    """

    def __init__(
        self,
        post: Post,
        sensed_until: Callable[[Known], None] = _nothing,
        buttons: Sequence[EdgeSource] = (),
        pad: Pad | None = None,
        board: Board | None = None,
        held_long: Callable[[HeldLong], None] = _nothing,
        width_ns: int = WIDTH_NS,
    ) -> None:
        self._post, self._sensed_until, self._held_long = post, sensed_until, held_long
        self._buttons, self._pad, self._board = buttons, pad, board
        self._debouncer, self._holds = Debouncer(width_ns=width_ns), HoldWatch()
        self._wake = threading.Event()
        self._begun = False
        for source in buttons:
            source.on_edge(self._wake.set)

    def wait(self) -> None:
        """Wait for an edge, or until it is time to poll again."""
        if self._wake.wait(POLL_S if self._debouncer.first_open_ns is None else self._debouncer.width_ns / 1e9):
            self._wake.clear()

    def poll(self, now_ns: int) -> None:
        """Post what has been sensed since the last call, then say up to when that is all."""
        if not self._begun:
            self._begin(now_ns)
        presses_ns = min((source.known_ns(now_ns) for source in self._buttons), default=now_ns)
        tiles_ns = self._pad.source.known_ns(now_ns) if self._pad else now_ns
        self._feel(presses_ns)
        self._read_pad()
        self._hear_of_board(now_ns)
        open_ns = self._debouncer.first_open_ns
        if open_ns is not None:
            presses_ns = max(min(presses_ns, open_ns), presses_ns - ORDER_NS)
        self._sensed_until(Known(presses_ns, tiles_ns))

    def _begin(self, now_ns: int) -> None:
        """Take buttons that are down from the start for no press."""
        self._begun = True
        for button in sorted(button for source in self._buttons for button in source.down()):
            self._debouncer.rest_down(button, now_ns)
            self._holds.rest_down(button, now_ns)

    def _feel(self, known_ns: int) -> None:
        edges = sorted((edge for source in self._buttons for edge in source.edges()), key=lambda edge: edge.at_ns)
        changes = [press for edge in edges for press in self._debouncer.feed(edge)]
        for press in [*changes, *self._debouncer.settle(known_ns)]:
            if press.pressed:
                self._post(Pressed(press.button, press.at_ns))
            self._tell(self._holds.feed(press))
        self._tell(self._holds.settle(known_ns))

    def _tell(self, holds: list[Hold]) -> None:
        for hold in holds:
            match hold:
                case HeldLong():
                    self._held_long(hold)
                case Stuck(button, at_ns):
                    why = f"down for {STUCK_NS / 1e9:.0f} s: stuck, or something lies on it"
                    self._post(PartFault(f"button {button}", why, at_ns))
                case Freed(button, at_ns):
                    self._post(PartFault(f"button {button}", None, at_ns))
                case _:
                    assert_never(hold)

    def _read_pad(self) -> None:
        if self._pad is None:
            return
        for read in self._pad.source.reads():
            for change in self._pad.tiles.feed(read):
                if isinstance(change, TilePlaced):
                    self._post(TileOnPad(change.tile, change.at_ns))

    def _hear_of_board(self, now_ns: int) -> None:
        for news in self._board.news() if self._board else ():
            said, why = _said(news)
            if why is not None and self._pad is not None:
                self._pad.tiles.forget()
            if said:
                self._post(PartFault(READER, why, now_ns))


def _said(news: BoardNews) -> tuple[bool, str | None]:
    """Return whether the news is worth a word, and what is wrong: then what lies on the pad is unknown."""
    match news:
        case BoardLost(why) | BoardRefused(why):
            return True, why
        case BoardSilent():
            return True, "the reader board has fallen silent"
        case ReaderState("dead"):
            return True, "the reader does not answer its board"
        case ReaderState("ready"):
            return True, None
        case BoardReady() | ClocksMet() | ReaderState():
            return False, None
        case _:
            assert_never(news)
