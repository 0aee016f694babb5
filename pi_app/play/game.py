"""One game at one table, in one thread: each picture brings everything else that was sensed with it."""

from collections.abc import Callable
from dataclasses import dataclass

from pi_app.core.events import Sensed
from pi_app.core.observations import Frame
from pi_app.core.ports import Clock
from pi_app.play.eyes import Eyes
from pi_app.play.senses import Senses
from pi_app.session.flow import Audience
from pi_app.session.voila.sessions import VoilaRunner
from pi_app.session.voila.view import PublicView


@dataclass(frozen=True)
class Game:
    """A session joined with its eyes and senses."""

    runner: VoilaRunner
    eyes: Eyes
    senses: Senses
    clock: Clock

    def beat(self, frame: Frame) -> PublicView:
        """Take one picture and all that was pressed and laid up to now; return the timekeeper's view after it."""
        self.senses.poll(self.clock.now_ns())
        self.eyes.see(frame)
        self.runner.step()
        return self.runner.view(Audience.TIMEKEEPER)

    def finish(self) -> PublicView:
        """Take the end of all pictures; return the timekeeper's view after it."""
        self.eyes.finish(self.clock.now_ns())
        self.runner.step()
        return self.runner.view(Audience.TIMEKEEPER)


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
