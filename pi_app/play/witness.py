"""What the simulated evening's report needs: every verdict beside what the physics say, stones as really drawn."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.events import Sensed, VerdictGiven
from pi_app.core.names import Colour
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome
from pi_app.games import voila
from pi_app.games.voila import StoneDrawn, TaskJudged, TurnStarted
from pi_app.kit.model import Figure
from pi_app.session.events import By
from pi_app.session.voila.state import LogEntry, State
from pi_app.session.voila.view import PublicView
from pi_app.sim.simulation import Compared, Simulation

Image = NDArray[np.uint8]
THUMB = (320, 180)
LATER_NS = 250_000_000


@dataclass(frozen=True, eq=False)
class Given:
    """A verdict just given: the turn, the figure asked for and a small picture of the moment."""

    turn: int
    figure: Figure | None
    given: VerdictGiven
    picture: Image


@dataclass(frozen=True, eq=False)
class Shot(Given):
    """A verdict with the truth beside it."""

    compared: Compared

    @property
    def start_off_s(self) -> float | None:
        """Return how far the start of standing is from the truth's, where both say pass."""
        from_ns, truth = self.given.verdict.stood_from_ns, self.compared.truth
        if from_ns is None or truth.stood_from_s is None or truth.outcome is not Outcome.PASS:
            return None
        return self.from_s - truth.stood_from_s

    from_s: float = 0.0


@dataclass(eq=False)
class Witness:
    """Watches a simulated game from outside; nothing of it reaches the device.

    A verdict is compared with the physics LATER_S after it was given: a start seen some hundredths of a second early or
    late is not a wrong verdict, and only then is it known whether the structure stood on.
    """

    sim: Simulation
    shots: list[Shot] = field(default_factory=list)
    stones: dict[int, tuple[Colour, ...]] = field(default_factory=dict)
    _passed_by: list[VerdictGiven] = field(default_factory=list)
    _open: list[Given] = field(default_factory=list)
    _view: PublicView | None = None
    _picture: Image = field(default_factory=lambda: np.zeros((THUMB[1], THUMB[0], 3), np.uint8))

    def take(self, sensed: Sensed) -> None:
        """See an input pass."""
        if isinstance(sensed, VerdictGiven):
            self._passed_by.append(sensed)

    def beat(self, frame: Frame | None, view: PublicView) -> None:
        """See a picture, if one came, and the view after it."""
        self._picture = self._picture if frame is None else frame.image
        for given in self._passed_by:
            self._note(given)
        self._passed_by.clear()
        self._view = view
        if view.turn and view.turn.running:
            self.stones[view.turn.number] = tuple(self.sim.room.stones)
        self._compare(self.sim.clock.now_ns())

    def finish(self) -> None:
        """Compare what is still open."""
        self._compare(self.sim.clock.now_ns() + 2 * LATER_NS)

    def _note(self, given: VerdictGiven) -> None:
        view = self._view
        figure = view.task.figure if view and view.task else None
        picture = cv2.resize(self._picture, THUMB, interpolation=cv2.INTER_AREA).astype(np.uint8)
        turn = view.turn.number if view and view.turn else 0
        asked = self.sim.table.kit.figure_named(figure) if figure else None
        self._open.append(Given(turn, asked, given, picture))

    def _compare(self, now_ns: int) -> None:
        ripe = [one for one in self._open if one.given.at_ns + LATER_NS <= now_ns]
        self._open = [one for one in self._open if one not in ripe]
        for one in ripe:
            given = one.given
            to_ns = given.at_ns + LATER_NS
            compared = self.sim.compare(given.task, one.figure, given.verdict, given.asked_ns, to_ns)
            from_s = self.sim.seconds(given.verdict.stood_from_ns or 0)
            self.shots.append(Shot(one.turn, one.figure, given, one.picture, compared, from_s))

    def true_score(self, state: State) -> tuple[int, ...]:
        """Return what each seat would have with every verdict and stone as the physics say."""
        moves = list(self._true_moves(state))
        return tuple(score.points for score in voila.score(voila.replay(state.game.setup, moves)))

    def _true_moves(self, state: State) -> Iterator[voila.Event]:
        sure = iter([s.compared for s in self.shots if s.compared.verdict.outcome is not Outcome.UNSURE])
        turn = 0
        stones: Iterator[Colour] = iter(())
        for entry in state.log:
            match entry.move:
                case TurnStarted():
                    turn += 1
                    stones = iter(self.stones.get(turn, ()))
                    yield entry.move
                case StoneDrawn(read):
                    yield StoneDrawn(next(stones, read))
                case TaskJudged() if entry.by is By.CAMERA:
                    yield _as_it_was(entry, next(sure, None))
                case _:
                    yield entry.move


def _as_it_was(entry: LogEntry, compared: Compared | None) -> voila.Event:
    assert isinstance(entry.move, TaskJudged)
    if compared is None:
        return entry.move
    return replace(entry.move, passed=compared.truth.outcome is Outcome.PASS)
