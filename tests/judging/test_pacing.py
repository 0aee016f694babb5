"""When a picture is read, by made-up sceneries."""

from dataclasses import replace

from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.pacing import Pacing, Scenery
from pi_app.judging.stand import Vote

MS = 1_000_000
STILL = Scenery(5_000 * MS, 120 * MS, moving=False, hand=False, news=0)


def paced(asked_ms: int = 0) -> Pacing:
    made = Pacing()
    made.ask(asked_ms * MS)
    return made


def later(scenery: Scenery, by_ms: int) -> Scenery:
    """Return the scenery some time later, nothing having moved."""
    return replace(scenery, at_ns=scenery.at_ns + by_ms * MS, still_ns=scenery.still_ns + by_ms * MS)


def test_a_zone_is_read_as_soon_as_it_is_still() -> None:
    assert not paced().wants(replace(STILL, still_ns=60 * MS), [])
    assert paced().wants(STILL, [])
    assert not paced(asked_ms=6_000).wants(STILL, [])


def test_what_is_wrong_is_read_once_more_and_then_left() -> None:
    made = paced()
    made.read(STILL)
    votes = [Vote(STILL.at_ns, Outcome.FAIL, (Reason.BARE_SIDE,))]
    assert not made.wants(later(STILL, 500), votes)
    assert made.wants(later(STILL, 800), votes)
    votes.append(Vote(STILL.at_ns + 800 * MS, Outcome.FAIL, (Reason.BARE_SIDE,)))
    assert not made.wants(later(STILL, 5_000), votes)


def test_among_moving_hands_a_part_put_down_is_read_and_nothing_new_is_not() -> None:
    busy = replace(STILL, still_ns=0, moving=True, hand=True)
    made = paced()
    made.read(replace(busy, at_ns=busy.at_ns - 500 * MS))
    assert not made.wants(replace(busy, news=20), [])
    assert made.wants(replace(busy, news=250), [])
    made.read(replace(busy, news=250))
    assert not made.wants(replace(later(busy, 500), still_ns=0, news=260), [])
    assert made.wants(replace(later(busy, 2_000), still_ns=0, news=260), [])


def test_a_covered_structure_is_not_read() -> None:
    assert not paced().wants(replace(STILL, followed=True, covered=True), [])
    assert paced().wants(replace(STILL, followed=True), [])
