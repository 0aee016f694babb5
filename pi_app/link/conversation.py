"""The host's half of the talk with the reader board, without a port: bytes and times in, what happened out.

The caller reads the port and feeds what came with the time it came, writes what `to_send` gives, and calls `poll` a few
times a second. Nothing here waits.
"""

from dataclasses import dataclass, field

from pi_app.core.observations import Edge, TagRead
from pi_app.link.clocksync import Answer, ClockSync
from pi_app.link.framing import Deframer, format_frame
from pi_app.link.messages import (
    Acknowledge,
    AskHello,
    AskTime,
    BoardEvent,
    Button,
    Hello,
    Message,
    MessageError,
    State,
    TagLifted,
    TagPlaced,
    ToBoard,
    ToldTime,
    format_message,
    parse_message,
    tag_of,
)
from pi_app.link.wire import LAST_EVENT, PROTOCOL, READER_STATES

SILENT_NS = 2_500_000_000
"""A board that has not said anything for so long is away: it tells its state twice a second."""
ASK_HELLO_NS = 500_000_000
ASK_TIME_NS = 1_000_000_000
FIRST_TIMES, FIRST_TIME_NS = 4, 60_000_000
"""The clocks meet quickly after the hello, then once a second."""
STALE_NS = 1_000_000_000
"""Events older than this when they arrive tell only what is so now: they start nothing in the game (SER-5)."""
TOKENS = 1 << 16


@dataclass(frozen=True, slots=True)
class BoardReady:
    """The board has said hello in this protocol."""

    version: str
    board: str
    buttons: int


@dataclass(frozen=True, slots=True)
class BoardRefused:
    """The board speaks another protocol; `why` says in words what to do."""

    why: str


@dataclass(frozen=True, slots=True)
class ReaderState:
    """The reader on the board is starting, ready or dead."""

    state: str


@dataclass(frozen=True, slots=True)
class BoardSilent:
    """Nothing has been heard for a while: what lies on the pad is unknown."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The port cannot be opened or was lost; what lies on the pad is unknown. `why` is for people."""

    why: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class ClocksMet:
    """The board's times are known on the host's clock from now on, give or take `slack_ns`."""

    slack_ns: float


BoardNews = BoardReady | BoardRefused | ClocksMet | ReaderState | BoardSilent | BoardLost
LinkEvent = BoardReady | BoardRefused | ClocksMet | ReaderState | BoardSilent | TagRead | Edge


@dataclass(slots=True)
class Conversation:
    """One talk with one board, from the opening of the port to its end."""

    clock: ClockSync = field(default_factory=ClockSync)
    lost: int = 0
    _frames: Deframer = field(default_factory=Deframer)
    _out: bytearray = field(default_factory=bytearray)
    _ready: bool = False
    _refused: bool = False
    _heard_ns: int | None = None
    _asked_ns: int | None = None
    _asked: dict[int, int] = field(default_factory=dict)
    _token: int = 0
    _answered: int = 0
    _event: int = 0
    _reader: str | None = None
    _tag: str | None = None
    _garbage: int = 0

    @property
    def garbage(self) -> int:
        """Return how many broken or unknown messages have come."""
        return self._frames.garbage + self._garbage

    @property
    def ready(self) -> bool:
        """Return whether a board that can be understood is there."""
        return self._ready

    def to_send(self) -> bytes:
        """Return what is to be written to the port since the last call."""
        out, self._out = bytes(self._out), bytearray()
        return out

    def poll(self, now_ns: int) -> list[LinkEvent]:
        """Ask what has to be asked by now; return that the board has fallen silent, once."""
        if self._ready and self._heard_ns is not None and now_ns - self._heard_ns > SILENT_NS:
            self._start_over()
            return [BoardSilent(now_ns)]
        if not self._ready and not self._refused and self._due(now_ns, ASK_HELLO_NS):
            self._send(AskHello())
        elif self._ready and self._due(now_ns, FIRST_TIME_NS if self._answered < FIRST_TIMES else ASK_TIME_NS):
            self._token = (self._token + 1) % TOKENS
            self._asked = {self._token: now_ns}
            self._send(AskTime(self._token))
        return []

    def feed(self, data: bytes, at_ns: int) -> list[LinkEvent]:
        """Take bytes that came at `at_ns`; return what they tell, oldest first."""
        told: list[LinkEvent] = []
        for body in self._frames.feed(data):
            try:
                message = parse_message(body)
            except MessageError:
                self._garbage += 1
                continue
            self._heard_ns = at_ns
            told += self._take(message, at_ns)
        return told

    def _take(self, message: Message, at_ns: int) -> list[LinkEvent]:
        match message:
            case Hello():
                return self._meet(message)
            case _ if not self._ready:
                return []
            case ToldTime(token, up_us):
                return self._tell_time(token, up_us, at_ns)
            case State():
                return self._see_state(message, at_ns)
            case TagPlaced() | TagLifted() | Button():
                return self._see_event(message, at_ns)
            case _:
                self._garbage += 1
                return []

    def _meet(self, hello: Hello) -> list[LinkEvent]:
        """Greet a board; one that says hello again has restarted: its clock and its numbers begin anew."""
        self._start_over()
        if hello.protocol != PROTOCOL:
            again, self._refused = self._refused, True
            why = f"the board speaks protocol {hello.protocol}, wanted {PROTOCOL}: run `umpire firmware install`"
            return [] if again else [BoardRefused(why)]
        self._ready, self._refused = True, False
        return [BoardReady(hello.version, hello.board.hex(), hello.buttons)]

    def _start_over(self) -> None:
        self.clock.forget()
        self._ready, self._asked, self._asked_ns, self._answered = False, {}, None, 0
        self._event, self._reader, self._tag = 0, None, None

    def _tell_time(self, token: int, up_us: int, at_ns: int) -> list[LinkEvent]:
        asked_ns = self._asked.pop(token, None)
        if asked_ns is None or at_ns < asked_ns:
            return []
        self.clock.feed(Answer(asked_ns, at_ns, up_us))
        self._answered += 1
        return [ClocksMet(self.clock.slack_ns)] if self._answered == FIRST_TIMES else []

    def _see_state(self, state: State, at_ns: int) -> list[LinkEvent]:
        """Follow the state: it says what is so even where its events were lost or too old."""
        told: list[LinkEvent] = []
        reader, self.lost = READER_STATES[state.reader], state.lost
        if reader != self._reader:
            self._reader = reader
            told.append(ReaderState(reader))
        if self._event == 0:
            self._event = state.last_event
        tag = tag_of(state)
        if tag != self._tag and state.last_event == self._event and self._answered >= FIRST_TIMES:
            self._tag = tag
            told.append(TagRead(tag, self._when(state.up_us, at_ns), found=True))
        return told

    def _see_event(self, event: BoardEvent, at_ns: int) -> list[LinkEvent]:
        """Take each event once and in order, and acknowledge it every time it comes.

        Of one from before the clocks met it is not known when it was: like an old one it starts nothing.
        """
        self._send(Acknowledge(event.event))
        if self._event and not self._is_later(event.event):
            return []
        self._event = event.event
        if self._answered < FIRST_TIMES or at_ns - self._when(event.up_us, at_ns) > STALE_NS:
            return []
        return [self._told(event, self._when(event.up_us, at_ns))]

    def _is_later(self, number: int) -> bool:
        """Whether a number is ahead of the last one; those between were lost for lack of room on the board."""
        return 0 < (number - self._event) % LAST_EVENT <= LAST_EVENT // 2

    def _told(self, event: BoardEvent, when_ns: int) -> LinkEvent:
        match event:
            case TagPlaced():
                self._tag = tag_of(event)
                return TagRead(self._tag, when_ns)
            case TagLifted():
                self._tag = None
                return TagRead(None, when_ns)
            case Button(_, button, pressed, _):
                return Edge(button, bool(pressed), when_ns)

    def _when(self, up_us: int, at_ns: int) -> int:
        """Return the host's time of a moment on the board; never later than it was heard."""
        return min(self.clock.host_ns(up_us), at_ns)

    def _due(self, now_ns: int, after_ns: int) -> bool:
        due = self._asked_ns is None or now_ns - self._asked_ns >= after_ns
        if due:
            self._asked_ns = now_ns
        return due

    def _send(self, message: ToBoard) -> None:
        self._out += format_frame(format_message(message))
