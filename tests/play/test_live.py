"""The live game's threads: a camera that stalls stops neither the clock nor the buttons (field log CAM-3)."""

import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.adapters.camera_thread import CameraThread
from pi_app.core.clock import SystemClock
from pi_app.core.names import Mode, Task
from pi_app.core.observations import Frame
from pi_app.kit.draw_mat import draw_mat
from pi_app.session.voila.sessions import VoilaRunner
from pi_app.session.voila.view import Phase, PublicView
from pi_app.sim.scene import plain_scene
from pi_app.ui.console import Console
from pi_app.ui.keyboard import Keyboard
from pi_app.ui.terminal import TerminalView
from pi_app.ui.voila import VOILA
from pi_app.wiring import open_set
from pi_app.wiring_live import live_game

PATIENCE_S = 20.0


class StallingCamera:
    """Delivers one picture, or none, then blocks until the test ends."""

    def __init__(self, picture: Frame | None, ended: threading.Event) -> None:
        self.picture, self.ended = picture, ended

    def __iter__(self) -> Iterator[Frame]:
        if self.picture is not None:
            yield Frame(0, SystemClock().now_ns(), self.picture.image)
        self.ended.wait(PATIENCE_S)

    def close(self) -> None:
        """Nothing is held."""


class Waiter:
    """Waits for a view, woken by every change."""

    def __init__(self, runner: VoilaRunner) -> None:
        self._runner, self._changed = runner, threading.Condition()
        runner.on_change(self._wake)

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def until(self, seen: Callable[[PublicView], bool]) -> PublicView:
        """Return the first view that is as wanted."""
        with self._changed:
            assert self._changed.wait_for(lambda: seen(self._runner.view()), PATIENCE_S), self._runner.view()
        return self._runner.view()


@pytest.fixture
def typed() -> Iterator[tuple[Keyboard, Callable[[str], None]]]:
    """Return a keyboard without a terminal, and what types lines on it."""
    read, write = os.pipe()
    with os.fdopen(read) as source:
        yield Keyboard(source), lambda line: _write(write, line)
    os.close(write)


def _write(write: int, line: str) -> None:
    os.write(write, f"{line}\n".encode())


def test_a_stalled_camera_is_said_and_the_game_goes_on(
    tmp_path: Path, typed: tuple[Keyboard, Callable[[str], None]]
) -> None:
    keyboard, say = typed
    lying, ended, opened = open_set(None, None, Mode.BADGE), threading.Event(), []
    mat = cv2.resize(draw_mat(lying.table, 2), (1280, 720)).astype(np.uint8)
    picture = Frame(0, 0, mat)

    def open_camera() -> StallingCamera:
        opened.append(1)
        return StallingCamera(picture if len(opened) == 1 else None, ended)

    stack = ExitStack()
    camera = CameraThread(open_camera, stall_s=0.5, opening_s=0.5)
    game = live_game(lying, plain_scene().view.camera, camera, tmp_path / "session.db", stack)
    runner, waiter = game.runner, Waiter(game.runner)
    out = io.StringIO()
    thread = threading.Thread(
        target=game.run, args=(Console(VOILA, runner.view, runner.command, TerminalView(out, VOILA.text), keyboard),)
    )
    thread.start()
    try:
        lost = waiter.until(lambda view: any(part == "camera" and "no picture" in why for part, why in view.faults))
        assert lost.phase is Phase.JOINING
        for line in ("press 1", "press 2", "press 1", "press 1"):
            say(line)
        running = waiter.until(lambda view: view.clock.running)
        say("stone red")
        later = waiter.until(lambda view: bool(view.turn and view.turn.stones))
        assert running.clock.remaining_s is not None
        assert later.clock.remaining_s is not None
        assert later.clock.remaining_s < running.clock.remaining_s <= 45.0
        assert len(opened) >= 2, "the camera is opened again"
        assert "camera" in out.getvalue()
    finally:
        say("quit")
        ended.set()
        thread.join(PATIENCE_S)
        stack.close()
    assert not thread.is_alive()


def test_a_failing_thread_ends_the_game_and_is_raised(
    tmp_path: Path, typed: tuple[Keyboard, Callable[[str], None]]
) -> None:
    lying = open_set(None, None, Mode.BADGE)
    stack = ExitStack()

    class Broken:
        def take(self, timeout_s: float) -> Frame | None:
            raise ZeroDivisionError("broken on purpose")

        def for_task(self, task: Task | None) -> None:
            """It has one rate."""

        def close(self) -> None:
            """Nothing is held."""

    game = live_game(lying, plain_scene().view.camera, Broken(), tmp_path / "session.db", stack)
    with pytest.raises(ZeroDivisionError, match="broken on purpose"):
        game.run(
            Console(VOILA, game.runner.view, game.runner.command, TerminalView(io.StringIO(), VOILA.text), typed[0])
        )
    stack.close()
