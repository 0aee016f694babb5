"""A game in real time: session, camera, buzzers and the person at the terminal each on a thread of their own."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from pi_app.adapters.camera_thread import CameraLost
from pi_app.core.observations import Frame
from pi_app.core.ports import Clock
from pi_app.play.eyes import Eyes
from pi_app.play.lamps import Lamps
from pi_app.play.senses import Senses
from pi_app.session.voila.sessions import VoilaRunner
from pi_app.ui.console import Console

TAKE_S = 0.25
DRAW_S = 0.1
SWITCH_S = 0.0005
"""A thread that computes hands on the interpreter after so long: a press waits for that, several times over."""


class Camera(Protocol):
    """What gives the newest frame: adapters.camera_thread.CameraThread, or a video at its own pace."""

    def take(self, timeout_s: float) -> Frame | CameraLost | None:
        """Return the newest frame, None after a while without one, or that the camera is lost."""
        ...

    def close(self) -> None:
        """Let go of the camera."""
        ...


@dataclass(eq=False)
class LiveGame:
    """Runs until the person leaves or a thread fails; a failure ends everything and is raised by `run`."""

    runner: VoilaRunner
    eyes: Eyes
    senses: Senses
    camera: Camera
    clock: Clock
    lamps: Lamps | None = None
    _over: threading.Event = field(default_factory=threading.Event)
    _failure: BaseException | None = None

    def run(self, console: Console) -> None:
        """Play; the calling thread is the terminal's."""
        with quick_turns():
            self._run(console)
        if self._failure is not None:
            raise self._failure

    def _run(self, console: Console) -> None:
        threads = [self._thread("session", self.runner.run), self._thread("sight", self._look)]
        threads.append(self._thread("senses", self._feel))
        try:
            while not self._over.is_set():
                console.draw()
                if not console.poll(DRAW_S) or self._over.wait(DRAW_S / 2):
                    break
        finally:
            self._over.set()
            self.runner.stop()
            self.camera.close()
            for thread in threads:
                thread.join(timeout=2.0)

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
