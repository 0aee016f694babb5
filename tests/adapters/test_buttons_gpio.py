"""Buzzers over gpiozero's mock pins."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from pi_app.adapters.buttons_gpio import GpioButtons
from pi_app.core.clock import ManualClock, SystemClock
from pi_app.core.errors import UserError
from pi_app.sensing.presses import Debouncer


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory()
    yield pins
    pins.close()


def test_every_edge_is_queued_with_its_time(factory: MockFactory) -> None:
    clock = SystemClock()
    buttons = GpioButtons([17, 27], factory, clock)
    before_ns = clock.now_ns()
    factory.pin(27).drive_low()
    factory.pin(17).drive_low()
    factory.pin(27).drive_high()
    edges = buttons.edges()
    assert [(edge.button, edge.pressed) for edge in edges] == [(2, True), (1, True), (2, False)]
    assert before_ns <= edges[0].at_ns <= edges[1].at_ns <= edges[2].at_ns <= clock.now_ns()
    assert buttons.edges() == []
    buttons.close()


def test_bounces_are_handed_on_for_the_debouncer(factory: MockFactory) -> None:
    buttons = GpioButtons([17], factory, SystemClock())
    for _ in range(3):
        factory.pin(17).drive_low()
        factory.pin(17).drive_high()
    edges = buttons.edges()
    assert len(edges) == 6
    debouncer = Debouncer()
    assert [press.pressed for edge in edges for press in debouncer.feed(edge)] == [True]
    buttons.close()


def test_another_clock_is_mapped_by_its_offset(factory: MockFactory) -> None:
    clock = ManualClock(ns=5_000_000_000)
    buttons = GpioButtons([17], factory, clock)
    factory.pin(17).drive_low()
    (edge,) = buttons.edges()
    assert 0 <= edge.at_ns - 5_000_000_000 < 1_000_000_000
    buttons.close()


def test_a_pin_used_twice_is_named(factory: MockFactory) -> None:
    with pytest.raises(UserError, match=r"buttons\[1\]: got pin 17, wanted a free GPIO pin"):
        GpioButtons([17, 17], factory, SystemClock())
    GpioButtons([17], factory, SystemClock()).close()


def test_closing_twice_is_safe(factory: MockFactory) -> None:
    buttons = GpioButtons([17], factory, SystemClock())
    buttons.close()
    buttons.close()
