"""The `umpire` command as people meet it: faults are one line and exit status 2, never a traceback."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.core.clock import SystemClock
from pi_app.games.voila import deck_of
from pi_app.kit.sample import sample_kit
from pi_app.session.voila.sessions import start_session

UMPIRE = [sys.executable, "-m", "pi_app"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*UMPIRE, *arguments], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judge"], "wanted folders of cases, or --video"),
        (["judge", "--video", "x.mp4"], "also needs --kit DIR and --task TASK"),
        (["nonsense"], "No such command"),
        (["demo", "--players", "x"], "--players"),
        (["demo", "--players", "9"], "--players: got 9, wanted 2 to 6"),
        (["demo", "--seed", "-1"], "--seed"),
        (["demo", "--speed", "nan"], "--speed: got nan"),
        (["demo", "--speed", "-1"], "--speed: got -1"),
        (["demo", "--games", "2", "--oled"], "--oled: wanted one game"),
        (["play", "vowl"], "vowl"),
        (["play", "voila", "x.mp4", "--source", "sim"], "which only --source video takes"),
        (["play", "voila", "--source", "sim", "--leave-after", "nan"], "--leave-after: got nan"),
        (["print", "mat", "--paper", ""], "paper: got ''"),
        (["kit", "check", "nowhere"], "nowhere"),
        (["bench", "towers"], "bench: got 'towers', wanted one of"),
        (["bench", "stones", "--plot", "x.txt"], "--plot: got x.txt"),
        (["bench", "stones", "--plot", "/no/x.png"], "--plot: /no: no such folder"),
    ],
)
def test_a_fault_of_the_command_line_is_one_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("umpire: ")
    assert message in done.stderr


def test_help_shows_words_in_brackets_and_survives_any_encoding() -> None:
    assert "[voila], [session], [device.*]" in " ".join(run("demo", "--help", COLUMNS="200").stdout.split())
    assert run("--help", PYTHONIOENCODING="ascii", LANG="C").returncode == 0


def test_a_device_is_never_replaced_by_a_sheet(tmp_path: Path) -> None:
    loop, pipe, linked, link = (tmp_path / name for name in ("loop", "pipe", "linked.pdf", "link"))
    loop.symlink_to(loop)
    os.mkfifo(pipe)
    linked.write_bytes(b"old")
    link.symlink_to(linked)
    for bad in (loop, pipe):
        done = run("print", "mat", "--out", str(bad))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert pipe.is_fifo()
    assert run("print", "mat", "--out", str(link)).returncode == 0
    assert link.is_symlink()
    assert linked.read_bytes().startswith(b"%PDF")


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    if not Path("/dev/full").is_char_device():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("w") as full:
        command = [*UMPIRE, "kit", "sample", str(tmp_path / "kit")]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "No space left on device" in done.stderr


def test_a_journal_in_use_is_refused_and_a_folder_that_cannot_be_written_too(bench: Path, tmp_path: Path) -> None:
    clip = str(bench / "cases" / "stand100" / "clip.mp4")
    play = ["play", "voila", clip, "--source", "video", "--kit", str(bench / "kits" / "A")]
    journal = tmp_path / "game.db"
    with closing(start_session(journal, SystemClock(), deck_of(sample_kit()))):
        second = run(*play, "--journal", str(journal))
    assert (second.returncode, second.stderr.count("\n")) == (2, 1)
    assert "in use by another umpire" in second.stderr
    nowhere = run(*play, HOME="/proc", XDG_STATE_HOME="/proc")
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (2, 1)
    assert "choose another with --journal" in nowhere.stderr


def test_a_request_to_stop_ends_a_game_in_order(tmp_path: Path) -> None:
    command = [*UMPIRE, "demo", "--record", str(tmp_path / "kept")]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=tmp_path) as game:
        assert game.stdout is not None
        assert game.stdout.readline(), "the game has begun"
        game.send_signal(signal.SIGTERM)
        assert game.wait(20) == 0
    assert (tmp_path / "kept" / "session.db").is_file()
    assert not (tmp_path / "kept" / "session.db-wal").exists(), "the journal was closed"
