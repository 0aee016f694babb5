"""What players did at tasks whose truth the act itself knows: throw, tunnel, juggler."""

from collections.abc import Sequence
from dataclasses import dataclass

from pi_app.core.names import Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.sim.truth import Attempt

FINISHED_BY_ACT = (Task.THROW, Task.TUNNEL, Task.JUGGLER)
NOTHING_DONE = {
    Task.THROW: Reason.TOO_LOW,
    Task.TUNNEL: Reason.MISSING_PIECE,
    Task.JUGGLER: Reason.WRONG_STONES,
}
"""Why a task fails that nobody has tried yet."""


@dataclass(frozen=True)
class Deed:
    """One try at a task, seconds of the table's clock: `at_s` is when it was done, or known to have failed.

    `height_mm` is how high a stone was thrown; `doubtful` where a measure lies between right and wrong.
    """

    task: Task
    from_s: float
    at_s: float
    reasons: tuple[Reason, ...]
    height_mm: float | None = None
    doubtful: bool = False

    @property
    def right(self) -> bool:
        """Whether it makes the task."""
        return self.reasons == (Reason.OK,)


def attempt_of(deeds: Sequence[Deed], task: Task, from_s: float, to_s: float) -> Attempt:
    """Return the truth about a task between two times: done by the first right deed, else failed like the last."""
    tried = [deed for deed in deeds if deed.task is task and from_s <= deed.at_s <= to_s]
    done = next((deed for deed in tried if deed.right), None)
    if done is not None:
        return Attempt(task, Outcome.PASS, (Reason.OK,), confirmed_s=done.at_s, doubtful=done.doubtful)
    reasons = tried[-1].reasons if tried else (NOTHING_DONE[task],)
    return Attempt(task, Outcome.FAIL, reasons, doubtful=any(deed.doubtful for deed in tried))
