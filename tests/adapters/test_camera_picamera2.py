"""The real picamera2 driven by the adapter; only libcamera, and the kernel's memory heap, are simulated."""

import gc
import logging
import sys
import threading
import time
from itertools import islice
from types import ModuleType

import psutil
import pytest

from pi_app.adapters.camera_picamera2 import Picamera2Camera, exposed_ns, picamera2_name, widest_mode
from pi_app.adapters.camera_thread import CameraLost, CameraThread
from pi_app.core.device import CameraKind, CameraPart
from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.core.observations import Frame
from tests.adapters.libcamera_stub import Sensor, connect

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
PART = CameraPart(CameraKind.PICAMERA2, 0, 320, 180, 30.0, 50)
PATIENCE_S = 20.0


def frames(camera: Picamera2Camera, count: int) -> list[Frame]:
    return list(islice(camera, count))


def test_red_and_blue_come_in_opencvs_order(sensor: Sensor) -> None:
    """CAM-2: one red and one blue patch through the whole path."""
    camera = Picamera2Camera(PART)
    image = frames(camera, 1)[0].image
    camera.close()
    assert image.shape == (180, 320, 3)
    assert image[90, 40].tolist() == [0, 0, 255]
    assert image[90, 280].tolist() == [255, 0, 0]


def test_frames_carry_the_sensors_time(sensor: Sensor) -> None:
    """CAM-1: a frame's time is when it was exposed, between being asked for and being handed over, and always newer."""
    camera = Picamera2Camera(PART)
    began_ns = time.monotonic_ns()
    taken = frames(camera, 5)
    ended_ns = time.monotonic_ns()
    camera.close()
    stamps = [frame.sensor_ns for frame in taken]
    assert stamps == sorted(set(stamps))
    assert began_ns - 50_000_000 < stamps[0] <= stamps[-1] <= ended_ns - 10_000_000
    assert [frame.number for frame in taken] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("mains_hz", "auto_us", "light", "exposure_us", "gain"),
    [(50, 7_300, 14_600, 10_000, 1.46), (60, 7_300, 14_600, 8_333, 1.752), (50, 24_000, 96_000, 20_000, 4.8)],
)
def test_exposure_is_locked_to_whole_pulses_of_the_light(
    sensor: Sensor,
    caplog: pytest.LogCaptureFixture,
    mains_hz: int,
    auto_us: int,
    light: float,
    exposure_us: int,
    gain: float,
) -> None:
    """CAM-4: n x 10 ms or n x 8.33 ms, the brightness kept, and the log shows it."""
    sensor.auto_exposure_us, sensor.light = auto_us, light
    caplog.set_level(logging.INFO, "pi_app.adapters.camera_picamera2")
    camera = Picamera2Camera(CameraPart(CameraKind.PICAMERA2, 0, 320, 180, 30.0, mains_hz))
    frames(camera, 8)
    camera.close()
    assert sensor.state["AeEnable"] is False
    assert sensor.state["AwbEnable"] is False
    assert sensor.state["ExposureTime"] == exposure_us
    assert sensor.state["AnalogueGain"] == pytest.approx(gain, rel=0.01)
    assert sensor.state["ColourGains"] == (1.9, 1.6)
    assert (sensor.state["AfMode"], sensor.state["LensPosition"]) == (0, 2.1)
    assert sensor.asked[0]["FrameDurationLimits"] == (33_333, 33_333)
    pulse_ms = 1000 / (2 * mains_hz)
    assert f"exposure = {round(exposure_us / 1000 / pulse_ms)} x {pulse_ms:.2f} ms" in caplog.text


def test_a_throw_gets_more_pictures_a_second_of_the_same_field(sensor: Sensor) -> None:
    sensor.auto_exposure_us, sensor.light = 24_000, 48_000
    camera = Picamera2Camera(PART)
    stream = iter(camera)
    next(stream)
    camera.for_task(Task.THROW)
    list(islice(stream, 8))
    assert sensor.state["FrameDurationLimits"] == (17_857, 17_857)
    assert (sensor.state["ExposureTime"], sensor.state["AnalogueGain"]) == (10_000, pytest.approx(4.8))
    camera.for_task(None)
    list(islice(stream, 8))
    camera.close()
    assert sensor.state["FrameDurationLimits"] == (33_333, 33_333)
    assert (sensor.state["ExposureTime"], sensor.state["AnalogueGain"]) == (20_000, pytest.approx(2.4))
    assert camera.model == picamera2_name(0) == "imx708"


def test_a_lens_without_focus_is_not_asked_to(sensor: Sensor) -> None:
    sensor.focus = False
    camera = Picamera2Camera(PART)
    frames(camera, 2)
    camera.close()
    assert not {"AfMode", "AfTrigger", "LensPosition"} & {name for asked in sensor.asked for name in asked}


def test_a_camera_that_stalls_is_said_and_opened_again(sensor: Sensor, monkeypatch: pytest.MonkeyPatch) -> None:
    """CAM-3: the capture call never returns; within its patience the adapter gives up, closes, and opens anew."""
    monkeypatch.setattr("pi_app.adapters.camera_picamera2.WAIT_S", 0.05)
    sensor.stalls_after = 30
    thread = CameraThread(lambda: Picamera2Camera(PART))
    while not isinstance(lost := thread.take(PATIENCE_S), CameraLost):
        assert lost is not None
    assert lost == CameraLost("camera 0: no picture for 0.05 s")
    sensor.stalls_after = None
    assert isinstance(thread.take(PATIENCE_S), Frame)
    thread.close()
    for reader in threading.enumerate():
        if reader.name == "camera":
            reader.join(PATIENCE_S)


def test_no_camera_is_said_in_one_line(picamera2: ModuleType) -> None:
    connect(picamera2)
    with pytest.raises(UserError, match=r"camera 0: no such camera, connected: none"):
        Picamera2Camera(PART)


def test_a_camera_in_use_is_said(sensor: Sensor) -> None:
    first = Picamera2Camera(PART)
    with pytest.raises(UserError, match=r"in use by another program.*busy"):
        Picamera2Camera(PART)
    open_files = psutil.Process().num_fds()
    for _ in range(5):
        with pytest.raises(UserError):
            Picamera2Camera(PART)
    gc.collect()
    assert psutil.Process().num_fds() <= open_files
    first.close()
    first.close()


def test_without_picamera2_the_package_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(UserError, match="apt install python3-picamera2"):
        Picamera2Camera(PART)


def test_an_odd_size_is_refused_in_one_line(sensor: Sensor) -> None:
    with pytest.raises(UserError, match="camera 0: cannot be set up"):
        Picamera2Camera(CameraPart(CameraKind.PICAMERA2, 0, 321, 180))


def test_boot_time_is_mapped_to_the_monotonic_clock() -> None:
    metadata = {"SensorTimestamp": 5_000_000_000, "ExposureTime": 10_000}
    assert exposed_ns(metadata, 5_020_000_000, 5_020_000_000) == 4_990_000_000
    slept_ns = 3_600_000_000_000
    asleep = {"SensorTimestamp": 5_000_000_000 + slept_ns, "ExposureTime": 10_000}
    assert exposed_ns(asleep, 5_020_000_000, 5_020_000_000 + slept_ns) == 4_990_000_000
    assert exposed_ns(metadata, 5_020_000_000, 5_020_000_000 + slept_ns) == 4_990_000_000


def test_the_widest_mode_wins_then_the_fastest_then_the_smallest() -> None:
    def mode(size: tuple[int, int], fps: float, field: int) -> dict[str, object]:
        return {"size": size, "fps": fps, "bit_depth": 10, "crop_limits": (0, 0, field, field)}

    cropped, wide, slow = mode((1332, 990), 120, 2664), mode((2028, 1080), 50, 4056), mode((4056, 3040), 10, 4056)
    assert widest_mode([cropped, wide, slow], (1280, 720), 60) is wide
    small, large = mode((1640, 1232), 80, 3280), mode((3280, 2464), 80, 3280)
    assert widest_mode([large, small], (1280, 720), 60) is small
    assert widest_mode([{"format": "MJPEG"}], (1280, 720), 60) is None


def test_the_stand_in_tells_the_formats_apart(sensor: Sensor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.adapters.camera_picamera2.BGR_IN_MEMORY", "BGR888")
    camera = Picamera2Camera(PART)
    image = frames(camera, 1)[0].image
    camera.close()
    assert image[90, 40].tolist() == [255, 0, 0]
