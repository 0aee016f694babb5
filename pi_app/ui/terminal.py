"""The terminal: a public view's lines of text, drawn again in place or printed line by line."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TextIO

from pi_app.session.view import DecisionView, GameViewT
from pi_app.ui.text import BOLD, INVERSE, MAX_COLUMNS, RESET, fit

MIN_COLUMNS = 10


@dataclass(frozen=True)
class TextUi(Generic[GameViewT]):
    """What a game writes: `lines` the whole picture, `messages` what the device says, `report` one decision.

    `lines` takes the view, the columns that every line has, the height at most (0: any), and the view whose OLED
    picture is put below, None for none. `help` names the keys, in groups with two spaces between.
    """

    lines: Callable[[GameViewT, int, int, GameViewT | None], list[str]]
    messages: Callable[[GameViewT], list[str]]
    report: Callable[[GameViewT, DecisionView], str]
    help: str


def wrapped(text: str, columns: int) -> list[str]:
    """Return the text in lines of at most `columns`, broken between its groups of two spaces."""
    made = [""]
    for group in text.split("  "):
        longer = f"{made[-1]}  {group}" if made[-1] else group
        if len(longer) > columns and made[-1]:
            made.append(group)
        else:
            made[-1] = longer
    return made


class TerminalView(Generic[GameViewT]):
    """Shows views on a stream: in place on a terminal, otherwise one line whenever something has happened."""

    def __init__(self, out: TextIO, text: TextUi[GameViewT], size: Callable[[], tuple[int, int]] | None = None) -> None:
        self._out = out
        self._text = text
        self._live = out.isatty()
        self._size = size or _terminal_size
        self._said: tuple[str, ...] = ()
        self._number = 0

    @property
    def live(self) -> bool:
        """Return whether pictures are drawn in place."""
        return self._live

    def open(self) -> None:
        """Take the terminal's second screen."""
        if self._live:
            self._write("\x1b[?1049h\x1b[?25l")

    def close(self) -> None:
        """Give the terminal back as it was."""
        if self._live:
            self._write("\x1b[?25h\x1b[?1049l")

    def show(self, view: GameViewT, *, oled: GameViewT | None = None, prompt: str = "") -> None:
        """Show a view; `prompt` is what the keyboard asks for."""
        if self._live:
            self._draw(view, oled, prompt)
        else:
            self._report(view)

    def echo(self, command: str) -> None:
        """Say which command was understood, where there is no picture that shows what it did."""
        if not self._live:
            self._write(f"> {command}\n")

    def _draw(self, view: GameViewT, oled: GameViewT | None, prompt: str) -> None:
        columns, rows = self._size()
        columns = max(MIN_COLUMNS, min(columns, MAX_COLUMNS)) - 1
        foot = [fit(line, columns) for line in ([prompt] if prompt else wrapped(self._text.help, columns))][
            : max(1, rows // 3)
        ]
        body = self._text.lines(view, columns, rows - len(foot), oled)[: max(1, rows - len(foot) - 1)]
        body[0] = f"{INVERSE}{body[0]}{RESET}"
        text = "".join(f"{line}\x1b[K\r\n" for line in body)
        self._write(f"\x1b[H{text}\x1b[J{BOLD}" + "\r\n".join(foot) + RESET)

    def _report(self, view: GameViewT) -> None:
        for decision in view.decisions:
            if decision.number > self._number:
                self._number = decision.number
                self._write(f"{self._text.report(view, decision)}\n")
        said = tuple(self._text.messages(view))
        for line in said:
            if line not in self._said:
                self._write(f"{line}\n")
        self._said = said

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
        except UnicodeEncodeError:
            encoding = self._out.encoding or "ascii"
            self._out.write(text.encode(encoding, "replace").decode(encoding))
        self._out.flush()


def _terminal_size() -> tuple[int, int]:
    size = shutil.get_terminal_size((80, 24))
    return size.columns, size.lines
