import os
import re
from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.games.words import OwnWords, load_own_words, parse_own_words
from pi_app.games.words.own import MOST_BYTES, MOST_WORDS

TEXT = "# ours\naccept Sudoku  Pâté # from the table\n\nrefuse sever\naccept vibe\n"


def test_words_of_the_owner() -> None:
    assert parse_own_words(TEXT) == OwnWords(frozenset({"sudoku", "pate", "vibe"}), frozenset({"sever"}))
    assert parse_own_words(TEXT.replace("\n", "\r\n")) == parse_own_words(TEXT)
    assert parse_own_words("") == OwnWords()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("savor", "own words:1: got 'savor', wanted accept or refuse, and words"),
        ("\naccept", "own words:2: got 'accept', wanted accept or refuse, and words"),
        ("Accept savor", "own words:1: got 'Accept savor', wanted accept or refuse"),
        ("accept savor savory", "own words:1: got 'savory' (y), wanted a word that fits a card"),
        ("refuse better", "own words:1: got 'better' (consonants touch), wanted a word that fits a card"),
        ("accept 12", "own words:1: got '12' (no word), wanted"),
        ("accept vibe\nrefuse vibe", "own words:2: got 'vibe' both accepted and refused, wanted one of them"),
    ],
)
def test_a_wrong_line_is_named(text: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        parse_own_words(text)


def test_the_number_of_words_is_bounded() -> None:
    vowels = [first + second + third for first in "aeiou" for second in "aeiou" for third in "aeiou"]
    letters = [first + second for first in "bcdfghjklm" for second in "bcdfghjklm"]
    words = [pair[0] + vowel[0] + pair[1] + vowel[1] + "t" + vowel[2] for pair in letters for vowel in vowels]
    assert len(set(words)) == len(words) > MOST_WORDS
    parse_own_words(" ".join(["accept", *words[:MOST_WORDS]]))
    with pytest.raises(UserError, match="got more than 10000 words to accept"):
        parse_own_words(" ".join(["accept", *words]))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(TEXT, "utf-8")
    assert load_own_words(path) == parse_own_words(TEXT)


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    bytes_, large = tmp_path / "bytes.txt", tmp_path / "large.txt"
    bytes_.write_bytes(b"accept vibe\xff")
    large.write_bytes(b"#" * (MOST_BYTES + 1))
    for path, message in [
        (tmp_path / "none.txt", "cannot be read: No such file or directory"),
        (tmp_path, "got a folder, wanted a text file"),
        (fifo, "got a device, wanted a text file"),
        (bytes_, "got byte 0xff at 11, wanted UTF-8 text"),
        (large, f"got {MOST_BYTES + 1} bytes, wanted at most {MOST_BYTES}"),
    ]:
        with pytest.raises(UserError, match=re.escape(f"{path}: {message}")):
            load_own_words(path)
