"""Lines of text as words that know where they stand, so that whatever is wrong can be pointed at."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pi_app.core.errors import UserError


@dataclass(frozen=True, slots=True)
class Word:
    """One word, and its place counted from 1."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Line:
    """The words of one line of the text called `where`; at least one. Refusals are UserError with line and column."""

    where: str
    words: tuple[Word, ...]

    @property
    def first(self) -> str:
        """Return the first word."""
        return self.words[0].text

    def __str__(self) -> str:
        return " ".join(word.text for word in self.words)

    def word(self, index: int, wanted: str) -> Word:
        """Return the word at that place of the line."""
        if index < len(self.words):
            return self.words[index]
        last = self.words[-1]
        raise self.fault(Word("the end of the line", last.line, last.column + len(last.text)), wanted)

    def name(self, index: int, wanted: str) -> str:
        """Return a name: small letters, digits, - and _, beginning with a letter."""
        word = self.word(index, wanted)
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", word.text):
            raise self.fault(word, f"{wanted}: up to 40 of a-z 0-9 - _, a letter first")
        return word.text

    def one_of(self, index: int, names: Iterable[str]) -> str:
        """Return a word that is one of the names."""
        known = tuple(names)
        word = self.word(index, f"one of {', '.join(known)}")
        if word.text not in known:
            raise self.fault(word, f"one of {', '.join(known)}")
        return word.text

    def number(self, index: int, what: str, low: int, high: int) -> int:
        """Return a whole number within both bounds."""
        wanted = f"{what}, {low} to {high}"
        word = self.word(index, wanted)
        if not re.fullmatch(r"[0-9]{1,4}", word.text) or not low <= int(word.text) <= high:
            raise self.fault(word, wanted)
        return int(word.text)

    def end(self, index: int) -> None:
        """Refuse anything from that place on."""
        if index < len(self.words):
            raise self.fault(self.words[index], "the end of the line")

    def fault(self, word: Word, wanted: str) -> UserError:
        """Return the refusal of a word of this line: where, what was got, what was wanted."""
        got = word.text if len(word.text) <= 30 else word.text[:29] + "…"
        return UserError(f"{self.where}:{word.line}:{word.column}: got {got!a}, wanted {wanted}")


def lines_of(text: str, where: str) -> tuple[Line, ...]:
    """Return the lines that hold words; from a # on a line is a comment."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        words = re.finditer(r"\S+", line.partition("#")[0])
        if line_words := tuple(Word(match[0], number, match.start() + 1) for match in words):
            found.append(Line(where, line_words))
    return tuple(found)
