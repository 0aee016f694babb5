"""The word list: which answers a card has, and why a word is none.

The list is one text file, made by `pi_app.games.words.build`: a head of `key value` lines, an empty line, then one
line for each card, `SVR savor/35 saver/60 savior/-`: the card's letters and every word known to have them. A number
marks an answer and is its size class in the source; a letter or sign marks a near miss (`MARKS`).
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.games.words.own import OwnWords, read_text
from pi_app.games.words.rule import Why, consonants, folded, parse_letters, shape_fault

LIST = Path(__file__).with_name("words.txt")
MOST_BYTES = 1 << 22
HEAD = ("source", "version", "licence", "lists", "body")
MARKS = {"n": Why.PROPER_NOUN, "b": Why.BRITISH, "a": Why.ABBREVIATION}
"""Marks of words that have a card's shape and are still no answers."""
MISSHAPEN = "-"
"""Mark of a common word with a card's consonants that breaks the rule; `shape_fault` tells how."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the words come from: name, version, the licence's file beside the list, and the SHA-256 of the
    source's lists and of this list's body."""

    source: str
    version: str
    licence: str
    lists: str
    body: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A word that solves a card. `size`: the source's size class, 10 commonest to 70 rare; None for the owner's own."""

    word: str
    size: int | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The word solves the card."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Refused:
    """The word, folded, does not solve the card; `letters` are those of it that are at fault, where some are."""

    word: str
    why: Why
    letters: str = ""


@dataclass(frozen=True)
class WordList:
    """The answers to every card: a list's, with the owner's own words put in and taken out.

    `lines`: by letters, the words of the list's line.
    """

    source: Source
    lines: dict[str, str] = field(repr=False)
    own: OwnWords = field(default_factory=OwnWords)

    def answers(self, letters: str) -> tuple[Answer, ...]:
        """Return every word that solves the card, commonest first; UserError where the letters are no card's."""
        return self._answers(parse_letters(letters))

    def check(self, letters: str, word: str) -> Accepted | Refused:
        """Return whether a word solves the card, and if not why; UserError where the letters are no card's."""
        letters, word = parse_letters(letters), folded(word[:1000])
        found = (Accepted(answer) for answer in self._answers(letters) if answer.word == word)
        return next(found, None) or self._refused(letters, word)

    def near_misses(self, letters: str) -> tuple[Refused, ...]:
        """Return known words that have the card's consonants and do not solve it, each with the reason."""
        letters = parse_letters(letters)
        banned = {word for word in self.own.refused if consonants(word) == letters}
        answers = {answer.word for answer in self._answers(letters)}
        return tuple(self._refused(letters, word) for word in sorted({*self._marked(letters), *banned} - answers))

    def solved(self) -> dict[str, tuple[Answer, ...]]:
        """Return every card that has answers with them, in alphabetical order; some 0.1 s."""
        every = ((letters, self._answers(letters)) for letters in sorted({*self.lines, *self._own_accepted}))
        return {letters: answers for letters, answers in every if answers}

    def _refused(self, letters: str, word: str) -> Refused:
        if word in self.own.refused:
            return Refused(word, Why.BANNED)
        if fault := shape_fault(word):
            return Refused(word, fault.why, fault.letters)
        if consonants(word) != letters:
            return Refused(word, Why.OTHER_CONSONANTS, consonants(word).lower())
        return Refused(word, MARKS.get(self._marked(letters).get(word, ""), Why.UNKNOWN))

    def _answers(self, letters: str) -> tuple[Answer, ...]:
        found = [Answer(word, int(mark)) for word, mark in self._marked(letters).items() if mark.isdigit()]
        listed = {answer.word for answer in found}
        found += [Answer(word, None) for word in self._own_accepted.get(letters, ()) if word not in listed]
        kept = (answer for answer in found if answer.word not in self.own.refused)
        return tuple(sorted(kept, key=lambda answer: (answer.size is None, answer.size, answer.word)))

    def _marked(self, letters: str) -> dict[str, str]:
        entries = (entry.partition("/") for entry in self.lines.get(letters, "").split())
        return {word: mark for word, _, mark in entries}

    @cached_property
    def _own_accepted(self) -> dict[str, list[str]]:
        by_letters: dict[str, list[str]] = {}
        for word in sorted(self.own.accepted):
            by_letters.setdefault(consonants(word), []).append(word)
        return by_letters


def load_words(own: OwnWords | None = None, path: Path = LIST) -> WordList:
    """Read the word list, some 10 ms; UserError where it is missing or not as it was built."""
    return parse_words(read_text(path, MOST_BYTES), str(path), own or OwnWords())


def parse_words(text: str, where: str, own: OwnWords) -> WordList:
    """Return the list a text holds; UserError where its head is wrong or its body is not what the head says."""
    head, empty, body = text.partition("\n\n")
    fields = dict(line.split(" ", 1) for line in head.splitlines() if " " in line)
    if not empty or tuple(fields) != HEAD:
        raise UserError(f"{where}: got no head of {', '.join(HEAD)}, wanted a word list")
    source = Source(**fields)
    if (got := digest(body)) != source.body:
        raise UserError(f"{where}: got words with SHA-256 {got[:12]}..., wanted {source.body[:12]}... as its head says")
    lines = (line.partition(" ") for line in body.splitlines())
    return WordList(source, {letters: words for letters, _, words in lines}, own)


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hex."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
