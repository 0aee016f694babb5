"""The Pi's own cameras through picamera2: sensor timestamps, even exposure, gains and focus locked once settled.

The format that libcamera calls RGB888 holds blue, green, red in memory (the name counts from the highest byte down),
which is OpenCV's order. The widest sensor mode that gives THROW_FPS is used for everything, so that a throw changes the
frame rate and neither the field of view, for which the camera's numbers hold, nor the stream.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pi_app.adapters.camera_light import Locked, Settling, lock, pulse_us
from pi_app.core.device import CameraPart
from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.core.observations import Frame

THROW_FPS = 60.0
WAIT_S = 2.0
BUFFERS = 4
BGR_IN_MEMORY = "RGB888"
MANUAL_FOCUS, AUTO_FOCUS, START_SCAN = 0, 1, 0
MANUAL_FLICKER = 1
LOCKED_WITHIN = 12
ROW_US = 100
"""Sensors expose for whole rows: what they report differs from what was asked by less than a few of them."""
LONGEST_AGE_NS = 2_000_000_000

_log = logging.getLogger(__name__)


class Picamera2Camera:
    """A camera on the Pi's ribbon; a FrameSource and a TaskCamera.

    `model` is the sensor's name: imx708, imx708_wide, imx477. A frame's `sensor_ns` is when its first row began to be
    exposed, on the monotonic clock. `make_camera` opens the camera of a number. UserError says why there is no camera,
    or why its pictures ended.
    """

    def __init__(self, part: CameraPart, make_camera: Callable[[int], Any] | None = None) -> None:
        self._part = part
        self._camera = (make_camera or open_picamera2)(part.device)
        self.model = str(self._camera.camera_properties.get("Model", "camera"))
        self._fps = part.fps
        try:
            self._configure()
        except (RuntimeError, IndexError, KeyError) as error:
            self.close()
            raise UserError(f"camera {part.device}: cannot be set up: {error}") from None

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames once exposure, gains and focus have settled and are locked; never ends by itself."""
        self._settle()
        number = 0
        while True:
            image, metadata = self._capture()
            now_ns, boot_ns = time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME)
            yield Frame(number, exposed_ns(metadata, now_ns, boot_ns), image)
            number += 1

    def for_task(self, task: Task | None) -> None:
        """Take THROW_FPS, or what the sensor's mode can, while a throw is watched; the settings' rate else."""
        fps = max(THROW_FPS, self._part.fps) if task is Task.THROW else self._part.fps
        if fps != self._fps:
            self._fps = fps
            self._hold()

    def close(self) -> None:
        """Let go of the camera; safe to call twice."""
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(RuntimeError):
                camera.close()

    def _configure(self) -> None:
        size = (self._part.width, self._part.height)
        mode = widest_mode(self._camera.sensor_modes, size, THROW_FPS)
        sensor = {} if mode is None else {"output_size": mode["size"], "bit_depth": mode["bit_depth"]}
        config = self._camera.create_video_configuration(
            main={"size": size, "format": BGR_IN_MEMORY},
            raw=None,
            buffer_count=BUFFERS,
            queue=False,
            sensor=sensor,
            controls=self._known({"FrameDurationLimits": (round(1e6 / self._fps),) * 2}),
        )
        self._camera.configure(config)
        got = self._camera.camera_configuration()["main"]
        if (got["format"], tuple(got["size"])) != (BGR_IN_MEMORY, size):
            raise RuntimeError(f"got {got['format']} of {got['size']} px, wanted {BGR_IN_MEMORY} of {size} px")
        self._camera.start()

    def _settle(self) -> None:
        """Let the camera's own automatics find exposure, gains, white balance and focus; then hold them."""
        pulse = round(pulse_us(self._part.mains_hz))
        self._control({"AeFlickerMode": MANUAL_FLICKER, "AeFlickerPeriod": pulse, "AeEnable": True, "AwbEnable": True})
        self._control({"AfMode": AUTO_FOCUS, "AfTrigger": START_SCAN})
        settling = Settling()
        metadata = self._capture()[1]
        while not settling.enough(metadata):
            metadata = self._capture()[1]
        if not settling.settled:
            _log.warning("camera %d: exposure or focus did not settle; held as they are", self._part.device)
        self._settled = metadata
        self._confirm(self._hold())

    def _confirm(self, locked: Locked) -> None:
        """Pass over the pictures still on their way when the exposure was locked; the log tells if it was not taken."""
        for _ in range(LOCKED_WITHIN):
            exposure_us = self._capture()[1]["ExposureTime"]
            if abs(exposure_us - locked.exposure_us) <= ROW_US:
                return
        _log.warning("camera %d: exposure is %d us, asked for %d", self._part.device, exposure_us, locked.exposure_us)

    def _hold(self) -> Locked:
        """Lock exposure, gains and focus for the frame rate in force; the log shows them."""
        limits = self._camera.camera_controls["AnalogueGain"]
        frame_us = self._frame_us()
        locked = lock(self._settled, self._part.mains_hz, frame_us[0], (float(limits[0]), float(limits[1])))
        held: dict[str, Any] = {"FrameDurationLimits": frame_us, "AeEnable": False, "AwbEnable": False}
        held |= {"ExposureTime": locked.exposure_us, "AnalogueGain": locked.gain}
        if locked.colour_gains is not None:
            held["ColourGains"] = locked.colour_gains
        if locked.lens_position is not None:
            held |= {"AfMode": MANUAL_FOCUS, "LensPosition": locked.lens_position}
        self._control(held)
        _log.info("camera %d: %s, %.0f pictures a second", self._part.device, locked, 1e6 / frame_us[0])
        return locked

    def _frame_us(self) -> tuple[int, int]:
        """Return the frame duration limits: the wanted rate, or the fastest that the mode has."""
        shortest = self._camera.camera_controls.get("FrameDurationLimits", (0, 0, 0))[0]
        frame_us = max(round(1e6 / self._fps), int(shortest))
        return frame_us, frame_us

    def _control(self, controls: Mapping[str, Any]) -> None:
        self._camera.set_controls(self._known(controls))

    def _known(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Return those controls that this camera has: a fixed lens has no focus."""
        return {name: value for name, value in controls.items() if name in self._camera.camera_controls}

    def _capture(self) -> tuple[NDArray[np.uint8], Mapping[str, Any]]:
        """Return the next picture, BGR, and its metadata; UserError where none comes in WAIT_S."""
        try:
            request = self._camera.capture_request(wait=WAIT_S)
        except TimeoutError:
            self._camera.cancel_all_and_flush()
            raise UserError(f"camera {self._part.device}: no picture for {WAIT_S:g} s") from None
        except RuntimeError as error:
            raise UserError(f"camera {self._part.device}: {error}") from None
        try:
            return request.make_array("main"), request.get_metadata()
        finally:
            request.release()


def picamera2_name(number: int) -> str:
    """Return the sensor's name of the camera of a number without opening it; UserError where there is none."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise UserError(f"camera: picamera2 cannot be loaded ({error}); apt install python3-picamera2") from None
    known = [str(info["Model"]) for info in Picamera2.global_camera_info()]
    if number >= len(known):
        names = ", ".join(known) or "none"
        raise UserError(f"camera {number}: no such camera, connected: {names}; is the ribbon seated at both ends?")
    return known[number]


def open_picamera2(number: int) -> Any:
    """Return the camera of a number, as picamera2 counts them; UserError where there is none."""
    picamera2_name(number)
    from picamera2 import Picamera2

    camera: Any = Picamera2.__new__(Picamera2)
    try:
        camera.__init__(number)
    except RuntimeError as error:
        # picamera2 keeps the writing end of its pipe open where the camera cannot be: each new try would cost one
        camera.notifymeread.close()
        os.close(camera.notifyme_w)
        why = f"{error}: {error.__cause__}" if error.__cause__ else str(error)
        raise UserError(f"camera {number}: cannot be opened, is it in use by another program? {why}") from None
    return camera


def widest_mode(modes: Sequence[Mapping[str, Any]], size: tuple[int, int], fps: float) -> Mapping[str, Any] | None:
    """Return the sensor's mode with the widest field; of those the fastest up to `fps`, then the smallest.

    None where the modes are not known, as of a USB camera.
    """
    known = [mode for mode in modes if "size" in mode and "crop_limits" in mode]

    def worth(mode: Mapping[str, Any]) -> tuple[int, float, bool, int]:
        width, height = mode["size"]
        field = mode["crop_limits"][2]
        return field, min(mode["fps"], fps), width >= size[0] and height >= size[1], -width * height

    return max(known, key=worth, default=None)


def exposed_ns(metadata: Mapping[str, Any], now_ns: int, boot_ns: int) -> int:
    """Return when a picture's first row began to be exposed, on the monotonic clock.

    libcamera gives SensorTimestamp, the end of that row's exposure, in CLOCK_BOOTTIME, which runs on while the machine
    sleeps: both clocks read together map one to the other. Drivers that stamp with the monotonic clock itself are told
    by stamps that would be older than any picture can be.
    """
    stamp_ns = int(metadata["SensorTimestamp"])
    if boot_ns - stamp_ns <= LONGEST_AGE_NS:
        stamp_ns -= boot_ns - now_ns
    return stamp_ns - 1000 * int(metadata["ExposureTime"])
