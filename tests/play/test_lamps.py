"""Which lamp lights when."""

from collections.abc import Sequence
from pathlib import Path

from pi_app.core.names import Lamp
from pi_app.play.lamps import Lamps
from pi_app.ui.voila import lamps_of
from tests.session.voila.table import new_table, started

ON, OFF, BLINK = Lamp.ON, Lamp.OFF, Lamp.BLINK


def test_free_buttons_invite_and_joined_ones_are_lit(tmp_path: Path) -> None:
    table = new_table(tmp_path, players=0).press(2)
    assert lamps_of(table.view, 3) == (BLINK, ON, BLINK)


def test_whose_turn_it_is_blinks_then_the_holder_of_the_claim(tmp_path: Path) -> None:
    table = started(tmp_path, players=3)
    assert lamps_of(table.view, 4) == (BLINK, OFF, OFF, OFF)
    table.press(1)
    assert lamps_of(table.view, 4) == (ON, OFF, OFF, OFF)
    table.say("stone red").say("card find-cat")
    assert lamps_of(table.view, 4) == (ON, ON, ON, OFF)
    table.press(3)
    assert lamps_of(table.view, 4) == (ON, ON, BLINK, OFF)


class Shown:
    """A LampSink that keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[Lamp, ...]] = []

    def show(self, lamps: Sequence[Lamp]) -> None:
        self.shown.append(tuple(lamps))

    def step(self, now_ns: int) -> None:
        """Nothing to switch."""

    def close(self) -> None:
        """Nothing is held."""


def test_the_view_is_taken_only_when_it_changed(tmp_path: Path) -> None:
    table = new_table(tmp_path, players=1)
    sink = Shown()
    lamps = Lamps(lambda: lamps_of(table.runner.view(), 2), sink)
    table.runner.on_change(lamps.changed)
    for now_ns in range(5):
        lamps.step(now_ns)
    assert sink.shown == [(ON, BLINK)]
    table.press(2)
    lamps.step(9)
    assert sink.shown == [(ON, BLINK), (ON, ON)]
