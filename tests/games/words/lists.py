"""The words that must and must not be answers, written from knowledge of English."""

from collections.abc import Iterator
from pathlib import Path

from pi_app.games.words import Why

HERE = Path(__file__).parent


def must_accept() -> list[str]:
    return [word for line in _lines("must_accept.txt") for word in line.split()]


def must_refuse() -> Iterator[tuple[str, Why]]:
    """Yield each word with the reason its heading gives."""
    why = Why.UNKNOWN
    for line in _lines("must_refuse.txt"):
        if line.startswith("["):
            why = Why(line.strip("[]"))
        else:
            yield from ((word, why) for word in line.split())


def _lines(name: str) -> list[str]:
    return [line for line in (HERE / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]
