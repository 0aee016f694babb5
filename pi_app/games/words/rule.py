"""The rule of the word puzzles: what a card shows, and the shape of a word that fits it (rulebook, "Word Puzzles")."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.errors import UserError

VOWELS = "aeiou"
CONSONANTS = "bcdfghjklmnpqrstvwxz"
"""Y is neither: it counts as no vowel, and stands on no card."""
MOST_LETTERS = 12
"""Letters on a card, as a box may have them."""
MOST_CHARACTERS = 40
"""Characters of an answer that are looked at; the longest word that fits a card has 24."""

_TWO_VOWELS = re.compile(f"[{VOWELS}]{{2}}")
_TWO_CONSONANTS = re.compile(f"[{CONSONANTS}]{{2}}")


class Why(StrEnum):
    """Why a word is no answer; the first that holds, in this order."""

    NO_WORD = "no_word"
    """Anything but one word of two or more of the letters A to Z (accents left aside)."""
    BANNED = "banned"
    """The owner refuses it."""
    Y = "y"
    """Y is never a vowel, and stands on no card."""
    VOWEL_FIRST = "vowel_first"
    DOUBLE_VOWEL = "double_vowel"
    CONSONANTS_TOUCH = "consonants_touch"
    """No vowel stands between two consonants."""
    OTHER_CONSONANTS = "other_consonants"
    PROPER_NOUN = "proper_noun"
    BRITISH = "british"
    """Not the American spelling."""
    ABBREVIATION = "abbreviation"
    UNKNOWN = "unknown"
    """The word list does not have it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a word, and with which of its letters."""

    why: Why
    letters: str = ""


def folded(text: str) -> str:
    """Return a word in small letters without its accents and the space around it: "Café " is "cafe"."""
    apart = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def parse_letters(text: str) -> str:
    """Return a card's letters as capitals; UserError where they are not all consonants, all read, 1 to 12."""
    letters = text.strip()
    if not 1 <= len(letters) <= MOST_LETTERS:
        raise UserError(f"vowl card: got {len(letters)} letters, wanted 1 to {MOST_LETTERS}")
    for place, letter in enumerate(letters, 1):
        if letter.lower() not in CONSONANTS:
            wanted = f"a consonant, one of {CONSONANTS.upper()}"
            raise UserError(f"vowl card {letters!r}: got {letter!r} as letter {place}, wanted {wanted}")
    return letters.upper()


def consonants(word: str) -> str:
    """Return the letters of the card that a folded word would belong to: no vowels, no Y, capitals."""
    return "".join(letter for letter in word if letter in CONSONANTS).upper()


def shape_fault(word: str) -> Fault | None:
    """Return why a folded word fits no card at all; None where it has a card's shape."""
    if not 2 <= len(word) <= MOST_CHARACTERS or not (word.isascii() and word.isalpha()):
        return Fault(Why.NO_WORD)
    if "y" in word:
        return Fault(Why.Y, "y")
    if word[0] in VOWELS:
        return Fault(Why.VOWEL_FIRST, word[0])
    if double := _TWO_VOWELS.search(word):
        return Fault(Why.DOUBLE_VOWEL, double.group())
    if touching := _TWO_CONSONANTS.search(word):
        return Fault(Why.CONSONANTS_TOUCH, touching.group())
    return None
