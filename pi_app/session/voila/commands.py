"""What a person can tell the device in Voilà!: one set of commands for every user interface, and their text.

A command is written as its word and its arguments, such as `press 2`, `stone red` or `correct 12 finder nobody`.
Seats count from 1 in text and from 0 in values, as in the rules.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from pi_app.core.names import Colour
from pi_app.session.commands import (
    NameSeat,
    Press,
    Start,
    Undo,
    parse_name,
    parse_number,
    parse_seat,
    parse_word,
    refuse,
    split_command,
)


@dataclass(frozen=True, slots=True)
class Approve:
    """The timekeeper says yes: the open task is done; after a verdict that counted, it stays or becomes a pass."""


@dataclass(frozen=True, slots=True)
class Reject:
    """The timekeeper says no: the task is not done."""


@dataclass(frozen=True, slots=True)
class TellStone:
    """A stone of this colour was drawn."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class TellCard:
    """This card was revealed, or taken as a bonus; while a card is open: it is this one."""

    card: str


@dataclass(frozen=True, slots=True)
class TellFinder:
    """This seat found the object; None: nobody did."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class LayTile:
    """A tile was laid on the claim pad; None is a tile nobody knows."""

    tile: str | None


@dataclass(frozen=True, slots=True)
class CallVoila:
    """The active player called Voilà!."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the timer by agreement."""


@dataclass(frozen=True, slots=True)
class ContinueTurn:
    """Let the turn go on with the time that was left."""


@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """Take the running turn back and play it anew."""


@dataclass(frozen=True, slots=True)
class ToStone:
    """Correct a stone."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class ToCard:
    """Correct a card."""

    card: str


@dataclass(frozen=True, slots=True)
class ToJudged:
    """Correct a verdict."""

    passed: bool


@dataclass(frozen=True, slots=True)
class ToFinder:
    """Correct who found the object."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class ToVoila:
    """Correct a time-out: Voilà! came in time."""


@dataclass(frozen=True, slots=True)
class ToStop:
    """Correct a Voilà!: time was up before."""


@dataclass(frozen=True, slots=True)
class ToNothing:
    """It did not happen."""


To = ToStone | ToCard | ToJudged | ToFinder | ToVoila | ToStop | ToNothing


@dataclass(frozen=True, slots=True)
class Correct:
    """Change the decision of that number."""

    number: int
    to: To


Command = (
    Press
    | NameSeat
    | Start
    | Approve
    | Reject
    | TellStone
    | TellCard
    | TellFinder
    | LayTile
    | CallVoila
    | Pause
    | ContinueTurn
    | ReplayTurn
    | Undo
    | Correct
)


PLAIN: dict[str, Command] = {
    "approve": Approve(),
    "reject": Reject(),
    "voila": CallVoila(),
    "pause": Pause(),
    "continue": ContinueTurn(),
    "replay": ReplayTurn(),
    "undo": Undo(),
}
PLAIN_TO: dict[str, To] = {
    "passed": ToJudged(True),
    "failed": ToJudged(False),
    "voila": ToVoila(),
    "stop": ToStop(),
    "nothing": ToNothing(),
}


def parse_command(text: str) -> Command:
    """Return the command of a text; CommandError says what was got and what was wanted."""
    word, rest = split_command(text)
    if word in PLAIN:
        return PLAIN[word] if not rest else refuse(f"{word} {rest}", f"{word} alone")
    if word not in _WITH_ARGUMENTS:
        return refuse(word or "nothing", f"one of {', '.join(sorted((*PLAIN, *_WITH_ARGUMENTS)))}")
    return _WITH_ARGUMENTS[word](rest)


def format_command(command: Command) -> str:
    """Return the text that `parse_command` reads as this command."""
    match command:
        case Press(button):
            return f"press {button}"
        case NameSeat(seat, name):
            return f"name {seat + 1} {name}"
        case Start(first_seat):
            return f"start {first_seat + 1}"
        case TellStone() | TellCard() | TellFinder() | LayTile():
            return _format_told(command)
        case Correct(number, to):
            return f"correct {number} {_format_to(to)}"
        case Approve() | Reject() | CallVoila() | Pause() | ContinueTurn() | ReplayTurn() | Undo():
            return next(word for word, plain in PLAIN.items() if plain == command)
        case _:
            assert_never(command)


def _format_told(command: TellStone | TellCard | TellFinder | LayTile) -> str:
    match command:
        case TellStone(colour):
            return f"stone {colour}"
        case TellCard(card):
            return f"card {card}"
        case TellFinder(seat):
            return f"finder {_seat_text(seat)}"
        case LayTile(tile):
            return f"tile {tile or 'unknown'}"
        case _:
            assert_never(command)


def _format_to(to: To) -> str:
    match to:
        case ToStone(colour):
            return f"stone {colour}"
        case ToCard(card):
            return f"card {card}"
        case ToFinder(seat):
            return f"finder {_seat_text(seat)}"
        case ToJudged() | ToVoila() | ToStop() | ToNothing():
            return next(word for word, plain in PLAIN_TO.items() if plain == to)
        case _:
            assert_never(to)


def _parse_correct(text: str) -> Correct:
    number, _, rest = text.partition(" ")
    word, _, argument = rest.strip().partition(" ")
    if word in PLAIN_TO and not argument:
        return Correct(parse_number(number, "a decision's number"), PLAIN_TO[word])
    if word not in _TO_WITH_ARGUMENT or not argument:
        refuse(f"correct {text}", "a number, then stone, card, finder, passed, failed, voila, stop or nothing")
    return Correct(parse_number(number, "a decision's number"), _TO_WITH_ARGUMENT[word](argument.strip()))


def _finder(text: str) -> int | None:
    return None if text == "nobody" else parse_seat(text)


def _colour(text: str) -> Colour:
    return Colour(text) if text in list(Colour) else refuse(text or "nothing", ", ".join(Colour))


def _seat_text(seat: int | None) -> str:
    return "nobody" if seat is None else str(seat + 1)


_WITH_ARGUMENTS: dict[str, Callable[[str], Command]] = {
    "press": lambda text: Press(parse_number(text, "a button's number")),
    "name": parse_name,
    "start": lambda text: Start(parse_seat(text) if text else 0),
    "stone": lambda text: TellStone(_colour(text)),
    "card": lambda text: TellCard(parse_word(text, "a card's id")),
    "finder": lambda text: TellFinder(_finder(text)),
    "tile": lambda text: LayTile(None if text == "unknown" else parse_word(text, "a tile's id, or unknown")),
    "correct": _parse_correct,
}
_TO_WITH_ARGUMENT: dict[str, Callable[[str], To]] = {
    "stone": lambda text: ToStone(_colour(text)),
    "card": ToCard,
    "finder": lambda text: ToFinder(_finder(text)),
}
WORDS: dict[type, str] = {
    **{type(command): word for word, command in PLAIN.items()},
    Press: "press",
    NameSeat: "name",
    Start: "start",
    TellStone: "stone",
    TellCard: "card",
    TellFinder: "finder",
    LayTile: "tile",
    Correct: "correct",
}
"""The word each kind of command is written with."""
