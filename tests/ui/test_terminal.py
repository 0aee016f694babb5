"""The terminal's picture: width, size, what it must tell, and doing without a terminal."""

import io
from dataclasses import replace

import pytest

from pi_app.session.events import By
from pi_app.session.view import DecisionView
from pi_app.session.voila.view import Note, PublicView
from pi_app.ui.terminal import TerminalView, wrapped
from pi_app.ui.terminal_voila import HELP, lines, score_lines
from pi_app.ui.text import width
from pi_app.ui.voila import TEXT
from tests.ui.views import SHOWN, VIEWS

DECISIONS = tuple(DecisionView(n, 1 + n // 9, 0, f"stone {n}", By.CAMERA, True) for n in range(1, 30))


class _Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [10, 40, 80, 130])
@pytest.mark.parametrize("name", VIEWS)
def test_every_line_has_the_same_width(name: str, columns: int) -> None:
    view = replace(VIEWS[name], decisions=DECISIONS if VIEWS[name].seats else (), refusal="x" * 200)
    assert {width(line) for line in lines(view, columns, oled=view)} == {columns}


def test_it_tells_who_when_and_why() -> None:
    text = "\n".join(lines(replace(VIEWS["claim-held"], verdict=VIEWS["pending-unsure"].verdict, clock=SHOWN), 100))
    for part in (
        "Benoît: lay the tile",
        "turn 5 of 9",
        "37.4 s left",
        "+3.200 ms  Benoît  2.4 s to lay the tile",
        "Cy  out",
        "part of it is hidden, doubtful; gap 4.25 mm",
    ):
        assert part in text


def test_who_decided_is_told() -> None:
    text = "\n".join(lines(VIEWS["verdict-timekeeper"], 100))
    assert "Throw The Stone: passed (decided by the timekeeper)" in text


def test_notes_refusals_and_faults_are_told() -> None:
    view = replace(VIEWS["fault"], note=Note.ACTION_FIRST, refusal="not now")
    text = "\n".join(lines(view, 100))
    assert all(part in text for part in ("! camera: lost", "! Finish the action before Voilà!", "! not now"))


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (50, 14), (200, 60), (10, 3)])
def test_a_picture_fits_the_terminal(columns: int, rows: int) -> None:
    out = _Tty()
    terminal = TerminalView(out, TEXT, lambda: (columns, rows))
    terminal.open()
    terminal.show(replace(VIEWS["claim-held"], decisions=DECISIONS), oled=VIEWS["claim-held"])
    terminal.close()
    drawn = out.getvalue().partition("\x1b[H")[2].partition("\x1b[?25h")[0]
    assert drawn.count("\n") < rows


def test_the_prompt_takes_the_place_of_the_help() -> None:
    out = _Tty()
    TerminalView(out, TEXT, lambda: (90, 30)).show(VIEWS["ready"], prompt="card id: to")
    assert "card id: to" in out.getvalue()
    assert "buzzer" not in out.getvalue()


def test_without_a_terminal_each_thing_is_told_once_in_plain_text() -> None:
    out = io.StringIO()
    terminal = TerminalView(out, TEXT)
    view = replace(VIEWS["verdict-passed"], decisions=DECISIONS[:2])
    for step in (view, view, replace(view, decisions=DECISIONS[:3]), replace(view, refusal="no"), view):
        terminal.show(step)
    terminal.close()
    told = out.getvalue().splitlines()
    assert told == [
        "turn 1 Anna: stone 1 (decided by the camera)",
        "turn 1 Anna: stone 2 (decided by the camera)",
        "turn 1 Anna: stone 3 (decided by the camera)",
        "! no",
    ]
    assert "\x1b" not in out.getvalue()


def test_letters_the_stream_cannot_write_are_replaced() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    view: PublicView = replace(VIEWS["fault"], note=Note.ACTION_FIRST)
    TerminalView(out, TEXT).show(view)
    assert b"! Finish the action before Voil?!" in raw.getvalue()


def test_the_score_table_has_the_winner_first() -> None:
    table = score_lines(VIEWS["score"])
    assert table[1].startswith("* Anna")
    assert [line.split()[-1] for line in table[1:]] == ["7", "6", "5"]


def test_the_help_is_broken_between_its_keys() -> None:
    assert all(len(line) <= 40 for line in wrapped(HELP, 40))
    assert "  ".join(wrapped(HELP, 40)) == HELP
