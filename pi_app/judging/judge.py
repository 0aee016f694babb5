"""Judge a recorded scene: the same recognisers and judges as at the table, on pictures from a folder."""

import itertools
from collections.abc import Callable, Iterator

from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.core.verdict import Reason, Verdict
from pi_app.judging.answer import Answer, asked_task, first_frame, seconds, unsure_answer, view_of
from pi_app.judging.cards import judge_card
from pi_app.judging.case import Case, asked_figure
from pi_app.judging.dice import judge_dice
from pi_app.judging.festival import judge_festival
from pi_app.judging.juggler import judge_juggler
from pi_app.judging.letters import judge_letters
from pi_app.judging.passage import judge_tunnel_case
from pi_app.judging.throw_watch import judge_throw_case
from pi_app.judging.watch import Watch, judge_stand
from pi_app.judging.worker import InlineRecogniser, Question, TableReader
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera
from pi_app.vision.stones import count_stones
from pi_app.vision.structure import read_structure


def judge_case(case: Case) -> Answer:
    """Return what `umpire judge` prints for the case: the fields of its kind, or outcome `unsure` with reasons."""
    judge = JUDGES.get(case.entry.kind)
    return {"id": case.entry.id, **(judge(case) if judge else unsure_answer(Reason.NOT_JUDGED))}


def judge_structure(case: Case) -> Answer:
    """Answer whether one still shows what the task asks for."""
    kit, frame = case.kit(), first_frame(case)
    view = view_of(case, frame)
    if isinstance(view, Reason):
        return unsure_answer(view)
    figure, mode = asked_figure(case.entry, kit), case.entry.mode or Mode.STOCK
    reading = read_structure(frame.image, view, case.table, kit, asked_task(case), figure, mode, case.art())
    measures = {measure.name: round(measure.value, 2) for measure in reading.measures}
    return {"outcome": reading.outcome, "reasons": list(reading.reasons), "measures": measures}


def judge_stones(case: Case) -> Answer:
    """Answer how many stones of each colour lie in the stone zone."""
    frame = first_frame(case)
    view = view_of(case, frame)
    if isinstance(view, Reason):
        return unsure_answer(view)
    count = count_stones(frame.image, view, case.table, case.kit())
    if count.doubts:
        return unsure_answer(*count.doubts)
    return {"stones": {"yellow": count.yellow, "red": count.red, "blue": count.blue}}


def judge_stand_case(case: Case) -> Answer:
    """Answer whether the structure of the task stood free of hands for two seconds; times from the first frame."""
    kit = case.kit()
    question = Question(asked_task(case), asked_figure(case.entry, kit), case.entry.mode or Mode.STOCK)
    reader = TableReader(case.camera, case.table, kit, case.art())
    return answer_stand(case.frames(), case.table, kit, case.camera, reader, question)


def answer_stand(
    frames: Iterator[Frame], table: Table, kit: Kit, camera: Camera, reader: TableReader, question: Question
) -> Answer:
    """Answer a question about standing from frames in order; times count from the first."""
    watch = Watch(table, kit, camera, InlineRecogniser(reader), linger=True)
    first = next(frames)
    verdict = judge_stand(itertools.chain([first], frames), watch, question)
    return stand_answer(verdict, first.sensor_ns)


def stand_answer(verdict: Verdict, first_ns: int) -> Answer:
    """Return a stand judge's verdict as `umpire judge` prints it; what does not apply is left out."""
    times = {
        "stood_from_s": seconds(verdict.stood_from_ns, first_ns),
        "confirmed_at_s": seconds(verdict.confirmed_at_ns, first_ns),
        "stood_for_s": seconds(verdict.stood_for_ns, 0),
    }
    known = {name: seconds for name, seconds in times.items() if seconds is not None}
    return {"outcome": verdict.outcome, "reasons": list(verdict.reasons), **known}


JUDGES: dict[str, Callable[[Case], Answer]] = {
    "stand": judge_stand_case,
    "structure": judge_structure,
    "stones": judge_stones,
    "card": judge_card,
    "juggler": judge_juggler,
    "throw": judge_throw_case,
    "tunnel": judge_tunnel_case,
    "festival": judge_festival,
    "letters": judge_letters,
    "dice": judge_dice,
}
