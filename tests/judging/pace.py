"""How much faster than real time recorded clips are judged on one core, decoding excluded.

python -m tests.judging.pace CASE_DIR...
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2

from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.core.verdict import Verdict
from pi_app.judging.case import Case, asked_figure, load_case
from pi_app.judging.watch import Watch, judge_stand
from pi_app.judging.worker import InlineRecogniser, Question, TableReader


def pace(frames: Sequence[Frame], watch: Watch, question: Question) -> tuple[Verdict, float]:
    """Return the verdict, and the clip's length in sensor time over the processor time that judging it took."""
    start_s = time.process_time()
    verdict = judge_stand(frames, watch, question)
    took_s = time.process_time() - start_s
    return verdict, (frames[-1].sensor_ns - frames[0].sensor_ns) / 1e9 / took_s


def pace_of(case: Case) -> tuple[Verdict, float]:
    """Return the same of a recorded case; its pictures are decoded beforehand."""
    kit, entry = case.kit(), case.entry
    assert entry.task is not None, "a stand case has a task"
    question = Question(entry.task, asked_figure(entry, kit), entry.mode or Mode.STOCK)
    recogniser = InlineRecogniser(TableReader(case.camera, case.table, kit))
    watch = Watch(case.table, kit, case.camera, recogniser, linger=True)
    return pace(list(case.frames()), watch, question)


def main(folders: list[str]) -> None:
    """Print each case's pace."""
    cv2.setNumThreads(1)
    for folder in folders:
        verdict, times = pace_of(load_case(Path(folder)))
        print(f"{Path(folder).name:12} {verdict.outcome:7} {times:5.1f} times real time")


if __name__ == "__main__":
    main(sys.argv[1:])
