"""One game at one table, in one thread: each picture brings everything else that was sensed with it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol

from pi_app.core.events import Sensed
from pi_app.core.observations import Frame
from pi_app.core.ports import Clock
from pi_app.play.senses import Senses
from pi_app.session.flow import Audience, StateT, ViewT
from pi_app.session.runner import Runner

STALL_NS = 2_000_000_000
"""A camera that delivers nothing for so long is lost."""


class FrameEyes(Protocol):
    """What looks at the pictures, such as play.eyes.Eyes."""

    def see(self, frame: Frame) -> None:
        """Look at a frame."""
        ...

    def finish(self, at_ns: int) -> None:
        """Hear that no more frames will come."""
        ...

    def lost(self, why: str, at_ns: int) -> None:
        """Hear that no frames come."""
        ...

    def found(self, at_ns: int) -> None:
        """Hear that frames come again."""
        ...


@dataclass(slots=True)
class _Quiet:
    since_ns: int | None = None
    said: bool = False


@dataclass(frozen=True)
class Game(Generic[StateT, ViewT]):
    """A session joined with its eyes and senses."""

    runner: Runner[StateT, ViewT]
    eyes: FrameEyes
    senses: Senses
    clock: Clock

    _quiet: _Quiet = field(default_factory=_Quiet)

    def beat(self, frame: Frame | None) -> ViewT:
        """Take one picture, or none, and all that was pressed and laid up to now; return the timekeeper's view then."""
        self.senses.poll(self.clock.now_ns())
        if frame is None:
            self._miss(self.clock.now_ns())
        else:
            self._see(frame)
        self.runner.step()
        return self.runner.view(Audience.TIMEKEEPER)

    def finish(self) -> ViewT:
        """Take the end of all pictures; return the timekeeper's view after it."""
        self.eyes.finish(self.clock.now_ns())
        self.runner.step()
        return self.runner.view(Audience.TIMEKEEPER)

    def _see(self, frame: Frame) -> None:
        if self._quiet.said:
            self.eyes.found(self.clock.now_ns())
        self._quiet.since_ns, self._quiet.said = None, False
        self.eyes.see(frame)

    def _miss(self, now_ns: int) -> None:
        quiet = self._quiet
        quiet.since_ns = now_ns if quiet.since_ns is None else quiet.since_ns
        if not quiet.said and now_ns - quiet.since_ns >= STALL_NS:
            quiet.said = True
            self.eyes.lost(f"no picture for {STALL_NS / 1e9:g} s", now_ns)


class Tap:
    """Hands inputs on to the session and lets others see them pass."""

    def __init__(self) -> None:
        self._sinks: list[Callable[[Sensed], None]] = []

    def add(self, sink: Callable[[Sensed], None]) -> None:
        """Let `sink` have every input from now on."""
        self._sinks.append(sink)

    def post(self, sensed: Sensed) -> None:
        """Hand on one input."""
        for sink in self._sinks:
            sink(sensed)
