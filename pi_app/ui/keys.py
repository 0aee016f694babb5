"""Keys of a terminal to commands: one key for what is hurried, short prompts for what needs a word."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Generic

from pi_app.session.commands import CommandError, Press
from pi_app.session.view import GameViewT

MAX_LINE = 200
BUTTONS = "123456"


class Do(Enum):
    """What the terminal itself does."""

    QUIT = auto()
    OLED = auto()


Answer = object | Do | None
"""A command of the game's, what the terminal does, or None."""

Choice = tuple[str, Callable[[str], Answer]]
"""The prompt for one more key, and what that key means; None: nothing."""

LEAVE: Mapping[str, Answer] = {"q": Do.QUIT, "\x03": Do.QUIT, "\x04": Do.QUIT, "o": Do.OLED}


@dataclass(frozen=True)
class KeyTable(Generic[GameViewT]):
    """What a game's keys mean: `plain` at once, `by_view` by what is to be seen, `choices` with one more key.

    `lines` begin a command that is typed: its word, empty for any command, and the prompt, which ends in a colon.
    `parse` reads a command's text, CommandError where it is none. Digits are buzzers unless they stand in `plain`.
    """

    parse: Callable[[str], object]
    plain: Mapping[str, Answer] = field(default_factory=dict)
    by_view: Mapping[str, Callable[[GameViewT], Answer]] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    lines: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(slots=True)
class Keys(Generic[GameViewT]):
    """Follows one keyboard; `prompt` is what to show for the answer it waits for."""

    table: KeyTable[GameViewT]
    prompt: str = ""
    refusal: str | None = None
    _head: str = ""
    _line: str | None = None
    _one: Callable[[str], Answer] | None = None

    def feed(self, key: str, view: GameViewT) -> Answer:
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

    def _first(self, key: str, view: GameViewT) -> Answer:
        table = self.table
        for plain in (table.plain, LEAVE):
            if key in plain:
                return plain[key]
        if key and key in BUTTONS:
            return Press(int(key))
        if key in table.by_view:
            return table.by_view[key](view)
        if key in table.choices:
            self.prompt, self._one = table.choices[key]
        elif key in table.lines:
            self._head, self.prompt = table.lines[key]
            self._line = ""
        return None

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
            return self.table.parse(text)
        except CommandError as error:
            self.refusal = str(error)
            return None
