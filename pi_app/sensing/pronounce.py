"""How words sound: a pronouncing dictionary in CMUdict's phones, and the words that sound nearly like another."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pi_app.core.errors import UserError

_VOWELS = ("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW")
_STOPS = ("B", "CH", "D", "G", "JH", "K", "P", "T")
_FRICATIVES = ("DH", "F", "HH", "S", "SH", "TH", "V", "Z", "ZH")
PHONES = (*_VOWELS, *_STOPS, *_FRICATIVES, "L", "M", "N", "NG", "R", "W", "Y")
"""The phones of CMUdict 0.7b (ARPAbet without stress), which the recogniser's model knows."""
MOST_WORDS = 500_000

Phones = tuple[str, ...]
_WORD = re.compile(r"([a-z]+)(?:\(\d+\))?")


@dataclass(frozen=True)
class Pronunciations:
    """The pronunciations of every word known, each a row of phones."""

    by_word: dict[str, tuple[Phones, ...]]

    def of(self, word: str) -> tuple[Phones, ...]:
        """Return how a word may sound; empty where that is not known."""
        return self.by_word.get(word, ())

    def same_as(self, word: str) -> frozenset[str]:
        """Return the words that may sound as this one does, itself included."""
        return frozenset(other for phones in self.of(word) for other in self._by_phones[phones])

    def nearly(self, word: str) -> frozenset[str]:
        """Return the words that one phone put in, left out or changed makes of this one."""
        near = {
            other for phones in self.of(word) for row in _one_apart(phones) for other in self._by_phones.get(row, ())
        }
        return frozenset(near) - self.same_as(word)

    @cached_property
    def _by_phones(self) -> dict[Phones, list[str]]:
        words: dict[Phones, list[str]] = {}
        for word, rows in self.by_word.items():
            for phones in rows:
                words.setdefault(phones, []).append(word)
        return words


def parse_pronunciations(text: str, where: str = "dictionary") -> Pronunciations:
    """Read lines `word PHONE ...`, further pronunciations as `word(2) PHONE ...`; words with other signs are left out.

    UserError names the first line that is none.
    """
    by_word: dict[str, tuple[Phones, ...]] = {}
    known = set(PHONES)
    for number, line in enumerate(text.splitlines(), 1):
        name, *phones = line.split() or [""]
        if not phones or not known.issuperset(phones):
            raise UserError(f"{where}:{number}: got {line[:60]!r}, wanted a word and its phones, as in CMUdict")
        if found := _WORD.fullmatch(name):
            by_word[found[1]] = (*by_word.get(found[1], ()), tuple(phones))
        if len(by_word) > MOST_WORDS:
            raise UserError(f"{where}:{number}: got more than {MOST_WORDS} words, wanted at most that")
    return Pronunciations(by_word)


def _one_apart(phones: Phones) -> Iterator[Phones]:
    for place in range(len(phones)):
        yield phones[:place] + phones[place + 1 :]
        yield from ((*phones[:place], phone, *phones[place + 1 :]) for phone in PHONES)
    for place in range(len(phones) + 1):
        yield from ((*phones[:place], phone, *phones[place:]) for phone in PHONES)
