"""Judge a video that is no recorded case: the camera may be unknown, its focal length is then solved from the mat."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.core.names import Mode, Task
from pi_app.core.verdict import Reason
from pi_app.judging.answer import Answer, unsure_answer
from pi_app.judging.case import read_clip
from pi_app.judging.judge import answer_stand
from pi_app.judging.worker import Question, TableReader
from pi_app.kit.art import load_art
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.model import Figure, Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import load_camera
from pi_app.vision.focal import solve_camera

LOOK_EVERY = 10
LOOKS = 12
TASKS = (Task.ACROBATS, Task.TOWER, Task.LINE)


@dataclass(frozen=True)
class VideoQuestion:
    """What is asked about a video; without `times` its own frame rate counts, without `camera` the mat tells."""

    video: Path
    kit: Path
    task: Task
    figure: str | None
    mode: Mode
    table: Path
    times: Path | None = None
    camera: Path | None = None


def judge_video(asked: VideoQuestion) -> Answer:
    """Return whether the structure stood, as for a case; `unsure: no_mat` where no mat is in view."""
    kit, table = load_kit(asked.kit), load_table(asked.table)
    question = Question(asked.task, _figure(asked, kit), asked.mode)
    camera = load_camera(asked.camera) if asked.camera else _solved(asked, table)
    if camera is None:
        return {"id": asked.video.stem, **unsure_answer(Reason.NO_MAT)}
    frames = read_clip(asked.video, asked.times)
    reader = TableReader(camera, table, kit, load_art(asked.kit, kit))
    return {"id": asked.video.stem, **answer_stand(frames, table, kit, camera, reader, question)}


def _solved(asked: VideoQuestion, table: Table) -> Camera | None:
    frames = read_clip(asked.video, asked.times)
    looks: Iterator[Camera | None] = (
        solve_camera(frame.image, table) for frame in itertools.islice(frames, 0, LOOKS * LOOK_EVERY, LOOK_EVERY)
    )
    return next((camera for camera in looks if camera is not None), None)


def _figure(asked: VideoQuestion, kit: Kit) -> Figure | None:
    if asked.task not in TASKS:
        raise UserError(f"--task: got {asked.task}, wanted one of {', '.join(TASKS)} for a video")
    if asked.task is not Task.ACROBATS:
        if asked.figure:
            raise UserError(f"--figure: got {asked.figure}, which only --task acrobats takes")
        return None
    names = [figure.id for figure in kit.figure]
    if asked.figure not in names:
        got = asked.figure or "nothing"
        raise UserError(f"--figure: got {got}, wanted one of {', '.join(names)}")
    return kit.figure_named(asked.figure)
