"""The simulated reader board: over its wire the host's conversation hears what lies on the pad, whatever goes wrong."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.core.clock import ManualClock
from pi_app.core.observations import TagRead
from pi_app.link.conversation import BoardNews, BoardReady, BoardRefused, BoardSilent, ReaderState
from pi_app.sim.board import SimBoard, SimReader

MS = 1_000_000
CAT, DOG = "04A3C610E26180", "04A3C611E26180"


@dataclass
class Pad:
    """A pad, its board and the host, in virtual time."""

    tag: str | None = None
    clock: ManualClock = field(default_factory=lambda: ManualClock(5_000 * MS))
    told: list[TagRead] = field(default_factory=list)
    news: list[BoardNews] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.board = SimBoard(lambda: self.tag, self.clock.ns)
        self.reader = SimReader(self.clock, self.board)
        self.wait(1500)

    def wait(self, ms: int, *, step_ms: int = 30) -> None:
        for _ in range(0, ms, step_ms):
            self.clock.ns += step_ms * MS
            self.told += self.reader.reads()
            self.news += self.reader.news()

    def tags(self) -> list[str | None]:
        return [read.tag for read in self.told]


def test_a_tile_is_told_with_the_time_at_which_it_was_laid() -> None:
    pad = Pad()
    assert any(isinstance(one, BoardReady) for one in pad.news)
    laid_ns, pad.tag = pad.clock.ns, CAT
    pad.wait(600)
    assert pad.tags() == [CAT]
    assert 0 <= pad.told[0].at_ns - laid_ns < 100 * MS
    pad.tag = None
    pad.wait(900)
    assert pad.tags() == [CAT, None]


def test_a_tag_that_is_missed_every_second_time_lies_still() -> None:
    """SER-3."""
    pad = Pad()
    pad.board.misses = True
    pad.tag = CAT
    pad.wait(5000)
    assert pad.tags() == [CAT]
    pad.tag = None
    pad.wait(900)
    assert pad.tags() == [CAT, None]


def test_a_cut_cable_is_said_and_what_lies_there_is_known_again_afterwards() -> None:
    pad = Pad()
    pad.tag = CAT
    pad.wait(900)
    pad.reader.cut = True
    pad.tag = DOG
    pad.wait(4000)
    assert pad.tags() == [CAT]
    pad.reader.cut = False
    pad.wait(2000)
    assert pad.tags() == [CAT, DOG]
    assert sum(isinstance(one, BoardReady) for one in pad.news) == 2


def test_a_board_that_only_falls_silent_is_said_once() -> None:
    pad = Pad()
    pad.board.hung = True
    pad.wait(6000)
    assert sum(isinstance(one, BoardSilent) for one in pad.news) == 1


def test_a_dead_reader_is_no_empty_pad() -> None:
    pad = Pad()
    pad.board.dead = True
    pad.wait(900)
    assert ReaderState("dead") in pad.news


def test_another_protocol_is_refused_in_words() -> None:
    pad = Pad()
    pad.board.protocol = 99
    pad.reader.cut = True
    pad.wait(60)
    pad.reader.cut = False
    pad.wait(1500)
    assert sum(isinstance(one, BoardRefused) for one in pad.news) == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.binary(max_size=90), max_size=30))
def test_noise_on_the_wire_makes_no_tile(noises: list[bytes]) -> None:
    pad = Pad()
    for noise in noises:
        pad.reader.noise = noise
        pad.wait(60)
    assert pad.told == []
