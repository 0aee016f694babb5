import random

import pytest

from pi_app.link.clocksync import Answer, ClockSync


def board_us(host_ns: float, drift: float, offset_us: float = 3_000_000.0) -> float:
    return offset_us + host_ns / 1000 * (1 + drift)


def asked(chance: random.Random, at_s: float, drift: float) -> Answer:
    """One question at a moment of the host's: the way there and back each take 0.2 to 3 ms, sometimes much longer."""
    start_ns = at_s * 1e9
    there_ns, back_ns = (1e6 * (0.2 + chance.expovariate(2.0)) for _ in range(2))
    return Answer(round(start_ns), round(start_ns + there_ns + back_ns), round(board_us(start_ns + there_ns, drift)))


@pytest.mark.parametrize("drift", [0.0, 80e-6, -80e-6])
def test_a_drifting_clock_is_followed_to_the_millisecond(drift: float) -> None:
    chance, sync = random.Random(3), ClockSync()
    for second in range(60):
        sync.feed(asked(chance, float(second), drift))
    for moment_s in (55.0, 59.5, 60.5):
        off_ns = sync.host_ns(round(board_us(moment_s * 1e9, drift))) - moment_s * 1e9
        assert abs(off_ns) < 0.6e6
    assert sync.slack_ns < 1e6


def test_one_slow_answer_does_no_harm() -> None:
    sync = ClockSync()
    for second in range(5):
        start = second * 1_000_000_000
        sync.feed(Answer(start, start + 400_000, second * 1_000_000 + 200))
    sync.feed(Answer(5_000_000_000, 5_300_000_000, 5_299_000))
    assert abs(sync.host_ns(5_000_000) - 5_000_000_000) < 50_000


def test_a_board_that_restarts_is_met_anew() -> None:
    sync = ClockSync()
    sync.feed(Answer(1_000_000_000, 1_001_000_000, 900_000_000))
    sync.feed(Answer(5_000_000_000, 5_001_000_000, 20_000))
    assert abs(sync.host_ns(20_000) - 5_000_500_000) < 1_000


def test_before_the_first_answer_nothing_is_known() -> None:
    with pytest.raises(ValueError, match="not met yet"):
        ClockSync().host_ns(1)
    with pytest.raises(ValueError, match="before it was asked"):
        ClockSync().feed(Answer(2, 1, 0))


def test_a_board_that_was_away_is_not_trusted() -> None:
    sync = ClockSync()
    sync.feed(Answer(0, 2_000_000, 1_000))
    sync.forget()
    with pytest.raises(ValueError, match="not met yet"):
        sync.host_ns(1)
