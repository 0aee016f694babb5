"""USB cameras: a video file through the real cv2, and a stand-in for a V4L2 driver where there is none to plug in."""

import logging
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.adapters.camera_opencv import OpenCvCamera, sensed_ns, usb_camera_name
from pi_app.adapters.camera_thread import CameraLost, CameraThread
from pi_app.core.errors import UserError
from pi_app.core.observations import Frame

PATIENCE_S = 10.0


class Driver:
    """A V4L2 camera as OpenCV shows it: stamps, settings it takes or refuses, noise, or the same picture for ever."""

    def __init__(self, refuses: tuple[int, ...] = (), hangs: bool = False, frames: int = 200) -> None:
        self.refuses, self.hangs, self.left = refuses, hangs, frames
        self.settings: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 156.0}
        self.random = np.random.default_rng(1)
        self.stamp_ms = time.monotonic_ns() / 1e6 - 500.0
        self.image = self._image()

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, number: int, value: float) -> bool:
        if number in self.refuses:
            return False
        self.settings[number] = value
        return True

    def get(self, number: int) -> float:
        return self.stamp_ms if number == cv2.CAP_PROP_POS_MSEC else self.settings.get(number, 0.0)

    def grab(self) -> bool:
        self.left -= 1
        self.stamp_ms += 1.0 if not self.hangs else 30.0
        if not self.hangs:
            self.image = self._image()
        return self.left >= 0

    def retrieve(self) -> tuple[bool, np.ndarray]:
        return True, self.image

    def release(self) -> None:
        self.left = 0

    def _image(self) -> np.ndarray:
        return self.random.integers(0, 255, (24, 32, 3), np.uint8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Ten pictures: the left half pure red, the right half pure blue."""
    path = tmp_path / "patches.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (64, 48))
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:, :32, 2] = picture[:, 32:, 0] = 255
    for _ in range(10):
        writer.write(picture)
    writer.release()
    return path


def read(camera: OpenCvCamera) -> Iterator[Frame]:
    try:
        yield from camera
    finally:
        camera.close()
        camera.close()


def test_a_file_is_read_to_its_end_in_opencvs_order(video: Path) -> None:
    """CAM-2: red is red through the whole path."""
    frames = list(read(OpenCvCamera(str(video), 64, 48)))
    assert [frame.number for frame in frames] == list(range(10))
    assert [frame.sensor_ns for frame in frames] == sorted(frame.sensor_ns for frame in frames)
    assert frames[0].image[20, 10].tolist() == pytest.approx([0, 0, 254], abs=6)
    assert frames[0].image[20, 50].tolist() == pytest.approx([254, 0, 0], abs=6)


def test_a_thread_reads_a_file_and_says_that_it_stopped(video: Path) -> None:
    thread = CameraThread(lambda: OpenCvCamera(str(video), 64, 48))
    taken = [thread.take(PATIENCE_S)]
    while isinstance(taken[-1], Frame):
        taken.append(thread.take(PATIENCE_S))
    thread.close()
    assert taken[-1] == CameraLost("the camera stopped")
    assert len(taken) > 1


def test_a_missing_camera_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be opened; is it plugged in"):
        OpenCvCamera(str(tmp_path / "no.avi"), 64, 48)


@pytest.mark.parametrize(("mains_hz", "held"), [(50, 200.0), (60, 167.0)])
def test_exposure_and_focus_are_locked_once_settled(
    mains_hz: int, held: float, caplog: pytest.LogCaptureFixture
) -> None:
    """CAM-4: 15.6 ms settled become 2 x 10 ms or 2 x 8.33 ms, and the log shows it."""
    caplog.set_level(logging.INFO, "pi_app.adapters.camera_opencv")
    driver = Driver()
    list(islice(read(OpenCvCamera(0, 32, 24, 30.0, mains_hz, lambda _: driver)), 1))
    assert driver.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert driver.settings[cv2.CAP_PROP_EXPOSURE] == held
    assert driver.settings[cv2.CAP_PROP_AUTO_WB] == driver.settings[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert f"exposure = {held / 10:.2f} ms" in caplog.text
    assert "does not lock" not in caplog.text


def test_what_the_driver_does_not_lock_is_said(caplog: pytest.LogCaptureFixture) -> None:
    driver = Driver(refuses=(cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS))
    list(islice(read(OpenCvCamera(0, 32, 24, open_capture=lambda _: driver)), 1))
    assert "camera 0: the driver does not lock white balance, focus" in caplog.text


def test_the_drivers_stamps_are_taken(caplog: pytest.LogCaptureFixture) -> None:
    """CAM-1: a frame that waited in the driver keeps the time at which it was sensed."""
    driver = Driver()
    frames = list(islice(read(OpenCvCamera(0, 32, 24, open_capture=lambda _: driver)), 3))
    assert frames[0].sensor_ns < time.monotonic_ns() - 400_000_000
    assert frames[1].sensor_ns - frames[0].sensor_ns == pytest.approx(1_000_000, abs=1000)


def test_stamps_that_are_none_are_not_taken() -> None:
    assert sensed_ns(0.0, 9_000_000_000) == 9_000_000_000
    assert sensed_ns(9_500.0, 9_000_000_000) == 9_000_000_000
    assert sensed_ns(8_980.5, 9_000_000_000) == 8_980_500_000


def test_a_camera_that_repeats_its_picture_has_hung(monkeypatch: pytest.MonkeyPatch) -> None:
    """CAM-3: frames go on coming, and all are the same."""
    monkeypatch.setattr("pi_app.adapters.camera_opencv.sensed_ns", lambda stamp_ms, _: round(stamp_ms * 1e6))
    driver = Driver(hangs=True)
    with pytest.raises(UserError, match="camera 0: the same picture for 2 s"):
        list(read(OpenCvCamera(0, 32, 24, open_capture=lambda _: driver)))


def test_a_cameras_name_is_the_drivers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "video3").mkdir()
    (tmp_path / "video3" / "name").write_text("HD Webcam C270: HD Webcam\n", "utf-8")
    monkeypatch.setattr("pi_app.adapters.camera_opencv.NAMES", tmp_path)
    assert usb_camera_name(3) == "HD Webcam C270: HD Webcam"
    with pytest.raises(UserError, match="camera 4: not found"):
        usb_camera_name(4)
