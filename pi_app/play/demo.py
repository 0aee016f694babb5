"""Whole games on the simulated table, and what they showed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pi_app.core.verdict import Outcome
from pi_app.play.witness import Shot
from pi_app.session.flow import Audience
from pi_app.session.voila.phases import Phase
from pi_app.session.voila.view import PublicView
from pi_app.ui.screens import screen
from pi_app.wiring import SimulatedGame

Drawn = Callable[[PublicView], bool]
DRAW_EVERY_S = 0.1


@dataclass(frozen=True)
class Played:
    """A finished game, or one that was left: the last view, the verdicts and what the scores should be."""

    view: PublicView
    shots: tuple[Shot, ...]
    true_points: tuple[int, ...]
    turns: int
    table_s: float
    finished: bool

    @property
    def points(self) -> tuple[int, ...]:
        """Return the device's scores by seat."""
        return tuple(seat.points for seat in self.view.seats)


@dataclass(frozen=True)
class Tally:
    """Verdicts counted; those where the physics themselves lie between right and wrong are `borderline`."""

    right: int
    wrong: int
    unsure: int
    false_pass: int
    borderline: int

    @property
    def verdicts(self) -> int:
        """Return how many there were."""
        return self.right + self.wrong + self.unsure + self.borderline


class Pace:
    """Holds virtual time back to `speed` times the wall's; 0: as fast as it goes."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._start_s = time.monotonic()

    def hold(self, table_s: float) -> None:
        """Wait until the table's time may be shown."""
        if self._speed > 0:
            time.sleep(max(0.0, self._start_s + table_s / self._speed - time.monotonic()))


def play(game: SimulatedGame, speed: float, draw: Drawn, leave_after_s: float | None = None) -> Played:
    """Play until the game is over; `draw` is shown the view ten times a second and returns False to leave.

    `leave_after_s` of the table's time ends the game early.
    """
    pace, drawn_s, view = Pace(speed), 0.0, game.game.runner.view()
    for frame in game.frames:
        game.mischief.pass_time(game.sim.table.time_s)
        view = game.game.beat(frame)
        game.witness.beat(frame, view)
        for command in game.sim.look(view):
            game.game.runner.command(command)
        game.player.step()
        pace.hold(game.sim.table.time_s)
        over = view.phase is Phase.OVER or (leave_after_s is not None and game.sim.table.time_s >= leave_after_s)
        if over or time.monotonic() - drawn_s >= DRAW_EVERY_S:
            drawn_s = time.monotonic()
            game.screen.show(screen(game.game.runner.view(Audience.TABLE)))
            game.screen.step()
            if not draw(view) or over:
                break
    return _played(game, view)


def _played(game: SimulatedGame, view: PublicView) -> Played:
    game.witness.finish()
    state = game.game.runner.state
    true_points = game.witness.true_score(state) if state.position else ()
    turns = state.position.turns_ended if state.position else 0
    finished = view.phase is Phase.OVER
    return Played(view, tuple(game.witness.shots), true_points, turns, game.sim.table.time_s, finished)


def tally(shots: Sequence[Shot]) -> Tally:
    """Count verdicts against the truth."""
    clear = [shot.compared for shot in shots if not shot.compared.truth.doubtful]
    unsure = sum(one.verdict.outcome is Outcome.UNSURE for one in clear)
    wrong = sum(not one.agrees for one in clear)
    false_pass = sum(one.false_pass for one in clear)
    return Tally(len(clear) - unsure - wrong, wrong, unsure, false_pass, len(shots) - len(clear))
