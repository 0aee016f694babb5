import json
import subprocess
import sys
from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.core.verdict import Outcome
from pi_app.games import voila
from pi_app.judging.case import load_case
from pi_app.judging.judge import judge_case
from pi_app.play.recording import open_recording
from pi_app.play.replay import replay, save_case, verdicts
from tests.play.conftest import Recorded


def test_a_recording_is_judged_and_decided_as_it_was(recorded: Recorded) -> None:
    again = replay(open_recording(recorded.folder))
    assert again.same
    assert len(verdicts(open_recording(recorded.folder))) >= 1
    assert again.state.position is not None
    assert tuple(score.points for score in voila.score(again.state.position)) == recorded.played.points


def test_other_pictures_come_out_otherwise(recorded: Recorded, tmp_path: Path) -> None:
    copied = tmp_path / "copy"
    subprocess.run(["cp", "-r", recorded.folder, copied], check=True)
    table = copied / "pictures.csv"
    rows = table.read_text().splitlines()
    table.write_text("\n".join(rows[: len(rows) // 4]) + "\n")
    assert not replay(open_recording(copied)).same


def test_a_verdicts_pictures_are_a_case_that_is_judged_alike(recorded: Recorded, tmp_path: Path) -> None:
    recording = open_recording(recorded.folder)
    told = verdicts(recording)
    number = next(n for n, one in enumerate(told, start=1) if one.verdict.stood_from_ns is not None)
    then, asked_ns = told[number - 1].verdict, told[number - 1].asked_ns
    answer = judge_case(load_case(save_case(recording, number, tmp_path / "disputed")))
    assert answer["outcome"] == then.outcome == Outcome.PASS
    assert then.stood_from_ns is not None
    assert answer["stood_from_s"] == pytest.approx((then.stood_from_ns - asked_ns) / 1e9, abs=0.1)


def test_what_is_no_recording_or_no_verdict_is_named(recorded: Recorded, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such recording"):
        open_recording(tmp_path / "nothing")
    with pytest.raises(UserError, match=r"recording\.toml: cannot be read"):
        open_recording(tmp_path)
    with pytest.raises(UserError, match="verdict 99: the recording has verdicts 1 to"):
        save_case(open_recording(recorded.folder), 99, tmp_path / "case")
    with pytest.raises(UserError, match="exists already"):
        save_case(open_recording(recorded.folder), 1, tmp_path)


def test_the_commands_replay_and_judge(recorded: Recorded, tmp_path: Path) -> None:
    umpire = [sys.executable, "-m", "pi_app"]
    save = [*umpire, "replay", str(recorded.folder), "--verdict", "1", "--case", str(tmp_path / "one")]
    assert subprocess.run(save, capture_output=True, text=True, check=True).stdout.strip() == str(tmp_path / "one")
    judged = subprocess.run([*umpire, "judge", str(tmp_path / "one")], capture_output=True, text=True, check=True)
    assert json.loads(judged.stdout)["outcome"] == "pass"
