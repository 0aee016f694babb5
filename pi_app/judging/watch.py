"""Watches the table: gate, recognisers and stand judge together. Frames in, observations out.

Nothing slow runs here: the gate looks at every frame, a small cut-out of the build zone is kept while a question is
open, and the recogniser is offered frames when a zone has become still. Once it has seen the structure whole, the kept
cut-outs are compared with it, so that standing counts from when the hand let go, not from when the answer came.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from pi_app.core.names import Zone
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason, Verdict, unsure
from pi_app.judging.pacing import STILL_NS, Pacing, Scenery
from pi_app.judging.stand import Ending, StandJudge, Vote
from pi_app.judging.trial import Cut, Trial
from pi_app.judging.worker import Found, Job, Question, Recogniser
from pi_app.kit.model import Kit, StoneCounts
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, View
from pi_app.vision.motion import Picture
from pi_app.vision.occlusion import Window, is_new_at, is_reached, reference_of, window_on
from pi_app.vision.reading import StoneCount, StructureReading
from pi_app.vision.stillness import Gate, Glance, Sight

STONES_AGAIN_NS = 400_000_000
"""How long to wait before the next reading of the stone zone."""
POSE_AGAIN_NS = 300_000_000
STONES_AGREE = 2
NO_COLOURS = (Reason.COLOURS_WRONG, Reason.TOO_DARK)
"""Doubts about the camera itself, not about what lies in the zone: they are told as its state."""
FROZEN_FRAMES = 15
KEPT_NS, KEPT_CUTS = 3_000_000_000, 150
"""How far back pictures are kept: long enough for a slow answer and for a hand that rests before it lets go."""
BACKLOG_A_FRAME = 12
ROOM_MM = 40.0
PARTS_ASKED = 4
"""A tower's acrobats and tiles, or a line's acrobats."""


@dataclass(frozen=True, slots=True)
class StonesSeen:
    """The stones lying in the stone zone have changed: agreed by several readings of the zone lying still."""

    counts: StoneCounts
    at_ns: int


@dataclass(frozen=True, slots=True)
class Standing:
    """The right structure has been standing free for `progress_s` now; 0: it does not."""

    progress_s: float
    at_ns: int


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a question."""

    question: Question
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class CameraState:
    """What keeps the camera from seeing the table (no_mat, mat_hidden, frozen, too_dark); None: it sees again."""

    reason: Reason | None
    at_ns: int


Observation = StonesSeen | Standing | Judged | CameraState


class Watch:
    """One camera over one table. Not for several threads: one owner calls `ask`, `see`, `drop` and `finish`."""

    def __init__(self, table: Table, kit: Kit, camera: Camera, recogniser: Recogniser, *, linger: bool = False) -> None:
        """`linger` keeps a passed question open until `finish`, to see how long the structure goes on standing."""
        self._linger = linger
        self._table, self._kit, self._camera, self._recogniser = table, kit, camera, recogniser
        self._gate = Gate()
        self._view: View | None = None
        self._window: Window | None = None
        self._question: Question | None = None
        self._judge = StandJudge()
        self._pacing = Pacing()
        self._steady_ns = 0
        self._trial: Trial | None = None
        self._calm: Picture | None = None
        self._early: Picture | None = None
        self._cuts: deque[Cut] = deque(maxlen=KEPT_CUTS)
        self._glance: Glance | None = None
        self._state: Reason | None = None
        self._unseen: Reason | None = None
        self._read_ns: dict[Zone | None, int] = {}
        self._stones: list[StoneCounts] = []
        self._told: StoneCounts | None = None
        self._progress_s = 0.0
        self._frozen = 0

    @property
    def view(self) -> View | None:
        """The camera in the pose found last; None before the mat was seen."""
        return self._view

    def ask(self, question: Question, at_ns: int) -> None:
        """Begin to judge a structure; only frames sensed at `at_ns` or later are used."""
        self.drop()
        self._question = question
        self._judge.ask(at_ns)
        self._pacing.ask(at_ns)
        self._place()

    def drop(self) -> None:
        """Forget the question: nothing more is said about it."""
        self._question, self._trial, self._calm, self._early = None, None, None, None
        self._judge.ask(0)
        self._cuts.clear()
        self._progress_s = 0.0

    def see(self, frame: Frame) -> list[Observation]:
        """Take the next frame and return what it changed."""
        glance = self._gate.see(frame)
        told = self._camera_state(glance)
        if glance.fresh:
            self._glance = glance
            if glance.shaken or all(state is Sight.MOVING for state in glance.zones.values()):
                self._steady_ns = glance.at_ns + 1
            self._keep(frame, glance)
            self._offer(frame, glance)
        for found in self._recogniser.found():
            told += self._take(found)
        return told + self._judged()

    def finish(self) -> list[Observation]:
        """End the open question with what has been seen; returns its verdict."""
        if self._question is None:
            return []
        for found in self._recogniser.found():
            self._take(found)
        self._compare(at_most=KEPT_CUTS)
        return self._done(self._judge.finish(self._ending()))

    def _done(self, verdict: Verdict) -> list[Observation]:
        assert self._question is not None
        judged = Judged(self._question, verdict)
        self.drop()
        return [judged]

    def _camera_state(self, glance: Glance) -> list[Observation]:
        self._frozen = 0 if glance.fresh else self._frozen + 1
        frozen = Reason.FROZEN if self._frozen >= FROZEN_FRAMES else None
        state = frozen or (glance.blind if glance.fresh else self._state) or self._unseen
        if state is self._state:
            return []
        self._state = state
        return [CameraState(state, glance.at_ns)]

    def _keep(self, frame: Frame, glance: Glance) -> None:
        if self._question is None or self._window is None or frame.sensor_ns < self._judge.asked_ns or glance.blind:
            return
        picture, small, quiet = self._window.cut(frame.image), self._gate.grey(), glance.quiet(Zone.BUILD, STILL_NS)
        cut = Cut(frame.sensor_ns, picture, small, glance.shaken, quiet, self._gate.hands())
        if glance.shaken:
            self._calm = None
        if self._early is None:
            self._early = picture
        self._cuts.append(cut)
        while self._cuts[0].at_ns < cut.at_ns - KEPT_NS:
            self._cuts.popleft()
        if self._trial is not None:
            self._trial.add(cut)
        self._compare(BACKLOG_A_FRAME)

    def _compare(self, at_most: int) -> None:
        if self._trial is not None:
            for sighting in self._trial.sightings(at_most):
                self._judge.see(sighting)

    def _offer(self, frame: Frame, glance: Glance) -> None:
        if glance.blind:
            return
        if self._view is None:
            if self._due(None, frame, POSE_AGAIN_NS):
                self._hand_over(Job(frame), frame)
        elif self._question is not None:
            self._offer_structure(frame, glance, self._question)
        elif glance.quiet(Zone.STONES, STILL_NS) and self._wants_stones(frame, glance):
            self._hand_over(Job(frame, Zone.STONES, steady_ns=self._steady_ns), frame)

    def _offer_structure(self, frame: Frame, glance: Glance, question: Question) -> None:
        scenery = self._scenery(glance)
        if self._cuts and self._pacing.wants(scenery, self._judge.votes):
            job = Job(frame, Zone.BUILD, question, self._judge.asked_ns, self._steady_ns)
            if self._hand_over(job, frame):
                self._pacing.read(scenery)

    def _scenery(self, glance: Glance) -> Scenery:
        last = self._trial.last if self._trial is not None else None
        covered = last is not None and last.covered and not last.gone and (last.reached or last.hand)
        bared = self._trial is not None and self._trial.bared
        moving = glance.zones[Zone.BUILD] is Sight.MOVING
        hand, news = self._gate.hands_in(Zone.BUILD), self._gate.news_in(Zone.BUILD)
        still_ns = glance.still_ns[Zone.BUILD]
        return Scenery(glance.at_ns, still_ns, moving, hand, news, self._trial is not None, covered and not bared)

    def _wants_stones(self, frame: Frame, glance: Glance) -> bool:
        moved_ns = frame.sensor_ns - glance.still_ns[Zone.STONES]
        settled = self._read_ns.get(Zone.STONES, -1) >= moved_ns
        return self._due(Zone.STONES, frame, STONES_AGAIN_NS) and not (settled and self._stones_agree())

    def _due(self, zone: Zone | None, frame: Frame, after_ns: int) -> bool:
        return zone not in self._read_ns or frame.sensor_ns - self._read_ns[zone] >= after_ns

    def _hand_over(self, job: Job, frame: Frame) -> bool:
        taken = self._recogniser.offer(job)
        if taken:
            self._read_ns[job.zone] = frame.sensor_ns
        return taken

    def _take(self, found: Found) -> list[Observation]:
        self._unseen = found.pose.reason if found.view is None else None
        if found.view is not None and (self._view is None or found.pose.age_ns == 0):
            self._view = found.view
            self._place()
        if found.structure is not None and found.job.question is self._question:
            self._take_structure(found, found.structure)
        return self._take_stones(found, found.stones) if found.stones is not None else []

    def _place(self) -> None:
        """Aim gate and window by the view; while a structure is compared the window stays."""
        if self._view is None:
            return
        self._gate.place(self._view, self._table)
        if self._trial is None:
            window = window_on(self._view, self._table, self._height_mm() + ROOM_MM)
            if self._window is None or not self._window.is_near(window):
                self._window = window
                self._cuts.clear()
                self._calm = self._early = None

    def _parts_asked(self) -> int:
        figure = self._question.figure if self._question is not None else None
        return len(figure.blocks) if figure is not None else PARTS_ASKED

    def _height_mm(self) -> float:
        acrobat = self._kit.acrobat
        blocks = self._question.figure.blocks if self._question is not None and self._question.figure else ()
        figure = max((block.z_mm + acrobat.length_mm for block in blocks), default=0.0)
        return max(figure, 2 * (acrobat.length_mm + self._kit.tile.thickness_mm))

    def _take_structure(self, found: Found, reading: StructureReading) -> None:
        at_ns = found.job.frame.sensor_ns
        share = len(reading.parts) / self._parts_asked()
        self._judge.vote(Vote(at_ns, reading.outcome, reading.reasons, reading.confidence, share))
        if reading.outcome is not Outcome.PASS:
            self._calm_down(at_ns)
        if reading.outcome is not Outcome.PASS or self._window is None or found.view is None:
            return
        cut = next((cut for cut in self._cuts if cut.at_ns == at_ns), None)
        if cut is not None:
            self._refer(cut, reading, found.view, self._window)

    def _calm_down(self, at_ns: int) -> None:
        """Keep a picture of the zone from before the structure was right, without hands as far as the gate sees."""
        cut = next((cut for cut in self._cuts if cut.at_ns == at_ns), None)
        if cut is not None and cut.hands is None and cut.quiet:
            self._calm = cut.picture

    def _refer(self, cut: Cut, reading: StructureReading, view: View, window: Window) -> None:
        """Take the cut as the structure seen whole, unless a hand is at it or an earlier one still serves."""
        reference = reference_of(cut.picture, reading.parts, view, window)
        if cut.hands is not None and is_reached(reference, window.part_of(cut.hands)):
            return
        calm = self._calm if self._calm is not None else self._early
        if calm is not None and is_new_at(reference, calm):
            return
        last = self._trial.last if self._trial is not None else None
        bared = self._trial is not None and self._trial.bared and cut.quiet
        if last is None or last.gone or bared or (last.covered and not self._judge.stands()):
            self._judge.restart(cut.at_ns)
            self._trial = Trial(reference, cut, window, self._cuts)
            self._compare(BACKLOG_A_FRAME)
        elif self._trial is not None and last.covered and not last.reached and not last.stirred:
            self._trial.relight(cut)

    def _take_stones(self, found: Found, count: StoneCount) -> list[Observation]:
        if count.doubts:
            self._stones = []
            self._unseen = next((doubt for doubt in count.doubts if doubt in NO_COLOURS), None)
            return []
        counts = StoneCounts(yellow=count.yellow, red=count.red, blue=count.blue)
        self._stones = [*self._stones[-STONES_AGREE + 1 :], counts]
        if not self._stones_agree() or counts == self._told:
            return []
        self._told = counts
        return [StonesSeen(counts, found.job.frame.sensor_ns)]

    def _stones_agree(self) -> bool:
        return len(self._stones) >= STONES_AGREE and len({str(counts) for counts in self._stones}) == 1

    def _judged(self) -> list[Observation]:
        if self._question is None or self._glance is None:
            return []
        verdict = self._judge.verdict()
        if verdict is not None:
            return [] if self._linger else self._done(verdict)
        failed = None if self._linger or self._frozen else self._judge.left_alone(self._ending())
        if failed is not None:
            return self._done(failed)
        progress_s = self._judge.progress_s()
        if abs(progress_s - self._progress_s) < 0.1:
            return []
        self._progress_s = progress_s
        return [Standing(progress_s, self._glance.at_ns)]

    def _ending(self) -> Ending:
        glance = self._glance
        if glance is None:
            return Ending(0, blind=self._state or Reason.NO_STILL_VIEW)
        blind = self._state or (None if self._view is not None else Reason.NO_MAT)
        hands = self._gate.hands_in(Zone.BUILD)
        return Ending(glance.at_ns, glance.still_ns[Zone.BUILD], hands, blind)


def judge_stand(frames: Iterable[Frame], watch: Watch, question: Question) -> Verdict:
    """Return the verdict on a recording; the question is asked with its first frame. `watch` should linger."""
    asked = False
    for frame in frames:
        if not asked:
            watch.ask(question, frame.sensor_ns)
            asked = True
        watch.see(frame)
    for observation in watch.finish():
        if isinstance(observation, Judged):
            return observation.verdict
    return unsure(Reason.NO_STILL_VIEW)
