"""Presses: debounce, stamps, order."""

import random

from hypothesis import given
from hypothesis import strategies as st

from pi_app.core.observations import Edge
from pi_app.sensing.presses import ORDER_NS, QUIET_NS, Arbiter, Debouncer, Press

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


def test_a_press_is_known_at_its_first_edge() -> None:
    assert Debouncer().feed(Edge(3, True, 7)) == [Press(3, True, 7)]


def test_a_press_shorter_than_the_quiet_time_is_released() -> None:
    debouncer = Debouncer()
    for edge in _edges((0, True), (5, False)):
        debouncer.feed(edge)
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


def _button(press: Press) -> int:
    return press.button


def test_the_earliest_edge_wins_whatever_thread_delivers_it() -> None:
    """GPIO-3: 1000 rounds, four threads; equal times: the lower button."""
    source = random.Random(7)
    for _ in range(1000):
        presses = [Press(button, True, source.randrange(4) * MS) for button in range(1, 5)]
        arrival = source.sample(presses, 4)
        arbiter = Arbiter(_button)
        for press in arrival:
            arbiter.add(press)
        order = arbiter.take(3 * MS + ORDER_NS)
        assert order == sorted(presses, key=lambda press: (press.at_ns, press.button))


def test_a_press_is_held_until_nothing_can_overtake_it() -> None:
    arbiter = Arbiter(_button)
    arbiter.add(Press(2, True, 1000))
    assert arbiter.next_ns == 1000 + ORDER_NS
    assert arbiter.take(1000 + ORDER_NS - 1) == []
    assert arbiter.take(1000 + ORDER_NS) == [Press(2, True, 1000)]
    assert arbiter.next_ns is None
