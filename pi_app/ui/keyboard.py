"""The terminal's keyboard: letters without waiting for Enter, or lines where there is no terminal."""

import os
import select
import sys
import termios
import tty
from types import TracebackType
from typing import Self, TextIO


class Keyboard:
    """Reads what was typed without blocking; a context that gives the terminal back as it was."""

    def __init__(self, source: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        self._fd = self._source.fileno()
        self._saved: list[object] | None = None
        self._part = b""
        self.ended = False

    @property
    def live(self) -> bool:
        """Return whether single keys come, not lines."""
        return self._source.isatty()

    def __enter__(self) -> Self:
        if self.live:
            self._saved = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._saved is not None:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._saved)  # type: ignore[arg-type]

    def keys(self, wait_s: float = 0.0) -> list[str]:
        """Return the letters typed since the last call, after at most `wait_s`; keys like the arrows are left out."""
        text = self._read(wait_s)
        return [] if text.startswith("\x1b") and len(text) > 1 else list(text)

    def lines(self, wait_s: float = 0.0) -> list[str]:
        """Return the whole lines that came since the last call, after at most `wait_s`."""
        self._part += self._bytes(wait_s)
        *whole, self._part = self._part.split(b"\n")
        if self.ended and self._part:
            whole, self._part = [*whole, self._part], b""
        return [line.decode("utf-8", "replace") for line in whole]

    def _read(self, wait_s: float) -> str:
        self._part += self._bytes(wait_s)
        for kept in range(min(4, len(self._part) + 1)):
            whole = self._part[: len(self._part) - kept]
            try:
                text = whole.decode("utf-8")
            except UnicodeDecodeError:
                continue
            self._part = self._part[len(whole) :]
            return text
        text, self._part = self._part.decode("utf-8", "replace"), b""
        return text

    def _bytes(self, wait_s: float) -> bytes:
        ready, _, _ = select.select([self._fd], [], [], wait_s)
        if not ready:
            return b""
        data = os.read(self._fd, 4096)
        self.ended = not data
        return data
