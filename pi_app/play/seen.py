"""What the camera told the session, one line each, in a recording: a replay has to come to the same."""

from pathlib import Path
from typing import Final

from pi_app.core.codec import CodecError
from pi_app.core.errors import UserError
from pi_app.core.events import CardsSeen, Sensed, StonesSeen, VerdictGiven
from pi_app.session.voila.kinds import CODEC

FILE: Final = "seen.jsonl"
Seen = VerdictGiven | StonesSeen | CardsSeen


class SeenWriter:
    """Appends verdicts and what was read of stones and cards to a recording's folder; other inputs pass unnoted."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / FILE).open("w", encoding="utf-8")

    def take(self, sensed: Sensed) -> None:
        """Note one input."""
        if isinstance(sensed, Seen):
            self._file.write(CODEC.encode(sensed) + "\n")

    def close(self) -> None:
        """Finish the file; safe to call twice."""
        self._file.close()


def read_seen(folder: Path) -> list[Seen]:
    """Return what a recording's camera told, in order; UserError names the line that is none."""
    path = folder / FILE
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from None
    return [_read(path, number, line) for number, line in enumerate(lines, start=1)]


def _read(path: Path, number: int, line: str) -> Seen:
    try:
        value = CODEC.decode(line)
    except CodecError as error:
        raise UserError(f"{path}: line {number}: {error}") from None
    if not isinstance(value, Seen):
        raise UserError(f"{path}: line {number}: got {type(value).__name__}, wanted a verdict, stones or cards")
    return value
