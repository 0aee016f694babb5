"""Recorded scenes of structures that stood, fell or were taken apart, judged whole."""

import json
from pathlib import Path

import pytest

from pi_app.core.names import Mode
from pi_app.core.verdict import Verdict
from pi_app.judging.case import asked_figure, load_case
from pi_app.judging.watch import Watch, judge_stand
from pi_app.judging.worker import InlineRecogniser, Question, TableReader


def judge(folder: Path) -> tuple[Verdict, int]:
    """Return the verdict on a case and the time of its first frame."""
    case = load_case(folder)
    kit = case.kit()
    assert case.entry.task is not None
    question = Question(case.entry.task, asked_figure(case.entry, kit), case.entry.mode or Mode.STOCK)
    recogniser = InlineRecogniser(TableReader(case.camera, case.table, kit))
    frames = list(case.frames())
    watch = Watch(case.table, kit, case.camera, recogniser, linger=True)
    return judge_stand(frames, watch, question), frames[0].sensor_ns


@pytest.mark.parametrize("name", ["stand108", "stand117", "stand126"])
def test_a_recorded_scene_is_judged_as_it_was(bench: Path, name: str) -> None:
    folder = bench / "cases" / name
    if not folder.is_dir():
        pytest.skip(f"no recorded scene {name}")
    truth = json.loads((folder / "truth.json").read_text())
    verdict, first_ns = judge(folder)
    assert (verdict.outcome.value, [reason.value for reason in verdict.reasons]) == (truth["outcome"], truth["reasons"])
    assert verdict.stood_for_ns is not None
    assert abs(verdict.stood_for_ns / 1e9 - truth["stood_for_s"]) < 0.15
    if truth["outcome"] == "pass":
        assert verdict.stood_from_ns is not None
        assert abs((verdict.stood_from_ns - first_ns) / 1e9 - truth["stood_from_s"]) < 0.1
