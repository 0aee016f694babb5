import pytest

from pi_app.core.clock import ManualClock, SystemClock


def test_system_clock_never_goes_back() -> None:
    clock = SystemClock()
    readings = [clock.now_ns() for _ in range(1000)]
    assert readings == sorted(readings)
    assert clock.boot_id()


def test_manual_clock_moves_only_forward() -> None:
    clock = ManualClock(ns=5)
    clock.advance_s(1.5)
    assert clock.now_ns() == 1_500_000_005
    with pytest.raises(ValueError, match="cannot go back"):
        clock.advance_s(-0.1)
