"""The owner's own words: a text of lines `accept WORD ...` and `refuse WORD ...`; `#` begins a note."""

from dataclasses import dataclass
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.games.words.rule import folded, shape_fault

MOST_BYTES = 1 << 18
MOST_WORDS = 10_000
OTHER = {"accept": "refuse", "refuse": "accept"}


@dataclass(frozen=True, slots=True)
class OwnWords:
    """Words taken as answers beyond the list's, and words refused although the list has them; folded."""

    accepted: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()


def load_own_words(path: Path) -> OwnWords:
    """Read the owner's words; UserError where the file cannot be read, is too large or a line is wrong."""
    return parse_own_words(read_text(path, MOST_BYTES), str(path))


def parse_own_words(text: str, where: str = "own words") -> OwnWords:
    """Return the words of a text; UserError names line, what was got and what was wanted."""
    words: dict[str, set[str]] = {verb: set() for verb in OTHER}
    for number, line in enumerate(text.splitlines(), 1):
        if fields := line.partition("#")[0].split():
            verb, some = _read(fields, f"{where}:{number}")
            words[verb].update(some)
            if both := words[OTHER[verb]].intersection(some):
                raise UserError(f"{where}:{number}: got {min(both)!r} both accepted and refused, wanted one of them")
            if len(words[verb]) > MOST_WORDS:
                raise UserError(f"{where}:{number}: got more than {MOST_WORDS} words to {verb}, wanted at most that")
    return OwnWords(frozenset(words["accept"]), frozenset(words["refuse"]))


def read_text(path: Path, most_bytes: int) -> str:
    """Read a text file of bounded size; UserError where that cannot be."""
    try:
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: got a {'folder' if path.is_dir() else 'device'}, wanted a text file")
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
        if len(data) > most_bytes:
            raise UserError(f"{path}: got {path.stat().st_size} bytes, wanted at most {most_bytes}")
        return data.decode("utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: got byte 0x{data[error.start]:02x} at {error.start}, wanted UTF-8 text") from None


def _read(fields: list[str], where: str) -> tuple[str, list[str]]:
    verb, words = fields[0], [folded(word) for word in fields[1:]]
    if verb not in OTHER or not words:
        raise UserError(f"{where}: got {' '.join(fields)[:40]!r}, wanted accept or refuse, and words")
    for word in words:
        if fault := shape_fault(word):
            why = fault.why.replace("_", " ")
            raise UserError(f"{where}: got {word[:40]!r} ({why}), wanted a word that fits a card")
    return verb, words
