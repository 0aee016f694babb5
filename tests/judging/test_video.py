from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.core.names import Mode, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.video import VideoQuestion, judge_video

TABLE = Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml"


def asked(video: Path, kit: Path, task: Task = Task.TOWER, figure: str | None = None) -> VideoQuestion:
    return VideoQuestion(video, kit, task, figure, Mode.BADGE, TABLE)


def test_real_pictures_without_a_mat_are_never_judged(bench: Path, real: Path) -> None:
    found = sorted([*real.rglob("*.avi"), *real.rglob("tower*.jpg"), *list(real.rglob("dice-*.jpg"))[:3]])
    assert len(found) >= 4
    for path in found:
        answer = judge_video(asked(path, bench / "kits" / "A"))
        assert (answer["outcome"], answer["reasons"]) == (Outcome.UNSURE, [Reason.NO_MAT]), path.name


def test_a_clip_of_an_unknown_camera_is_judged(bench: Path) -> None:
    case = bench / "cases" / "stand100"
    question = asked(case / "clip.mp4", bench / "kits" / "A", Task.ACROBATS, "bridge_top")
    assert judge_video(question)["outcome"] == Outcome.PASS


@pytest.mark.parametrize(
    ("task", "figure", "message"),
    [
        (Task.JUGGLER, None, "--task: got juggler"),
        (Task.ACROBATS, None, "--figure: got nothing"),
        (Task.ACROBATS, "heap", "--figure: got heap"),
        (Task.TOWER, "bridge_top", "which only --task acrobats takes"),
    ],
)
def test_a_question_that_cannot_be_is_named(bench: Path, task: Task, figure: str | None, message: str) -> None:
    with pytest.raises(UserError, match=message):
        judge_video(asked(bench / "cases" / "stand100" / "clip.mp4", bench / "kits" / "A", task, figure))
