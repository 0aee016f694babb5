"""Buzzers over gpiozero's mock pins."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from pi_app.adapters.buttons_gpio import LAG_NS, GpioButtons
from pi_app.core.clock import ManualClock, SystemClock
from pi_app.core.errors import UserError
from pi_app.core.observations import Edge


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
    assert [edge.pressed for edge in edges] == [True, False] * 3
    buttons.close()


def test_edges_are_known_while_every_pin_is_as_its_last_edge_left_it(factory: MockFactory) -> None:
    clock = ManualClock(ns=10**12)
    buttons = GpioButtons([17, 27], factory, clock)
    pin = factory.pin(27)
    assert buttons.known_ns(10**12 + 5) == 10**12 + 5
    pin._state = False  # the contact has closed, its edge is on its way
    assert buttons.known_ns(10**12 + 9) == 10**12 + 5
    assert buttons.edges() == []
    pin._call_when_changed()
    assert buttons.known_ns(10**12 + 11) == 10**12 + 11
    assert [(edge.button, edge.pressed) for edge in buttons.edges()] == [(2, True)]
    buttons.close()


def test_an_edge_that_the_kernel_lost_is_made_up_for(factory: MockFactory) -> None:
    clock = ManualClock(ns=10**12)
    buttons = GpioButtons([17, 27], factory, clock)
    factory.pin(17)._state = False
    late_ns = 10**12 + LAG_NS + 1
    assert buttons.known_ns(late_ns) == late_ns
    assert buttons.edges() == [Edge(1, True, late_ns - 1)]
    assert buttons.known_ns(late_ns + 1) == late_ns + 1
    assert buttons.edges() == []
    buttons.close()


class ClosedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose contact is closed: the pull-up does not lift it."""

    def _set_pull(self, value: str) -> None:
        self._pull = value
        self._state = False


def test_a_button_that_is_down_at_first_is_named_and_is_no_press(factory: MockFactory) -> None:
    factory.pin_class = ClosedPin
    buttons = GpioButtons([17], factory, SystemClock())
    assert buttons.down() == {1}
    assert buttons.edges() == []
    buttons.close()


def test_whoever_waits_is_woken_by_an_edge(factory: MockFactory) -> None:
    woken: list[bool] = []
    buttons = GpioButtons([17], factory, SystemClock())
    buttons.on_edge(lambda: woken.append(True))
    factory.pin(17).drive_low()
    assert woken == [True]
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
