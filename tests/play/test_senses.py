"""Edges, tags and the board's news to the session's inputs, and up to when all is known."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pi_app.core.events import PartFault, Pressed, Sensed, TileOnPad
from pi_app.core.observations import Edge, TagRead
from pi_app.link.conversation import BoardLost, BoardNews, BoardReady, BoardRefused, BoardSilent, ReaderState
from pi_app.play.senses import Pad, Senses
from pi_app.sensing.holds import LONG_NS, STUCK_NS, HeldLong
from pi_app.sensing.order import Known
from pi_app.sensing.presses import ORDER_NS, WIDTH_NS
from pi_app.sensing.tiles import TilePad

MS = 1_000_000
CAT = "04A3C6CAE26180"


@dataclass
class Script:
    """A source whose edges, reads and news a test writes; known up to `lag_ns` ago."""

    lag_ns: int = 0
    closed: frozenset[int] = frozenset()
    waiting: list[Edge] = field(default_factory=list)
    tags: list[TagRead] = field(default_factory=list)
    told: list[BoardNews] = field(default_factory=list)
    wake: Callable[[], None] = lambda: None

    def on_edge(self, wake: Callable[[], None]) -> None:
        self.wake = wake

    def known_ns(self, now_ns: int) -> int:
        return now_ns - self.lag_ns

    def edges(self) -> list[Edge]:
        found, self.waiting = self.waiting, []
        return found

    def reads(self) -> list[TagRead]:
        found, self.tags = self.tags, []
        return found

    def news(self) -> list[BoardNews]:
        found, self.told = self.told, []
        return found

    def down(self) -> frozenset[int]:
        return self.closed


class Table:
    """Senses over scripts, and what they said."""

    def __init__(self, *buttons: Script, pad: Script | None = None) -> None:
        self.posted: list[Sensed] = []
        self.known: list[Known] = []
        self.long: list[HeldLong] = []
        followed = Pad(pad, TilePad({CAT: "cat"}, 1)) if pad else None
        self.senses = Senses(self.posted.append, self.known.append, buttons, followed, pad, held_long=self.long.append)

    def poll(self, now_ns: int) -> list[Sensed]:
        self.posted.clear()
        self.senses.poll(now_ns)
        return list(self.posted)


def test_a_press_is_posted_once_it_rested_and_until_then_is_not_known() -> None:
    buttons = Script()
    table = Table(buttons)
    buttons.waiting = [Edge(2, True, 10 * MS)]
    assert table.poll(10 * MS + WIDTH_NS - 1) == []
    assert table.known[-1].presses_ns == 10 * MS
    assert table.poll(10 * MS + WIDTH_NS) == [Pressed(2, 10 * MS)]
    assert table.known[-1] == Known(10 * MS + WIDTH_NS, 10 * MS + WIDTH_NS)


def test_a_contact_that_never_rests_holds_up_the_others_only_so_long() -> None:
    buttons = Script()
    table = Table(buttons)
    for step in range(1, 1000):
        buttons.waiting = [Edge(1, step % 2 == 1, step * MS // 5)]
        table.poll(step * MS // 5)
    assert table.known[-1].presses_ns == 999 * MS // 5 - ORDER_NS


def test_the_slowest_source_says_up_to_when_all_is_known() -> None:
    table = Table(Script(), Script(lag_ns=40 * MS), pad=Script(lag_ns=250 * MS))
    table.poll(1000 * MS)
    assert table.known[-1] == Known(960 * MS, 750 * MS)


def test_an_edge_wakes_whoever_waits() -> None:
    buttons = Script()
    table = Table(buttons)
    buttons.wake()
    table.senses.wait()
    assert not table.senses._wake.is_set()


def test_a_long_press_and_a_stuck_button_are_told_once_each() -> None:
    buttons = Script()
    table = Table(buttons)
    buttons.waiting = [Edge(3, True, 0)]
    table.poll(MS)
    table.poll(LONG_NS)
    assert table.long == [HeldLong(3, LONG_NS)]
    (stuck,) = table.poll(STUCK_NS)
    assert stuck == PartFault("button 3", "down for 10 s: stuck, or something lies on it", STUCK_NS)
    assert table.poll(2 * STUCK_NS) == []
    buttons.waiting = [Edge(3, False, 2 * STUCK_NS + 1)]
    assert table.poll(2 * STUCK_NS + MS) == [PartFault("button 3", None, 2 * STUCK_NS + 1)]


def test_a_button_that_is_down_from_the_start_joins_nobody() -> None:
    buttons = Script(closed=frozenset({2}))
    table = Table(buttons)
    assert table.poll(0) == []
    (stuck,) = table.poll(STUCK_NS)
    assert isinstance(stuck, PartFault)
    assert table.long == []
    buttons.waiting = [Edge(2, False, STUCK_NS + 1), Edge(2, True, STUCK_NS + 100 * MS)]
    assert Pressed(2, STUCK_NS + 100 * MS) in table.poll(STUCK_NS + 200 * MS)


def test_what_lies_on_the_pad_is_unknown_while_the_board_is_away() -> None:
    """SER-2: said once; a tile that is found there afterwards starts nothing, one that is laid anew does."""
    board = Script()
    table = Table(pad=board)
    board.tags = [TagRead(CAT, 5)]
    assert table.poll(10) == [TileOnPad("cat", 5)]
    board.told = [BoardLost("/dev/ttyACM0: gone", 20)]
    assert table.poll(20) == [PartFault("reader", "/dev/ttyACM0: gone", 20)]
    board.told, board.tags = [BoardReady("0.1.0", "e6", 4), ReaderState("ready")], [TagRead(CAT, 30, found=True)]
    assert table.poll(30) == [PartFault("reader", None, 30)]
    board.tags = [TagRead(None, 40), TagRead(CAT, 50)]
    assert table.poll(50) == [TileOnPad("cat", 50)]


def test_each_fault_of_the_board_has_its_words() -> None:
    board = Script()
    table = Table(pad=board)
    board.told = [BoardSilent(1), BoardRefused("the board speaks protocol 9"), ReaderState("starting")]
    board.told += [ReaderState("dead"), ReaderState("ready")]
    assert [fault.fault for fault in table.poll(7) if isinstance(fault, PartFault)] == [
        "the reader board has fallen silent",
        "the board speaks protocol 9",
        "the reader does not answer its board",
        None,
    ]
