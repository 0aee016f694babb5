"""A person at the terminal: from keys to the session and back to the picture."""

import io
import os
import pty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_app.session.voila.phases import Phase
from pi_app.session.voila.view import PublicView
from pi_app.ui.console import Console
from pi_app.ui.keyboard import Keyboard
from pi_app.ui.terminal import TerminalView
from pi_app.ui.voila import VOILA
from tests.session.voila.table import TestTable, new_table


class _Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def _typing(table: TestTable, out: io.StringIO) -> Iterator[tuple[Console[PublicView], int]]:
    master, slave = pty.openpty()
    with open(slave, encoding="utf-8") as source, Keyboard(source) as keyboard:  # noqa: PTH123
        terminal = TerminalView(out, VOILA.text, lambda: (100, 60))
        yield Console(VOILA, table.runner.view, table.runner.command, terminal, keyboard), master
    os.close(master)


def _typed(console: Console[PublicView], table: TestTable, keys: int, text: str) -> bool:
    os.write(keys, text.encode())
    stays = console.poll(5)
    table.wait(0.1)
    return stays


def test_a_turn_played_by_keys(tmp_path: Path) -> None:
    table, out = new_table(tmp_path, players=0), _Tty()
    with _typing(table, out) as (console, keys):
        for text in ("1", "2", "n", "1", "sr", "cthrow\r", "a", "1"):
            assert _typed(console, table, keys, text)
        console.draw()
        assert table.view.seats[0].points == 1
        assert table.phase() is Phase.READY
        assert not _typed(console, table, keys, "q")
    assert "Player 2: press to begin" in out.getvalue()


def test_refusals_and_prompts_are_shown(tmp_path: Path) -> None:
    table, out = new_table(tmp_path), _Tty()
    with _typing(table, out) as (console, keys):
        _typed(console, table, keys, "a")
        console.draw()
        assert "! approve: not while joining" in out.getvalue()
        _typed(console, table, keys, ":dance\r")
        console.draw()
        assert "got 'dance', wanted one of" in out.getvalue()
        _typed(console, table, keys, "ctow")
        console.draw()
        assert "card id: tow" in out.getvalue()


def test_the_oled_is_shown_on_request_without_digits(tmp_path: Path) -> None:
    table, out = new_table(tmp_path).say("start").press(1), _Tty()
    with _typing(table, out) as (console, keys):
        console.draw()
        assert "⣿" not in out.getvalue()
        _typed(console, table, keys, "o")
        console.draw()
        assert "⣿" in out.getvalue()


def test_without_a_terminal_lines_are_commands(tmp_path: Path) -> None:
    table, out = new_table(tmp_path, players=0), io.StringIO()
    read, write = os.pipe()
    with open(read, encoding="utf-8") as source, Keyboard(source) as keyboard:  # noqa: PTH123
        console = Console(VOILA, table.runner.view, table.runner.command, TerminalView(out, VOILA.text), keyboard)
        os.write(write, b"press 1\npress 2\nstart\n")
        assert console.poll(5)
        table.wait(0.1)
        os.write(write, b"press 1\nquit\n")
        os.close(write)
        assert not console.poll(5)
        table.wait(0.1)
        assert console.poll()
        assert console.poll()
    console.draw()
    echoed = "> press 1\n> press 2\n> start 1\n> press 1\n"
    assert out.getvalue() == f"{echoed}turn 1 Player 1: turn (by a player)\n"


def test_without_a_keyboard_it_only_shows(tmp_path: Path) -> None:
    table, out = new_table(tmp_path), io.StringIO()
    console = Console(VOILA, table.runner.view, table.runner.command, TerminalView(out, VOILA.text))
    assert console.poll()
    console.draw()
    assert out.getvalue() == ""
