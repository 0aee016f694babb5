"""The display that the settings describe, in luma.core's own command-line options."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NoReturn

from pi_app.core.device import DisplayPart
from pi_app.core.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_app.adapters.display_luma import Device, LumaScreen
    from pi_app.adapters.retry import Report
    from pi_app.core.ports import Clock

SIZE = (128, 64)
COLUMN_ADDRESSED, PAGED = ("ssd1306", "ssd1309", "ssd1315"), ("sh1106",)
"""Panels of which only what changed is sent; luma's others get whole pictures."""
NO_OPERATION = 0xE3
SPI_SPEEDS_HZ = tuple(mhz * 1_000_000 for mhz in (1, 2, 4, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50, 52))
"""What luma.core.interface.serial.spi takes in whole MHz."""
I2C_ADDRESSES = range(0x08, 0x78)
"""7-bit addresses that are not reserved (I2C-bus specification UM10204, 3.1.12)."""


def open_display(part: DisplayPart, clock: Clock, report: Report | None = None) -> LumaScreen | None:
    """Return the display's owner, its thread not started, or None where the settings have none.

    UserError where an option is wrong; a display that is not there is a fault told to `report`, not an error.
    """
    from pi_app.adapters.display_luma import Care, LumaScreen

    if not part.on:
        return None
    options = parse_options(part.arguments)
    care = Care(part.dim_after_s, part.off_after_s, part.drift_every_s)
    return LumaScreen(lambda: open_device(options), clock, report, care)


def parse_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Return luma's options; without any an SSD1306 on I2C at 0x3C. UserError names the option that is wrong."""
    from luma.core.cmdline import create_parser, load_config

    parser = create_parser("", _Parser(add_help=False, allow_abbrev=False), autocomplete=False)
    parser.set_defaults(display="ssd1306", interface="i2c", mode="1")
    options: argparse.Namespace = parser.parse_args(list(arguments))
    if options.config:
        try:
            options = parser.parse_args([*load_config(options.config), *arguments])
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"device.display.arguments: --config: got {options.config}: {error}") from None
    _check(options)
    return options


def open_device(options: argparse.Namespace) -> Device:
    """Return the device, set up and dark; LumaError or OSError where it does not answer.

    Only I2C tells whether a panel is there. The bus is asked before luma's driver is made, because luma keeps every
    driver it makes, also of a panel that is not there.
    """
    from luma.core.cmdline import create_device, make_interface

    if options.display not in COLUMN_ADDRESSED + PAGED:
        return create_device(options)  # type: ignore[no-any-return]
    interface = getattr(make_interface(options), options.interface)()
    try:
        interface.command(NO_OPERATION)
        return _panel(options, interface)
    except BaseException:
        interface.cleanup()
        raise


def _panel(options: argparse.Namespace, interface: Any) -> Device:
    import luma.oled.device

    from pi_app.adapters.display_panel import PartialPanel

    device = getattr(luma.oled.device, options.display)(
        interface, width=options.width, height=options.height, rotate=options.rotate
    )
    return PartialPanel(device, interface, paged=options.display in PAGED)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are the user's to mend."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"device.display.arguments: {message.removeprefix('argument ')}")


def _check(options: argparse.Namespace) -> None:
    """Refuse what luma would find only when the display is opened, or with an assertion."""
    if (options.width, options.height) != SIZE:
        raise _wrong("--width and --height", f"{options.width} x {options.height}", "128 x 64")
    if options.rotate not in (0, 2):
        raise _wrong("--rotate", options.rotate, "0, or 2 for upside down")
    if options.interface == "i2c" and _number(options.i2c_address) not in I2C_ADDRESSES:
        raise _wrong("--i2c-address", options.i2c_address, "0x08 to 0x77; most displays have 0x3C or 0x3D")
    if "spi" in options.interface and options.spi_bus_speed not in SPI_SPEEDS_HZ:
        speeds = ", ".join(str(hz // 1_000_000) for hz in SPI_SPEEDS_HZ)
        raise _wrong("--spi-bus-speed", options.spi_bus_speed, f"one of {speeds} MHz, in Hz")


def _wrong(option: str, got: object, wanted: str) -> UserError:
    return UserError(f"device.display.arguments: {option}: got {got}, wanted {wanted}")


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None
