"""Everything that one camera is asked: each task's question goes to the watch that can judge it.

The table's own watch sees every picture, for structures, stones, cards and the state of the camera. Tunnels, throws and
the Juggler's card have watches of their own, made for one question and dropped with it.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from pi_app.core.names import Task
from pi_app.core.observations import Frame
from pi_app.core.verdict import Verdict
from pi_app.judging.juggler_watch import JugglerWatch
from pi_app.judging.passage import PassageWatch
from pi_app.judging.throw_watch import ThrowWatch
from pi_app.judging.watch import Judged, Observation, Watch
from pi_app.judging.worker import Found, Job, Question, Recogniser
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, View


class TaskWatch(Protocol):
    """Watches one task from one question to its verdict."""

    def see(self, frame: Frame) -> object:
        """Take the next frame; what it returns is for those who know the task."""
        ...

    def verdict(self) -> Verdict | None:
        """Return the verdict once it is certain."""
        ...

    def finish(self) -> Verdict:
        """Return the verdict on what has been seen: no more frames come."""
        ...


Begin = Callable[[Question, int], TaskWatch]
"""Makes a watch for a question that was asked at that time (ns)."""


class Sight:
    """One camera over one table. Not for several threads: one owner calls `ask`, `see`, `drop` and `finish`."""

    def __init__(self, watch: Watch, begin: Mapping[Task, Begin]) -> None:
        self._watch, self._begin = watch, begin
        self._question: Question | None = None
        self._task: TaskWatch | None = None

    @property
    def view(self) -> View | None:
        """The camera in the pose found last; None before the mat was seen."""
        return self._watch.view

    def ask(self, question: Question, at_ns: int) -> None:
        """Begin to judge a task; only frames sensed at `at_ns` or later are used."""
        self.drop()
        begin = self._begin.get(question.task)
        if begin is None:
            self._watch.ask(question, at_ns)
        else:
            self._question, self._task = question, begin(question, at_ns)

    def drop(self) -> None:
        """Forget the question: nothing more is said about it."""
        self._question = self._task = None
        self._watch.drop()

    def see(self, frame: Frame) -> list[Observation]:
        """Take the next frame and return what it changed."""
        told = self._watch.see(frame)
        if self._task is None:
            return told
        self._task.see(frame)
        verdict = self._task.verdict()
        return told if verdict is None else [*told, self._judged(verdict)]

    def finish(self) -> list[Observation]:
        """End the open question with what has been seen; returns its verdict."""
        return self._watch.finish() if self._task is None else [self._judged(self._task.finish())]

    def _judged(self, verdict: Verdict) -> Judged:
        assert self._question is not None
        judged = Judged(self._question, verdict)
        self.drop()
        return judged


class SharedRecogniser:
    """One recogniser for several watches: each gets back what it handed over."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self._owners: dict[int, list[Found]] = {}

    def part(self) -> Recogniser:
        """Return a recogniser for one watch."""
        return _Part(self)

    def offer(self, job: Job, found: list[Found]) -> bool:
        """Hand over a job whose answer goes to `found`."""
        self._owners[id(job)] = found
        taken = self._recogniser.offer(job)
        if not taken:
            del self._owners[id(job)]
        return taken

    def deal(self) -> None:
        """Give every answer to whom it belongs."""
        for found in self._recogniser.found():
            self._owners.pop(id(found.job)).append(found)


class _Part:
    """One watch's share of a recogniser."""

    def __init__(self, shared: SharedRecogniser) -> None:
        self._shared = shared
        self._found: list[Found] = []

    def offer(self, job: Job) -> bool:
        """Hand over a job."""
        return self._shared.offer(job, self._found)

    def found(self) -> list[Found]:
        """Return what was found for this watch since the last call."""
        self._shared.deal()
        found, self._found[:] = list(self._found), []
        return found

    def close(self) -> None:
        """Nothing to stop: the owner of the whole recogniser closes it."""


def table_sight(table: Table, kit: Kit, camera: Camera, recogniser: Recogniser) -> Sight:
    """Return the sight of a whole table, with a watch for every task that a camera can judge."""
    shared = SharedRecogniser(recogniser)

    def tunnel(question: Question, at_ns: int) -> TaskWatch:
        watch = PassageWatch(camera, table, kit, shared.part())
        watch.ask(at_ns, question.mode)
        return watch

    def juggler(question: Question, at_ns: int) -> TaskWatch:
        return JugglerWatch(table, shared.part(), question, at_ns)

    def throw(_question: Question, at_ns: int) -> TaskWatch:
        watch = ThrowWatch(camera, table, kit)
        watch.ask(at_ns)
        return watch

    watch = Watch(table, kit, camera, shared.part(), cards=True)
    return Sight(watch, {Task.TUNNEL: tunnel, Task.JUGGLER: juggler, Task.THROW: throw})
