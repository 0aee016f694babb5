"""Both ends talk here without a port: the board of these tests says what the table of the wire allows."""

from dataclasses import dataclass, field

from pi_app.core.observations import Edge, TagRead
from pi_app.link.conversation import (
    BoardReady,
    BoardRefused,
    BoardSilent,
    ClocksMet,
    Conversation,
    LinkEvent,
    ReaderState,
)
from pi_app.link.framing import Deframer, format_frame
from pi_app.link.messages import (
    Acknowledge,
    AskTime,
    Button,
    Hello,
    Message,
    State,
    TagLifted,
    TagPlaced,
    ToldTime,
    format_message,
    parse_message,
    tag_fields,
)
from pi_app.link.wire import PROTOCOL

MS = 1_000_000
TILE, OTHER = "04A3C6CAE26180", "04A3C6CBE26180"
UP_US = 7_000_000
"""What the board's clock reads at the host's time 0."""


@dataclass
class Board:
    """A board whose clock is the host's, started some seconds earlier."""

    talk: Conversation = field(default_factory=Conversation)
    now_ns: int = 0
    heard: list[Message] = field(default_factory=list)
    told: list[LinkEvent] = field(default_factory=list)
    frames: Deframer = field(default_factory=Deframer)
    dead: bool = False

    def up_us(self) -> int:
        return UP_US + self.now_ns // 1000

    def say(self, *messages: Message) -> None:
        self.told += self.talk.feed(b"".join(format_frame(format_message(one)) for one in messages), self.now_ns)

    def wait(self, ms: int) -> None:
        """Let time pass; the board answers what it is asked within the same millisecond."""
        for _ in range(ms):
            self.now_ns += MS
            self.told += self.talk.poll(self.now_ns)
            for body in self.frames.feed(self.talk.to_send()):
                message = parse_message(body)
                self.heard.append(message)
                if isinstance(message, AskTime) and not self.dead:
                    self.say(ToldTime(message.token, self.up_us()))

    def place(self, event: int, tag: str, ago_ms: int = 0) -> None:
        self.say(TagPlaced(event, *tag_fields(tag), self.up_us() - 1000 * ago_ms))

    def state(self, tag: str | None, event: int, reader: int = 1) -> None:
        self.say(State(reader, event, *tag_fields(tag), 0, self.up_us()))


def met() -> Board:
    board = Board()
    board.say(Hello(PROTOCOL, 0, 1, 0, 4, bytes(8), board.up_us()))
    board.wait(300)
    board.state(None, 0)
    board.told.clear()
    return board


def test_a_board_is_asked_until_it_says_hello_and_then_for_its_time() -> None:
    board = Board()
    board.wait(1200)
    assert [message.NAME for message in board.heard] == ["ask_hello"] * 3
    board.say(Hello(PROTOCOL, 1, 2, 3, 4, bytes.fromhex("e6614c311b7a2f28"), board.up_us()))
    board.wait(300)
    assert board.told == [BoardReady("1.2.3", "e6614c311b7a2f28", 4), ClocksMet(0.0)]
    assert sum(isinstance(message, AskTime) for message in board.heard) >= 4


def test_a_tile_is_told_with_the_time_it_was_sensed() -> None:
    board = met()
    board.place(1, TILE, ago_ms=40)
    board.wait(200)
    board.say(TagLifted(2, *tag_fields(TILE), board.up_us() - 5000))
    placed, lifted = board.told
    assert placed == TagRead(TILE, 260 * MS)
    assert lifted == TagRead(None, 495 * MS)
    board.wait(1)
    assert [message for message in board.heard if isinstance(message, Acknowledge)] == [Acknowledge(1), Acknowledge(2)]


def test_repeated_events_count_once_and_are_acknowledged_each_time() -> None:
    board = met()
    board.say(Button(1, 2, 1, board.up_us()), Button(1, 2, 1, board.up_us()), Button(2, 2, 0, board.up_us()))
    board.say(Button(1, 2, 1, board.up_us()))
    assert board.told == [Edge(2, True, 300 * MS), Edge(2, False, 300 * MS)]
    board.wait(1)
    assert [m.event for m in board.heard if isinstance(m, Acknowledge)] == [1, 1, 2, 1]


def test_numbers_go_round_and_gaps_are_lost_events() -> None:
    board = met()
    for event in (254, 255, 1, 2, 9):
        board.say(Button(event, 1, event % 2, board.up_us()))
    assert [edge.pressed for edge in board.told if isinstance(edge, Edge)] == [False, True, True, False, True]


def test_events_that_waited_start_nothing_but_the_state_is_known() -> None:
    """SER-5: the host did not read for a while; then comes all at once."""
    board = met()
    board.place(1, TILE, ago_ms=1500)
    assert board.told == []
    board.state(TILE, 1)
    assert board.told == [TagRead(TILE, board.now_ns, found=True)]


def test_a_tile_that_lay_there_before_is_known_from_the_state() -> None:
    board = met()
    board.talk = Conversation()
    board.say(Hello(PROTOCOL, 0, 1, 0, 4, bytes(8), board.up_us()))
    board.place(17, OTHER)
    board.wait(300)
    board.state(OTHER, 17)
    assert board.told[-1] == TagRead(OTHER, board.now_ns, found=True)
    assert sum(isinstance(told, TagRead) for told in board.told) == 1


def test_a_dead_reader_is_no_empty_pad() -> None:
    board = met()
    board.state(None, 0, reader=2)
    board.state(None, 0, reader=2)
    assert board.told == [ReaderState("dead")]


def test_a_silent_board_is_said_once_and_asked_again() -> None:
    board = met()
    board.dead = True
    board.wait(2600)
    asked = [message.NAME for message in board.heard].count("ask_hello")
    board.wait(3000)
    assert len([told for told in board.told if isinstance(told, BoardSilent)]) == 1
    assert [message.NAME for message in board.heard].count("ask_hello") > asked


def test_another_protocol_is_refused_in_words_once() -> None:
    board = Board()
    for _ in range(3):
        board.say(Hello(PROTOCOL + 1, 0, 1, 0, 4, bytes(8), 0))
        board.place(1, TILE)
    (refused,) = board.told
    assert isinstance(refused, BoardRefused)
    assert "umpire firmware install" in refused.why
    board.wait(2000)
    assert board.heard == []


def test_a_board_that_restarts_begins_anew() -> None:
    board = met()
    board.place(5, TILE)
    board.say(Hello(PROTOCOL, 0, 1, 0, 4, bytes(8), 10))
    board.wait(300)
    board.place(1, OTHER)
    assert board.told[-1] == TagRead(OTHER, board.now_ns)


def test_garbage_and_messages_for_the_board_tell_nothing() -> None:
    board = met()
    board.told += board.talk.feed(b"MicroPython v1.24\r\n>>> \0" + format_frame(b"\x77"), board.now_ns)
    board.say(AskTime(3))
    assert board.told == []
    assert board.talk.garbage == 3
