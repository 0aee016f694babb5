"""A stand-in for libcamera's compiled Python module, under which the real picamera2 runs: one simulated sensor.

Names and behaviour as in libcamera's Python bindings (src/py/libcamera) as far as picamera2 uses them. Pixel formats
are laid out in memory as DRM's fourcc list defines them: RGB888 is [23:0] R:G:B little endian, so blue comes first.
"""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np

FORMATS = {"RGB888": (2, 1, 0), "BGR888": (0, 1, 2), "XRGB8888": (2, 1, 0, 3), "XBGR8888": (0, 1, 2, 3)}
"""Which of red, green, blue, filler stands at each byte of a pixel."""


class ControlType(Enum):
    Integer = 1
    Float = 2
    Rectangle = 3
    Size = 4


@dataclass(frozen=True)
class ControlId:
    name: str
    type: ControlType = ControlType.Integer


@dataclass(frozen=True)
class ControlInfo:
    min: Any
    max: Any
    default: Any = None


class Size:
    def __init__(self, width: int = 0, height: int = 0) -> None:
        self.width, self.height = width, height


class Rectangle:
    def __init__(self, x: int, y: int, width: int, height: int) -> None:
        self.x, self.y, self.width, self.height = x, y, width, height


class Transform:
    def __init__(self, other: "Transform | None" = None, hflip: int = 0, vflip: int = 0, transpose: int = 0) -> None:
        self.hflip, self.vflip, self.transpose = hflip, vflip, transpose
        if other is not None:
            self.hflip, self.vflip, self.transpose = other.hflip, other.vflip, other.transpose

    def __str__(self) -> str:
        return f"hflip {self.hflip}, vflip {self.vflip}, transpose {self.transpose}"


Orientation = Enum(
    "Orientation",
    "Rotate0 Rotate0Mirror Rotate180 Rotate180Mirror Rotate90 Rotate90Mirror Rotate270 Rotate270Mirror",
)


class ColorSpace:
    YcbcrEncoding = Enum("YcbcrEncoding", "Null Rec709")
    Range = Enum("Range", "Full Limited")

    def __init__(self, other: "ColorSpace | str") -> None:
        name: str = other if isinstance(other, str) else other.primaries
        self.primaries: str = name
        self.transferFunction: str = name
        self.ycbcrEncoding: Enum = self.YcbcrEncoding.Rec709
        self.range: Enum = self.Range.Limited

    def __str__(self) -> str:
        return str(self.primaries)

    @classmethod
    def Sycc(cls) -> "ColorSpace":  # noqa: N802
        return cls("sycc")

    @classmethod
    def Smpte170m(cls) -> "ColorSpace":  # noqa: N802
        return cls("smpte170m")

    @classmethod
    def Rec709(cls) -> "ColorSpace":  # noqa: N802
        return cls("rec709")

    @classmethod
    def Raw(cls) -> "ColorSpace":  # noqa: N802
        return cls("raw")


class PixelFormat:
    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name


StreamRole = Enum("StreamRole", "Raw StillCapture VideoRecording Viewfinder")


class SensorConfiguration:
    bit_depth = 0
    output_size = Size()


@dataclass(eq=False)
class Stream:
    configuration: "StreamConfiguration"


class StreamConfiguration:
    def __init__(self, role: Any, sensor: "Sensor") -> None:
        raw = role is StreamRole.Raw
        self.formats = SimpleNamespace(
            pixel_formats=[PixelFormat(f"SBGGR{depth}") for depth in sorted({m.bit_depth for m in sensor.modes})],
            sizes=lambda pixels: [Size(*m.size) for m in sensor.modes if f"SBGGR{m.bit_depth}" == str(pixels)],
        )
        self.size, self.pixel_format = Size(640, 480), PixelFormat("SBGGR10" if raw else "XBGR8888")
        self.buffer_count, self.stride = 4, 0
        self.color_space = ColorSpace.Sycc()
        self.stream = Stream(self)

    @property
    def frame_size(self) -> int:
        return self.stride * self.size.height


class CameraConfiguration:
    Status = Enum("Status", "Valid Adjusted Invalid")

    def __init__(self, roles: list[Any], sensor: "Sensor") -> None:
        self._streams = [StreamConfiguration(role, sensor) for role in roles]
        self.orientation: Enum = Orientation.Rotate0
        self.sensor_config: SensorConfiguration | None = None

    def at(self, index: int) -> StreamConfiguration:
        return self._streams[index]

    def __iter__(self) -> Iterator[StreamConfiguration]:
        return iter(self._streams)

    def validate(self) -> Enum:
        """Pad rows to 64 bytes, as the Pi's hardware does."""
        for stream in self._streams:
            a_pixel = len(FORMATS.get(str(stream.pixel_format), (0, 0)))
            stream.stride = -(-stream.size.width * a_pixel // 64) * 64
        return self.Status.Valid


FrameStatus = Enum("FrameStatus", "Success Error Startup")


class FrameBuffer:
    def __init__(self, size: int) -> None:
        self.fd = os.memfd_create("frame")
        os.ftruncate(self.fd, size)
        self.planes = [SimpleNamespace(fd=self.fd, length=size)]
        self.metadata = SimpleNamespace(planes=[SimpleNamespace(bytes_used=size)], status=FrameStatus.Success)

    def __del__(self) -> None:
        os.close(self.fd)


class FrameBufferAllocator:
    def __init__(self, camera: object) -> None:
        self._buffers: dict[Stream, list[FrameBuffer]] = {}

    def allocate(self, stream: Stream) -> int:
        config = stream.configuration
        self._buffers[stream] = [FrameBuffer(config.frame_size) for _ in range(config.buffer_count)]
        return config.buffer_count

    def buffers(self, stream: Stream) -> list[FrameBuffer]:
        return self._buffers[stream]


class Request:
    Status = Enum("Status", "Complete Cancelled")

    def __init__(self, cookie: int) -> None:
        self.cookie, self.status = cookie, self.Status.Complete
        self.buffers: dict[Stream, FrameBuffer] = {}
        self.metadata: dict[ControlId, Any] = {}
        self.controls: dict[ControlId, Any] = {}

    def add_buffer(self, stream: Stream, buffer: FrameBuffer) -> None:
        self.buffers[stream] = buffer

    def set_control(self, control: ControlId, value: Any) -> None:
        self.controls[control] = value

    def reuse(self) -> None:
        self.controls = {}


@dataclass(frozen=True)
class SensorMode:
    size: tuple[int, int]
    bit_depth: int
    fps: float
    crop: tuple[int, int, int, int]


IMX708 = (
    SensorMode((1536, 864), 10, 120.0, (768, 432, 3072, 1728)),
    SensorMode((2304, 1296), 10, 56.0, (0, 0, 4608, 2592)),
    SensorMode((4608, 2592), 10, 14.0, (0, 0, 4608, 2592)),
)
"""As rpicam-hello --list-cameras prints them for a Camera Module 3; sizes, rates and crops of the sensor's modes."""


@dataclass
class Sensor:
    """What the simulated sensor sees and does: half the scene pure red, half pure blue."""

    modes: tuple[SensorMode, ...] = IMX708
    model: str = "imx708"
    focus: bool = True
    light: float = 14_600.0
    """Exposure in us times gain that the automatics arrive at."""
    auto_exposure_us: int = 7_300
    stalls_after: int | None = None
    frames: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)


NAMES = {
    "ExposureTime": (100, 112_000_000),
    "AnalogueGain": (1.12, 16.0),
    "AeEnable": (False, True),
    "AwbEnable": (False, True),
    "AeFlickerMode": (0, 1),
    "AeFlickerPeriod": (100, 1_000_000),
    "ColourGains": (0.0, 32.0),
    "NoiseReductionMode": (0, 4),
    "ExposureTimeMode": (0, 1),
    "AnalogueGainMode": (0, 1),
}
FOCUS = {"AfMode": (0, 2), "AfTrigger": (0, 1), "LensPosition": (0.0, 32.0)}
REPORTED = ("SensorTimestamp", "DigitalGain", "AfState", "FrameDuration")
DURATION, CROP = ControlId("FrameDurationLimits"), ControlId("ScalerCrop", ControlType.Rectangle)
IDS = {name: ControlId(name) for name in (*NAMES, *FOCUS, *REPORTED)}


class Camera:
    """The simulated camera: completes a queued request every `tick`."""

    def __init__(self, sensor: Sensor, manager: "CameraManager") -> None:
        self.id, self.sensor, self._manager = "/base/soc/i2c0mux/i2c@1/imx708@1a", sensor, manager
        self.properties = {ControlId("Model"): sensor.model, ControlId("ColorFilterArrangement"): 1}
        self.mode = sensor.modes[0]
        self._queue: list[Request] = []
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._acquired = False

    @property
    def controls(self) -> dict[ControlId, ControlInfo]:
        known = NAMES | (FOCUS if self.sensor.focus else {})
        found = {IDS[name]: ControlInfo(low, high, low) for name, (low, high) in known.items()}
        found[DURATION] = ControlInfo(round(1e6 / self.mode.fps), 120_000_000)
        crop = Rectangle(*self.mode.crop)
        found[CROP] = ControlInfo(crop, crop, crop)
        return found

    def acquire(self) -> None:
        if self._acquired:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self._acquired = True

    def release(self) -> None:
        self._acquired = False

    def generate_configuration(self, roles: list[Any]) -> CameraConfiguration:
        return CameraConfiguration(roles, self.sensor)

    def configure(self, config: CameraConfiguration) -> int:
        wanted = config.sensor_config
        assert wanted is not None
        self.mode = next(
            m for m in self.sensor.modes if m.size == (wanted.output_size.width, wanted.output_size.height)
        )
        return 0

    def start(self, controls: dict[ControlId, Any]) -> None:
        self._apply(controls)
        self._over.clear()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()
        self._queue.clear()

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def queue_request(self, request: Request) -> None:
        self._apply(request.controls)
        with self._lock:
            self._queue.append(request)

    def _apply(self, controls: dict[ControlId, Any]) -> None:
        plain = {control.name: value for control, value in controls.items()}
        assert plain.keys() <= {control.name for control in self.controls} | set(FOCUS), plain
        if plain:
            self.sensor.asked.append(plain)
        self.sensor.state |= plain

    def _run(self) -> None:
        while not self._over.wait(0.001):
            stalled = self.sensor.stalls_after is not None and self.sensor.frames >= self.sensor.stalls_after
            with self._lock:
                request = self._queue.pop(0) if self._queue and not stalled else None
            if request is not None:
                self.sensor.frames += 1
                self._expose(request)
                self._manager.complete(request)

    def _expose(self, request: Request) -> None:
        for stream, buffer in request.buffers.items():
            config = stream.configuration
            order = FORMATS.get(str(config.pixel_format))
            if order is not None:
                os.pwrite(buffer.fd, _red_and_blue(config, order).tobytes(), 0)
        request.metadata = {IDS[name]: value for name, value in self._metadata().items()}

    def _metadata(self) -> dict[str, Any]:
        sensor, state = self.sensor, self.sensor.state
        near = min(1.0, sensor.frames / 10)
        auto = state.get("AeEnable", True)
        exposure = round(sensor.auto_exposure_us * near) if auto else state["ExposureTime"]
        limits = state.get("FrameDurationLimits", (33_333, 33_333))
        told: dict[str, Any] = {
            "SensorTimestamp": time.clock_gettime_ns(time.CLOCK_BOOTTIME),
            "ExposureTime": exposure,
            "AnalogueGain": sensor.light / sensor.auto_exposure_us if auto else state["AnalogueGain"],
            "DigitalGain": 1.0,
            "ColourGains": (1.9, 1.6),
            "FrameDuration": max(limits[0], round(1e6 / self.mode.fps)),
        }
        if sensor.focus:
            told |= {"AfState": 2 if sensor.frames > 14 else 1, "LensPosition": state.get("LensPosition", 2.1)}
        return told


def _red_and_blue(config: StreamConfiguration, order: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    width, height = config.size.width, config.size.height
    scene = np.zeros((height, width, 4), np.uint8)
    scene[:, : width // 2, 0] = 255
    scene[:, width // 2 :, 2] = 255
    rows = np.zeros((height, config.stride), np.uint8)
    rows[:, : width * len(order)] = scene[:, :, order].reshape(height, -1)
    return rows


class CameraManager:
    """The one manager of a process; a test sets what is connected with `connect`."""

    _current: "CameraManager | None" = None

    def __init__(self) -> None:
        self.cameras: list[Camera] = []
        self._ready: list[Request] = []
        self._lock = threading.Lock()
        self.event_fd = os.eventfd(0, os.EFD_NONBLOCK)

    def __del__(self) -> None:
        os.close(self.event_fd)

    @classmethod
    def singleton(cls) -> "CameraManager":
        assert cls._current is not None
        return cls._current

    @classmethod
    def connect(cls, *sensors: Sensor) -> None:
        cls._current = cls()
        cls._current.cameras = [Camera(sensor, cls._current) for sensor in sensors]

    def complete(self, request: Request) -> None:
        with self._lock:
            self._ready.append(request)
        os.eventfd_write(self.event_fd, 1)

    def get_ready_requests(self) -> list[Request]:
        with self._lock:
            ready, self._ready = self._ready, []
        if ready:
            os.eventfd_read(self.event_fd)
        return ready


def connect(picamera2: ModuleType, *sensors: Sensor) -> None:
    """Let picamera2 find these sensors and no others."""
    CameraManager.connect(*sensors)
    picamera2.Picamera2._cm.reset()


def modules() -> dict[str, ModuleType]:
    """Return the stand-in as sys.modules wants it."""
    package, compiled = ModuleType("libcamera"), ModuleType("libcamera._libcamera")
    controls = SimpleNamespace(
        draft=SimpleNamespace(NoiseReductionModeEnum=IntEnum("Nr", "Off Fast HighQuality Minimal"))
    )
    for name, control in IDS.items():
        setattr(controls, name, control)
    exported = {
        "CameraConfiguration": CameraConfiguration,
        "CameraManager": CameraManager,
        "Camera": Camera,
        "ColorSpace": ColorSpace,
        "ControlType": ControlType,
        "FrameBuffer": FrameBuffer,
        "FrameBufferAllocator": FrameBufferAllocator,
        "FrameMetadata": SimpleNamespace(Status=FrameStatus),
        "Orientation": Orientation,
        "PixelFormat": PixelFormat,
        "Rectangle": Rectangle,
        "Request": Request,
        "SensorConfiguration": SensorConfiguration,
        "Size": Size,
        "StreamRole": StreamRole,
        "Transform": Transform,
        "controls": controls,
    }
    for name, value in exported.items():
        setattr(package, name, value)
        setattr(compiled, name, value)
    package.__dict__["_libcamera"] = compiled
    screen = ModuleType("pykms")  # the compiled part of the preview on a screen, never used without one
    screen.__dict__["PixelFormat"] = MagicMock()
    return {"libcamera": package, "libcamera._libcamera": compiled, "pykms": screen}
