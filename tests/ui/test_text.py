"""Text of a known width."""

from hypothesis import given
from hypothesis import strategies as st

from pi_app.ui.text import columns_of, cut, fit, width


def test_wide_letters_count_twice_and_accents_nothing() -> None:
    assert width("Anna") == 4
    assert width("日本") == 4
    assert width("e\u0301") == 1
    assert fit("日本語", 5) == "日本~"
    assert fit("日本語", 4) == "日~ "


def test_what_moves_the_cursor_never_gets_through() -> None:
    assert fit("a\x1b[2Jb\n", 8) == "a [2Jb  "


@given(st.text(max_size=40), st.integers(1, 30))
def test_a_fitted_text_has_its_width(text: str, columns: int) -> None:
    assert width(fit(text, columns)) == columns
    assert width(cut(text, columns)) <= columns


def test_columns_are_set_left_or_right() -> None:
    assert columns_of([("ab", 4), ("7", -3), ("toolong", -4)]) == "ab     7 too~"
