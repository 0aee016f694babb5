"""How the device behaves at the table, beside the rules of the game."""

from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.errors import UserError
from pi_app.core.names import Task


class Approval(StrEnum):
    """Who has the last word on a task."""

    AUTO = "auto"
    """A sure verdict counts; the timekeeper may overrule it until the next stone."""
    TIMEKEEPER = "timekeeper"
    """The verdict only advises."""


SEEN_BY_CAMERA = (Task.ACROBATS, Task.TOWER, Task.LINE, Task.TUNNEL, Task.THROW, Task.JUGGLER)
"""Find The Object is decided by buzzers and tiles."""


@dataclass(frozen=True, slots=True)
class Options:
    """`hide_timer`: only the timekeeper's view has digits. `camera_tasks`: tasks the camera is asked about, the others
    are decided by the timekeeper. `start_by_press`: the first seat starts the game by pressing again. `verdict_wait_s`:
    how long past the deadline a Voilà! pressed in time waits for the camera before the timekeeper is asked. `names`:
    what the seats are called, in the order of joining.
    """

    approval: Approval = Approval.AUTO
    hide_timer: bool = True
    camera_tasks: tuple[Task, ...] = SEEN_BY_CAMERA
    start_by_press: bool = True
    verdict_wait_s: float = 3.0
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.verdict_wait_s <= 60:
            raise UserError(f"session.verdict_wait_s: got {self.verdict_wait_s}, wanted 0 to 60 seconds")
