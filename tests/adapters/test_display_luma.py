"""The OLED's owner: newest picture, faults and recovery, many threads."""

import logging
import os
import threading
from pathlib import Path

import pytest
from PIL import Image

from pi_app.adapters.display_luma import Device, LumaScreen
from pi_app.core.clock import ManualClock, SystemClock

SIZE = (128, 64)


class _Bus:
    """A display whose bus fails on the writes it is told to."""

    mode = "1"

    def __init__(self, failing: frozenset[int] = frozenset()) -> None:
        self.failing = failing
        self.writes = 0
        self.opened = 0
        self.shown: list[bytes] = []

    def open(self) -> Device:
        self.opened += 1
        return self

    def display(self, image: Image.Image) -> None:
        self.writes += 1
        if self.writes in self.failing:
            raise OSError(121, "Remote I/O error")
        self.shown.append(image.tobytes())

    def cleanup(self) -> None:
        return


def _picture(number: int) -> Image.Image:
    picture = Image.new("1", SIZE)
    for bit in range(11):
        picture.paste(number >> bit & 1, (bit * 10, 0, bit * 10 + 10, 64))
    return picture


def _number(data: bytes) -> set[int]:
    picture = Image.frombytes("1", SIZE, data)
    rows = [sum(bool(picture.getpixel((bit * 10 + 5, y))) << bit for bit in range(11)) for y in range(64)]
    return set(rows)


def test_only_the_newest_picture_is_sent() -> None:
    bus = _Bus()
    screen = LumaScreen(bus.open, ManualClock())
    for number in range(5):
        screen.show(_picture(number))
    assert screen.step() is None
    assert [_number(data) for data in bus.shown] == [{4}]
    assert screen.step() is None
    assert bus.writes == 1


def test_bus_faults_are_told_once_and_end_within_three_seconds(caplog: pytest.LogCaptureFixture) -> None:
    """OLED-1: writes 10 to 14 fail, then the bus works."""
    bus, clock = _Bus(frozenset(range(10, 15))), ManualClock()
    told: list[str | None] = []
    screen = LumaScreen(bus.open, clock, told.append)
    with caplog.at_level(logging.INFO):
        for number in range(100):
            screen.show(_picture(number))
            screen.step()
            clock.advance_s(0.1)
    assert told == ["[Errno 121] Remote I/O error", None]
    assert len(caplog.records) == 2
    assert _number(bus.shown[-1]) == {99}
    assert bus.opened == 6


def test_without_a_display_the_pauses_grow_and_showing_never_fails() -> None:
    """OLED-1, second run: no display at the start, and it comes later."""
    clock, there, bus = ManualClock(), [False], _Bus()

    def opener() -> Device:
        if not there[0]:
            raise OSError(121, "no display")
        return bus.open()

    screen = LumaScreen(opener, clock)
    screen.show(_picture(1))
    pauses = []
    for _ in range(6):
        pause_s = screen.step()
        assert pause_s is not None
        pauses.append(pause_s)
        clock.advance_s(pause_s)
    assert pauses == [0.25, 0.5, 1.0, 2.0, 2.0, 2.0]
    there[0] = True
    assert screen.step() is None
    assert _number(bus.shown[0]) == {1}


def test_threads_post_whole_screens_and_the_last_one_stays() -> None:
    """OLED-2: four threads, 500 screens each."""
    bus = _Bus()
    screen = LumaScreen(bus.open, SystemClock())
    screen.start()

    def post(first: int) -> None:
        for number in range(first, first + 500):
            screen.show(_picture(number))

    threads = [threading.Thread(target=post, args=(first,)) for first in range(0, 2000, 500)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    screen.show(_picture(2000))
    screen.close()
    assert all(len(_number(data)) == 1 for data in bus.shown)
    assert _number(bus.shown[-1]) == {2000}
    screen.close()


def test_it_works_with_the_emulated_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(os.environ, "PYGAME_HIDE_SUPPORT_PROMPT", "1")
    device = pytest.importorskip("luma.emulator.device")
    template = str(tmp_path / "oled_{0:03}.png")
    screen = LumaScreen(
        lambda: device.capture(mode="1", transform="none", scale=1, file_template=template), ManualClock()
    )
    screen.show(_picture(5))
    assert screen.step() is None
    screen.close()
    shown = Image.open(tmp_path / "oled_001.png").convert("1")
    assert _number(shown.tobytes()) == {5}
