"""USB cameras through OpenCV, stamped by the driver where it does; exposure and focus locked where it can.

V4L2 drivers stamp a frame with the monotonic clock as its transfer begins; OpenCV hands that on as CAP_PROP_POS_MSEC.
Without it a frame has the time at which it was grabbed: late by the camera's own delay, the same for every frame.
"""

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.adapters.camera_light import pulse_us
from pi_app.core.errors import UserError
from pi_app.core.observations import Frame

MANUAL_EXPOSURE, EXPOSURE_US = 1, 100.0
"""V4L2's V4L2_EXPOSURE_MANUAL, and the unit of V4L2_CID_EXPOSURE_ABSOLUTE."""
SETTLE_FRAMES = 20
REPEATS_S = 2.0
LATEST_MS = 1000.0
NAMES = Path("/sys/class/video4linux")

_log = logging.getLogger(__name__)


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool:  # noqa: D102, N802
        ...

    def set(self, propId: int, value: float, /) -> bool:  # noqa: D102, N803
        ...

    def get(self, propId: int, /) -> float:  # noqa: D102, N803
        ...

    def grab(self) -> bool:  # noqa: D102
        ...

    def retrieve(self) -> tuple[bool, Any]:  # noqa: D102
        ...

    def release(self) -> None:  # noqa: D102
        ...


class OpenCvCamera:
    """A V4L2 or USB camera, named by its number or device path; a FrameSource. A file is read as if it were one.

    A camera that gives bit for bit the same picture for REPEATS_S has hung: no sensor is without noise.
    """

    def __init__(
        self,
        device: int | str,
        width: int,
        height: int,
        fps: float = 30.0,
        mains_hz: int = 50,
        open_capture: Callable[[int | str], Capture] | None = None,
    ) -> None:
        self._device, self._mains_hz = device, mains_hz
        self._live = isinstance(device, int) or device.startswith("/dev/")
        self._capture: Capture = open_capture(device) if open_capture else cv2.VideoCapture(device)
        if not self._capture.isOpened():
            raise UserError(f"camera {device}: cannot be opened; is it plugged in, and in use by nothing else?")
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames until the camera stops delivering; UserError where it repeats itself."""
        if self._live:
            self._lock()
        number, before, changed_ns = 0, None, 0
        while self._capture.grab():
            grabbed_ns = time.monotonic_ns()
            sensor_ns = sensed_ns(self._capture.get(cv2.CAP_PROP_POS_MSEC), grabbed_ns) if self._live else grabbed_ns
            ok, image = self._capture.retrieve()
            if not ok:
                return
            picture = np.asarray(image, np.uint8)
            if before is None or not (self._live and _same(before, picture)):
                changed_ns = sensor_ns
            elif sensor_ns - changed_ns >= REPEATS_S * 1e9:
                raise UserError(f"camera {self._device}: the same picture for {REPEATS_S:g} s")
            yield Frame(number, sensor_ns, picture)
            number, before = number + 1, picture

    def close(self) -> None:
        """Let go of the device; safe to call twice."""
        self._capture.release()

    def _lock(self) -> None:
        """Let the automatics settle, then hold exposure (in whole pulses of the light), white balance and focus."""
        for _ in range(SETTLE_FRAMES):
            self._capture.grab()
        pulse = pulse_us(self._mains_hz) / EXPOSURE_US
        settled = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        exposure = round(max(1, round(settled / pulse)) * pulse) if settled >= pulse / 2 else settled
        wanted = (
            ("exposure", ((cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE), (cv2.CAP_PROP_EXPOSURE, exposure))),
            ("white balance", ((cv2.CAP_PROP_AUTO_WB, 0),)),
            ("focus", ((cv2.CAP_PROP_AUTOFOCUS, 0),)),
        )
        taken = {name: [self._capture.set(*one) for one in held] for name, held in wanted}
        free = [name for name, each in taken.items() if not all(each)]
        _log.info("camera %s: exposure = %.2f ms", self._device, exposure * EXPOSURE_US / 1000)
        if free:
            _log.warning("camera %s: the driver does not lock %s", self._device, ", ".join(free))


def usb_camera_name(device: int) -> str:
    """Return what the driver calls the camera of a number; UserError where there is none."""
    try:
        name = (NAMES / f"video{device}" / "name").read_text("utf-8", errors="replace").strip()
    except OSError:
        raise UserError(f"camera {device}: not found; is it plugged in? (or say what it is called: --name)") from None
    return name or f"video{device}"


def sensed_ns(stamp_ms: float, grabbed_ns: int) -> int:
    """Return the driver's stamp in monotonic nanoseconds where it is one, else the time of grabbing."""
    age_ms = grabbed_ns / 1e6 - stamp_ms
    return round(stamp_ms * 1e6) if 0 <= age_ms <= LATEST_MS else grabbed_ns


def _same(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> bool:
    return before.shape == after.shape and bool((before[::16] == after[::16]).all()) and np.array_equal(before, after)
