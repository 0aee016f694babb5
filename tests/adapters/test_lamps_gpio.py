"""Lamps over gpiozero's mock pins: the real adapter, the pins of the simulated table."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from pi_app.adapters.lamps_gpio import BLINK_NS, GpioLamps
from pi_app.core.errors import UserError
from pi_app.core.names import Lamp

PINS = (12, 16, 20)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory()
    yield pins
    pins.close()


def lit(factory: MockFactory) -> list[bool]:
    return [bool(factory.pin(pin).state) for pin in PINS]


def test_lamps_show_what_is_wanted_and_blink_with_the_clock(factory: MockFactory) -> None:
    lamps = GpioLamps(PINS, factory)
    assert lit(factory) == [False] * 3
    lamps.show([Lamp.ON, Lamp.BLINK])
    lamps.step(0)
    assert lit(factory) == [True, True, False]
    lamps.step(BLINK_NS)
    assert lit(factory) == [True, False, False]
    lamps.step(2 * BLINK_NS)
    assert lit(factory) == [True, True, False]
    lamps.show([Lamp.OFF, Lamp.OFF, Lamp.ON])
    lamps.step(2 * BLINK_NS + 1)
    assert lit(factory) == [False, False, True]
    lamps.close()


def test_only_what_differs_is_switched(factory: MockFactory) -> None:
    lamps = GpioLamps(PINS, factory)
    lamps.show([Lamp.ON])
    for step in range(50):
        lamps.step(step)
    changes = factory.pin(PINS[0]).states
    assert [state.state for state in changes].count(True) == 1
    lamps.close()


def test_a_pin_of_another_part_is_named_and_none_stays_claimed(factory: MockFactory) -> None:
    with pytest.raises(UserError, match=r"lamps\[1\]: got pin 12, wanted a free GPIO pin"):
        GpioLamps((12, 12), factory)
    lamps = GpioLamps((12,), factory)
    lamps.close()
    lamps.close()
