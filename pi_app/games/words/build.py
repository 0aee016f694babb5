"""Build the word list from SCOWL's: `python -m pi_app.games.words.build /usr/share/dict/scowl`.

The folder is what Debian's package `scowl` (2020.12.07) installs, in UTF-8. The same lists and corrections give the
same bytes. Taken: SCOWL's English and American words of sizes 10 to 70 with their variants of
levels 1 and 2, less those variants that are the British spelling. Sizes 80 and 95 are left out: they are the word
games' and crossword dictionaries', and most people would call their words none.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.games.words.own import OwnWords, load_own_words
from pi_app.games.words.rule import MOST_LETTERS, consonants, folded, shape_fault
from pi_app.games.words.wordlist import LIST, MISSHAPEN, digest

VERSION = "2020.12.07"
LISTS_SHA256 = "a406db130ff2f44878546654a38a7497860bfa363442e3b9d2758c7101215259"
"""Of the lists used, names and bytes, in order."""
SIZES = (10, 20, 35, 40, 50, 55, 60, 70)
WORDS = ("english-words", "american-words", "variant_1-words")
VARIANTS = ("variant_2-words",)
BRITISH = ("british-words", "british_variant_1-words")
NAMES = ("english-upper", "american-upper", "english-proper-names", "american-proper-names")
ABBREVIATIONS = ("english-abbreviations", "american-abbreviations")
MISSHAPEN_TO = 50
"""A near miss is what a player may well say: a common word."""
NEAR_TO = 60
CORRECTED_SIZE = 60
CORRECTIONS = Path(__file__).with_name("corrections.txt")


def build(folder: Path, corrections: OwnWords, lists_sha256: str = LISTS_SHA256) -> str:
    """Return the text of the word list; UserError where the folder's lists are not those of that SHA-256."""
    if (got := lists_digest(folder)) != lists_sha256:
        raise UserError(f"{folder}: got lists with SHA-256 {got}, wanted SCOWL {VERSION}'s {lists_sha256[:12]}...")
    marks = answers(folder, corrections)
    cards = {consonants(word) for word in marks}
    for word, mark in near_misses(folder):
        if mark != MISSHAPEN or consonants(word) in cards:
            marks.setdefault(word, mark)
    body = "".join(f"{line}\n" for line in card_lines(marks))
    head = {"source": "SCOWL", "version": VERSION, "licence": "SCOWL.txt", "lists": got, "body": digest(body)}
    return "".join(f"{key} {value}\n" for key, value in head.items()) + "\n" + body


def answers(folder: Path, corrections: OwnWords) -> dict[str, str]:
    """Return the words that are answers, each with its size class."""
    british = set(read_lists(folder, BRITISH, SIZES[-1]))
    found = read_lists(folder, WORDS, SIZES[-1])
    for word, size in read_lists(folder, VARIANTS, SIZES[-1]).items():
        if word not in british:
            found.setdefault(word, size)
    found |= {word: CORRECTED_SIZE for word in corrections.accepted if word not in found}
    return {word: str(size) for word, size in found.items() if fits(word) and word not in corrections.refused}


def near_misses(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield words that are no answers with their marks, the most telling mark of a word first."""
    for groups, mark in ((BRITISH, "b"), (NAMES, "n"), (ABBREVIATIONS, "a")):
        yield from ((word, mark) for word in read_lists(folder, groups, NEAR_TO) if fits(word))
    common = read_lists(folder, WORDS, MISSHAPEN_TO)
    yield from ((word, MISSHAPEN) for word in common if not fits(word) and 1 <= len(consonants(word)) <= MOST_LETTERS)


def fits(word: str) -> bool:
    """Return whether a card can have the word as an answer."""
    return shape_fault(word) is None and len(consonants(word)) <= MOST_LETTERS


def card_lines(marks: dict[str, str]) -> Iterator[str]:
    """Yield each card's line, in the order of its letters, then of the words."""
    by_card: dict[str, list[str]] = {}
    for word in sorted(marks):
        by_card.setdefault(consonants(word), []).append(f"{word}/{marks[word]}")
    for letters in sorted(by_card):
        yield f"{letters} {' '.join(by_card[letters])}"


def read_lists(folder: Path, groups: Iterable[str], top: int) -> dict[str, int]:
    """Return the words of SCOWL's lists up to a size, folded, each with the least size it is listed at."""
    found: dict[str, int] = {}
    for path, size in list_paths(folder, groups, top):
        for line in path.read_bytes().decode("utf-8").splitlines():
            word = folded(line)
            if word.isascii() and word.isalpha():
                found[word] = min(size, found.get(word, size))
    return found


def list_paths(folder: Path, groups: Iterable[str], top: int = SIZES[-1]) -> Iterator[tuple[Path, int]]:
    """Yield the lists there are of those groups, and their sizes; SCOWL has not every group in every size."""
    sized = ((folder / f"{group}.{size}", size) for group in groups for size in SIZES if size <= top)
    yield from ((path, size) for path, size in sized if path.is_file())


def lists_digest(folder: Path) -> str:
    """Return the SHA-256 of all lists that are used, in hex."""
    found = hashlib.sha256()
    for path, _ in list_paths(folder, (*WORDS, *VARIANTS, *BRITISH, *NAMES, *ABBREVIATIONS)):
        data = path.read_bytes()
        found.update(f"{path.name} {len(data)}\n".encode())
        found.update(data)
    return found.hexdigest()


def main(arguments: list[str]) -> int:
    """Write the word list beside this module; return the exit status."""
    try:
        if len(arguments) != 1:
            raise UserError(f"build: got {len(arguments)} arguments, wanted the folder of SCOWL's lists")
        LIST.write_text(build(Path(arguments[0]), load_own_words(CORRECTIONS)), encoding="utf-8", newline="\n")
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
