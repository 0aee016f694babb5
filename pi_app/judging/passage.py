"""Watches a tunnel being passed: gate, recogniser, eye and judge together. Frames in, a verdict out."""

import itertools
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Mode, Task, Zone
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason, Verdict
from pi_app.judging.answer import Answer, seconds
from pi_app.judging.case import Case
from pi_app.judging.passage_judge import PassageJudge
from pi_app.judging.stand import Ending, Vote
from pi_app.judging.worker import Found, InlineRecogniser, Job, Question, Recogniser, TableReader
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.alignment import Aligner, undo
from pi_app.vision.camera import Camera, View
from pi_app.vision.motion import Picture
from pi_app.vision.occlusion import Window
from pi_app.vision.passage import PassageEye, Tunnel, is_whole, passage_window, tunnel_of
from pi_app.vision.reading import StructureReading
from pi_app.vision.stillness import Gate, Glance

STILL_NS = 60_000_000
READ_AT = (5, 25)
"""After so many still pictures in a row their mean is read: it has less grain than any of them."""
MOST_MEAN = 40
POSE_AGAIN_NS = 300_000_000
KEPT_CUTS = 180
SAME_PLACE_MM = 5.0
READ_AGAIN_NS = 700_000_000
"""How long to wait before the next reading of what is no whole tunnel yet, or no more."""
IDLE_NS = 150_000_000
"""How often it is looked while nothing moves."""
ENOUGH_VOTES, MOST_VOTES = 3, 6
"""Sure readings that are enough, and how often what stays unsure is read."""


@dataclass(frozen=True, eq=False)
class _Cut:
    at_ns: int
    picture: Picture
    small: Picture
    busy: bool


class _Mean:
    """The mean of still pictures in a row."""

    def __init__(self) -> None:
        self._sum: NDArray[np.float32] | None = None
        self.count = 0
        self.read = 0
        self.at_ns = 0

    def add(self, frame: Frame) -> None:
        """Take the next picture."""
        self._sum = np.zeros(frame.image.shape, np.float32) if self._sum is None else self._sum
        cv2.accumulate(frame.image, self._sum)
        self.count, self.at_ns = self.count + 1, frame.sensor_ns

    def frame(self, number: int) -> Frame:
        """Return the mean as a picture of its last moment."""
        assert self._sum is not None
        return Frame(number, self.at_ns, np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self.count), np.uint8))


class PassageWatch:
    """One camera over one tunnel. Call `ask`, then `see` for every frame; `verdict` is None until it is certain."""

    def __init__(self, camera: Camera, table: Table, kit: Kit, recogniser: Recogniser) -> None:
        self._camera, self._table, self._kit, self._recogniser = camera, table, kit, recogniser
        self._gate = Gate()
        self._view: View | None = None
        self._question: Question | None = None
        self._judge = PassageJudge()
        self._restart(0)

    def ask(self, at_ns: int, mode: Mode) -> None:
        """Begin; only frames sensed at `at_ns` or later are used."""
        self._question = Question(Task.TUNNEL, None, mode)
        self._judge.ask(at_ns)
        self._restart(at_ns)

    def _restart(self, at_ns: int) -> None:
        self._asked_ns = at_ns
        self._window: Window | None = None
        self._eye: PassageEye | None = None
        self._tunnel: Tunnel | None = None
        self._ground_ns = 0
        self._aligner: Aligner | None = None
        self._bumped = False
        self._cuts: deque[_Cut] = deque(maxlen=KEPT_CUTS)
        self._mean = _Mean()
        self._glance: Glance | None = None
        self._looked_ns = 0
        self._read_ns = -READ_AGAIN_NS
        self._pose_ns: int | None = None
        self._unseen: Reason | None = None

    def see(self, frame: Frame) -> None:
        """Take the next frame."""
        glance = self._gate.see(frame)
        if self._question is None or frame.sensor_ns < self._asked_ns:
            return
        if not glance.fresh or glance.blind:
            self._unseen = glance.blind
            return
        self._glance, self._unseen = glance, None
        self._bumped |= glance.shaken and self._eye is not None
        if self._view is None:
            self._find_pose(frame)
        self._keep(frame, glance)
        self._read(frame, glance)
        self._take_all()
        self._look()

    def verdict(self) -> Verdict | None:
        """Return the verdict once it is certain."""
        passed = self._judge.verdict()
        if passed is not None or self._glance is None:
            return passed
        return self._judge.left_alone(self._ending())

    def finish(self) -> Verdict:
        """Return the verdict on what has been seen."""
        if self._question is not None and self._mean.count > 1 and self._mean.count > self._mean.read:
            self._offer(0)
        self._take_all()
        self._look()
        return self._judge.finish(self._ending())

    def _ending(self) -> Ending:
        if self._glance is None:
            return Ending(0, blind=self._unseen or Reason.NO_STILL_VIEW)
        blind = None if self._view is not None else Reason.NO_MAT
        hand = self._gate.hands_in(Zone.BUILD)
        return Ending(self._glance.at_ns, self._glance.still_ns[Zone.BUILD], hand, blind)

    def _find_pose(self, frame: Frame) -> None:
        if self._pose_ns is None or frame.sensor_ns - self._pose_ns >= POSE_AGAIN_NS:
            self._pose_ns = frame.sensor_ns
            self._recogniser.offer(Job(frame))
            self._take_all()

    def _take_all(self) -> None:
        for found in self._recogniser.found():
            self._take(found)

    def _take(self, found: Found) -> None:
        if found.view is not None and self._view is None:
            self._view = found.view
            self._gate.place(found.view, self._table)
            self._window = passage_window(found.view, self._table, self._kit)
        elif self._view is not None and self._window is None:
            self._window = passage_window(self._view, self._table, self._kit)
        if found.structure is not None and found.job.question == self._question:
            self._take_reading(found, found.structure)

    def _take_reading(self, found: Found, reading: StructureReading) -> None:
        """Take a reading for a vote; the first of a whole tunnel, also of one built again, begins everything anew."""
        whole = found.view is not None and is_whole(reading.parts, self._kit)
        if whole and self._judge.is_broken and self._stands_there(reading, found.view):
            self._judge.mend()
        elif whole and found.view is not None and (self._eye is None or self._judge.is_broken):
            again = self._eye is not None
            self._begin(found.job.frame, found.view, reading)
            self._judge.begin(found.job.frame.sensor_ns if again else None)
        vote = Vote(found.job.frame.sensor_ns, reading.outcome, reading.reasons, reading.confidence)
        self._judge.vote(vote)

    def _stands_there(self, reading: StructureReading, view: View | None) -> bool:
        """Return whether the tunnel that was read stands where the one that is followed did."""
        now = tunnel_of(reading.parts, view) if view is not None else None
        before = self._tunnel
        return now is not None and before is not None and bool(np.hypot(*(now.middle - before.middle)) < SAME_PLACE_MM)

    def _begin(self, frame: Frame, view: View, reading: StructureReading) -> None:
        """Begin to follow the acrobat, in the pictures kept so far as well."""
        tunnel = tunnel_of(reading.parts, view)
        if tunnel is None or self._window is None:
            return
        self._eye = PassageEye(tunnel, view, self._window, self._kit, self._window.cut(frame.image))
        self._judge.half_mm = (float(tunnel.half[0]), float(tunnel.half[1]))
        self._ground_ns, self._tunnel = frame.sensor_ns, tunnel
        small = next((cut.small for cut in reversed(self._cuts) if cut.at_ns <= frame.sensor_ns), None)
        self._aligner = Aligner(self._gate.grey() if small is None else small)
        self._bumped = False
        self._drop_unbuilt(self._eye)

    def _drop_unbuilt(self, eye: PassageEye) -> None:
        """Drop the pictures from before the tunnel was whole."""
        built = itertools.takewhile(
            lambda cut: cut.at_ns >= self._ground_ns or not eye.lacks(cut.picture), reversed(self._cuts)
        )
        self._cuts = deque(reversed(list(built)), maxlen=KEPT_CUTS)

    def _keep(self, frame: Frame, glance: Glance) -> None:
        if self._window is None:
            return
        busy = not glance.quiet(Zone.BUILD, STILL_NS) or self._gate.hands() is not None
        if busy or self._eye is None or frame.sensor_ns - self._looked_ns >= IDLE_NS:
            self._cuts.append(_Cut(frame.sensor_ns, self._window.cut(frame.image), self._gate.grey(), busy))
            self._looked_ns = frame.sensor_ns

    def _read(self, frame: Frame, glance: Glance) -> None:
        """Read the mean of still pictures, now and then, while the tunnel is free of hands."""
        if not glance.quiet(Zone.BUILD, STILL_NS) or self._gate.hands_in(Zone.BUILD):
            if self._mean.read == 0 and self._mean.count > 1 and self._wants_votes():
                self._offer(frame.number)
            self._mean = _Mean()
            return
        if self._mean.count < MOST_MEAN:
            self._mean.add(frame)
        if self._mean.count in READ_AT and self._mean.count > self._mean.read and self._wants_votes():
            self._offer(frame.number)

    def _wants_votes(self) -> bool:
        if self._eye is None or self._judge.is_broken:
            return self._mean.at_ns - self._read_ns >= READ_AGAIN_NS
        sure = sum(vote.outcome is not Outcome.UNSURE for vote in self._judge.votes)
        return sure < ENOUGH_VOTES and len(self._judge.votes) < MOST_VOTES

    def _offer(self, number: int) -> None:
        job = Job(self._mean.frame(number), Zone.BUILD, self._question, self._asked_ns)
        if self._recogniser.offer(job):
            self._mean.read, self._read_ns = self._mean.count, self._mean.at_ns

    def _look(self) -> None:
        if self._eye is None:
            return
        while self._cuts:
            cut = self._cuts.popleft()
            picture = self._aligned(cut)
            if picture is None:
                self._judge.miss()
            else:
                self._judge.see(self._eye.look(cut.at_ns, picture, early=cut.at_ns < self._ground_ns))

    def _aligned(self, cut: _Cut) -> Picture | None:
        if not self._bumped or self._aligner is None or self._window is None:
            return cut.picture
        motion = self._aligner.motion(cut.small)
        if motion is None:
            return None
        step = cut.small.shape[1] / self._window.picture_width
        return undo(cut.picture, motion, self._window.scale / step, self._window.left * step, self._window.top * step)


def judge_passage(frames: Iterable[Frame], watch: PassageWatch, mode: Mode) -> Verdict:
    """Return the verdict on a recording; the question is asked with its first frame."""
    asked = False
    for frame in frames:
        if not asked:
            watch.ask(frame.sensor_ns, mode)
            asked = True
        watch.see(frame)
    return watch.finish()


def judge_tunnel_case(case: Case) -> Answer:
    """Answer whether the tunnel was right and the sixth acrobat passed through it; times from the first frame."""
    kit, frames = case.kit(), case.frames()
    reader = TableReader(case.camera, case.table, kit, case.art())
    watch = PassageWatch(case.camera, case.table, kit, InlineRecogniser(reader))
    first = next(frames)
    verdict = judge_passage(itertools.chain([first], frames), watch, case.entry.mode or Mode.STOCK)
    answer: Answer = {"outcome": verdict.outcome, "reasons": list(verdict.reasons)}
    passed_at_s = seconds(verdict.confirmed_at_ns, first.sensor_ns)
    return answer if passed_at_s is None else answer | {"passed_at_s": passed_at_s}
