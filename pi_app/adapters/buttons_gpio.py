"""Buzzers on GPIO by gpiozero: every edge with the kernel's time, queued and nothing else (GPIO-2)."""

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from gpiozero import Button, GPIOZeroError
from gpiozero.pins import Factory

from pi_app.core.errors import UserError
from pi_app.core.observations import Edge
from pi_app.core.ports import Clock

SAME_CLOCK_NS = 1_000_000
"""A factory whose ticks are within this of the monotonic clock counts on that clock."""

LAG_NS = 60_000_000
"""An edge that is not in by then was lost by the kernel: it is made up for."""


class GpioButtons:
    """An EdgeSource over the buttons at `pins` (BCM numbers or gpiozero names); buttons count from 1.

    Buttons close to ground, with the pin's pull-up. Debouncing is not done here: gpiozero's bounce time would lose the
    release (GPIO-1). `clock` is the monotonic clock the factory's ticks are mapped to. UserError where a pin is in use
    or is none.

    Edges are known up to a moment after which every pin was read and was as its last edge left it: none is on its way
    then. An edge between two reads that found the pin alike (a bounce) may still follow; its stamp says when it was.
    """

    def __init__(self, pins: Sequence[int | str], factory: Factory, clock: Clock) -> None:
        self._queue: SimpleQueue[Edge] = SimpleQueue()
        self._offset_ns = _offset_ns(factory, clock)
        self._wake: Callable[[], None] = _nobody
        self._buttons: list[_EdgeButton] = []
        for number, pin in enumerate(pins, start=1):
            self._buttons.append(self._open(number, pin, factory))
        self._down = frozenset(button.number for button in self._buttons if button.told)
        self._known_ns = clock.now_ns()

    def on_edge(self, wake: Callable[[], None]) -> None:
        """Call `wake` with every edge, on gpiozero's thread."""
        self._wake = wake

    def known_ns(self, now_ns: int) -> int:
        """Return up to when the edges are known; reads every pin."""
        off = [button for button in self._buttons if button.told != button.is_pressed]
        if not off:
            self._known_ns = max(self._known_ns, now_ns)
        elif now_ns - self._known_ns > LAG_NS:
            for button in off:
                self.note(button, button.is_pressed, now_ns - 1)
            self._known_ns = now_ns
        return self._known_ns

    def edges(self) -> list[Edge]:
        """Return the edges since the last call, in order of time."""
        edges = []
        while True:
            try:
                edges.append(self._queue.get_nowait())
            except Empty:
                return sorted(edges, key=lambda edge: edge.at_ns)

    def down(self) -> frozenset[int]:
        """Return the buttons that were down at the opening."""
        return self._down

    def close(self) -> None:
        """Let go of the pins; safe to call twice."""
        for button in self._buttons:
            button.close()
        self._buttons = []

    def note(self, button: "_EdgeButton", pressed: bool, at_ns: int) -> None:
        """Queue one edge, then let the pin count as told."""
        self._queue.put(Edge(button.number, pressed, at_ns))
        button.told = pressed
        self._wake()

    def heard(self, button: "_EdgeButton", pressed: bool, ticks: float) -> None:
        """Queue one edge of the kernel's; runs on gpiozero's thread."""
        self.note(button, pressed, round(ticks * 1e9) + self._offset_ns)

    def _open(self, number: int, pin: int | str, factory: Factory) -> "_EdgeButton":
        try:
            return _EdgeButton(self, number, pin, factory)
        except GPIOZeroError as error:
            self.close()
            raise UserError(f"buttons[{number - 1}]: got pin {pin!r}, wanted a free GPIO pin: {error}") from None


class _EdgeButton(Button):  # type: ignore[misc]  # gpiozero has no types
    """A Button that hands on each edge with its ticks, also those of bounces; `told` is what the last one said."""

    def __init__(self, owner: GpioButtons, number: int, pin: int | str, factory: Factory) -> None:
        self._owner: GpioButtons | None = None
        self._number = number
        self._told = False
        super().__init__(pin, pull_up=True, pin_factory=factory)
        self._told = bool(self.is_pressed)
        self._owner = owner

    @property
    def number(self) -> int:
        """Return which button it is, from 1."""
        return self._number

    @property
    def told(self) -> bool:
        """Return whether the last edge was a press."""
        return self._told

    @told.setter
    def told(self, pressed: bool) -> None:
        self._told = pressed

    def _fire_events(self, ticks: float, new_active: bool) -> None:
        """Gpiozero's documented hook for a change, with the time at which it happened."""
        if self._owner is not None:
            self._owner.heard(self, bool(new_active), ticks)
        super()._fire_events(ticks, new_active)


def _offset_ns(factory: Factory, clock: Clock) -> int:
    """Return what to add to ticks for the clock's nanoseconds: the least of several reads, 0 where both count alike."""
    offset_ns: int = min(clock.now_ns() - round(factory.ticks() * 1e9) for _ in range(5))
    return 0 if abs(offset_ns) < SAME_CLOCK_NS else offset_ns


def _nobody() -> None:
    """Wake nobody."""
