"""Runs the slow recognisers: at once, which is repeatable, or on a thread of its own that takes the newest job only."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from pi_app.core.names import Mode, Task, Zone
from pi_app.core.observations import Frame
from pi_app.kit.art import KitArt
from pi_app.kit.model import Card, Figure, Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, View
from pi_app.vision.cards import CardReading, read_card
from pi_app.vision.juggler import JugglerReading, read_juggler
from pi_app.vision.pose import PoseKeeper, PoseReading
from pi_app.vision.reading import StoneCount, StructureReading
from pi_app.vision.stones import count_stones
from pi_app.vision.structure import read_structure


@dataclass(frozen=True, slots=True)
class Question:
    """Is this task done? `figure` is asked for by acrobats alone, `card` is the card it stands on, where it matters."""

    task: Task
    figure: Figure | None
    mode: Mode
    card: Card | None = None


@dataclass(frozen=True, eq=False)
class Job:
    """One picture to read: what stands in the build zone (with a question), lies in another zone, or the pose alone.

    `steady_ns`: since when neither camera nor mat has moved, as far as the gate saw; None where that is not known.
    `still_ns`: since when nothing has moved in the zone.
    """

    frame: Frame
    zone: Zone | None = None
    question: Question | None = None
    asked_ns: int = 0
    steady_ns: int | None = None
    still_ns: int = 0


@dataclass(frozen=True, eq=False)
class Found:
    """What was read for a job; `view` is None where the mat was not found."""

    job: Job
    pose: PoseReading
    view: View | None
    structure: StructureReading | None = None
    stones: StoneCount | None = None
    cards: CardReading | None = None
    juggler: JugglerReading | None = None


POSE_LASTS_NS = 2_000_000_000
"""How long a solved pose is trusted without another look at the markers, as nothing shook."""

Read = Callable[[Job], Found]


class Recogniser(Protocol):
    """Takes jobs and gives back what was found, in its own time."""

    def offer(self, job: Job) -> bool:
        """Hand over a job; False when it was not taken because another one is being read."""
        ...

    def found(self) -> list[Found]:
        """Return what was found since the last call; an error while reading is raised here."""
        ...

    def close(self) -> None:
        """Stop; safe to call twice."""
        ...


class TableReader:
    """Reads one job after another with the recognisers of pi_app.vision, keeping the pose between them."""

    def __init__(self, camera: Camera, table: Table, kit: Kit, art: KitArt | None = None) -> None:
        self._camera, self._table, self._kit, self._art = camera, table, kit, art
        self._keeper = PoseKeeper(camera, table)
        self._solved: tuple[int, PoseReading] | None = None

    def __call__(self, job: Job) -> Found:
        """Read one job."""
        image = job.frame.image
        pose = self._pose(job)
        if pose.pose is None:
            return Found(job, pose, None)
        view = View(self._camera, pose.pose)
        if job.zone is Zone.STONES:
            return Found(job, pose, view, stones=count_stones(image, view, self._table, self._kit))
        if job.zone is Zone.CARDS and self._art is not None:
            return self._read_cards(job, pose, view, self._art)
        if job.zone is Zone.BUILD and job.question is not None:
            asked = job.question
            task, figure, mode = asked.task, asked.figure, asked.mode
            reading = read_structure(image, view, self._table, self._kit, task, figure, mode, self._art)
            return Found(job, pose, view, structure=reading)
        return Found(job, pose, view)

    def _read_cards(self, job: Job, pose: PoseReading, view: View, art: KitArt) -> Found:
        image, card = job.frame.image, job.question.card if job.question is not None else None
        if card is not None:
            return Found(job, pose, view, juggler=read_juggler(image, view, self._table, self._kit, art, card))
        return Found(job, pose, view, cards=read_card(image, view, self._table, art))

    def _pose(self, job: Job) -> PoseReading:
        """Return the pose, the one before where nothing has shaken since; finding markers is a third of a reading."""
        at_ns = job.frame.sensor_ns
        if self._solved is not None and job.steady_ns is not None:
            solved_ns, solved = self._solved
            if job.steady_ns <= solved_ns <= at_ns < solved_ns + POSE_LASTS_NS:
                return replace(solved, age_ns=at_ns - solved_ns)
        pose = self._keeper.see(job.frame.image, at_ns)
        if pose.pose is not None and pose.age_ns == 0:
            self._solved = at_ns, pose
        return pose


class InlineRecogniser:
    """Reads at once, in the caller's thread."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._found: list[Found] = []

    def offer(self, job: Job) -> bool:
        """Read the job now."""
        self._found.append(self._read(job))
        return True

    def found(self) -> list[Found]:
        """Return what was found since the last call."""
        found, self._found = self._found, []
        return found

    def close(self) -> None:
        """Nothing to stop."""


class ThreadedRecogniser:
    """Reads on its own thread, one job at a time; while it is busy no other job is taken."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._changed = threading.Condition()
        self._job: Job | None = None
        self._found: list[Found] = []
        self._error: BaseException | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="recogniser", daemon=True)
        self._thread.start()

    def offer(self, job: Job) -> bool:
        """Hand the job to the thread unless it is busy."""
        with self._changed:
            if self._job is not None or self._closed:
                return False
            self._job = job
            self._changed.notify_all()
            return True

    def found(self) -> list[Found]:
        """Return what was found since the last call; an error on the thread is raised here."""
        with self._changed:
            if self._error is not None:
                raise RuntimeError("the recogniser's thread has ended") from self._error
            found, self._found = self._found, []
            return found

    def wait_idle(self, timeout_s: float = 10.0) -> bool:
        """Wait until no job is being read; False when that takes too long."""
        with self._changed:
            return self._changed.wait_for(lambda: self._job is None or self._error is not None, timeout_s)

    def close(self) -> None:
        """End the thread after the job it is reading."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(timeout=10)

    def _work(self) -> None:
        try:
            while (job := self._next()) is not None:
                found = self._read(job)
                with self._changed:
                    self._found.append(found)
                    self._job = None
                    self._changed.notify_all()
        except BaseException as error:
            with self._changed:
                self._error = error
                self._changed.notify_all()
            raise

    def _next(self) -> Job | None:
        with self._changed:
            self._changed.wait_for(lambda: self._job is not None or self._closed)
            return None if self._closed else self._job
