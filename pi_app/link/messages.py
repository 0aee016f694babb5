"""Messages of the wire as values: bodies in, frozen values out; what a well-behaved board would not say is refused."""

import struct
from dataclasses import astuple, dataclass
from typing import ClassVar, TypeVar

from pi_app.link.wire import READER_STATES, TAG_BYTES, TO_BOARD, TO_HOST

TAG_LENGTHS = (4, 7, 10)
"""Lengths of an ISO/IEC 14443-3 id."""


class MessageError(ValueError):
    """A frame that is whole and yet no message of this protocol."""


@dataclass(frozen=True, slots=True)
class AskHello:
    """Say who you are."""

    NAME: ClassVar[str] = "ask_hello"


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """The event of that number has arrived."""

    NAME: ClassVar[str] = "acknowledge"
    event: int


@dataclass(frozen=True, slots=True)
class AskTime:
    """Say what time it is on your clock."""

    NAME: ClassVar[str] = "ask_time"
    token: int


@dataclass(frozen=True, slots=True)
class ResetReader:
    """Set the reader up anew."""

    NAME: ClassVar[str] = "reset_reader"


@dataclass(frozen=True, slots=True)
class Hello:
    """The board has started, or was asked: its protocol, firmware version, buttons, and its own 8-byte id."""

    NAME: ClassVar[str] = "hello"
    protocol: int
    major: int
    minor: int
    patch: int
    buttons: int
    board: bytes
    up_us: int

    @property
    def version(self) -> str:
        """Return the firmware's version as people write it."""
        return f"{self.major}.{self.minor}.{self.patch}"


@dataclass(frozen=True, slots=True)
class ToldTime:
    """The board's clock read `up_us` when the question with this token came."""

    NAME: ClassVar[str] = "told_time"
    token: int
    up_us: int


@dataclass(frozen=True, slots=True)
class State:
    """What is so now, told twice a second: the reader, the tag on it, the last event, events lost for lack of room."""

    NAME: ClassVar[str] = "state"
    reader: int
    last_event: int
    tag_length: int
    tag: bytes
    lost: int
    up_us: int


@dataclass(frozen=True, slots=True)
class TagPlaced:
    """A tag came onto the pad."""

    NAME: ClassVar[str] = "tag_placed"
    event: int
    tag_length: int
    tag: bytes
    up_us: int


@dataclass(frozen=True, slots=True)
class TagLifted:
    """The tag was taken away at `up_us`."""

    NAME: ClassVar[str] = "tag_lifted"
    event: int
    tag_length: int
    tag: bytes
    up_us: int


@dataclass(frozen=True, slots=True)
class Button:
    """A button on the board changed; `pressed` is 1 or 0."""

    NAME: ClassVar[str] = "button"
    event: int
    button: int
    pressed: int
    up_us: int


ToBoard = AskHello | Acknowledge | AskTime | ResetReader
BoardEvent = TagPlaced | TagLifted | Button
ToHost = Hello | ToldTime | State | BoardEvent
Message = ToBoard | ToHost
Kind = TypeVar("Kind", bound=Message)

_CLASSES: dict[str, type[Message]] = {
    kind.NAME: kind
    for kind in (AskHello, Acknowledge, AskTime, ResetReader, Hello, ToldTime, State, TagPlaced, TagLifted, Button)
}
_LAYOUTS = {name: (number, struct.Struct(layout)) for number, name, layout, _ in (*TO_BOARD, *TO_HOST)}
_NAMES = {number: name for number, name, _, _ in (*TO_BOARD, *TO_HOST)}


def format_message(message: Message) -> bytes:
    """Return a message's body."""
    number, layout = _LAYOUTS[message.NAME]
    return bytes([number]) + layout.pack(*astuple(message))


def parse_message(body: bytes) -> Message:
    """Return the message in a body; MessageError where its number, length or a field is none of the protocol's."""
    if not body or body[0] not in _NAMES:
        raise MessageError(f"got message {body[:1].hex() or 'nothing'}, wanted one of the protocol's")
    name = _NAMES[body[0]]
    layout = _LAYOUTS[name][1]
    if len(body) != 1 + layout.size:
        raise MessageError(f"{name}: got {len(body)} bytes, wanted {1 + layout.size}")
    message = _CLASSES[name](*layout.unpack(body[1:]))
    _check(message)
    return message


def tag_of(message: State | TagPlaced | TagLifted) -> str | None:
    """Return the tag's full id in capital hex, or None for an empty pad."""
    return message.tag[: message.tag_length].hex().upper() or None


def tag_fields(tag: str | None) -> tuple[int, bytes]:
    """Return the fields `tag_length` and `tag` of an id in hex."""
    plain = bytes.fromhex(tag or "")
    return len(plain), plain.ljust(TAG_BYTES, b"\0")


def _check(message: Message) -> None:
    match message:
        case TagPlaced() | TagLifted():
            _check_event(message.event)
            _check_tag(message, TAG_LENGTHS)
        case State():
            _check_tag(message, (0, *TAG_LENGTHS))
            if message.reader >= len(READER_STATES):
                raise MessageError(f"state: got reader {message.reader}, wanted under {len(READER_STATES)}")
        case Button():
            _check_event(message.event)
            if message.pressed > 1:
                raise MessageError(f"button: got pressed {message.pressed}, wanted 0 or 1")
        case _:
            pass


def _check_event(number: int) -> None:
    if number == 0:
        raise MessageError("got event 0, wanted 1 to 255")


def _check_tag(message: State | TagPlaced | TagLifted, lengths: tuple[int, ...]) -> None:
    if message.tag_length not in lengths:
        raise MessageError(f"{message.NAME}: got a tag of {message.tag_length} bytes, wanted {lengths}")
    if any(message.tag[message.tag_length :]):
        raise MessageError(f"{message.NAME}: got bytes behind the tag's id, wanted zeros")
