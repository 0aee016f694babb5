from pathlib import Path

import numpy as np
import pytest

from pi_app.core.effects import AskCamera, DropQuestion
from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.core.observations import Frame
from pi_app.judging.worker import Found, Job
from pi_app.play.orders import FILE, NotingRecogniser, OrderWriter, PacedRecogniser, read_orders
from pi_app.vision.pose import PoseReading

ASK = AskCamera(Task.ACROBATS, "acrobats_row", "row", 77)


def job(number: int) -> Job:
    return Job(Frame(number, number, np.zeros((2, 2, 3), np.uint8)))


def read(job: Job) -> Found:
    return Found(job, PoseReading(None, (), 0.0), None)


class Late:
    """Takes every second job and gives its answer back three frames later."""

    def __init__(self) -> None:
        self.waiting: list[Found] = []
        self.frame = 0

    def offer(self, job: Job) -> bool:
        if self.waiting:
            return False
        self.waiting.append(read(job))
        return True

    def found(self) -> list[Found]:
        ready = [found for found in self.waiting if found.job.frame.number + 3 <= self.frame]
        self.waiting = [found for found in self.waiting if found not in ready]
        return ready

    def close(self) -> None:
        """Nothing to stop."""


def test_orders_come_back_at_their_frames(tmp_path: Path) -> None:
    writer = OrderWriter(tmp_path)
    writer.order(3, ASK)
    writer.order(9, DropQuestion())
    writer.order(9, AskCamera(Task.TOWER, "tower", None, 99))
    writer.close()
    assert read_orders(tmp_path).by_frame == {
        3: [ASK],
        9: [DropQuestion(), AskCamera(Task.TOWER, "tower", None, 99)],
    }


def paces(
    recogniser: NotingRecogniser | PacedRecogniser, inner: Late | None = None
) -> list[tuple[int, bool, list[int]]]:
    seen = []
    for number in range(12):
        recogniser.frame = number
        if inner:
            inner.frame = number
        taken = recogniser.offer(job(number))
        seen.append((number, taken, [found.job.frame.number for found in recogniser.found()]))
    return seen


def test_a_recognisers_pace_is_repeated(tmp_path: Path) -> None:
    writer, late = OrderWriter(tmp_path), Late()
    then = paces(NotingRecogniser(late, writer), late)
    writer.close()
    assert paces(PacedRecogniser(read, read_orders(tmp_path))) == then
    assert [taken for _, taken, _ in then].count(True) == 3


@pytest.mark.parametrize(
    "line", ["", "{}", "[]", '{"frame": 1, "what": "jump"}', '{"frame": 1, "what": "ask"}', "\x00"]
)
def test_a_broken_note_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / FILE).write_text(f'{{"frame": 1, "what": "drop"}}\n{line}\n')
    with pytest.raises(UserError, match="line 2: got"):
        read_orders(tmp_path)
