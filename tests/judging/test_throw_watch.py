"""Recorded throws, and the watch on frames."""

from pathlib import Path

import numpy as np
import pytest

from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.case import load_case
from pi_app.judging.judge import judge_case
from pi_app.judging.throw_watch import ThrowWatch


@pytest.mark.parametrize(
    ("case", "outcome", "reasons"), [("throw105", "pass", ["ok"]), ("throw135", "fail", ["dropped"])]
)
def test_recorded_throws(bench: Path, case: str, outcome: str, reasons: list[str]) -> None:
    answer = judge_case(load_case(bench / "cases" / case))
    assert (answer["outcome"], answer["reasons"]) == (outcome, reasons)


def test_without_a_mat_it_is_unsure(bench: Path) -> None:
    case = load_case(bench / "cases" / "throw105")
    watch = ThrowWatch(case.camera, case.table, case.kit())
    watch.ask(0)
    for number in range(3):
        watch.see(Frame(number, number * 400_000_000, np.full((480, 640, 3), 120, np.uint8)))
    verdict = watch.finish()
    assert (verdict.outcome, verdict.reasons) == (Outcome.UNSURE, (Reason.NO_MAT,))
