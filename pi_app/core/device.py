"""The owner's settings for the device's parts: what is connected, and where. What cannot be is in `device_check`.

[device.game]               # name = "voila"; kit = "/var/lib/umpire/kit"
[device.buttons]            # pins = [5, 6, 13]; lamps = [12, 16, 20]
[device.display]            # arguments = ["--display", "sh1106", "--interface", "i2c", "--i2c-address", "0x3C"]
[device.sound]              # kind = "piezo"; pin = 18; volume = 0.5
[device.reader]             # kind = "usb"; serial_number = "E6614104035B2C2A"; tiles = {04A3C6CAE26180 = "cat"}
[device.camera]             # kind = "picamera2"; width = 1280; height = 720; mains_hz = 50
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class GameKind(StrEnum):
    """The games that the device referees without a terminal."""

    VOILA = "voila"


@dataclass(frozen=True, slots=True)
class GamePart:
    """What is played when the device starts by itself: `umpire run`.

    `kit` is the folder of the owner's kit (empty: the sample kit), `table` the mat's sizes (empty: the printed mat's),
    `lens` the camera's numbers (empty: solved from the mat); paths count from the settings file's folder. `stock`: the
    acrobats carry no markers.
    """

    name: GameKind = GameKind.VOILA
    kit: str = ""
    table: str = ""
    lens: str = ""
    stock: bool = False


@dataclass(frozen=True, slots=True)
class ButtonParts:
    """The buzzers on GPIO: BCM numbers, in the order of the buttons; no pins: keys only.

    `lamps`: none, or one a button. `width_ms`: a contact that rests shorter is a spike and no press.
    """

    pins: tuple[int, ...] = ()
    lamps: tuple[int, ...] = ()
    width_ms: float = 0.5


@dataclass(frozen=True, slots=True)
class DisplayPart:
    """The OLED: luma.core's own command-line options; without any an SSD1306 on I2C at 0x3C.

    Against burn-in a picture that stays is dimmed and then switched off, and all are moved by a pixel now and then;
    0 seconds: never.
    """

    on: bool = False
    arguments: tuple[str, ...] = ()
    dim_after_s: float = 120.0
    off_after_s: float = 1800.0
    drift_every_s: float = 120.0


class SoundKind(StrEnum):
    """What makes the signals."""

    OFF = "off"
    PIEZO = "piezo"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class SoundPart:
    """The signals: a piezo on a GPIO pin (BCM number), or a sound card by its name (empty: the system's choice).

    `volume` is 0 to 1, `muted` keeps the volume for later.
    """

    kind: SoundKind = SoundKind.OFF
    pin: int | None = None
    card: str = ""
    volume: float = 0.5
    muted: bool = False


class ReaderKind(StrEnum):
    """Where the reader board is found."""

    OFF = "off"
    USB = "usb"
    URL = "url"


@dataclass(frozen=True, slots=True)
class ReaderPart:
    """The reader board: by USB serial number (empty: the first Raspberry Pi board), or a URL of serial_for_url.

    `tiles`: the tags' full ids (capital hex) and the kit's tiles they are stuck to. `buttons`: the board's own buttons
    play, too, numbered after those on GPIO.
    """

    kind: ReaderKind = ReaderKind.OFF
    serial_number: str = ""
    url: str = ""
    tiles: Mapping[str, str] = field(default_factory=dict)
    buttons: bool = False


class CameraKind(StrEnum):
    """What takes the pictures."""

    USB = "usb"
    PICAMERA2 = "picamera2"


@dataclass(frozen=True, slots=True)
class CameraPart:
    """The camera: `device` is its number; `mains_hz` sets which exposures do not flicker.

    `fps` holds while nothing is thrown; a sensor that can is asked for more while a throw card is up.
    """

    kind: CameraKind = CameraKind.USB
    device: int = 0
    width: int = 1280
    height: int = 720
    fps: float = 30.0
    mains_hz: int = 50


@dataclass(frozen=True, slots=True)
class DeviceParts:
    """All parts of the device, and what it is for."""

    buttons: ButtonParts = ButtonParts()
    display: DisplayPart = DisplayPart()
    sound: SoundPart = SoundPart()
    reader: ReaderPart = field(default_factory=ReaderPart)
    camera: CameraPart = CameraPart()
    game: GamePart = GamePart()
