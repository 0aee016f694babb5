"""Judge a recorded scene: the same recognisers and judges as at the table, on pictures from a folder."""

import itertools
from collections.abc import Callable, Iterator

from pi_app.core.errors import UserError
from pi_app.core.names import Mode, Task
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason, Verdict
from pi_app.judging.case import Case, asked_figure
from pi_app.judging.watch import Watch, judge_stand
from pi_app.judging.worker import InlineRecogniser, Question, TableReader
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, View
from pi_app.vision.pose import find_pose
from pi_app.vision.stones import count_stones
from pi_app.vision.structure import read_structure

Answer = dict[str, object]


def judge_case(case: Case) -> Answer:
    """Return what `umpire judge` prints for the case: the fields of its kind, or outcome `unsure` with reasons."""
    judge = JUDGES.get(case.entry.kind)
    return {"id": case.entry.id, **(judge(case) if judge else unsure_answer(Reason.NOT_JUDGED))}


def unsure_answer(*reasons: Reason) -> Answer:
    """Return the answer that nothing could be decided, and why."""
    return {"outcome": Outcome.UNSURE, "reasons": list(reasons)}


def judge_structure(case: Case) -> Answer:
    """Answer whether one still shows what the task asks for."""
    kit, frame = case.kit(), _first(case)
    found = find_pose(frame.image, case.camera, case.table)
    if found.pose is None:
        return unsure_answer(found.reason or Reason.NO_MAT)
    view = View(case.camera, found.pose)
    figure, mode = asked_figure(case.entry, kit), case.entry.mode or Mode.STOCK
    reading = read_structure(frame.image, view, case.table, kit, _task(case), figure, mode)
    measures = {measure.name: round(measure.value, 2) for measure in reading.measures}
    return {"outcome": reading.outcome, "reasons": list(reading.reasons), "measures": measures}


def judge_stones(case: Case) -> Answer:
    """Answer how many stones of each colour lie in the stone zone."""
    frame = _first(case)
    found = find_pose(frame.image, case.camera, case.table)
    if found.pose is None:
        return unsure_answer(found.reason or Reason.NO_MAT)
    count = count_stones(frame.image, View(case.camera, found.pose), case.table, case.kit())
    if count.doubts:
        return unsure_answer(*count.doubts)
    return {"stones": {"yellow": count.yellow, "red": count.red, "blue": count.blue}}


def judge_stand_case(case: Case) -> Answer:
    """Answer whether the structure of the task stood free of hands for two seconds; times from the first frame."""
    kit = case.kit()
    question = Question(_task(case), asked_figure(case.entry, kit), case.entry.mode or Mode.STOCK)
    return answer_stand(case.frames(), case.table, kit, case.camera, question)


def answer_stand(frames: Iterator[Frame], table: Table, kit: Kit, camera: Camera, question: Question) -> Answer:
    """Answer a question about standing from frames in order; times count from the first."""
    watch = Watch(table, kit, camera, InlineRecogniser(TableReader(camera, table, kit)), linger=True)
    first = next(frames)
    verdict = judge_stand(itertools.chain([first], frames), watch, question)
    return stand_answer(verdict, first.sensor_ns)


def stand_answer(verdict: Verdict, first_ns: int) -> Answer:
    """Return a stand judge's verdict as `umpire judge` prints it; what does not apply is left out."""
    times = {
        "stood_from_s": _seconds(verdict.stood_from_ns, first_ns),
        "confirmed_at_s": _seconds(verdict.confirmed_at_ns, first_ns),
        "stood_for_s": _seconds(verdict.stood_for_ns, 0),
    }
    known = {name: seconds for name, seconds in times.items() if seconds is not None}
    return {"outcome": verdict.outcome, "reasons": list(verdict.reasons), **known}


def _seconds(at_ns: int | None, from_ns: int) -> float | None:
    return None if at_ns is None else round((at_ns - from_ns) / 1e9, 4)


def _first(case: Case) -> Frame:
    return next(iter(case.frames()))


def _task(case: Case) -> Task:
    if case.entry.task is None:
        raise UserError(f"{case.folder / 'case.toml'}: task: missing, wanted one for kind {case.entry.kind!r}")
    return case.entry.task


JUDGES: dict[str, Callable[[Case], Answer]] = {
    "stand": judge_stand_case,
    "structure": judge_structure,
    "stones": judge_stones,
}
