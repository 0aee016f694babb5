from pathlib import Path

import pytest
from PIL import Image

from pi_app.adapters.buttons_gpio import GpioButtons
from pi_app.core.clock import ManualClock
from pi_app.kit.model import Kit
from pi_app.sensing.presses import Debouncer
from pi_app.sensing.tiles import TileLifted, TilePad, TilePlaced
from pi_app.sim.board import SimBoard, SimReader
from pi_app.sim.devices import SimButtons, SimPad, oled_opener
from pi_app.sim.hands import TICK_S


def test_a_bouncing_press_is_one_press_at_its_time() -> None:
    clock = ManualClock(5_000_000_000)
    contacts = SimButtons(clock)
    buttons = GpioButtons(contacts.pins, contacts.factory, clock)
    debouncer, presses = Debouncer(), []
    for _ in contacts.press(3):
        clock.advance_s(TICK_S)
    edges = buttons.edges()
    clock.advance_s(0.1)
    for edge in edges:
        presses += debouncer.feed(edge)
    presses += debouncer.settle(clock.now_ns())
    assert len(edges) == 6
    assert [(press.button, press.pressed) for press in presses] == [(3, True), (3, False)]
    assert presses[0].at_ns == pytest.approx(5_000_000_000, abs=1000)
    buttons.close()


def test_a_tile_on_the_pad_goes_through_the_wire(kit: Kit) -> None:
    clock = ManualClock(1_000_000_000)
    pad, tiles = SimPad(kit), []
    reader = SimReader(clock, SimBoard(pad.tag, clock.ns))
    follow = TilePad(pad.tags, empty_polls=1)
    tile = kit.tile.piece[2].id
    for laid in (None, tile, None):
        pad.lay(laid)
        for _ in range(60):
            clock.advance_s(0.02)
            for read in reader.reads():
                tiles += follow.feed(read)
    assert [type(change) for change in tiles] == [TilePlaced, TileLifted]
    assert isinstance(tiles[0], TilePlaced)
    assert tiles[0].tile == tile
    assert 2_200_000_000 <= tiles[0].at_ns <= 2_300_000_000


def test_a_worn_contact_is_one_press_and_a_spike_none() -> None:
    clock = ManualClock(5_000_000_000)
    contacts = SimButtons(clock)
    buttons = GpioButtons(contacts.pins, contacts.factory, clock)
    contacts.roughen(True)
    debouncer, presses = Debouncer(), []
    for _ in contacts.press(3):
        clock.advance_s(TICK_S)
    clock.advance_s(0.1)
    for edge in buttons.edges():
        presses += debouncer.feed(edge)
    presses += debouncer.settle(clock.now_ns())
    assert [(press.button, press.pressed) for press in presses] == [(3, True), (3, False)]
    buttons.close()


def test_the_emulated_oled_writes_each_screen(tmp_path: Path) -> None:
    device = oled_opener(tmp_path / "screens", keep_all=True)()
    picture = Image.new("1", (128, 64))
    picture.putpixel((5, 7), 1)
    device.display(picture)
    device.cleanup()
    saved = Image.open(tmp_path / "screens" / "oled-000001.png").convert("L")
    assert saved.size == (128, 64)
    assert saved.getpixel((5, 7)) == 255
    assert saved.getpixel((6, 7)) == 0
    assert device.last is picture
