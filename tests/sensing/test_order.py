"""Order: by the time of sensing, whatever way things came."""

import random

import pytest

from pi_app.sensing.order import Arbiter
from pi_app.sensing.presses import Press

MS = 1_000_000


def _button(press: Press) -> int:
    return press.button


def test_the_earliest_edge_is_first_whatever_thread_delivers_it() -> None:
    """GPIO-3: 1000 rounds of four; equal times: the lower button."""
    source = random.Random(7)
    for _ in range(1000):
        presses = [Press(button, True, source.randrange(4) * MS) for button in range(1, 5)]
        arbiter = Arbiter(_button)
        for press in source.sample(presses, 4):
            arbiter.add(press)
        assert arbiter.first == min(presses, key=lambda press: (press.at_ns, press.button))
        order = [arbiter.take() for _ in presses]
        assert order == sorted(presses, key=lambda press: (press.at_ns, press.button))


def test_nothing_is_taken_where_nothing_is_held() -> None:
    arbiter = Arbiter(_button)
    assert arbiter.first is None
    with pytest.raises(IndexError):
        arbiter.take()
