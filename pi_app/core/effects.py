"""What the session wants done, once its input is in the journal; after a crash it may be done twice."""

from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.names import Task


class Sound(StrEnum):
    """What the speaker says or beeps."""

    JOINED = "joined"
    START = "start"
    STONE = "stone"
    CARD = "card"
    CLAIM = "claim"
    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    ASK = "ask"
    VOILA = "voila"
    STOP = "stop"
    WINNER = "winner"


@dataclass(frozen=True, slots=True)
class PlaySound:
    """Play one sound."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class AskCamera:
    """Watch for this task from `at_ns` on; the answer is a VerdictGiven with the same `asked_ns`.

    `figure` is the kit's id of the figure to build, where the task has one.
    """

    task: Task
    card: str
    figure: str | None
    at_ns: int


@dataclass(frozen=True, slots=True)
class DropQuestion:
    """Stop watching: the answer is no longer of use."""


@dataclass(frozen=True, slots=True)
class KeepPictures:
    """Keep the seconds of pictures before `at_ns` as those of verdict `number`, for a replay at the table."""

    number: int
    at_ns: int


Effect = PlaySound | AskCamera | DropQuestion | KeepPictures
