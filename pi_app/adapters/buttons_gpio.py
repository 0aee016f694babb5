"""Buzzers on GPIO by gpiozero: every edge with the kernel's time, queued and nothing else (GPIO-2)."""

from collections.abc import Sequence
from queue import Empty, SimpleQueue

from gpiozero import Button, GPIOZeroError
from gpiozero.pins import Factory

from pi_app.core.errors import UserError
from pi_app.core.observations import Edge
from pi_app.core.ports import Clock

SAME_CLOCK_NS = 1_000_000
"""A factory whose ticks are within this of the monotonic clock counts on that clock."""


class GpioButtons:
    """An EdgeSource over the buttons at `pins` (BCM numbers or gpiozero names); buttons count from 1.

    Buttons close to ground, with the pin's pull-up. Debouncing is not done here: gpiozero's bounce time would lose the
    release (GPIO-1). `clock` is the monotonic clock the factory's ticks are mapped to. UserError where a pin is in use
    or is none.
    """

    def __init__(self, pins: Sequence[int | str], factory: Factory, clock: Clock) -> None:
        self._queue: SimpleQueue[Edge] = SimpleQueue()
        self._offset_ns = _offset_ns(factory, clock)
        self._buttons: list[_EdgeButton] = []
        for number, pin in enumerate(pins, start=1):
            self._buttons.append(self._open(number, pin, factory))

    def edges(self) -> list[Edge]:
        """Return the edges since the last call, in order of time."""
        edges = []
        while True:
            try:
                edges.append(self._queue.get_nowait())
            except Empty:
                return sorted(edges, key=lambda edge: edge.at_ns)

    def close(self) -> None:
        """Let go of the pins; safe to call twice."""
        for button in self._buttons:
            button.close()

    def _open(self, number: int, pin: int | str, factory: Factory) -> "_EdgeButton":
        try:
            return _EdgeButton(self, number, pin, factory)
        except GPIOZeroError as error:
            self.close()
            raise UserError(f"buttons[{number - 1}]: got pin {pin!r}, wanted a free GPIO pin: {error}") from None

    def note(self, number: int, pressed: bool, ticks: float) -> None:
        """Queue one edge; runs on gpiozero's thread."""
        self._queue.put(Edge(number, pressed, round(ticks * 1e9) + self._offset_ns))


class _EdgeButton(Button):  # type: ignore[misc]  # gpiozero has no types
    """A Button that hands on each edge with its ticks, also those of bounces."""

    def __init__(self, owner: GpioButtons, number: int, pin: int | str, factory: Factory) -> None:
        self._owner: GpioButtons | None = None
        self._number = number
        super().__init__(pin, pull_up=True, pin_factory=factory)
        self._owner = owner

    def _fire_events(self, ticks: float, new_active: bool) -> None:
        """Gpiozero's documented hook for a change, with the time at which it happened."""
        if self._owner is not None:
            self._owner.note(self._number, bool(new_active), ticks)
        super()._fire_events(ticks, new_active)


def _offset_ns(factory: Factory, clock: Clock) -> int:
    """Return what to add to ticks for the clock's nanoseconds: the least of several reads, 0 where both count alike."""
    offset_ns: int = min(clock.now_ns() - round(factory.ticks() * 1e9) for _ in range(5))
    return 0 if abs(offset_ns) < SAME_CLOCK_NS else offset_ns
