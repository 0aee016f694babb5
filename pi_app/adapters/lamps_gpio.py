"""The buzzers' lamps on GPIO by gpiozero: only what differs is switched, blinking follows the clock."""

from collections.abc import Sequence
from typing import assert_never

from gpiozero import LED, GPIOZeroError
from gpiozero.pins import Factory

from pi_app.core.errors import UserError
from pi_app.core.names import Lamp

BLINK_NS = 250_000_000
"""Half a period: two flashes a second, far from what troubles people."""


class GpioLamps:
    """A LampSink over the lamps at `pins` (BCM numbers), in the order of the buttons.

    UserError where a pin is in use or is none.
    """

    def __init__(self, pins: Sequence[int | str], factory: Factory) -> None:
        self._leds: list[LED] = []
        for index, pin in enumerate(pins):
            self._leds.append(self._open(index, pin, factory))
        self._wanted: tuple[Lamp, ...] = ()

    def show(self, lamps: Sequence[Lamp]) -> None:
        """Keep what each lamp is to show from the next step on."""
        self._wanted = tuple(lamps)

    def step(self, now_ns: int) -> None:
        """Switch the lamps that differ from what is wanted at that time."""
        wanted = self._wanted
        for index, led in enumerate(self._leds):
            lit = _is_lit(wanted[index] if index < len(wanted) else Lamp.OFF, now_ns)
            if lit != bool(led.is_lit):
                (led.on if lit else led.off)()

    def close(self) -> None:
        """Switch all off and let go of the pins; safe to call twice."""
        for led in self._leds:
            led.off()
            led.close()
        self._leds = []

    def _open(self, index: int, pin: int | str, factory: Factory) -> LED:
        try:
            return LED(pin, initial_value=False, pin_factory=factory)
        except GPIOZeroError as error:
            self.close()
            raise UserError(f"lamps[{index}]: got pin {pin!r}, wanted a free GPIO pin: {error}") from None


def _is_lit(lamp: Lamp, now_ns: int) -> bool:
    match lamp:
        case Lamp.OFF:
            return False
        case Lamp.ON:
            return True
        case Lamp.BLINK:
            return now_ns // BLINK_NS % 2 == 0
        case _:
            assert_never(lamp)
