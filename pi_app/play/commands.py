"""What `umpire demo`, `umpire play` and `umpire replay` do."""

import math
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import cv2
import typer

from pi_app.core.errors import UserError
from pi_app.core.names import Mode
from pi_app.play.demo import Played, play
from pi_app.play.report import report_lines, sum_lines
from pi_app.play.sheet import contact_sheet
from pi_app.session.voila.view import PublicView, Wait
from pi_app.sim.faults import parse_faults
from pi_app.sim.room import Habits
from pi_app.sim.simulation import SimSettings
from pi_app.ui.console import Console
from pi_app.ui.keyboard import Keyboard
from pi_app.ui.terminal import TerminalView
from pi_app.ui.voila import VOILA
from pi_app.wiring import SimulatedGame, open_set, simulated_game

SHEET = "verdicts.png"


@dataclass(frozen=True)
class DemoOptions:
    """The command line of `umpire demo`."""

    players: int
    seed: int
    speed: float
    games: int = 1
    record: Path | None = None
    oled: bool = False
    skill: float = 0.8
    kit: Path | None = None
    fps: float = 30.0
    config: Path | None = None
    leave_after_s: float | None = None
    stock: bool = False
    faults: str = ""

    @property
    def mode(self) -> Mode:
        """Return what tells the acrobats apart."""
        return Mode.STOCK if self.stock else Mode.BADGE


def demo(options: DemoOptions) -> bool:
    """Play games on the simulated table and report; return whether every score was as the physics say."""
    if not 2 <= options.players <= 6:
        raise UserError(f"--players: got {options.players}, wanted 2 to 6")
    if not 0 <= options.skill <= 1:
        raise UserError(f"--skill: got {options.skill}, wanted 0 to 1")
    if not 0 <= options.speed < math.inf:
        raise UserError(f"--speed: got {options.speed}, wanted 0 or more")
    if options.leave_after_s is not None and not 0 < options.leave_after_s < math.inf:
        raise UserError(f"--leave-after: got {options.leave_after_s}, wanted more than 0 seconds")
    for name, given in (("record", options.record), ("oled", options.oled)):
        if options.games > 1 and given:
            raise UserError(f"--{name}: wanted one game, got --games {options.games}")
    parse_faults(options.faults)
    games = [_watched(options)] if options.games == 1 else _counted(options)
    return all(game.points == game.true_points for game in games)


def _watched(options: DemoOptions) -> Played:
    with tempfile.TemporaryDirectory(prefix="umpire-") as scratch, ExitStack() as stack:
        game = _game(options, options.seed, Path(scratch))
        stack.callback(game.close)
        terminal = TerminalView(sys.stdout, VOILA.text)
        keyboard = stack.enter_context(Keyboard()) if sys.stdin and sys.stdin.isatty() else None
        console = Console(VOILA, game.game.runner.view, game.game.runner.command, terminal, keyboard)
        console.oled = options.oled
        terminal.open()
        try:
            played = play(game, options.speed, lambda _: _drawn(console), options.leave_after_s)
        finally:
            terminal.close()
    _say(report_lines(played))
    sheet = (options.record or Path.cwd()) / SHEET
    cv2.imwrite(str(sheet), contact_sheet(played.shots))
    _say([f"contact sheet of the verdicts: {sheet}"])
    return played


def _drawn(console: Console[PublicView]) -> bool:
    console.draw()
    return console.poll()


def _counted(options: DemoOptions) -> list[Played]:
    """Play several games without a view, one seed after another."""
    games: list[Played] = []
    with typer.progressbar(length=options.games * 3 * options.players, label="turns", file=sys.stderr) as bar:
        for seed in range(options.seed, options.seed + options.games):
            with tempfile.TemporaryDirectory(prefix="umpire-") as scratch:
                game = _game(options, seed, Path(scratch))
                games.append(play(game, options.speed, _follow(lambda turns: bar.update(turns))))
                game.close()
            _say(line for line in report_lines(games[-1]) if "differs" in line or "physics'" in line)
    _say(sum_lines(games))
    return games


def _follow(update: Callable[[int], None]) -> Callable[[PublicView], bool]:
    seen = [0]

    def drawn(view: PublicView) -> bool:
        ended = seen[0] + 1 if view.waits is Wait.NOTHING else view.turn.number - 1 if view.turn else 0
        if ended > seen[0]:
            update(ended - seen[0])
            seen[0] = ended
        return True

    return drawn


def _game(options: DemoOptions, seed: int, scratch: Path) -> SimulatedGame:
    settings = SimSettings(options.players, seed, Habits(skill=options.skill), mode=options.mode, fps=options.fps)
    return simulated_game(
        open_set(options.kit, None, options.mode, options.config),
        settings,
        scratch / "session.db",
        options.record,
        parse_faults(options.faults),
    )


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)
