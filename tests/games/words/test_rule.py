import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.core.errors import UserError
from pi_app.games.words import Why, consonants, folded, parse_letters
from pi_app.games.words.rule import Fault, shape_fault

PATTERN = re.compile("[bcdfghjklmnpqrstvwxz][aeiou](?:[bcdfghjklmnpqrstvwxz][aeiou])*[bcdfghjklmnpqrstvwxz]?")
"""The rule once more, as one regular expression."""


@pytest.mark.parametrize(
    ("text", "letters"), [("SVR", "SVR"), (" svr\n", "SVR"), ("B", "B"), ("BCDFGHJKLMNP", "BCDFGHJKLMNP")]
)
def test_letters_of_a_card(text: str, letters: str) -> None:
    assert parse_letters(text) == letters


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SAVR", "vowl card 'SAVR': got 'A' as letter 2, wanted a consonant, one of BCDFGHJKLMNPQRSTVWXZ"),
        ("SVY", "vowl card 'SVY': got 'Y' as letter 3, wanted a consonant"),
        ("SV5", "got '5' as letter 3"),
        ("S?R", "got '?' as letter 2"),
        ("S R", "got ' ' as letter 2"),
        ("SÇR", "got 'Ç' as letter 2"),
        ("SſR", "got 'ſ' as letter 2"),
        ("S\x00R", r"got '\x00' as letter 2"),
        ("", "vowl card: got 0 letters, wanted 1 to 12"),
        ("B" * 13, "vowl card: got 13 letters, wanted 1 to 12"),
        ("B" * 10**6, "vowl card: got 1000000 letters, wanted 1 to 12"),
    ],
)
def test_what_is_no_card_is_named(text: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        parse_letters(text)


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("savor", None),
        ("severe", None),
        ("me", None),
        ("savior", Fault(Why.DOUBLE_VOWEL, "io")),
        ("savory", Fault(Why.Y, "y")),
        ("aver", Fault(Why.VOWEL_FIRST, "a")),
        ("better", Fault(Why.CONSONANTS_TOUCH, "tt")),
        ("b", Fault(Why.NO_WORD)),
        ("", Fault(Why.NO_WORD)),
        ("rock'n'roll", Fault(Why.NO_WORD)),
        ("no way", Fault(Why.NO_WORD)),
        ("ba" * 21, Fault(Why.NO_WORD)),
    ],
)
def test_shape(word: str, fault: Fault | None) -> None:
    assert shape_fault(word) == fault


@given(st.text("abcdeioustvxyz", max_size=14))
def test_shape_is_the_one_pattern(word: str) -> None:
    assert (shape_fault(word) is None) == bool(PATTERN.fullmatch(word))


@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    word = folded(text)
    if shape_fault(word) is None:
        assert PATTERN.fullmatch(word)
        assert parse_letters(consonants(word)[:12])


def test_accents_and_capitals_are_left_aside() -> None:
    assert [folded(word) for word in (" Café ", "PIÑATA", "rosé", "SAVOR")] == ["cafe", "pinata", "rose", "savor"]
