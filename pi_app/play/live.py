"""A game in real time: session, camera, buzzers and the person at the terminal each on a thread of their own."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol

from pi_app.adapters.camera_thread import CameraLost
from pi_app.core.names import Task
from pi_app.core.observations import Frame
from pi_app.core.ports import Clock
from pi_app.play.lamps import Lamps
from pi_app.play.senses import Senses
from pi_app.session.flow import StateT
from pi_app.session.runner import Runner
from pi_app.session.view import GameViewT
from pi_app.ui.console import Console

if TYPE_CHECKING:
    from pi_app.adapters.sound import SignalPlayer
    from pi_app.play.oled import Oled

TAKE_S = 0.25
DRAW_S = 0.1
LEAVE_S = 1.0
"""A thread that hangs is left behind after so long: whoever asked to leave waits five seconds at most."""
SWITCH_S = 0.0005
"""A thread that computes hands on the interpreter after so long: a press waits for that, several times over."""


class Camera(Protocol):
    """What gives the newest frame: adapters.camera_thread.CameraThread, or a video at its own pace."""

    def take(self, timeout_s: float) -> Frame | CameraLost | None:
        """Return the newest frame, None after a while without one, or that the camera is lost."""
        ...

    def for_task(self, task: Task | None) -> None:
        """Hear which task is being watched, None for none."""
        ...

    def close(self) -> None:
        """Let go of the camera."""
        ...


class Looker(Protocol):
    """What looks at the camera's frames: play.eyes.Eyes, or play.late_eyes.LateEyes."""

    def see(self, frame: Frame) -> None:
        """Look at a frame."""
        ...

    def lost(self, why: str, at_ns: int) -> None:
        """Hear that no frames come."""
        ...

    def found(self, at_ns: int) -> None:
        """Hear that frames come again."""
        ...


@dataclass(eq=False)
class LiveGame(Generic[StateT, GameViewT]):
    """Runs until the person leaves or a thread fails; a failure ends everything and is raised by `run` and `serve`.

    `oled` and `sound` are the display's and the speaker's, where there are any; `running` says what is connected.
    """

    runner: Runner[StateT, GameViewT]
    eyes: Looker
    senses: Senses
    camera: Camera
    clock: Clock
    lamps: Lamps | None = None
    oled: Oled[GameViewT] | None = None
    sound: SignalPlayer | None = None
    running: tuple[str, ...] = ()
    _over: threading.Event = field(default_factory=threading.Event)
    _failure: BaseException | None = None

    def run(self, console: Console[GameViewT]) -> None:
        """Play; the calling thread is the terminal's."""
        with self._playing():
            while not self._over.is_set():
                console.draw()
                if not console.poll(DRAW_S) or self._over.wait(DRAW_S / 2):
                    break

    def serve(self, ready: Callable[[], None], leaving: Callable[[], None]) -> None:
        """Play without a terminal until `leave` or SystemExit in the calling thread, or until a thread fails.

        `ready` is called once all threads work, `leaving` before they are ended.
        """
        with self._playing():
            try:
                ready()
                self._over.wait()
            finally:
                leaving()

    def leave(self) -> None:
        """End the game, from any thread."""
        self._over.set()

    @contextmanager
    def _playing(self) -> Iterator[None]:
        """Let all threads work; raise what one of them failed of."""
        if self.sound is not None:
            self.runner.on_effect(self.sound.carry_out)
        works = {"session": self.runner.run, "sight": self._look, "senses": self._feel}
        if self.oled is not None:
            self.runner.on_change(self.oled.changed)
            works["screens"] = self._draw
        with quick_turns():
            threads: list[threading.Thread] = []
            try:
                threads.extend(self._thread(name, work) for name, work in works.items())
                yield
            finally:
                self._end(threads)
        if self._failure is not None:
            raise self._failure

    def _end(self, threads: Iterable[threading.Thread]) -> None:
        """Fall silent, take what was posted, and wait for the threads: all together no longer than `LEAVE_S`."""
        self._over.set()
        if self.sound is not None:
            self.sound.close()
        self.runner.stop()
        self.camera.close()
        until_s = time.monotonic() + LEAVE_S
        for thread in threads:
            thread.join(max(0.0, until_s - time.monotonic()))

    def _thread(self, name: str, work: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=self._guarded, args=(work,), name=name, daemon=True)
        thread.start()
        return thread

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._failure = self._failure or error
            self._over.set()

    def _look(self) -> None:
        lost = False
        while not self._over.is_set():
            match self.camera.take(TAKE_S):
                case Frame() as frame:
                    if lost:
                        self.eyes.found(self.clock.now_ns())
                    lost = False
                    self.eyes.see(frame)
                case CameraLost(why) if not lost:
                    lost = True
                    self.eyes.lost(why, self.clock.now_ns())
                case _:
                    pass

    def _draw(self) -> None:
        while self.oled is not None and not self._over.is_set():
            self.oled.step()
            self.oled.wait()

    def _feel(self) -> None:
        if self.lamps is not None:
            self.runner.on_change(self.lamps.changed)
        while not self._over.is_set():
            self.senses.wait()
            now_ns = self.clock.now_ns()
            self.senses.poll(now_ns)
            if self.lamps is not None:
                self.lamps.step(now_ns)


@contextmanager
def quick_turns() -> Iterator[None]:
    """Let threads hand the interpreter on after `SWITCH_S`, and as before afterwards."""
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before_s)
