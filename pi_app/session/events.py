"""What every session's journal may hold, whatever the game."""

from dataclasses import dataclass
from enum import StrEnum


class By(StrEnum):
    """Who or what a decision came from."""

    PLAYER = "player"
    """A press, a tile, a spoken word."""
    CAMERA = "camera"
    CLOCK = "clock"
    TIMEKEEPER = "timekeeper"


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """The next seat was taken at this button."""

    button: int
    name: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """The seat that joined last is free again."""


@dataclass(frozen=True, slots=True)
class SeatNamed:
    """A seat's player has a name."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The seats are fixed; `first_seat` is active first."""

    first_seat: int


@dataclass(frozen=True, slots=True)
class FaultNoted:
    """A part failed, or works again where `fault` is None."""

    part: str
    fault: str | None
