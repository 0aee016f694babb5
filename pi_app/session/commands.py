"""What a person can tell the device in every game, and how commands are read from text.

A command is written as its word and its arguments, such as `press 2` or `name 1 Ann`. Seats count from 1 in text and
from 0 in values, as in the rules.
"""

from dataclasses import dataclass
from typing import NoReturn

MAX_TEXT = 200


class CommandError(ValueError):
    """A text that is no command: what was got and what was wanted, in one line."""


@dataclass(frozen=True, slots=True)
class Press:
    """Press a buzzer; buttons count from 1."""

    button: int


@dataclass(frozen=True, slots=True)
class NameSeat:
    """Give a seat its player's name."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Start:
    """Everybody has joined; `first_seat` is active first."""

    first_seat: int = 0


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last decision."""


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command of the game's as an input of the session; `by` names the interface or the person, for the journal."""

    command: object
    at_ns: int
    by: str = "timekeeper"


def split_command(text: str) -> tuple[str, str]:
    """Return a command's word and the rest; CommandError where the text is too long."""
    if len(text) > MAX_TEXT:
        raise CommandError(f"got {len(text)} characters, wanted at most {MAX_TEXT}")
    word, _, rest = text.strip().partition(" ")
    return word, rest.strip()


def parse_name(text: str) -> NameSeat:
    """Return the command of `1 Ann`; CommandError where it is none."""
    seat, _, name = text.partition(" ")
    return NameSeat(parse_seat(seat), parse_word(name.strip(), "a name"))


def parse_number(text: str, wanted: str) -> int:
    """Return the number of a text; CommandError says that `wanted` was."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else refuse(text or "nothing", wanted)


def parse_seat(text: str) -> int:
    """Return the seat of a text that counts from 1; CommandError where it is none."""
    return parse_number(text, "a seat's number") - 1 if text != "0" else refuse(text, "a seat's number, from 1")


def parse_word(text: str, wanted: str) -> str:
    """Return the text unless it is empty; CommandError says that `wanted` was."""
    return text if text else refuse("nothing", wanted)


def refuse(got: str, wanted: str) -> NoReturn:
    """Raise CommandError."""
    raise CommandError(f"got {got!r}, wanted {wanted}")
