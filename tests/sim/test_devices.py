from pathlib import Path

import pytest
from PIL import Image

from pi_app.adapters.buttons_gpio import GpioButtons
from pi_app.core.clock import ManualClock
from pi_app.kit.model import Kit
from pi_app.sensing.presses import Debouncer
from pi_app.sensing.tiles import TileLifted, TilePad, TilePlaced
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


def test_the_pad_reports_what_lies_on_it(kit: Kit) -> None:
    clock = ManualClock(1_000_000_000)
    pad, tiles = SimPad(clock, kit), []
    follow = TilePad(pad.tags)
    tile = kit.tile.piece[2].id
    for laid in (None, tile, None):
        pad.lay(laid)
        clock.advance_s(0.8)
        for read in pad.reads():
            tiles += follow.feed(read)
    assert [type(change) for change in tiles] == [TilePlaced, TileLifted]
    assert isinstance(tiles[0], TilePlaced)
    assert tiles[0].tile == tile
    assert 1_800_000_000 <= tiles[0].at_ns <= 1_900_000_000


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
