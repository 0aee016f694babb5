"""Keys of a terminal to commands: one key for what is hurried, short prompts for what needs a word."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from pi_app.core.names import Colour
from pi_app.session.commands import CommandError, Press, Start, Undo
from pi_app.session.voila.commands import (
    Approve,
    CallVoila,
    Command,
    ContinueTurn,
    Pause,
    Reject,
    ReplayTurn,
    TellFinder,
    TellStone,
    parse_command,
)
from pi_app.session.voila.view import Phase, PublicView

MAX_LINE = 200


class Do(Enum):
    """What the terminal itself does."""

    QUIT = auto()
    OLED = auto()


Answer = Command | Do | None

_PLAIN: dict[str, Command | Do] = {
    "a": Approve(),
    "r": Reject(),
    "v": CallVoila(),
    "u": Undo(),
    "w": ReplayTurn(),
    "n": Start(),
    "q": Do.QUIT,
    "\x03": Do.QUIT,
    "\x04": Do.QUIT,
    "o": Do.OLED,
}
_STONES = {"y": Colour.YELLOW, "r": Colour.RED, "b": Colour.BLUE}
_LINES = {
    "c": ("card", "card id: "),
    "t": ("tile", "tile id, or unknown: "),
    "x": ("correct", "correct (number, then stone/card/finder/passed/failed/voila/stop/nothing): "),
    ":": ("", "command: "),
}


@dataclass(slots=True)
class Keys:
    """Follows one keyboard; `prompt` is what to show for the answer it waits for."""

    prompt: str = ""
    refusal: str | None = None
    _head: str = ""
    _line: str | None = None
    _one: Callable[[str], Answer] | None = None

    def feed(self, key: str, view: PublicView) -> Answer:
        """Take one letter; return the command or what to do, None where it was none or more is to come."""
        self.refusal = None
        if self._line is not None:
            return self._typed(key, self._line)
        if self._one is not None:
            answer, self._one, self.prompt = self._one(key), None, ""
            return answer
        return self._first(key, view)

    def feed_line(self, line: str) -> Answer:
        """Take a whole line, where there are no single keys (no terminal): a command's text, or q."""
        self.refusal = None
        line = line.strip()
        if line in ("q", "quit"):
            return Do.QUIT
        return self._parsed(line) if line else None

    def _first(self, key: str, view: PublicView) -> Answer:
        if key in _PLAIN:
            return _PLAIN[key]
        if key in "123456" and key:
            return Press(int(key))
        if key == "p":
            return ContinueTurn() if view.phase in (Phase.PAUSED, Phase.RESUME) else Pause()
        if key == "s":
            self._ask("stone: y, r or b", lambda letter: TellStone(_STONES[letter]) if letter in _STONES else None)
        elif key == "f":
            self._ask("found by seat 1-6, 0 nobody", _finder)
        elif key in _LINES:
            self._head, self.prompt = _LINES[key]
            self._line = ""
        return None

    def _ask(self, prompt: str, one: Callable[[str], Answer]) -> None:
        self.prompt, self._one = prompt, one

    def _typed(self, key: str, line: str) -> Answer:
        if key in ("\r", "\n"):
            return self._entered(line)
        if key in ("\x1b", "\x03"):
            self._line, self.prompt = None, ""
        elif key in ("\x7f", "\b"):
            self._set(line[:-1])
        elif key.isprintable() and len(line) < MAX_LINE:
            self._set(line + key)
        return None

    def _set(self, line: str) -> None:
        asked = self.prompt.partition(": ")[0]
        self._line, self.prompt = line, f"{asked}: {line}"

    def _entered(self, line: str) -> Answer:
        text = f"{self._head} {line}".strip()
        self._line, self.prompt = None, ""
        return self._parsed(text) if line.strip() else None

    def _parsed(self, text: str) -> Answer:
        try:
            return parse_command(text)
        except CommandError as error:
            self.refusal = str(error)
            return None


def _finder(letter: str) -> Answer:
    if letter == "0":
        return TellFinder(None)
    return TellFinder(int(letter) - 1) if letter in "123456" and letter else None
