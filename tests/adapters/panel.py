"""An OLED at register level: what its bus hears changes its memory, as the data sheets of SSD1306 and SH1106 say.

It stands where luma reaches for the machine: smbus2's bus, spidev's device and the pins beside it.
"""

from collections.abc import Callable, Iterable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

OPERANDS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
"""Commands of the SSD1306 that have bytes after them (data sheet, table 9-1)."""
NO_DEVICE = 121


class Panel:
    """The controller and its memory; `kind` is ssd1306 (window, horizontal addressing) or sh1106 (paged)."""

    def __init__(self, kind: str) -> None:
        self.windowed = kind != "sh1106"
        self.columns = 128 if self.windowed else 132
        self.memory = np.zeros((8, self.columns), np.uint8)
        self.page = self.column = 0
        self.columns_used, self.pages_used = (0, self.columns - 1), (0, 7)
        self.lit, self.contrast, self.inverted = False, 0x7F, False
        self.sent = 0
        """Bytes on the bus, addresses and control bytes included."""

    def picture(self) -> Image.Image:
        """Return what the panel shows."""
        first = 0 if self.windowed else 2
        bits = np.unpackbits(self.memory[:, None, first : first + 128], axis=1, bitorder="little")
        return Image.fromarray(bits.reshape(64, 128) * 255).convert("1")

    def commands(self, data: Iterable[int]) -> None:
        """Take command bytes."""
        left = list(data)
        while left:
            command = left.pop(0)
            count = OPERANDS.get(command, 0) if self.windowed else {0x81: 1}.get(command, 0)
            self._command(command, [left.pop(0) for _ in range(min(count, len(left)))])

    def _command(self, command: int, operands: list[int]) -> None:
        match command, operands:
            case 0x21, [first, last]:
                self.columns_used, self.column = (first, last), first
            case 0x22, [first, last]:
                self.pages_used, self.page = (first, last), first
            case 0x81, [contrast]:
                self.contrast = contrast
            case ((0xAE | 0xAF), _):
                self.lit = command == 0xAF
            case ((0xA6 | 0xA7), _):
                self.inverted = command == 0xA7
            case _ if not self.windowed:
                self._address(command)

    def _address(self, command: int) -> None:
        if 0xB0 <= command <= 0xB7:
            self.page = command & 7
        elif command <= 0x0F:
            self.column = self.column & 0xF0 | command
        elif command <= 0x1F:
            self.column = self.column & 0x0F | (command & 0x0F) << 4

    def data(self, data: Iterable[int]) -> None:
        """Take bytes of the picture."""
        for byte in data:
            self.memory[self.page, self.column] = byte
            self.column += 1
            if self.windowed and self.column > self.columns_used[1]:
                self.column = self.columns_used[0]
                self.page = self.page + 1 if self.page < self.pages_used[1] else self.pages_used[0]


class Bus:
    """smbus2's SMBus with one panel on it; `answers` says of each write, by number from 1, whether it is taken."""

    opened = 0

    def __init__(self, panel: Panel, answers: Callable[[int], bool] = lambda _: True) -> None:
        self.panel, self.answers = panel, answers
        self.writes, self.open_now = 0, 0

    def __call__(self, _port: int) -> "Bus":
        self.opened += 1
        self.open_now += 1
        return self

    def write_i2c_block_data(self, _address: int, register: int, data: list[int]) -> None:
        self._write([register, *data])

    def i2c_rdwr(self, message: Any) -> None:
        self._write(list(message))

    def close(self) -> None:
        self.open_now -= 1

    def _write(self, data: list[int]) -> None:
        self.writes += 1
        if not self.answers(self.writes):
            raise OSError(NO_DEVICE, "Remote I/O error")
        self.panel.sent += 1 + len(data)
        (self.panel.data if data[0] == 0x40 else self.panel.commands)(data[1:])


def put_on_i2c(monkeypatch: pytest.MonkeyPatch, bus: Bus) -> Bus:
    """Let luma find the bus where it opens /dev/i2c-1."""
    monkeypatch.setattr("smbus2.SMBus", bus)
    return bus


def put_on_spi(monkeypatch: pytest.MonkeyPatch, panel: Panel) -> None:
    """Let luma find the panel where it imports spidev and RPi.GPIO; the pin 24 tells commands from data."""
    level = {24: 0}

    def write(data: list[int]) -> None:
        panel.sent += len(data)
        (panel.data if level[24] else panel.commands)(data)

    device = SimpleNamespace(open=lambda *_: None, close=lambda: None, writebytes=write)
    spidev, gpio, package = ModuleType("spidev"), ModuleType("RPi.GPIO"), ModuleType("RPi")
    spidev.SpiDev = lambda: device  # type: ignore[attr-defined]
    pins = {"LOW": 0, "HIGH": 1, "OUT": 0, "BCM": 11, "setmode": lambda _: None, "setup": lambda *_: None}
    vars(gpio).update(pins, output=level.__setitem__, cleanup=lambda *_: None)
    package.GPIO = gpio  # type: ignore[attr-defined]
    for module in (spidev, gpio, package):
        monkeypatch.setitem(__import__("sys").modules, module.__name__, module)
