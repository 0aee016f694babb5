"""What cannot be in the settings of the device's parts: each fault as `key: got value, wanted what`."""

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import urlsplit

from pi_app.core.device import (
    ButtonParts,
    CameraPart,
    DeviceParts,
    DisplayPart,
    ReaderKind,
    ReaderPart,
    SoundKind,
    SoundPart,
)

HEADER = range(2, 28)
"""BCM numbers of the 40-pin header; 0 and 1 belong to the EEPROM of boards stacked on it."""
BUTTONS = range(2, 7)
I2C_PINS, SPI_PINS = (2, 3), (9, 10, 11)
SPI_SELECT = (8, 7)
DATA_COMMAND, RESET = 24, 25
"""What luma.core takes where its options do not say otherwise."""
URL_KINDS = ("alt", "cp2110", "hwgrep", "loop", "rfc2217", "socket", "spy")
"""What pyserial's serial_for_url knows."""
TAG = re.compile(r"(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})")
MAX_TILES = 256


def device_faults(parts: DeviceParts) -> list[str]:
    """Return everything that cannot be, with full key paths; empty where all is well."""
    return [
        *_button_faults(parts.buttons),
        *_sound_faults(parts.sound),
        *_reader_faults(parts.reader),
        *_camera_faults(parts.camera),
        *_pin_faults(parts),
    ]


def _button_faults(part: ButtonParts) -> Iterator[str]:
    if part.pins and len(part.pins) not in BUTTONS:
        yield f"device.buttons.pins: got {len(part.pins)} pins, wanted none, or {BUTTONS.start} to {BUTTONS.stop - 1}"
    if part.lamps and len(part.lamps) != len(part.pins):
        yield f"device.buttons.lamps: got {len(part.lamps)} pins, wanted none, or one each for {len(part.pins)} buttons"
    if not 0 <= part.width_ms <= 20:
        yield f"device.buttons.width_ms: got {part.width_ms}, wanted 0 to 20 milliseconds"


def _sound_faults(part: SoundPart) -> Iterator[str]:
    if part.kind is SoundKind.PIEZO and part.pin is None:
        yield 'device.sound.pin: missing, wanted the pin of the piezo (kind = "piezo")'
    if not 0 <= part.volume <= 1:
        yield f"device.sound.volume: got {part.volume}, wanted 0 to 1"


def _reader_faults(part: ReaderPart) -> Iterator[str]:
    if part.kind is ReaderKind.URL and (why := _why_not_url(part.url)):
        yield f"device.reader.url: got {part.url!r}, wanted {why}"
    if part.kind is not ReaderKind.URL and part.url:
        yield f'device.reader.url: got {part.url!r}, but it is only used with kind = "url"'
    if part.kind is not ReaderKind.USB and part.serial_number:
        yield f'device.reader.serial_number: got {part.serial_number!r}, but it is only used with kind = "usb"'
    if len(part.tiles) > MAX_TILES:
        yield f"device.reader.tiles: got {len(part.tiles)} tags, wanted at most {MAX_TILES}"
    for tag in part.tiles:
        if not TAG.fullmatch(tag):
            yield f"device.reader.tiles: got the tag {tag[:40]!r}, wanted 8, 14 or 20 digits of capital hex"
        elif len(tag) == 8 and tag.startswith("88"):
            yield f"device.reader.tiles: got the tag {tag!r}, the first part of a longer id, wanted all of it"


def _why_not_url(url: str) -> str | None:
    """Return what is wanted where serial_for_url cannot take it."""
    scheme, found, _ = url.partition("://")
    if not url.isprintable() or not url or len(url) > 500:
        return "a device or a URL of serial_for_url"
    if not found:
        return (
            None if url.startswith("/") or re.fullmatch(r"COM\d{1,3}", url) else "a device, as /dev/ttyACM0, or a URL"
        )
    if scheme not in URL_KINDS:
        return f"one of {', '.join(f'{kind}://' for kind in URL_KINDS)}"
    if scheme in ("socket", "rfc2217") and not _has_place(url):
        return f"{scheme}://HOST:PORT"
    return None


def _has_place(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return False


def _camera_faults(part: CameraPart) -> Iterator[str]:
    for key, least, most in (("device", 0, 99), ("width", 320, 8000), ("height", 240, 8000), ("fps", 5, 240)):
        value = getattr(part, key)
        if not least <= value <= most:
            yield f"device.camera.{key}: got {value}, wanted {least} to {most}"
    if part.mains_hz not in (50, 60):
        yield f"device.camera.mains_hz: got {part.mains_hz}, wanted 50 or 60"


def _pin_faults(parts: DeviceParts) -> Iterator[str]:
    """Name pins that are none, and each that something before it uses already."""
    users: dict[int, str] = {}
    for key, pin in _pins(parts):
        if pin not in HEADER:
            yield f"{key}: got {pin}, wanted a BCM number of the 40-pin header, {HEADER.start} to {HEADER.stop - 1}"
        elif pin in users:
            yield f"{key}: got {pin}, which {users[pin]} uses already"
        users.setdefault(pin, key)


def _pins(parts: DeviceParts) -> Iterator[tuple[str, int]]:
    yield from _display_pins(parts.display)
    for index, pin in enumerate(parts.buttons.pins):
        yield f"device.buttons.pins[{index}]", pin
    for index, pin in enumerate(parts.buttons.lamps):
        yield f"device.buttons.lamps[{index}]", pin
    if parts.sound.kind is SoundKind.PIEZO and parts.sound.pin is not None:
        yield "device.sound.pin", parts.sound.pin


def _display_pins(part: DisplayPart) -> Iterator[tuple[str, int]]:
    """Yield the pins of the display's bus, as luma.core's options say; other interfaces than these two have none."""
    if not part.on:
        return
    options = _options(part.arguments)
    interface = options.get("interface", "i2c")
    if interface == "i2c" and options.get("i2c-port", "1") == "1":
        yield from (("the display's I2C bus", pin) for pin in I2C_PINS)
    if interface == "spi" and options.get("spi-port", "0") == "0":
        select = SPI_SELECT[options.get("spi-device", "0") == "1"]
        yield from (("the display's SPI bus", pin) for pin in (*SPI_PINS, select))
        for name, default in (("gpio-data-command", DATA_COMMAND), ("gpio-reset", RESET)):
            value = options.get(name, str(default))
            if value.isascii() and value.isdigit() and len(value) < 4:
                yield f"device.display.arguments --{name}", int(value)


def _options(arguments: tuple[str, ...]) -> dict[str, str]:
    """Return `--name value` and `--name=value` by name."""
    found: dict[str, str] = {}
    words = [part for word in arguments for part in (word.split("=", 1) if word.startswith("--") else [word])]
    for name, value in pairwise(words):
        if name.startswith("--"):
            found[name.removeprefix("--")] = value
    return found
