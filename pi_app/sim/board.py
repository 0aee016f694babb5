"""The reader board in virtual time: it speaks the wire, and its cable can be cut and its reader fail.

It does what the firmware does, written a second time: polls the pad, tells events until they are acknowledged, its
state twice a second, the time when asked. The host's own conversation (`pi_app.link`) sits at the other end.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from pi_app.core.clock import ManualClock
from pi_app.core.observations import Edge, TagRead
from pi_app.link.conversation import BoardLost, BoardNews, Conversation
from pi_app.link.framing import Deframer, format_frame
from pi_app.link.messages import (
    Acknowledge,
    AskHello,
    AskTime,
    Hello,
    Message,
    MessageError,
    ResetReader,
    State,
    TagLifted,
    TagPlaced,
    ToldTime,
    format_message,
    parse_message,
    tag_fields,
)
from pi_app.link.wire import LAST_EVENT, PROTOCOL, READER_STATES

STEP_NS = 20_000_000
POLL_NS, STATE_NS, REPEAT_NS = 60_000_000, 500_000_000, 200_000_000
EQUAL_READS, EMPTY_READS = 2, 6
READY, DEAD = READER_STATES.index("ready"), READER_STATES.index("dead")
UP_AFTER_US = 1_000_000
"""The board started this long before the table was laid."""

Reads = Callable[[], str | None]


@dataclass(slots=True)
class SimBoard:
    """The board: bytes in by `take`, bytes out by `give`; `reads` is what its reader makes of the pad just now."""

    reads: Reads
    began_ns: int
    dead: bool = False
    hung: bool = False
    misses: bool = False
    _read_count: int = 0
    protocol: int = PROTOCOL
    tag: str | None = None
    _frames: Deframer = field(default_factory=Deframer)
    _out: bytearray = field(default_factory=bytearray)
    _waiting: list[tuple[int, TagPlaced | TagLifted]] = field(default_factory=list)
    _event: int = 0
    _polled_ns: int = 0
    _told_ns: int = 0
    _new: tuple[str | None, int, int] = (None, 0, 0)
    _misses: tuple[int, int] = (0, 0)

    def step(self, now_ns: int) -> None:
        """Do what is due; a hung board does nothing."""
        if self.hung:
            return
        if now_ns - self._polled_ns >= POLL_NS:
            self._polled_ns = now_ns
            self._read_count += 1
            missed = self.dead or (self.misses and self._read_count % 2 == 0)
            self._poll(None if missed else self.reads(), now_ns)
        for index, (due_ns, event) in enumerate(self._waiting):
            if due_ns <= now_ns:
                self._say(event)
                self._waiting[index] = (now_ns + REPEAT_NS, event)
        if now_ns - self._told_ns >= STATE_NS:
            self._told_ns = now_ns
            length, tag = tag_fields(self.tag)
            self._say(State(DEAD if self.dead else READY, self._event, length, tag, 0, self._up_us(now_ns)))

    def take(self, data: bytes, now_ns: int) -> None:
        """Take what the host wrote."""
        for body in () if self.hung else self._frames.feed(data):
            try:
                message = parse_message(body)
            except MessageError:
                continue
            self._obey(message, now_ns)

    def give(self) -> bytes:
        """Return what was written since the last call."""
        out, self._out = bytes(self._out), bytearray()
        return out

    def _obey(self, message: Message, now_ns: int) -> None:
        match message:
            case AskHello():
                self._say(Hello(self.protocol, 0, 1, 0, 0, b"simboard", self._up_us(now_ns)))
            case AskTime(token):
                self._say(ToldTime(token, self._up_us(now_ns)))
            case Acknowledge(number):
                self._waiting = [one for one in self._waiting if one[1].event != number]
            case ResetReader():
                self.dead = False
            case _:
                pass

    def _poll(self, read: str | None, now_ns: int) -> None:
        """Two equal reads make a tag, whatever is missed between them; a sustained absence ends it."""
        if read is None:
            self._missed(now_ns)
            return
        self._misses = (0, now_ns)
        last, count, since_ns = self._new
        self._new = (read, count + 1, since_ns) if read == last and count else (read, 1, now_ns)
        if self._new[1] >= EQUAL_READS and read != self.tag:
            self._lift(self._new[2], now_ns)
            self.tag = read
            self._tell(TagPlaced, read, self._new[2], now_ns)

    def _missed(self, now_ns: int) -> None:
        count, since_ns = self._misses
        self._misses = (count + 1, since_ns if count else now_ns)
        if self._misses[0] >= EMPTY_READS:
            self._new = (None, 0, 0)
            self._lift(self._misses[1], now_ns)

    def _lift(self, since_ns: int, now_ns: int) -> None:
        gone, self.tag = self.tag, None
        if gone is not None:
            self._tell(TagLifted, gone, since_ns, now_ns)

    def _tell(self, kind: type[TagPlaced] | type[TagLifted], tag: str, since_ns: int, now_ns: int) -> None:
        self._event = self._event % LAST_EVENT + 1
        self._waiting.append((now_ns, kind(self._event, *tag_fields(tag), self._up_us(since_ns))))

    def _up_us(self, at_ns: int) -> int:
        return (at_ns - self.began_ns) // 1000 + UP_AFTER_US

    def _say(self, message: Message) -> None:
        self._out += format_frame(format_message(message))


@dataclass(slots=True)
class SimReader:
    """A TagSource over a SimBoard's wire in virtual time: what `adapters.board_serial` is over a port.

    `noise` is put on the wire in front of what the board says; while `cut` nothing gets through and both ends begin
    anew afterwards.
    """

    clock: ManualClock
    board: SimBoard
    cut: bool = False
    noise: bytes = b""
    _at_ns: int = -1
    _talk: Conversation | None = None
    _reads: list[TagRead] = field(default_factory=list)
    _news: list[BoardNews] = field(default_factory=list)

    def reads(self) -> list[TagRead]:
        """Return the tags placed and lifted since the last call, oldest first."""
        self._catch_up()
        reads, self._reads = self._reads, []
        return reads

    def known_ns(self, now_ns: int) -> int:
        """Return the virtual time: what the wire carried is known at once."""
        return now_ns

    def news(self) -> list[BoardNews]:
        """Return what the board told of itself since the last call."""
        self._catch_up()
        news, self._news = self._news, []
        return news

    def _catch_up(self) -> None:
        """Let board and host talk up to now, in steps as short as the port's own."""
        now_ns = self.clock.now_ns()
        self._at_ns = now_ns if self._at_ns < 0 else self._at_ns
        while self._at_ns + STEP_NS <= now_ns:
            self._at_ns += STEP_NS
            self._step(self._at_ns)

    def _step(self, at_ns: int) -> None:
        self.board.step(at_ns)
        said = self.board.give()
        if self.cut:
            if self._talk is not None:
                self._news.append(BoardLost("the cable is out", at_ns))
            self._talk = None
            return
        talk = self._talk = self._talk or Conversation()
        self.board.take(talk.to_send(), at_ns)
        heard = talk.feed(self.noise + said, at_ns)
        self.noise = b""
        for event in [*heard, *talk.poll(at_ns)]:
            if isinstance(event, TagRead):
                self._reads.append(event)
            elif not isinstance(event, Edge):
                self._news.append(event)
