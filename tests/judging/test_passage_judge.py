from dataclasses import replace

import pytest

from pi_app.core.verdict import Outcome, Reason, Verdict
from pi_app.judging.passage_judge import judged
from pi_app.judging.stand import Ending, Vote
from pi_app.vision.passage import Side, Sight, Spot

HALF_MM = (65.0, 45.0)
FRAME_NS = 33_000_000
RIGHT = Vote(0, Outcome.PASS, (Reason.OK,))
LEANS = Vote(0, Outcome.FAIL, (Reason.NOT_TOUCHING,))
UNCLEAR = Vote(0, Outcome.UNSURE, (Reason.HIDDEN,))
CLEAR = Sight(0, (), (), None, clear=True, hand=False, veiled=False, broken=False)
HAND = replace(CLEAR, hand=True)
COVERED = replace(CLEAR, clear=False, hand=True, veiled=True)
BROKEN = replace(CLEAR, broken=True)


def lying(u_mm: float, n_mm: float, side: Side | None, *, whole: bool = True, score: float = 0.8) -> Sight:
    return replace(CLEAR, spots=(Spot(u_mm, n_mm, side, whole, not whole, score, 1.0),))


def under(u_mm: float, n_mm: float, length_mm: float = 60.0, *, across: bool = False) -> Sight:
    du, dn = (length_mm / 2, 15.0) if across else (15.0, length_mm / 2)
    return replace(HAND, under=(u_mm - du, u_mm + du, n_mm - dn, n_mm + dn), clear=False)


def gone_from(side: Side, u_mm: float, n_mm: float) -> Sight:
    return replace(HAND, left=(Spot(u_mm, n_mm, side, True, False, 0.7, 1.0),))


def said(sights: list[Sight], votes: list[Vote] | None = None, end: Ending | None = None) -> Verdict:
    timed = [replace(sight, at_ns=n * FRAME_NS) for n, sight in enumerate(sights)]
    at_ns = timed[-1].at_ns
    return judged(timed, [RIGHT] if votes is None else votes, HALF_MM, end or Ending(at_ns, 10**9))


FORTH = [under(0, n) for n in (-40, -20, 0, 20, 40)]
OUT_IN_FRONT = [lying(0, 85, Side.FRONT)] * 4
THROUGH = [CLEAR, HAND, *FORTH, COVERED, COVERED, *OUT_IN_FRONT]


def test_it_passes_from_the_players_side_to_the_camera() -> None:
    verdict = said(THROUGH)
    assert (verdict.outcome, verdict.reasons) == (Outcome.PASS, (Reason.OK,))
    assert verdict.confirmed_at_ns is not None
    assert 6 * FRAME_NS <= verdict.confirmed_at_ns <= 9 * FRAME_NS


def test_it_passes_from_one_side_to_the_other() -> None:
    way = [gone_from(Side.LEFT, -110, 0), *(under(u, 0, across=True) for u in (-30, 0, 30))]
    assert said([CLEAR, *way, COVERED, *[lying(120, 0, Side.RIGHT)] * 4]).outcome is Outcome.PASS


def test_it_passes_when_it_is_flicked_and_slides_on() -> None:
    way = [gone_from(Side.LEFT, -110, 0), *(under(u, 0, across=True) for u in (-30, 10))]
    slides = [lying(u, 0, Side.RIGHT, score=0.9) for u in (100, 130)]
    assert said([CLEAR, *way, *slides, CLEAR]).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("votes", "reason"), [([LEANS, LEANS], Reason.NOT_TOUCHING), ([LEANS, UNCLEAR], Reason.NOT_TOUCHING)]
)
def test_a_wrong_tunnel_fails_whoever_goes_through(votes: list[Vote], reason: Reason) -> None:
    verdict = said(THROUGH, votes)
    assert (verdict.outcome, verdict.reasons) == (Outcome.FAIL, (reason,))


def test_a_tunnel_that_cannot_be_read_is_no_pass() -> None:
    verdict = said(THROUGH, [UNCLEAR, UNCLEAR])
    assert (verdict.outcome, verdict.reasons) == (Outcome.UNSURE, (Reason.HIDDEN,))


def test_it_fails_where_it_never_enters() -> None:
    assert said([CLEAR, *[HAND] * 9, CLEAR]).reasons == (Reason.NOT_THROUGH,)


def test_it_fails_where_it_passes_outside_the_legs() -> None:
    way = [gone_from(Side.BACK, 90, -90), *[HAND] * 5, *[lying(90, 85, Side.FRONT)] * 4]
    assert said([CLEAR, *way]).reasons == (Reason.NOT_THROUGH,)


def test_it_fails_where_it_is_pulled_back() -> None:
    pushed = [under(0, n) for n in (-40, -20, 0, -10, -30)]
    assert said([CLEAR, HAND, *pushed, HAND, *[CLEAR] * 6]).reasons == (Reason.NOT_THROUGH,)


def test_it_fails_where_it_stops_inside() -> None:
    stopped = [replace(under(0, 10), hand=False, spots=(Spot(0, 10, None, False, True, 0.8, 0.9),))] * 5
    assert said([CLEAR, *FORTH[:3], *stopped]).reasons == (Reason.NOT_THROUGH,)


def test_it_fails_where_it_comes_out_where_it_went_in() -> None:
    way = [gone_from(Side.FRONT, 0, 85), under(0, 40), under(0, 20), under(0, 10), under(0, 40)]
    assert said([CLEAR, *way, *OUT_IN_FRONT]).reasons == (Reason.NOT_THROUGH,)


def test_it_does_not_pass_where_a_hand_hid_the_way() -> None:
    verdict = said([CLEAR, HAND, *[COVERED] * 12, *OUT_IN_FRONT])
    assert verdict.outcome is not Outcome.PASS


def test_it_fails_where_the_tunnel_falls_before() -> None:
    assert said([CLEAR, *FORTH[:3], *[BROKEN] * 4, *OUT_IN_FRONT]).reasons == (Reason.FELL,)


def test_what_falls_afterwards_does_not_matter() -> None:
    assert said([*THROUGH, *[BROKEN] * 5]).outcome is Outcome.PASS


def test_it_is_unsure_where_the_pictures_end_before() -> None:
    verdict = said([CLEAR, *FORTH, COVERED], end=Ending(0, 0, hand=True))
    assert (verdict.outcome, verdict.reasons) == (Outcome.UNSURE, (Reason.CLIP_ENDS,))


def test_it_is_unsure_where_nothing_was_seen() -> None:
    verdict = judged([], [], HALF_MM, Ending(0, blind=Reason.NO_MAT))
    assert (verdict.outcome, verdict.reasons) == (Outcome.UNSURE, (Reason.NO_MAT,))
