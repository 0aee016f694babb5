"""A camera that stalls, ends or cannot be opened is said to be lost and opened again (field log CAM-1, CAM-3)."""

import threading
from collections.abc import Iterator

import numpy as np

from pi_app.adapters.camera_thread import CameraLost, CameraThread
from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.core.observations import Frame

PICTURE = np.zeros((2, 2, 3), np.uint8)
PATIENCE_S = 5.0


class FakeCamera:
    """Delivers `frames`, then blocks until `released` when `stalls`, else ends."""

    def __init__(self, frames: list[Frame], stalls: bool) -> None:
        self.frames, self.stalls = frames, stalls
        self.released, self.delivered, self.closed = threading.Event(), threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        yield from self.frames
        self.delivered.set()
        if self.stalls:
            self.released.wait(PATIENCE_S)

    def close(self) -> None:
        self.closed.set()


def frame(number: int) -> Frame:
    return Frame(number, number * 1000, PICTURE)


def test_only_the_newest_of_waiting_frames_is_taken() -> None:
    camera = FakeCamera([frame(number) for number in range(500)], stalls=True)
    thread = CameraThread(lambda: camera)
    assert camera.delivered.wait(PATIENCE_S)
    newest = thread.take(PATIENCE_S)
    assert isinstance(newest, Frame)
    assert newest.number == 499
    assert thread.take(0.0) is None
    camera.released.set()
    thread.close()


def test_a_stalled_camera_is_lost_and_opened_again() -> None:
    cameras = [FakeCamera([frame(0)], stalls=True), FakeCamera([frame(7)], stalls=True)]
    opened = iter(cameras)
    thread = CameraThread(lambda: next(opened), stall_s=0.02)
    assert cameras[0].delivered.wait(PATIENCE_S)
    assert isinstance(thread.take(PATIENCE_S), Frame)
    lost = [thread.take(0.01) for _ in range(2)][-1]
    assert isinstance(lost, CameraLost)
    assert "no picture for" in lost.why
    assert cameras[1].delivered.wait(PATIENCE_S)
    again = thread.take(PATIENCE_S)
    assert isinstance(again, Frame)
    assert again.number == 7
    cameras[0].released.set()
    assert cameras[0].closed.wait(PATIENCE_S)
    cameras[1].released.set()


def test_a_camera_that_cannot_be_opened_says_why() -> None:
    tries: list[int] = []

    def open_source() -> FakeCamera:
        tries.append(1)
        if len(tries) == 1:
            raise UserError("camera 0: cannot be opened")
        return FakeCamera([frame(1)], stalls=True)

    thread = CameraThread(open_source)
    lost = thread.take(PATIENCE_S)
    assert lost == CameraLost("camera 0: cannot be opened")
    assert isinstance(thread.take(PATIENCE_S), Frame)


def test_a_source_that_ends_is_lost() -> None:
    thread = CameraThread(lambda: FakeCamera([], stalls=False))
    assert thread.take(PATIENCE_S) == CameraLost("the camera stopped")


def stamped(number: int, sensor_ns: int) -> Frame:
    return Frame(number, sensor_ns, PICTURE)


def test_a_frame_older_than_the_question_is_passed_over() -> None:
    """CAM-1: one frame stamped 800 ms before the question waits; the one after it is the answer."""
    release = threading.Event()

    class Late(FakeCamera):
        def __iter__(self) -> Iterator[Frame]:
            yield stamped(0, 200_000_000)
            self.delivered.set()
            release.wait(PATIENCE_S)
            yield stamped(1, 1_050_000_000)
            self.released.wait(PATIENCE_S)

    camera = Late([], stalls=True)
    thread = CameraThread(lambda: camera)
    assert camera.delivered.wait(PATIENCE_S)
    assert thread.take(0.0, after_ns=1_000_000_000) is None
    release.set()
    answer = thread.take(PATIENCE_S, after_ns=1_000_000_000)
    assert isinstance(answer, Frame)
    assert answer.number == 1
    camera.released.set()
    thread.close()


def test_a_camera_that_repeats_itself_is_lost() -> None:
    """CAM-3: frames whose time stands are no new ones."""
    first = FakeCamera([stamped(0, 5), stamped(1, 5), stamped(2, 4)], stalls=True)
    opened = iter([first, FakeCamera([], stalls=False)])
    thread = CameraThread(lambda: next(opened), stall_s=0.02)
    assert first.delivered.wait(PATIENCE_S)
    taken = thread.take(PATIENCE_S)
    assert isinstance(taken, Frame)
    assert taken.number == 0
    lost = [thread.take(0.01) for _ in range(2)][-1]
    assert isinstance(lost, CameraLost)
    assert "the same picture again and again for" in lost.why
    first.released.set()
    thread.close()


def test_a_camera_that_takes_its_time_to_open_is_not_lost() -> None:
    camera = FakeCamera([], stalls=True)
    thread = CameraThread(lambda: camera, stall_s=0.01, opening_s=0.05)
    assert [thread.take(0.01) for _ in range(4)] == [None] * 4
    assert isinstance(thread.take(0.01), CameraLost)
    camera.released.set()
    thread.close()


def test_the_task_reaches_the_camera_and_the_one_opened_after_it() -> None:
    asked: list[tuple[int, Task | None]] = []

    class Rated(FakeCamera):
        def __init__(self, number: int, frames: list[Frame], stalls: bool) -> None:
            super().__init__(frames, stalls)
            self.number = number

        def for_task(self, task: Task | None) -> None:
            asked.append((self.number, task))

    cameras = [Rated(0, [frame(0)], stalls=False), Rated(1, [frame(1), frame(2)], stalls=True)]
    opened = iter(cameras)
    ready = threading.Event()

    def open_source() -> FakeCamera:
        ready.wait(PATIENCE_S)
        return next(opened)

    thread = CameraThread(open_source)
    thread.for_task(Task.THROW)
    ready.set()
    while not isinstance(thread.take(PATIENCE_S), CameraLost):
        pass
    assert cameras[1].delivered.wait(PATIENCE_S)
    assert asked == [(0, Task.THROW), (1, Task.THROW)]
    cameras[1].released.set()
    thread.close()
