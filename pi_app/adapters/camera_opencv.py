"""USB cameras through OpenCV; frames are stamped with the monotonic clock at the moment they were grabbed.

OpenCV gives no sensor time, so a frame's time is late by the camera's own delay (one or two frame periods); the delay
is the same for every frame, hence intervals are right.
"""

import time
from collections.abc import Iterator

import cv2
import numpy as np

from pi_app.core.errors import UserError
from pi_app.core.observations import Frame


class OpenCvCamera:
    """A V4L2 or USB camera, named by its index or device path; a FrameSource."""

    def __init__(self, device: int | str, width: int, height: int, fps: float = 30.0) -> None:
        self._capture = cv2.VideoCapture(device)
        if not self._capture.isOpened():
            raise UserError(f"camera {device}: cannot be opened; is it plugged in, and in use by nothing else?")
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames until the camera stops delivering."""
        number = 0
        while self._capture.grab():
            sensor_ns = time.monotonic_ns()
            ok, image = self._capture.retrieve()
            if not ok:
                return
            yield Frame(number, sensor_ns, image.astype(np.uint8, copy=False))
            number += 1

    def close(self) -> None:
        """Let go of the device; safe to call twice."""
        self._capture.release()
