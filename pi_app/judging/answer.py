"""What `umpire judge` prints, and what its answers on recorded scenes have in common."""

from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.case import Case
from pi_app.vision.camera import View
from pi_app.vision.pose import find_pose

Answer = dict[str, object]


def unsure_answer(*reasons: Reason) -> Answer:
    """Return the answer that nothing could be decided, and why."""
    return {"outcome": Outcome.UNSURE, "reasons": list(reasons)}


def first_frame(case: Case) -> Frame:
    """Return a case's first picture."""
    return next(iter(case.frames()))


def view_of(case: Case, frame: Frame) -> View | Reason:
    """Return the camera in its pose over the mat, or why it cannot be told."""
    found = find_pose(frame.image, case.camera, case.table)
    return found.reason or Reason.NO_MAT if found.pose is None else View(case.camera, found.pose)


def asked_task(case: Case) -> Task:
    """Return the task a case asks about; UserError where it names none."""
    if case.entry.task is None:
        raise UserError(f"{case.folder / 'case.toml'}: task: missing, wanted one for kind {case.entry.kind!r}")
    return case.entry.task


def seconds(at_ns: int | None, from_ns: int) -> float | None:
    """Return the seconds from a first moment to another; `None` stays `None`."""
    return None if at_ns is None else round((at_ns - from_ns) / 1e9, 4)
