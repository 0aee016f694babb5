"""What comes in from the table: the session's inputs, each with the monotonic nanoseconds at which it was sensed."""

from dataclasses import dataclass

from pi_app.core.names import Task
from pi_app.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Pressed:
    """A buzzer was pressed; `button` counts the device's buttons from 1."""

    button: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class StonesSeen:
    """The stones that lie in the stone zone, once their reading was agreed."""

    yellow: int
    red: int
    blue: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """The cards that lie in the card zone, once their reading was agreed.

    `cards` are the kit's ids, as often as each lies there; `unknown` counts cards that are none of the kit's. `at_ns`
    is when they came to rest.
    """

    cards: tuple[str, ...]
    unknown: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """A judge's answer to the question that was asked at `asked_ns`."""

    task: Task
    verdict: Verdict
    asked_ns: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class TileOnPad:
    """A tile was laid on the claim pad; None is a tag that is none of the kit's tiles."""

    tile: str | None
    at_ns: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: everything sensed up to `at_ns` is known."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class PartFault:
    """A part of the device failed, or works again where `fault` is None."""

    part: str
    fault: str | None
    at_ns: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """The program started again on this journal.

    `last_ns` is the last time known of the run before, on its own boot's clock; `same_boot` says whether `at_ns` is
    on the same clock.
    """

    same_boot: bool
    last_ns: int
    at_ns: int


Sensed = Pressed | StonesSeen | CardsSeen | VerdictGiven | TileOnPad | Tick | PartFault | Restarted
