"""What `umpire play` does: the same game with a camera, a video or the simulated table as its source."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import typer

from pi_app.adapters.camera_thread import CameraThread
from pi_app.core.errors import UserError
from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.judging.case import read_clip
from pi_app.kit.table import Table
from pi_app.play.demo import Pace
from pi_app.session.voila.sessions import VoilaRunner
from pi_app.session.voila.view import PublicView
from pi_app.ui.console import Console
from pi_app.ui.keyboard import Keyboard
from pi_app.ui.terminal import TerminalView
from pi_app.ui.voila import VOILA
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import load_camera
from pi_app.vision.focal import solve_camera
from pi_app.wiring import Set, open_set, video_game
from pi_app.wiring_live import live_game
from pi_app.wiring_parts import check_display, known_lens, open_camera

LOOK_FOR_S = 20.0


class Source(StrEnum):
    """Where the pictures come from."""

    SIM = "sim"
    VIDEO = "video"
    CAMERA = "camera"


@dataclass(frozen=True)
class PlayOptions:
    """The command line of `umpire play` for sources other than the simulated table."""

    source: Source
    journal: Path
    kit: Path | None
    table: Path | None
    video: Path | None = None
    times: Path | None = None
    camera: Path | None = None
    device: int = 0
    config: Path | None = None
    mode: Mode = Mode.BADGE


def play_table(options: PlayOptions) -> None:
    """Play until the person leaves or the video ends."""
    lying = open_set(options.kit, options.table, options.mode, options.config)
    if options.source is Source.VIDEO:
        _play_video(options, lying)
    else:
        _play_camera(options, lying)
    typer.echo(f"the game's journal: {options.journal} (go on with --journal)")


def _play_video(options: PlayOptions, lying: Set) -> None:
    if options.video is None:
        raise UserError("play: --source video also needs FILE")
    camera = _known(options) or _solved(read_clip(options.video, options.times), lying.table)
    frames = read_clip(options.video, options.times)
    first = next(frames)
    game = video_game(lying, camera, options.journal, first.sensor_ns)
    with ExitStack() as stack:
        stack.callback(game.runner.close)
        console = _console(stack, game.runner)
        pace = Pace(1.0)
        for frame in (first, *frames):
            game.clock.ns = max(game.clock.ns, frame.sensor_ns)
            game.beat(frame)
            pace.hold((frame.sensor_ns - first.sensor_ns) / 1e9)
            console.draw()
            if not console.poll():
                break
        game.game.finish()
        console.draw()


def _play_camera(options: PlayOptions, lying: Set) -> None:
    with ExitStack() as stack:
        check_display(lying.config.device)
        part = lying.config.device.camera
        part = replace(part, device=options.device) if options.device else part
        thread = open_camera(part)
        stack.callback(thread.close)
        known = known_lens(part, options.camera)
        if known is not None:
            typer.echo(f"the camera's numbers: {known.source}")
        lens = known.camera if known else _solved(_newest(thread), lying.table)
        game = live_game(lying, lens, thread, options.journal, stack)
        for line in game.running:
            typer.echo(line)
        game.run(_console(stack, game.runner))


def _console(stack: ExitStack, runner: VoilaRunner) -> Console[PublicView]:
    keyboard = stack.enter_context(Keyboard()) if sys.stdin else None
    terminal = TerminalView(sys.stdout, VOILA.text)
    terminal.open()
    stack.callback(terminal.close)
    return Console(VOILA, runner.view, runner.command, terminal, keyboard)


def _known(options: PlayOptions) -> Camera | None:
    return load_camera(options.camera) if options.camera else None


def _solved(frames: Iterator[Frame], table: Table) -> Camera:
    """Return the camera that fits the first good view of the mat; UserError where there is none."""
    for frame in frames:
        camera = solve_camera(frame.image, table)
        if camera is not None:
            return camera
    raise UserError("no mat in view: wanted at least four of its markers, or --camera FILE with the lens's numbers")


def _newest(thread: CameraThread) -> Iterator[Frame]:
    until_s = time.monotonic() + LOOK_FOR_S
    typer.echo("looking for the mat ...")
    while time.monotonic() < until_s:
        taken = thread.take(0.5)
        if isinstance(taken, Frame):
            yield taken
        elif taken is not None:
            raise UserError(taken.why)
