"""A game at a real table, joined from its parts: eyes that find their lens, a camera that hears of its task."""

from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.adapters.camera_thread import CameraLost
from pi_app.core.effects import AskCamera, DropQuestion, KeepPictures
from pi_app.core.names import Mode, Task
from pi_app.core.observations import Frame
from pi_app.kit.draw_mat import draw_mat
from pi_app.play.late_eyes import NO_MAT
from pi_app.wiring import Set, open_set
from pi_app.wiring_live import framing, live_game


class NoCamera:
    """A camera that delivers nothing and notes what it is told."""

    def __init__(self) -> None:
        self.tasks: list[Task | None] = []

    def take(self, timeout_s: float) -> Frame | CameraLost | None:
        return None

    def for_task(self, task: Task | None) -> None:
        self.tasks.append(task)

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture(scope="module")
def lying() -> Set:
    return open_set(None, None, Mode.BADGE)


def test_a_game_begins_without_the_mat_and_sees_once_it_lies_there(tmp_path: Path, lying: Set) -> None:
    dark = np.zeros((720, 1280, 3), np.uint8)
    mat = cv2.resize(draw_mat(lying.table, 2), (1280, 720)).astype(np.uint8)
    with ExitStack() as stack:
        game = live_game(lying, None, NoCamera(), tmp_path / "session.db", stack)
        for second in range(4):
            game.eyes.see(Frame(second, second * 10**9, dark))
        game.runner.step()
        assert game.runner.view().faults == (("camera", NO_MAT),)
        game.eyes.see(Frame(4, 4 * 10**9, mat))
        game.runner.step()
        assert ("camera", NO_MAT) not in game.runner.view().faults


def test_the_camera_hears_which_task_it_watches() -> None:
    camera = NoCamera()
    carry_out = framing(camera)
    for effect in (AskCamera(Task.THROW, "t", None, 0), KeepPictures(1, 5), AskCamera(Task.LINE, "l", None, 9)):
        carry_out(effect)
    carry_out(DropQuestion())
    assert camera.tasks == [Task.THROW, None, Task.LINE, None]
