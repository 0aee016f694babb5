"""The owner's settings for the device's parts: what is connected, and where.

[buttons]                   # pins = [5, 6, 13]; lamps = [12, 16, 20]
[display]                   # arguments = ["--display", "sh1106", "--interface", "i2c", "--i2c-address", "0x3C"]
[sound]                     # kind = "piezo"; pin = 18; volume = 0.5
[reader]                    # kind = "usb"; serial_number = "E6614104035B2C2A"
[camera]                    # kind = "picamera2"; width = 1280; height = 720; mains_hz = 50
"""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class ButtonParts:
    """The buzzers on GPIO: BCM numbers, in the order of the buttons; no pins: keys only."""

    pins: tuple[int, ...] = ()
    lamps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DisplayPart:
    """The OLED: luma.core's own command-line options."""

    on: bool = False
    arguments: tuple[str, ...] = ()


class SoundKind(StrEnum):
    """What makes the signals."""

    OFF = "off"
    PIEZO = "piezo"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class SoundPart:
    """The signals: a piezo on a GPIO pin (BCM number), or the sound card; `volume` 0 to 1."""

    kind: SoundKind = SoundKind.OFF
    pin: int | None = None
    volume: float = 0.5


class ReaderKind(StrEnum):
    """Where the reader board is found."""

    OFF = "off"
    USB = "usb"
    URL = "url"


@dataclass(frozen=True, slots=True)
class ReaderPart:
    """The reader board: by USB serial number (empty: the first Raspberry Pi board), or a URL of serial_for_url."""

    kind: ReaderKind = ReaderKind.OFF
    serial_number: str = ""
    url: str = ""


class CameraKind(StrEnum):
    """What takes the pictures."""

    USB = "usb"
    PICAMERA2 = "picamera2"


@dataclass(frozen=True, slots=True)
class CameraPart:
    """The camera: `device` is a USB camera's number; `mains_hz` sets which exposures do not flicker."""

    kind: CameraKind = CameraKind.USB
    device: int = 0
    width: int = 1280
    height: int = 720
    fps: float = 30.0
    mains_hz: int = 50


@dataclass(frozen=True, slots=True)
class DeviceParts:
    """All parts of the device."""

    buttons: ButtonParts = ButtonParts()
    display: DisplayPart = DisplayPart()
    sound: SoundPart = SoundPart()
    reader: ReaderPart = ReaderPart()
    camera: CameraPart = CameraPart()
