"""Readings of a tray over time: placements where they are certain, questions where not, and never a guess."""

from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.judging.case import load_case
from pi_app.judging.festival import Doubt, Placement, Question, TrayWatch, judge_festival
from pi_app.vision.tray import TrayFault
from pi_app.vision.tray_reading import CellFault, CellReading, Look, TrayReading

EMPTY = tuple(CellReading(cell, Look.EMPTY) for cell in range(9))
TENTH = 100_000_000
RED, BLUE = ("red", "rose"), ("blue", "star")


def token(cell: int, kind: tuple[str, str], turn: float = 0.0, at: tuple[float, float] = (0.0, 0.0)) -> CellReading:
    return CellReading(cell, Look.TOKEN, *kind, 0.9, None, at, turn, (0.0, 2.0))


def reading(*cells: CellReading) -> TrayReading:
    laid = list(EMPTY)
    for cell in cells:
        laid[cell.cell] = cell
    return TrayReading(0, tuple(laid))


def at_once() -> TrayWatch:
    return TrayWatch(0, hold_ns=0, agree=1, patience_ns=0)


def fed(watch: TrayWatch, *readings: TrayReading, start: int = 0) -> list[Placement | Question]:
    news = [watch.see(each, (start + number) * TENTH) for number, each in enumerate(readings)]
    return [each for each in news if each is not None]


def test_tokens_pile_up() -> None:
    watch = at_once()
    news = fed(watch, reading(), reading(token(4, RED)), reading(token(4, BLUE, 30)), reading(token(4, BLUE, 30)))
    assert [(n.cell, n.colour, n.level) for n in news if isinstance(n, Placement)] == [(4, "red", 1), (4, "blue", 2)]
    assert watch.tops[4] == ("blue", "star", 2)
    assert watch.levels == (0, 0, 0, 0, 2, 0, 0, 0, 0)


def test_readings_that_flip_make_no_placement() -> None:
    flips = [reading(replace(token(8, kind), confidence=0.52)) for kind in (RED, BLUE, RED, RED, BLUE, RED, BLUE, BLUE)]
    sure_flips = [reading(token(8, kind)) for kind in (RED, BLUE, RED, RED, BLUE, RED, BLUE, BLUE, RED, RED)]
    for series in (flips, sure_flips):
        watch = TrayWatch(0)
        assert not [news for news in fed(watch, *series * 3) if isinstance(news, Placement)]
        assert watch.levels == (0,) * 9


def test_an_impossible_reading_is_recovered_from_by_itself() -> None:
    watch = at_once()
    full = reading(*(token(cell, RED) for cell in range(9)))
    (question,) = fed(watch, reading(), full)
    assert isinstance(question, Question)
    assert (question.doubt, len(question.cells)) == (Doubt.TWO_CHANGES, 9)
    news = fed(watch, reading(), reading(token(1, BLUE)), start=2)
    assert [(n.cell, n.level) for n in news if isinstance(n, Placement)] == [(1, 1)]
    assert watch.asked is None


def test_live_changes_count_when_they_last_and_troubles_are_asked_once() -> None:
    watch = TrayWatch(0)
    assert fed(watch, *[reading(token(0, RED))] * 6) == []
    (placement,) = fed(watch, *[reading(token(0, RED))] * 3, start=6)
    assert isinstance(placement, Placement)
    assert placement.at_ns == 0
    hidden = replace(reading(token(0, RED)).cells[3], look=Look.UNSURE, fault=CellFault.HIDDEN, confidence=0.0)
    (question,) = fed(watch, *[reading(token(0, RED), hidden)] * 100, start=10)
    assert isinstance(question, Question)
    assert (question.cells, question.doubt, question.fault) == ((3,), Doubt.UNCLEAR, "hidden")


def test_what_is_unclear_stays_so_while_tokens_come_elsewhere() -> None:
    watch = at_once()
    veiled = CellReading(3, Look.UNSURE, confidence=0.0, fault=CellFault.UNKNOWN_COLOUR)
    news = fed(watch, reading(veiled), reading(veiled, token(0, RED)), reading(veiled, token(0, RED), token(1, BLUE)))
    assert [type(each) for each in news] == [Question, Placement, Placement]
    assert watch.asked is watch.trouble is news[0]
    fresh = at_once()
    fed(fresh, reading(), reading(veiled, token(0, RED)))
    assert (fresh.asked, fresh.trouble and fresh.trouble.cells) == (None, (3,))
    (question,) = fed(fresh, reading(veiled, token(0, RED)), start=2)
    assert isinstance(question, Question)
    assert question.cells == (3,)
    assert fed(fresh, reading(token(0, RED)), start=3) == []
    assert fresh.trouble is None


@pytest.mark.parametrize(
    ("after", "wanted"),
    [
        (token(4, RED, 90, (1.0, 2.5)), 2),
        (token(4, RED, 2, (0.3, 0.2)), 1),
        (token(4, RED, 90, (0.1, 0.1)), Doubt.MOVED),
        (token(4, RED, 2, (3.0, 0.5)), Doubt.MOVED),
        (CellReading(4, Look.EMPTY), Doubt.REMOVED),
    ],
    ids=["another on it", "the same", "turned in place", "pushed", "gone"],
)
def test_an_equal_token_is_told_from_one_that_moved(after: CellReading, wanted: int | Doubt) -> None:
    watch = at_once()
    news = fed(watch, reading(token(4, RED)), reading(after))
    if isinstance(wanted, Doubt):
        assert isinstance(news[-1], Question)
        assert (news[-1].doubt, news[-1].cells) == (wanted, (4,))
        wanted = 1
    assert watch.levels[4] == wanted


def test_a_token_taken_off_uncovers_the_one_below() -> None:
    watch = at_once()
    news = fed(watch, reading(token(4, RED)), reading(token(4, BLUE, 40)), reading(token(4, RED)))
    assert isinstance(news[-1], Question)
    assert news[-1].doubt is Doubt.REMOVED


def test_people_may_say_what_lies_there() -> None:
    watch = at_once()
    fed(watch, reading(token(0, RED), token(1, BLUE)))
    watch.amend(0, (RED,))
    (placement,) = fed(watch, reading(token(0, RED), token(1, BLUE)), start=1)
    assert isinstance(placement, Placement)
    assert placement.cell == 1


def test_a_tray_that_cannot_be_seen_is_asked_about_and_nothing_changes() -> None:
    watch = at_once()
    (question,) = fed(watch, TrayReading(0, fault=TrayFault.TRAY_HIDDEN))
    assert isinstance(question, Question)
    assert (question.cells, question.fault) == ((), "tray_hidden")
    assert fed(watch, reading(), start=1) == []
    assert watch.asked is None


def test_a_recorded_game_is_judged_exactly(bench: Path) -> None:
    answer = judge_festival(load_case(bench / "cases" / "festival-02"))
    placements, tops = answer["placements"], answer["tops"]
    assert isinstance(placements, list)
    assert isinstance(tops, list)
    assert len(placements) == 6
    assert tops[1] == [["yellow", "star", 2], None, ["yellow", "fountain", 1]]
