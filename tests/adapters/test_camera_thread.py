"""A camera that stalls, ends or cannot be opened is said to be lost and opened again (field log CAM-1, CAM-3)."""

import threading
from collections.abc import Iterator

import numpy as np

from pi_app.adapters.camera_thread import CameraLost, CameraThread
from pi_app.core.errors import UserError
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
