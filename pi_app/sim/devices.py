"""Buzzers, claim pad and OLED of the simulated table; its reader board is in board.

The product's own adapters sit on top of them.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from gpiozero.pins.mock import MockFactory, MockPin
from PIL.Image import Image

from pi_app.core.clock import ManualClock
from pi_app.kit.model import Kit
from pi_app.sim.hands import TICK_S
from pi_app.sim.table import Script

PINS = (5, 6, 13, 19, 26, 21)
"""GPIO numbers of the buzzers, in order of the buttons."""

Bounces = tuple[tuple[float, bool], ...]
"""Edges after a press or a release: after how many ms, and whether the contact is closed then."""

PRESS_BOUNCE_MS: Bounces = ((0.0, True), (0.9, False), (2.1, True))
RELEASE_BOUNCE_MS: Bounces = ((0.0, False), (1.2, True), (2.0, False))
WORN_BOUNCE_MS: Bounces = tuple((0.7 * n, n % 2 == 0) for n in range(23))
"""A worn contact's edges for 15 ms, pressed at first and at last."""
STUCK_BUTTON = 2
SPIKE_MS = 0.2


class VirtualPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin whose edges carry the virtual clock's time."""

    def _call_when_changed(self) -> None:
        super(MockPin, self)._call_when_changed(self.factory.ticks(), self._state)


class VirtualFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Mock pins whose ticks are seconds of the virtual clock; `late_ns` places an edge between two of its steps."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(pin_class=VirtualPin)
        self._clock = clock
        self.late_ns = 0

    def ticks(self) -> float:
        """Return the virtual clock's seconds."""
        return (self._clock.now_ns() + self.late_ns) / 1e9


class SimButtons:
    """The buzzers' contacts: `press` is a script that drives a pin low and high again, bouncing as contacts do."""

    def __init__(self, clock: ManualClock, pins: Sequence[int] = PINS) -> None:
        self.factory = VirtualFactory(clock)
        self.pins = tuple(pins)
        self._press, self._release = PRESS_BOUNCE_MS, RELEASE_BOUNCE_MS

    def roughen(self, worn: bool) -> None:
        """Let every contact bounce as a worn one does, or no longer."""
        self._press = WORN_BOUNCE_MS if worn else PRESS_BOUNCE_MS
        self._release = tuple((ms, not down) for ms, down in WORN_BOUNCE_MS) if worn else RELEASE_BOUNCE_MS

    def stick(self, stuck: bool) -> None:
        """Hold one button down, or let go of it."""
        self._bounce(STUCK_BUTTON, ((0.0, stuck),))

    def spike(self, on: bool) -> None:
        """Put a spike on every contact, as a switched lamp does."""
        for button in range(1, len(self.pins) + 1) if on else ():
            self._bounce(button, ((0.0, True), (SPIKE_MS, False)))

    def press(self, button: int, held_s: float = 0.12) -> Script:
        """Press and let go; buttons count from 1."""
        self._bounce(button, self._press)
        for _ in range(max(1, round(held_s / TICK_S))):
            yield
        self._bounce(button, self._release)

    def _bounce(self, button: int, edges: Sequence[tuple[float, bool]]) -> None:
        pin = self.factory.pin(self.pins[button - 1])
        for after_ms, down in edges:
            self.factory.late_ns = round(after_ms * 1e6)
            (pin.drive_low if down else pin.drive_high)()
        self.factory.late_ns = 0


class SimPad:
    """The claim pad: what tile lies on it, as the tag that its reader finds."""

    def __init__(self, kit: Kit) -> None:
        self.tags = {f"04A3C6{n:02X}E26180": piece.id for n, piece in enumerate(kit.tile.piece, start=16)}
        self._tag_of = {tile: tag for tag, tile in self.tags.items()}
        self._tag: str | None = None

    def lay(self, tile: str | None) -> None:
        """Lay a tile on the pad; None takes it away."""
        self._tag = None if tile is None else self._tag_of[tile]

    def tag(self) -> str | None:
        """Return the full id of the tag that lies there, in capital hex."""
        return self._tag


def oled_opener(folder: Path, *, keep_all: bool = False) -> Callable[[], "CaptureOled"]:
    """Return what opens the emulated OLED, 128 x 64: luma.emulator's capture device.

    It writes each screen into the folder: the newest as oled.png, or with `keep_all` every one under its number.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    folder.mkdir(parents=True, exist_ok=True)

    def opened() -> CaptureOled:
        return CaptureOled(folder / ("oled-{0:06}.png" if keep_all else "oled.png"))

    return opened


class CaptureOled:
    """The emulated OLED; `last` is the newest picture it was sent."""

    def __init__(self, template: Path) -> None:
        from luma.emulator.device import capture

        self._device = capture(mode="1", transform="none", scale=1, file_template=str(template))
        self.mode = "1"
        self.last: Image | None = None

    def display(self, image: Image) -> None:
        """Show one 1-bit picture of the display's size."""
        self._device.display(image)
        self.last = image

    def cleanup(self) -> None:
        """Let go of the device."""
        self._device.cleanup()
