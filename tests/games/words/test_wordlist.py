import re
import time
from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.games.words import (
    Accepted,
    Answer,
    OwnWords,
    Refused,
    Why,
    WordList,
    consonants,
    load_own_words,
    load_words,
    parse_own_words,
)
from pi_app.games.words.build import CORRECTIONS, LISTS_SHA256
from pi_app.games.words.rule import shape_fault
from pi_app.games.words.wordlist import LIST
from tests.games.words.lists import must_accept, must_refuse


@pytest.fixture(scope="module")
def words() -> WordList:
    return load_words()


def test_must_accept(words: WordList) -> None:
    wanted = must_accept()
    wrong = [word for word in wanted if not isinstance(words.check(consonants(word), word), Accepted)]
    assert len(set(wanted)) > 800
    assert not wrong


def test_must_refuse(words: WordList) -> None:
    """Each on the card that has its consonants, where anything but the word itself speaks for it."""
    wanted = dict(must_refuse())
    found = {word: words.check(consonants(word) or "B", word) for word in wanted}
    wrong = {
        word: check for word, check in found.items() if not isinstance(check, Refused) or check.why != wanted[word]
    }
    assert len(wanted) > 600
    assert not wrong


def test_the_rulebooks_examples(words: WordList) -> None:
    assert {answer.word for answer in words.answers("SVR")} == {"savor", "sever", "severe", "saver"}
    assert words.check("SVR", "savior") == Refused("savior", Why.DOUBLE_VOWEL, "io")
    assert words.check("SVR", "Savory") == Refused("savory", Why.Y, "y")
    assert words.check("CLR", "color") == Accepted(Answer("color", 10))
    assert words.check("CLR", "colour") == Refused("colour", Why.DOUBLE_VOWEL, "ou")
    assert words.check("BHV", "behove") == Refused("behove", Why.BRITISH)


@pytest.mark.parametrize(
    ("word", "why", "letters"),
    [
        ("river", Why.OTHER_CONSONANTS, "rvr"),
        ("save", Why.OTHER_CONSONANTS, "sv"),
        ("savir", Why.UNKNOWN, ""),
        ("", Why.NO_WORD, ""),
        ("sever e", Why.NO_WORD, ""),
        ("s3ver", Why.NO_WORD, ""),
        ("сever", Why.NO_WORD, ""),
        ("sever\x00", Why.NO_WORD, ""),
    ],
)
def test_why_a_word_is_none(words: WordList, word: str, why: Why, letters: str) -> None:
    found = words.check("SVR", word)
    assert isinstance(found, Refused)
    assert (found.why, found.letters) == (why, letters)


def test_an_endless_word_is_no_word(words: WordList) -> None:
    found = words.check("SVR", "se" * 10**6)
    assert isinstance(found, Refused)
    assert found.why is Why.NO_WORD
    assert len(found.word) <= 1000


def test_letters_that_are_no_cards_are_refused(words: WordList) -> None:
    for ask in (words.answers, words.near_misses, lambda letters: words.check(letters, "savor")):
        with pytest.raises(UserError, match="vowl card 'SAVR': got 'A' as letter 2"):
            ask("SAVR")


def test_every_answer_fits_its_card_and_checks(words: WordList) -> None:
    for letters, answers in words.solved().items():
        assert words.answers(letters) == answers
        for answer in answers:
            assert shape_fault(answer.word) is None
            assert consonants(answer.word) == letters
            assert words.check(letters, answer.word) == Accepted(answer)


def test_answers_come_commonest_first(words: WordList) -> None:
    for answers in words.solved().values():
        sizes = [answer.size for answer in answers]
        assert sizes == sorted(sizes, key=lambda size: size or 0)


def test_near_misses_have_the_cards_consonants_and_are_no_answers(words: WordList) -> None:
    assert {"savior", "savory"} <= {miss.word for miss in words.near_misses("SVR")}
    assert Refused("david", Why.PROPER_NOUN) in words.near_misses("DVD")
    assert Refused("civilise", Why.BRITISH) in words.near_misses("CVLS")
    for letters, answers in words.solved().items():
        for miss in words.near_misses(letters):
            assert consonants(miss.word) == letters
            assert miss.word not in {answer.word for answer in answers}


def test_a_card_without_answers(words: WordList) -> None:
    assert words.answers("WNDM") == ()
    assert words.near_misses("XQZ") == ()


def test_the_owners_words() -> None:
    own = parse_own_words("accept vodaku vidako\naccept savor\nrefuse sever\nrefuse zuqa")
    words = load_words(own)
    assert [answer.word for answer in words.answers("SVR")] == ["severe", "saver", "savor"]
    assert words.check("SVR", "sever") == Refused("sever", Why.BANNED)

    assert Refused("sever", Why.BANNED) in words.near_misses("SVR")
    assert words.check("VDK", "Vodaku") == Accepted(Answer("vodaku", None))
    assert words.answers("VDK") == (Answer("vidako", None), Answer("vodaku", None))
    assert "VDK" in words.solved()
    assert "VDK" not in load_words().solved()


def test_a_card_whose_only_answer_is_banned_has_none() -> None:
    only, (answer,) = next(item for item in load_words().solved().items() if len(item[1]) == 1)
    banned = load_words(OwnWords(refused=frozenset({answer.word})))
    assert banned.answers(only) == ()
    assert only not in banned.solved()


def test_answer_sets_take_less_than_a_millisecond(words: WordList) -> None:
    """Processor time, as others may use the machine; the mean over all cards, and the card with most words."""
    cards = list(words.lines)
    most = max(cards, key=lambda letters: len(words.lines[letters]))
    for some in (cards, [most] * 200):
        began = time.process_time_ns()
        for letters in some:
            words.answers(letters)
        assert (time.process_time_ns() - began) / len(some) < 1_000_000


def test_the_list_says_where_it_is_from(words: WordList) -> None:
    assert (words.source.source, words.source.version, words.source.lists) == ("SCOWL", "2020.12.07", LISTS_SHA256)
    assert "Copyright 2000-2018 by Kevin Atkinson" in LIST.with_name(words.source.licence).read_text("utf-8")


def test_the_list_has_the_corrections(words: WordList) -> None:
    corrections = load_own_words(CORRECTIONS)
    checks = {word: words.check(consonants(word), word) for word in corrections.accepted | corrections.refused}
    assert {word for word, check in checks.items() if isinstance(check, Accepted)} == corrections.accepted


def test_a_list_that_is_not_as_built_is_refused(tmp_path: Path) -> None:
    text = LIST.read_text("utf-8")
    wrong = tmp_path / "words.txt"
    for damaged, message in [
        (text.replace("savor/35", "savir/35"), "got words with SHA-256"),
        (text[:-1], "got words with SHA-256"),
        (text.replace("\n\n", "\n"), "got no head of source, version, licence, lists, body, wanted a word list"),
        (text.replace("version ", "edition ", 1), "got no head of"),
        ("", "got no head of"),
    ]:
        assert damaged != text
        wrong.write_text(damaged, "utf-8")
        with pytest.raises(UserError, match=re.escape(f"{wrong}: {message}")):
            load_words(path=wrong)
    with pytest.raises(UserError, match="cannot be read: No such file"):
        load_words(path=tmp_path / "none.txt")
