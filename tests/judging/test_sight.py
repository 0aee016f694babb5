"""Questions go to the watch that can judge them, and answers to the watch that asked."""

from dataclasses import dataclass, field

from pi_app.core.names import Mode, Task, Zone
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason, Verdict
from pi_app.judging.card_zone import CardsLying
from pi_app.judging.sight import SharedRecogniser, Sight, table_sight
from pi_app.judging.watch import CameraState, Judged, Watch
from pi_app.judging.worker import Found, InlineRecogniser, Job, Question
from pi_app.vision.cards import CardReading, SeenCard
from pi_app.vision.pose import PoseReading
from tests.judging.scene import CAMERA, KIT, QUESTION, SECOND, TABLE, VIEW, Moment, Scene, reader

THROW = Question(Task.THROW, None, Mode.BADGE)
STANDS = Scene(lambda _: Moment(), duration_s=4.0)


@dataclass
class Counting:
    """A watch that passes once it has seen enough frames."""

    enough: int
    seen: list[Frame] = field(default_factory=list)

    def see(self, frame: Frame) -> None:
        self.seen.append(frame)

    def verdict(self) -> Verdict | None:
        return Verdict(Outcome.PASS, (Reason.OK,)) if len(self.seen) >= self.enough else None

    def finish(self) -> Verdict:
        return Verdict(Outcome.FAIL, (Reason.DROPPED,))


def sight(enough: int, made: list[tuple[Question, int]]) -> Sight:
    def begin(question: Question, at_ns: int) -> Counting:
        made.append((question, at_ns))
        return Counting(enough)

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(reader(lambda _: True)))
    return Sight(watch, {Task.THROW: begin})


def test_a_task_with_a_watch_of_its_own_is_judged_by_it_once() -> None:
    made: list[tuple[Question, int]] = []
    seen = sight(5, made)
    seen.ask(THROW, 5 * SECOND)
    told = [one for frame in STANDS.frames() for one in seen.see(frame)]
    assert made == [(THROW, 5 * SECOND)]
    assert [one for one in told if isinstance(one, Judged)] == [Judged(THROW, Verdict(Outcome.PASS, (Reason.OK,)))]


def test_structures_stay_with_the_tables_watch() -> None:
    seen = sight(5, [])
    seen.ask(QUESTION, 5 * SECOND)
    told = [one for frame in STANDS.frames() for one in seen.see(frame)]
    assert [one.verdict.outcome for one in told if isinstance(one, Judged)] == [Outcome.PASS]


def test_the_end_of_the_pictures_and_a_dropped_question() -> None:
    seen = sight(500, [])
    seen.ask(THROW, 0)
    assert seen.finish() == [Judged(THROW, Verdict(Outcome.FAIL, (Reason.DROPPED,)))]
    assert seen.finish() == []
    seen.ask(THROW, 0)
    seen.drop()
    assert seen.finish() == []


def test_a_throw_nobody_sees_is_unsure() -> None:
    seen = table_sight(TABLE, KIT, CAMERA, InlineRecogniser(reader(lambda _: True)))
    seen.ask(THROW, 0)
    told = [one for frame in Scene(lambda _: Moment(), duration_s=0.5).frames() for one in seen.see(frame)]
    assert not [one for one in told if isinstance(one, Judged | CameraState)]
    (judged,) = seen.finish()
    assert isinstance(judged, Judged)
    assert judged.verdict.outcome is Outcome.UNSURE


def test_each_watch_gets_back_what_it_handed_over() -> None:
    shared = SharedRecogniser(InlineRecogniser(reader(lambda _: True)))
    one, other = shared.part(), shared.part()
    first, second = Job(next(STANDS.frames())), Job(next(STANDS.frames()), Zone.BUILD, QUESTION)
    assert one.offer(first)
    assert other.offer(second)
    assert [found.job for found in other.found()] == [second]
    assert [found.job for found in one.found()] == [first]
    assert one.found() == other.found() == []


def test_cards_that_lie_still_are_told_once() -> None:
    lying = CardReading((SeenCard("tower", 190.0, 20.0, 3.0, 0.9),))

    def read(job: Job) -> Found:
        pose = PoseReading(VIEW.pose, (0, 1, 2, 3), 0.3)
        return Found(job, pose, VIEW, cards=lying if job.zone is Zone.CARDS else None)

    watch = Watch(TABLE, KIT, CAMERA, InlineRecogniser(read), cards=True)
    told = [one for frame in STANDS.frames() for one in watch.see(frame)]
    assert [one for one in told if isinstance(one, CardsLying)] == [CardsLying(("tower",), 0, 5 * SECOND)]
