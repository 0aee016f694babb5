"""What every camera owes its thread, the real ones and the simulated one alike."""

from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.adapters.camera_opencv import OpenCvCamera
from pi_app.adapters.camera_picamera2 import Picamera2Camera
from pi_app.core.device import CameraKind, CameraPart
from pi_app.core.observations import Frame
from pi_app.core.ports import FrameSource

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
WIDTH, HEIGHT = 64, 48


def video_camera(request: pytest.FixtureRequest, tmp_path: Path) -> FrameSource:
    path = tmp_path / "noise.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (WIDTH, HEIGHT))
    random = np.random.default_rng(1)
    for _ in range(6):
        writer.write(random.integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8))
    writer.release()
    return OpenCvCamera(str(path), WIDTH, HEIGHT)


def pi_camera(request: pytest.FixtureRequest, tmp_path: Path) -> FrameSource:
    request.getfixturevalue("sensor")
    return Picamera2Camera(CameraPart(CameraKind.PICAMERA2, 0, WIDTH, HEIGHT))


@pytest.fixture(params=[video_camera, pi_camera])
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FrameSource]:
    make: Callable[[pytest.FixtureRequest, Path], FrameSource] = request.param
    opened = make(request, tmp_path)
    yield opened
    opened.close()


def test_frames_are_numbered_and_their_times_advance(camera: FrameSource) -> None:
    frames = list(islice(camera, 5))
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4]
    assert all(after.sensor_ns > before.sensor_ns for before, after in pairwise(frames))


def test_pictures_are_bgr_bytes_of_the_size_asked_for(camera: FrameSource) -> None:
    (frame,) = islice(camera, 1)
    assert frame.image.shape == (HEIGHT, WIDTH, 3)
    assert frame.image.dtype == np.uint8
    assert frame.image.flags.c_contiguous


def test_a_picture_kept_is_not_overwritten_by_the_next(camera: FrameSource) -> None:
    kept: list[tuple[Frame, bytes]] = [(frame, frame.image.tobytes()) for frame in islice(camera, 5)]
    assert all(frame.image.tobytes() == before for frame, before in kept)
    assert not any(np.shares_memory(one[0].image, kept[0][0].image) for one in kept[1:])


def test_closing_twice_is_safe(camera: FrameSource) -> None:
    camera.close()
    camera.close()
