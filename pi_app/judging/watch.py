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
from pi_app.judging.calm import CALM_NS, CalmPictures, HandRest, is_free
from pi_app.judging.card_zone import CardsLying
from pi_app.judging.lying import Lying, StonesLying
from pi_app.judging.pacing import STILL_NS, Pacing, Scenery
from pi_app.judging.stand import Ending, StandJudge, Vote
from pi_app.judging.trial import Cut, Trial
from pi_app.judging.worker import Found, Job, Question, Recogniser
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, View
from pi_app.vision.occlusion import Window, is_new_at, is_reached, reference_of, window_on
from pi_app.vision.reading import StructureReading
from pi_app.vision.stillness import Gate, Glance, Sight

POSE_AGAIN_NS = 300_000_000
FROZEN_FRAMES = 15
KEPT_NS, KEPT_CUTS = 3_000_000_000, 150
"""How far back pictures are kept: long enough for a slow answer and for a hand that rests before it lets go."""
BACKLOG_A_FRAME = 12
ROOM_MM = 40.0
PARTS_ASKED = 4
"""A tower's acrobats and tiles, or a line's acrobats."""


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


Observation = StonesLying | CardsLying | Standing | Judged | CameraState


class Watch:
    """One camera over one table. Not for several threads: one owner calls `ask`, `see`, `drop` and `finish`."""

    def __init__(
        self,
        table: Table,
        kit: Kit,
        camera: Camera,
        recogniser: Recogniser,
        *,
        linger: bool = False,
        cards: bool = False,
    ) -> None:
        """`linger` keeps a passed question open until `finish`, to see how long the structure goes on standing.

        `cards`: what lies in the card zone is told too.
        """
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
        self._calm = CalmPictures()
        self._rested = HandRest()
        self._cuts: deque[Cut] = deque(maxlen=KEPT_CUTS)
        self._glance: Glance | None = None
        self._state: Reason | None = None
        self._unseen: Reason | None = None
        self._pose_ns: int | None = None
        self._lying = Lying(cards=cards)
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
        self._calm.ask()
        self._rested = HandRest()
        self._judge.ask(at_ns)
        self._pacing.ask(at_ns)
        self._place()

    def drop(self) -> None:
        """Forget the question: nothing more is said about it."""
        self._question, self._trial = None, None
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
        if glance.shaken:
            self._calm.forget()
        if self._window is None or glance.blind:
            return
        if self._question is None:
            self._rest(frame, glance, self._window)
        elif frame.sensor_ns >= self._judge.asked_ns:
            self._keep_cut(frame, glance, self._window)

    def _rest(self, frame: Frame, glance: Glance, window: Window) -> None:
        """Keep a picture of the zone at rest now and then: what lies there is known before it is asked about."""
        due = self._calm.wants(glance.at_ns) and glance.quiet(Zone.BUILD, CALM_NS)
        if due and is_free(window, self._gate.hands()):
            self._calm.rest(window.cut(frame.image), glance.at_ns)

    def _keep_cut(self, frame: Frame, glance: Glance, window: Window) -> None:
        picture, small, quiet = window.cut(frame.image), self._gate.grey(), glance.quiet(Zone.BUILD, STILL_NS)
        cut = Cut(frame.sensor_ns, picture, small, glance.shaken, quiet, self._gate.hands())
        self._calm.begin(picture)
        self._rested.see(glance.at_ns, resting=quiet and self._gate.hands_in(Zone.BUILD))
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
            if self._pose_ns is None or frame.sensor_ns - self._pose_ns >= POSE_AGAIN_NS:
                self._pose_ns = frame.sensor_ns
                self._recogniser.offer(Job(frame))
        elif self._question is not None:
            self._offer_structure(frame, glance, self._question)
        elif (zone := self._lying.wanted(glance)) is not None:
            still_ns = glance.at_ns - glance.still_ns[zone]
            if self._recogniser.offer(Job(frame, zone, steady_ns=self._steady_ns, still_ns=still_ns)):
                self._lying.offered(zone, frame.sensor_ns)

    def _offer_structure(self, frame: Frame, glance: Glance, question: Question) -> None:
        scenery = self._scenery(glance)
        if self._cuts and self._pacing.wants(scenery, self._judge.votes):
            job = Job(frame, Zone.BUILD, question, self._judge.asked_ns, self._steady_ns)
            if self._recogniser.offer(job):
                self._pacing.read(scenery)

    def _scenery(self, glance: Glance) -> Scenery:
        last = self._trial.last if self._trial is not None else None
        covered = last is not None and last.covered and not last.gone and (last.reached or last.hand)
        bared = self._trial is not None and self._trial.bared
        moving = glance.zones[Zone.BUILD] is Sight.MOVING
        hand, news = self._gate.hands_in(Zone.BUILD), self._gate.news_in(Zone.BUILD)
        still_ns = glance.still_ns[Zone.BUILD]
        return Scenery(glance.at_ns, still_ns, moving, hand, news, self._trial is not None, covered and not bared)

    def _take(self, found: Found) -> list[Observation]:
        self._unseen = found.pose.reason if found.view is None else None
        if found.view is not None and (self._view is None or found.pose.age_ns == 0):
            self._view = found.view
            self._place()
        if found.structure is not None and found.job.question is self._question:
            self._take_structure(found, found.structure)
        return self._take_lying(found)

    def _take_lying(self, found: Found) -> list[Observation]:
        told: list[Observation | None] = []
        if found.stones is not None:
            told.append(self._lying.see_stones(found.stones, found.job.frame.sensor_ns))
        if found.cards is not None:
            told.append(self._lying.see_cards(found.cards, found.job.still_ns))
        if told:
            self._unseen = self._unseen or self._lying.fault
        return [one for one in told if one is not None]

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
                self._calm.forget()

    def _parts_asked(self) -> int:
        figure = self._question.figure if self._question is not None else None
        return len(figure.blocks) if figure is not None else PARTS_ASKED

    def _height_mm(self) -> float:
        """Return how high the highest of the kit's structures is: pictures kept between questions serve any of them."""
        acrobat = self._kit.acrobat
        tops = (block.z_mm + acrobat.length_mm for figure in self._kit.figure for block in figure.blocks)
        return max(2 * (acrobat.length_mm + self._kit.tile.thickness_mm), *tops, 0.0)

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
        if cut is not None and cut.quiet and self._window is not None and is_free(self._window, cut.hands):
            self._calm.not_right(cut.picture)

    def _refer(self, cut: Cut, reading: StructureReading, view: View, window: Window) -> None:
        """Take the cut as the structure seen whole, unless a hand is at it or an earlier one still serves."""
        reference = reference_of(cut.picture, reading.parts, view, window)
        if cut.hands is not None and is_reached(reference, window.part_of(cut.hands)):
            return
        calm = self._calm.best()
        if calm is not None and is_new_at(reference, calm):
            return
        last = self._trial.last if self._trial is not None else None
        bared = self._trial is not None and self._trial.bared and cut.quiet
        if last is None or last.gone or bared or (last.covered and not self._judge.stands()):
            self._judge.restart(cut.at_ns)
            self._trial = Trial(reference, cut, window, self._cuts)
            self._compare(BACKLOG_A_FRAME)
        elif self._trial is not None and self._trial.lit and last.covered and not last.reached and not last.stirred:
            self._trial.relight(cut)

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
        rested = self._rested
        return Ending(glance.at_ns, glance.still_ns[Zone.BUILD], hands, blind, rested.longest_ns, rested.until_ns)


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
