"""A game at a real table: its parts from the settings, its session from the journal, joined for play.live."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from pi_app.core.effects import AskCamera, DropQuestion, KeepPictures
from pi_app.session.flow import Audience
from pi_app.wiring_parts import check_display, open_parts, open_screen, open_signals, open_table_pins

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gpiozero.pins import Factory

    from pi_app.core.effects import Effect
    from pi_app.core.observations import Frame
    from pi_app.core.ports import Clock
    from pi_app.judging.worker import ThreadedRecogniser
    from pi_app.kit.art import KitArt
    from pi_app.play.eyes import Eyes
    from pi_app.play.late_eyes import LateEyes
    from pi_app.play.live import Camera as FrameSlot
    from pi_app.play.live import LiveGame
    from pi_app.play.oled import Oled
    from pi_app.session.voila.sessions import VoilaRunner
    from pi_app.session.voila.state import State
    from pi_app.session.voila.view import PublicView
    from pi_app.vision.camera import Camera
    from pi_app.wiring import Set

LAST_JOB_S = 2.0


def live_game(
    lying: Set, lens: Camera | None, camera: FrameSlot, journal: Path, stack: ExitStack, pins: Factory | None = None
) -> LiveGame[State, PublicView]:
    """Build a game at a real table from the settings' parts; `stack` closes it, the display after the journal.

    `lens`: the camera's numbers, None: solved once the mat is in view. `pins`: gpiozero's pins, None: this machine's
    by lgpio. UserError where the settings cannot be met; parts that are away are faults in the view.
    """
    from pi_app.core.clock import SystemClock
    from pi_app.play.lamps import Lamps
    from pi_app.play.live import LiveGame
    from pi_app.play.long_press import pausing
    from pi_app.play.senses import Senses
    from pi_app.ui.voila import VOILA
    from pi_app.wiring import session_at

    clock, device = SystemClock(), lying.config.device
    check_display(device)
    readers, last = stack.enter_context(ExitStack()), stack.enter_context(ExitStack())
    pins = pins or open_table_pins(device, stack)
    parts = open_parts(device, lying.kit, clock, stack, pins)
    runner = session_at(journal, clock, lying)
    stack.callback(runner.close)
    width_ns = round(device.buttons.width_ms * 1e6)
    senses = Senses(
        runner.post, runner.sensed_until, parts.buttons, parts.pad, parts.board, pausing(runner), width_ns=width_ns
    )
    runner.on_effect(framing(camera))
    return LiveGame(
        runner,
        _eyes(lying, lens, runner, readers),
        senses,
        camera,
        clock,
        Lamps(lambda: VOILA.lamps(runner.view(), parts.count), parts.lamps) if parts.lamps else None,
        _oled(lying, clock, runner, last),
        open_signals(device, clock, runner.post, stack, pins),
        parts.running,
    )


def _eyes(lying: Set, lens: Camera | None, runner: VoilaRunner, stack: ExitStack) -> LateEyes:
    from pi_app.play.late_eyes import LateEyes
    from pi_app.vision.focal import solve_camera

    art = lying.art

    def make(frame: Frame) -> Eyes | None:
        solved = lens or solve_camera(frame.image, lying.table)
        return _open_eyes(lying, art, solved, runner, stack) if solved else None

    eyes = LateEyes(make, runner.post)
    runner.on_effect(eyes.carry_out)
    return eyes


def _open_eyes(lying: Set, art: KitArt, lens: Camera, runner: VoilaRunner, stack: ExitStack) -> Eyes:
    from pi_app.judging.sight import table_sight
    from pi_app.judging.worker import TableReader, ThreadedRecogniser
    from pi_app.play.eyes import Eyes

    recogniser = ThreadedRecogniser(TableReader(lens, lying.table, lying.kit, art))
    stack.callback(_end, recogniser)
    sight = table_sight(lying.table, lying.kit, lens, recogniser)
    return Eyes(sight, lying.kit, lying.mode, runner.post, runner.standing)


def _end(recogniser: ThreadedRecogniser) -> None:
    """End the recogniser's thread, unless its job takes too long for somebody who waits: then it is left behind."""
    if recogniser.wait_idle(LAST_JOB_S):
        recogniser.close()


def _oled(lying: Set, clock: Clock, runner: VoilaRunner, stack: ExitStack) -> Oled[PublicView] | None:
    owner = open_screen(lying.config.device, clock, runner.post, stack)
    if owner is None:
        return None
    from pi_app.play.oled import Oled
    from pi_app.ui.voila import VOILA

    return Oled(lambda: runner.view(Audience.TABLE), VOILA.screen, owner)


def framing(camera: FrameSlot) -> Callable[[Effect], None]:
    """Return what tells the camera which task it watches."""

    def carry_out(effect: Effect) -> None:
        if isinstance(effect, AskCamera):
            camera.for_task(effect.task)
        elif isinstance(effect, DropQuestion | KeepPictures):
            camera.for_task(None)

    return carry_out
