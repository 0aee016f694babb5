"""Keys to commands, and the keyboard they come from."""

import os
import pty

import pytest

from pi_app.core.names import Colour
from pi_app.session.commands import Press, Start, Undo
from pi_app.session.voila.commands import (
    Approve,
    CallVoila,
    Command,
    ContinueTurn,
    Correct,
    LayTile,
    Pause,
    Reject,
    ReplayTurn,
    TellCard,
    TellFinder,
    TellStone,
    ToFinder,
    ToStone,
)
from pi_app.session.voila.view import PublicView
from pi_app.ui.keyboard import Keyboard
from pi_app.ui.keys import Do, Keys
from pi_app.ui.keys_voila import KEYS
from tests.ui.views import VIEWS

RUNNING = VIEWS["running-digits"]


def _type(text: str, keys: Keys[PublicView] | None = None) -> list[object]:
    keys = keys or Keys(KEYS)
    return [answer for key in text if (answer := keys.feed(key, RUNNING)) is not None]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("1", [Press(1)]),
        ("63", [Press(6), Press(3)]),
        ("arvun", [Approve(), Reject(), CallVoila(), Undo(), Start()]),
        ("w", [ReplayTurn()]),
        ("p", [Pause()]),
        ("sysrsb", [TellStone(Colour.YELLOW), TellStone(Colour.RED), TellStone(Colour.BLUE)]),
        ("sx1", [Press(1)]),
        ("f3f0f9", [TellFinder(2), TellFinder(None)]),
        ("ctower-2\r", [TellCard("tower-2")]),
        ("cto\x7f\x7fa\r", [TellCard("a")]),
        ("tcat\ntunknown\n", [LayTile("cat"), LayTile(None)]),
        ("x12 stone red\r", [Correct(12, ToStone(Colour.RED))]),
        ("x3 finder nobody\r", [Correct(3, ToFinder(None))]),
        (":voila\r", [CallVoila()]),
        ("c\r1", [Press(1)]),
        ("ctower\x1b1", [Press(1)]),
        ("q", [Do.QUIT]),
        ("\x03", [Do.QUIT]),
        ("o", [Do.OLED]),
        ("zéß7", []),
    ],
)
def test_what_is_typed(text: str, answers: list[Command | Do]) -> None:
    assert _type(text) == answers


def test_p_goes_on_where_the_turn_stands() -> None:
    assert Keys(KEYS).feed("p", VIEWS["paused"]) == ContinueTurn()
    assert Keys(KEYS).feed("p", VIEWS["resume"]) == ContinueTurn()


def test_the_prompt_shows_what_was_typed() -> None:
    keys = Keys(KEYS)
    _type("ctow", keys)
    assert keys.prompt == "card id: tow"
    _type("\r", keys)
    assert keys.prompt == ""


def test_a_line_that_is_no_command_is_answered() -> None:
    keys = Keys(KEYS)
    assert _type("x12 dance\r", keys) == []
    assert keys.refusal is not None
    assert "wanted a number" in keys.refusal
    assert _type("1", keys) == [Press(1)]
    assert keys.refusal is None


def test_lines_without_a_terminal() -> None:
    keys = Keys(KEYS)
    assert keys.feed_line("press 2\n") == Press(2)
    assert keys.feed_line("  ") is None
    assert keys.feed_line("q") is Do.QUIT
    assert keys.feed_line("dance") is None
    assert keys.refusal is not None


def test_a_line_cannot_grow_without_end() -> None:
    keys = Keys(KEYS)
    _type(":" + "x" * 5000, keys)
    assert len(keys.prompt) < 300


def test_single_keys_come_from_a_terminal_and_arrows_do_not() -> None:
    master, slave = pty.openpty()
    with open(slave, encoding="utf-8", closefd=True) as source, Keyboard(source) as keyboard:  # noqa: PTH123
        assert keyboard.live
        assert keyboard.keys() == []
        os.write(master, b"1a")
        assert keyboard.keys(5) == ["1", "a"]
        os.write(master, b"\x1b[A")
        assert keyboard.keys(5) == []
        os.write(master, "é".encode()[:1])
        assert keyboard.keys(5) == []
        os.write(master, "é".encode()[1:])
        assert keyboard.keys(5) == ["é"]
    os.close(master)


def test_whole_lines_come_from_a_pipe() -> None:
    read, write = os.pipe()
    with open(read, encoding="utf-8") as source, Keyboard(source) as keyboard:  # noqa: PTH123
        assert not keyboard.live
        os.write(write, b"press 1\nappr")
        assert keyboard.lines(5) == ["press 1"]
        os.write(write, b"ove\nund")
        assert keyboard.lines(5) == ["approve"]
        os.close(write)
        assert keyboard.lines(5) == ["und"]
        assert keyboard.ended
