"""The panels at register level: what is sent, what is seen, and a bus that comes and goes."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pi_app.adapters.display_luma import Care, LumaScreen
from pi_app.adapters.display_options import open_device, open_display, parse_options
from pi_app.core.clock import ManualClock
from pi_app.core.device import DisplayPart
from pi_app.core.errors import UserError
from pi_app.ui.screens import screen
from tests.adapters.panel import Bus, Panel, put_on_i2c, put_on_spi
from tests.ui.views import VIEWS

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
KINDS = ["ssd1306", "ssd1309", "sh1106"]


def opened(monkeypatch: pytest.MonkeyPatch, kind: str, interface: str) -> tuple[Panel, Callable[[Image.Image], None]]:
    """Return a panel that is set up, and what shows a picture on it."""
    panel = Panel(kind)
    put_on_i2c(monkeypatch, Bus(panel))
    put_on_spi(monkeypatch, panel)
    device = open_device(parse_options(["--display", kind, "--interface", interface, "--gpio", "RPi.GPIO"]))
    return panel, device.display


@pytest.mark.parametrize("interface", ["i2c", "spi"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_screen_after_every_other_is_seen_whole(
    monkeypatch: pytest.MonkeyPatch, kind: str, interface: str
) -> None:
    panel, show = opened(monkeypatch, kind, interface)
    assert panel.lit
    for view in VIEWS.values():
        show(screen(view))
        assert panel.picture().tobytes() == screen(view).tobytes()
    assert not panel.inverted


@pytest.mark.parametrize("kind", KINDS)
def test_any_picture_after_any_other_is_seen_whole(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    panel, show = opened(monkeypatch, kind, "i2c")

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.tuples(st.integers(0, 127), st.integers(0, 63)), max_size=60))
    def shown(points: list[tuple[int, int]]) -> None:
        picture = Image.new("1", (128, 64))
        for point in points:
            picture.putpixel(point, 1)
        show(picture)
        assert panel.picture().tobytes() == picture.tobytes()

    shown()


@pytest.mark.parametrize("kind", KINDS)
def test_a_running_clock_costs_at_most_a_quarter_of_full_redraws(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    panel, show = opened(monkeypatch, kind, "i2c")
    view = VIEWS["running-digits"]
    show(screen(view))
    panel.sent = 0
    for left_s in range(44, -1, -1):
        show(screen(replace(view, clock=replace(view.clock, remaining_s=float(left_s)))))
    assert 0 < panel.sent / (45 * 128 * 8) < 0.25


def test_a_panel_that_is_away_takes_no_descriptors_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """OLED-1 at the bus: away for two hours, then there; cut in the middle of a picture, then there again."""
    panel, there, clock = Panel("ssd1306"), [False], ManualClock()
    bus = put_on_i2c(monkeypatch, Bus(panel, lambda _: there[0]))
    told: list[str | None] = []
    owner = open_display(DisplayPart(on=True, drift_every_s=0.0), clock, told.append)
    assert owner is not None
    owner.show(screen(VIEWS["ready"]))
    for _ in range(3600):
        clock.advance_s(owner.step() or 0.0)
    assert bus.opened > 3000
    assert bus.open_now == 0
    assert len(told) == 1
    there[0] = True
    clock.advance_s(2.0)
    owner.step()
    assert panel.picture().tobytes() == screen(VIEWS["ready"]).tobytes()
    bus.answers = lambda number: number % 7 != 0
    owner.show(screen(VIEWS["score"]))
    owner.step()
    bus.answers = lambda _: True
    clock.advance_s(2.0)
    owner.step()
    assert panel.picture().tobytes() == screen(VIEWS["score"]).tobytes()
    assert [fault is None for fault in told] == [False, True, False, True]
    owner.close()
    assert (bus.open_now, panel.lit) == (0, False)


def test_a_picture_that_stays_is_dimmed_moved_and_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    panel, clock = Panel("ssd1306"), ManualClock()
    put_on_i2c(monkeypatch, Bus(panel))
    owner = LumaScreen(lambda: open_device(parse_options(())), clock, care=Care(60.0, 300.0, 100.0))
    owner.show(screen(VIEWS["ready"]))
    seen = []
    for _ in range(40):
        owner.step()
        seen.append((panel.lit, panel.contrast, panel.picture().tobytes()))
        clock.advance_s(10.0)
    assert [lit for lit, *_ in seen] == [True] * 30 + [False] * 10
    assert {contrast for _, contrast, _ in seen[:6]} == {0xCF}
    assert {contrast for _, contrast, _ in seen[6:30]} == {0x08}
    assert len({picture for *_, picture in seen}) == 3
    owner.show(screen(VIEWS["score"]))
    owner.step()
    assert (panel.lit, panel.contrast) == (True, 0xCF)
    owner.close(leave_on=True)
    assert panel.lit


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--display", "ssd9999"], "--display"),
        (["--colour", "red"], "--colour"),
        (["--i2c-address", "abc"], "--i2c-address"),
        (["--i2c-address", "0x90"], "--i2c-address"),
        (["--rotate", "1"], "--rotate"),
        (["--height", "32"], "--height"),
        (["--interface", "spi", "--spi-bus-speed", "7"], "--spi-bus-speed"),
        (["--config", "/nowhere/luma.conf"], "--config"),
        (["-h"], "-h"),
    ],
)
def test_a_wrong_option_is_named(arguments: list[str], named: str) -> None:
    with pytest.raises(UserError, match=f"^device.display.arguments: .*{named}"):
        parse_options(arguments)


def test_without_a_display_there_is_none() -> None:
    assert open_display(DisplayPart(), ManualClock()) is None
