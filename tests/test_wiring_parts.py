"""The parts of a real table, opened from the settings over mock pins and pyserial's own loop."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL import Image

from pi_app.core.clock import SystemClock
from pi_app.core.device import ButtonParts, DeviceParts, DisplayPart, ReaderKind, ReaderPart, SoundKind, SoundPart
from pi_app.core.effects import Sound
from pi_app.core.errors import UserError
from pi_app.core.events import PartFault
from pi_app.kit.model import Kit
from pi_app.kit.sample import sample_kit
from pi_app.ui.screens import goodbye
from pi_app.wiring_parts import check_display, open_parts, open_screen, open_signals, open_table_pins, tiles_of

TAG = "04A3C6CAE26180"
PIEZO = 18
CAPTURED = DisplayPart(True, ("--display", "capture", "--transform", "none", "--scale", "1"), drift_every_s=0.0)
"""luma's emulated display: every picture is a file luma_000001.png and so on in the working folder."""


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory(pin_class=MockPWMPin)
    yield pins
    pins.close()


@pytest.fixture(scope="module")
def kit() -> Kit:
    return sample_kit()


def test_buttons_lamps_and_board_are_opened_and_let_go(factory: MockFactory, kit: Kit) -> None:
    tile = kit.tile.piece[0].id
    reader = ReaderPart(ReaderKind.URL, url="loop://", tiles={TAG: tile}, buttons=True)
    wanted = DeviceParts(ButtonParts((5, 6), (12, 16)), reader=reader)
    with ExitStack() as stack:
        parts = open_parts(wanted, kit, SystemClock(), stack, factory)
        assert (len(parts.buttons), parts.count) == (2, 2)
        assert parts.lamps is not None
        assert parts.pad is not None
        assert parts.pad.tiles.tiles == {TAG: tile}
        assert parts.running == ("buttons: 2 on GPIO 5, 6, pin driver mock", "reader: loop://, 1 tags known")
        factory.pin(6).drive_low()
        assert [edge.button for edge in parts.buttons[0].edges()] == [2]
    with ExitStack() as stack:
        open_parts(wanted, kit, SystemClock(), stack, factory)


def test_without_settings_nothing_is_opened(kit: Kit) -> None:
    with ExitStack() as stack:
        parts = open_parts(DeviceParts(), kit, SystemClock(), stack)
    assert (parts.buttons, parts.lamps, parts.pad, parts.board, parts.running) == ((), None, None, None, ())


def test_a_tile_the_kit_has_not_is_named_with_all_others(kit: Kit) -> None:
    reader = ReaderPart(ReaderKind.USB, tiles={TAG: "spoon!", "04A3C6CBE26180": kit.tile.piece[0].id, "DEADBEEF": "x"})
    with pytest.raises(UserError) as caught:
        tiles_of(reader, kit)
    lines = str(caught.value).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"device.reader.tiles.{TAG}: got 'spoon!', wanted a tile of the kit: ")


class Posted:
    """Faults as they are posted, and what waits for one."""

    def __init__(self) -> None:
        self._came = threading.Condition()
        self.faults: list[PartFault] = []

    def __call__(self, fault: PartFault) -> None:
        with self._came:
            self.faults.append(fault)
            self._came.notify_all()

    def first(self) -> PartFault:
        with self._came:
            assert self._came.wait_for(lambda: self.faults, 10)
        return self.faults[0]


def test_what_luma_does_not_know_is_named_before_anything_is_opened() -> None:
    check_display(DeviceParts(display=DisplayPart(on=False, arguments=("--nonsense",))))
    check_display(DeviceParts(display=CAPTURED))
    with pytest.raises(UserError, match=r"device\.display\.arguments: .*--nonsense"):
        check_display(DeviceParts(display=DisplayPart(on=True, arguments=("--nonsense",))))


def test_a_display_that_is_not_there_is_a_fault_and_lets_go(factory: MockFactory) -> None:
    posted, bus = Posted(), DisplayPart(on=True, arguments=("--i2c-port", "77"))
    with ExitStack() as stack:
        owner = open_screen(DeviceParts(display=bus), SystemClock(), posted, stack)
        assert owner is not None
        owner.show(goodbye())
        assert posted.first().part == "display"


@pytest.fixture
def captures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fail_beside_display() -> None:
    with ExitStack() as stack:
        open_screen(DeviceParts(display=CAPTURED), SystemClock(), Posted(), stack)
        raise ZeroDivisionError


def test_left_in_order_the_display_says_goodbye_and_after_a_failure_it_does_not(captures: Path) -> None:
    with ExitStack() as stack:
        assert open_screen(DeviceParts(display=CAPTURED), SystemClock(), Posted(), stack) is not None
    last = captures / "luma_000001.png"
    assert Image.open(last).convert("1").tobytes() == goodbye().tobytes()
    last.unlink()
    with pytest.raises(ZeroDivisionError):
        fail_beside_display()
    assert not last.exists()


def test_signals_sound_on_the_pin_and_end_with_the_stack(factory: MockFactory) -> None:
    sound = DeviceParts(sound=SoundPart(SoundKind.PIEZO, PIEZO))
    pin = factory.pin(PIEZO)
    with ExitStack() as stack:
        player = open_signals(sound, SystemClock(), Posted(), stack, factory)
        assert player is not None
        player.play(Sound.STOP)
        until_s = time.monotonic() + 10
        while not pin.state:
            assert time.monotonic() < until_s, "it never sounded"
            os.sched_yield()
    assert pin.state == 0
    with ExitStack() as stack:
        assert open_signals(DeviceParts(), SystemClock(), Posted(), stack, factory) is None


def test_pins_are_opened_only_for_what_needs_them() -> None:
    with ExitStack() as stack:
        assert open_table_pins(DeviceParts(sound=SoundPart(SoundKind.CARD)), stack) is None
        if not any(Path("/dev").glob("gpiochip*")):
            with pytest.raises(UserError, match="no GPIO chip"):
                open_table_pins(DeviceParts(sound=SoundPart(SoundKind.PIEZO, PIEZO)), stack)
