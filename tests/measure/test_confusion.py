from pi_app.measure.confusion import Confusion, agreement, pairs_of
from pi_app.measure.plot import plot

PASS = {"outcome": "pass", "reasons": ["ok"], "stood_from_s": 1.0}


def test_false_passes_are_counted() -> None:
    confusion = Confusion("stand, badge")
    confusion.add("stand", {"outcome": "fail", "reasons": ["fell"]}, PASS)
    confusion.add("stand", {**PASS, "stood_from_s": 1.25}, PASS)
    confusion.add("stand", PASS, {"outcome": "unsure", "reasons": ["no_mat"]})
    assert (confusion.right, confusion.wrong, confusion.unsure, confusion.false_pass) == (1, 1, 1, 1)
    assert confusion.pairs["fail: fell", "pass"] == 1
    assert confusion.off == {"start of standing off, s": [0.25]}
    assert "  fail: fell  pass 1" in confusion.lines()


def test_another_card_is_wrong_and_none_at_all_is_not_unsure() -> None:
    assert agreement("card", {"card": "line"}, {"card": "tower"}) is False
    assert agreement("card", {"card": "line"}, {"card": None, "outcome": "unsure"}) is None
    assert agreement("card", {"card": None}, {"card": None}) is True
    assert agreement("card", {"card": "line"}, {"card": None}) is None
    assert pairs_of("card", {"card": None}, {"card": "line"}) == [("nothing", "line")]


def test_stones_are_paired_one_by_one() -> None:
    truth = {"stones": {"yellow": 2, "red": 1, "blue": 0}}
    answer = {"stones": {"yellow": 1, "red": 1, "blue": 2}}
    assert sorted(pairs_of("stones", truth, answer)) == [
        ("nothing", "blue"),
        ("red", "red"),
        ("yellow", "blue"),
        ("yellow", "yellow"),
    ]
    assert agreement("stones", truth, answer) is False


def test_heights_are_compared_throw_by_throw() -> None:
    confusion = Confusion("throw")
    confusion.add("throw", {**PASS, "throws": [{"height_mm": 120.0}]}, {**PASS, "throws": [{"height_mm": 131.0}]})
    assert confusion.off["height of throws off, mm"] == [11.0]


def test_the_picture_shows_right_in_green_and_wrong_in_red() -> None:
    confusion = Confusion("card")
    confusion.add("card", {"card": "line"}, {"card": "line"})
    confusion.add("card", {"card": "tower"}, {"card": "line"})
    picture = plot([confusion]).reshape(-1, 3).tolist()
    assert [110, 160, 60] in picture
    assert [60, 60, 210] in picture
