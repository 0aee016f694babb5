"""The buzzers' lamps follow the view: who may press has light, and whoever the table waits for blinks."""

from collections.abc import Callable

from pi_app.core.names import Lamp
from pi_app.core.ports import LampSink


class Lamps:
    """Takes what the lamps are to show to them; `changed` may be called from any thread, `step` by one alone."""

    def __init__(self, lamps: Callable[[], tuple[Lamp, ...]], sink: LampSink) -> None:
        self._lamps, self._sink = lamps, sink
        self._stale = True

    def changed(self) -> None:
        """Hear that they may have to show something else."""
        self._stale = True

    def step(self, now_ns: int) -> None:
        """Show what is to be seen now."""
        if self._stale:
            self._stale = False
            self._sink.show(self._lamps())
        self._sink.step(now_ns)

    def close(self) -> None:
        """Switch all off."""
        self._sink.close()
