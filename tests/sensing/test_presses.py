"""Presses: debounce, width, stamps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.core.observations import Edge
from pi_app.sensing.presses import QUIET_NS, WIDTH_NS, Debouncer, Press

MS = 1_000_000


def _edges(*steps: tuple[int, bool], button: int = 1) -> list[Edge]:
    return [Edge(button, pressed, at * MS) for at, pressed in steps]


def _run(edges: list[Edge]) -> list[Press]:
    debouncer = Debouncer()
    presses = [press for edge in edges for press in debouncer.feed(edge)]
    return presses + debouncer.settle(edges[-1].at_ns + 10 * QUIET_NS)


def test_a_bouncing_press_and_release_are_one_each() -> None:
    """GPIO-1: releasing must not press again."""
    edges = _edges((0, True), (1, False), (3, True), (4, False), (6, True), (900, False), (902, True), (905, False))
    assert _run(edges) == [Press(1, True, 0), Press(1, False, 900 * MS)]


def test_a_press_counts_once_it_rested_and_is_stamped_at_its_first_edge() -> None:
    debouncer = Debouncer()
    assert debouncer.feed(Edge(3, True, 7)) == []
    assert debouncer.first_open_ns == 7
    assert debouncer.settle(7 + WIDTH_NS - 1) == []
    assert debouncer.settle(7 + WIDTH_NS) == [Press(3, True, 7)]
    assert debouncer.first_open_ns is None


def test_bounces_shorter_than_the_width_do_not_move_the_stamp() -> None:
    debouncer = Debouncer()
    for at_ns, down in ((0, True), (100_000, False), (300_000, True), (600_000, False), (800_000, True)):
        assert debouncer.feed(Edge(1, down, at_ns)) == []
    assert debouncer.settle(800_000 + WIDTH_NS) == [Press(1, True, 0)]


@pytest.mark.parametrize("resting_down", [False, True])
def test_a_spike_is_neither_a_press_nor_a_release(resting_down: bool) -> None:
    debouncer = Debouncer()
    if resting_down:
        debouncer.rest_down(1, 0)
    presses = [press for edge in _spikes(not resting_down) for press in debouncer.feed(edge)]
    assert presses + debouncer.settle(10 * QUIET_NS) == []
    assert debouncer.held() == ({1} if resting_down else set())
    assert debouncer.spikes == 1


def _spikes(pressed: bool) -> list[Edge]:
    """Three changes of 0.1 ms within 1 ms."""
    starts = (MS, MS + 300_000, MS + 700_000)
    return [Edge(1, state, at) for start in starts for state, at in ((pressed, start), (not pressed, start + 100_000))]


def test_a_press_shorter_than_the_quiet_time_is_released() -> None:
    debouncer = Debouncer()
    presses = [press for edge in _edges((0, True), (5, False)) for press in debouncer.feed(edge)]
    assert presses == [Press(1, True, 0)]
    assert debouncer.held() == {1}
    assert debouncer.settle(5 * MS + QUIET_NS) == [Press(1, False, 5 * MS)]
    assert debouncer.held() == set()


def test_a_late_edge_first_makes_up_for_the_missed_release() -> None:
    edges = _edges((0, True), (5, False), (100, True))
    assert _run(edges) == [Press(1, True, 0), Press(1, False, 5 * MS), Press(1, True, 100 * MS)]


def test_buttons_do_not_disturb_each_other() -> None:
    """GPIO-2: the second player's short press while the first holds on."""
    edges = [Edge(1, True, 0), Edge(2, True, 40 * MS), Edge(2, False, 60 * MS), Edge(1, False, 400 * MS)]
    assert sorted(_run(edges), key=lambda press: press.at_ns) == [
        Press(1, True, 0),
        Press(2, True, 40 * MS),
        Press(2, False, 60 * MS),
        Press(1, False, 400 * MS),
    ]


@given(st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=1, max_size=40))
def test_presses_and_releases_alternate_and_end_where_the_contact_rests(steps: list[tuple[int, bool]]) -> None:
    at_ms, edges = 0, []
    for gap_ms, pressed in steps:
        at_ms += gap_ms
        edges.append(Edge(1, pressed, at_ms * MS))
    presses = _run(edges)
    assert [press.pressed for press in presses] == [number % 2 == 0 for number in range(len(presses))]
    assert [press.at_ns for press in presses] == sorted(press.at_ns for press in presses)
    assert {press.at_ns for press in presses} <= {edge.at_ns for edge in edges}
    assert bool(presses and presses[-1].pressed) == edges[-1].pressed
