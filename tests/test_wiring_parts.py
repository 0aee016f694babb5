"""The parts of a real table, opened from the settings over mock pins and pyserial's own loop."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from gpiozero.pins.mock import MockFactory

from pi_app.core.clock import SystemClock
from pi_app.core.device import ButtonParts, DeviceParts, ReaderKind, ReaderPart
from pi_app.core.errors import UserError
from pi_app.kit.model import Kit
from pi_app.kit.sample import sample_kit
from pi_app.wiring_parts import open_parts, tiles_of

TAG = "04A3C6CAE26180"


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory()
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
