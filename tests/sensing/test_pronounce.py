import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.core.errors import UserError
from pi_app.sensing.pronounce import PHONES, Pronunciations, parse_pronunciations

TEXT = """'bout B AW T
a.m. EY EH M
favor F EY V ER
saver S EY V ER
savers S EY V ER Z
savor S EY V ER
savor(2) S EY V AO R
sever S EH V ER
severe S AH V IH R
"""
SOUNDS = parse_pronunciations(TEXT)


def test_a_dictionary() -> None:
    assert SOUNDS.of("savor") == (("S", "EY", "V", "ER"), ("S", "EY", "V", "AO", "R"))
    assert SOUNDS.of("unknown") == ()
    assert set(SOUNDS.by_word) == {"favor", "saver", "savers", "savor", "sever", "severe"}


def test_words_that_sound_alike() -> None:
    assert SOUNDS.same_as("saver") == {"saver", "savor"}
    assert SOUNDS.nearly("saver") == {"favor", "savers", "sever"}
    assert SOUNDS.nearly("savers") == {"saver", "savor"}
    assert SOUNDS.nearly("unknown") == SOUNDS.same_as("unknown") == frozenset()


def distance(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """Return the edit distance, by its definition."""
    if not first or not second:
        return len(first) + len(second)
    if first[0] == second[0]:
        return distance(first[1:], second[1:])
    return 1 + min(distance(first[1:], second), distance(first, second[1:]), distance(first[1:], second[1:]))


rows = st.lists(st.sampled_from(["S", "EH", "V", "ER"]), min_size=1, max_size=4).map(tuple)


@settings(max_examples=40)
@given(st.lists(rows, min_size=2, max_size=8, unique=True))
def test_nearly_is_one_edit(phones: list[tuple[str, ...]]) -> None:
    sounds = Pronunciations({chr(ord("a") + index): (row,) for index, row in enumerate(phones)})
    for index, word in enumerate(sounds.by_word):
        near = {other for other, (row,) in sounds.by_word.items() if distance(phones[index], row) == 1}
        assert sounds.nearly(word) == near


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("savor S EY V ER\nsever", "dictionary:2: got 'sever', wanted a word and its phones, as in CMUdict"),
        ("savor S EY1 V ER", "dictionary:1: got 'savor S EY1 V ER', wanted"),
        ("\n", "dictionary:1: got '', wanted"),
    ],
)
def test_a_wrong_line_is_named(text: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        parse_pronunciations(text)


def test_the_phones() -> None:
    assert len(set(PHONES)) == len(PHONES) == 39
