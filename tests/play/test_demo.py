import subprocess
import sys
from pathlib import Path

from pi_app.play.demo import tally
from pi_app.play.report import report_lines
from pi_app.play.sheet import contact_sheet
from tests.play.conftest import Recorded


def test_a_whole_game_ends_with_a_winner(recorded: Recorded) -> None:
    view = recorded.played.view
    assert recorded.played.finished
    assert recorded.played.turns == 2
    winners = [seat.points for seat in view.seats if seat.winner]
    assert winners
    assert set(winners) == {max(seat.points for seat in view.seats)}


def test_verdicts_agree_with_the_physics(recorded: Recorded) -> None:
    count = tally(recorded.played.shots)
    assert count.verdicts >= 1
    assert count.wrong == count.false_pass == 0
    assert recorded.played.points == recorded.played.true_points


def test_the_report_names_every_verdict_and_seat(recorded: Recorded) -> None:
    text = "\n".join(report_lines(recorded.played))
    assert "The game was left before its end." not in text
    assert "  1. turn " in text
    assert all(seat.name in text for seat in recorded.played.view.seats)


def test_the_contact_sheet_shows_every_verdict(recorded: Recorded) -> None:
    shots = recorded.played.shots
    one, all_of_them = contact_sheet(shots[:1]), contact_sheet([*shots, *shots] * 3)
    assert all_of_them.shape[0] % one.shape[0] == 0
    assert all_of_them.shape[1] % one.shape[1] == 0
    assert contact_sheet([]).size


def test_bad_options_are_one_line_and_exit_status_2(tmp_path: Path) -> None:
    for arguments, message in (
        (["demo", "--players", "7"], "--players: got 7, wanted 2 to 6"),
        (["demo", "--record", str(Path(__file__).parent)], "wanted a new one to record to"),
        (["demo", "--kit", str(tmp_path)], "kit.toml"),
        (["play", "voila", "--source", "video"], "also needs FILE"),
        (["play", "voila", "--source", "video", str(tmp_path / "no.mp4")], "no.mp4"),
        (["replay", str(tmp_path / "no")], "no such recording"),
    ):
        done = subprocess.run([sys.executable, "-m", "pi_app", *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert message in done.stderr
