"""Long presses and stuck buttons."""

from pi_app.sensing.holds import LONG_NS, STUCK_NS, Freed, HeldLong, HoldWatch, Stuck
from pi_app.sensing.presses import Press


def test_a_long_press_is_said_once_at_its_own_time() -> None:
    watch = HoldWatch()
    assert watch.feed(Press(2, True, 5)) == []
    assert watch.settle(5 + LONG_NS - 1) == []
    assert watch.settle(5 + LONG_NS) == [HeldLong(2, 5 + LONG_NS)]
    assert watch.settle(5 + 2 * LONG_NS) == []
    assert watch.feed(Press(2, False, 5 + 3 * LONG_NS)) == []
    again_ns = 5 + 4 * LONG_NS
    assert watch.feed(Press(2, True, again_ns)) == []
    assert watch.feed(Press(2, False, again_ns + LONG_NS)) == [HeldLong(2, again_ns + LONG_NS)]


def test_a_short_press_is_not_long() -> None:
    watch = HoldWatch()
    watch.feed(Press(2, True, 0))
    assert watch.feed(Press(2, False, LONG_NS - 1)) == []
    assert watch.settle(10 * STUCK_NS) == []


def test_a_stuck_button_is_named_and_its_end_too() -> None:
    watch = HoldWatch()
    watch.feed(Press(1, True, 0))
    watch.feed(Press(2, True, 1))
    assert watch.settle(STUCK_NS) == [HeldLong(1, LONG_NS), HeldLong(2, LONG_NS + 1), Stuck(1, STUCK_NS)]
    assert watch.settle(2 * STUCK_NS) == [Stuck(2, STUCK_NS + 1)]
    assert watch.feed(Press(1, False, 3 * STUCK_NS)) == [Freed(1, 3 * STUCK_NS)]
    assert watch.settle(9 * STUCK_NS) == []


def test_a_button_that_is_down_from_the_start_is_stuck_and_no_long_press() -> None:
    watch = HoldWatch()
    watch.rest_down(4, 100)
    assert watch.settle(100 + STUCK_NS) == [Stuck(4, 100 + STUCK_NS)]
