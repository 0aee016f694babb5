"""The buzzers' lamps follow the view: who may press has light, and whoever the table waits for blinks."""

from collections.abc import Callable

from pi_app.core.names import Lamp
from pi_app.core.ports import LampSink
from pi_app.session.voila.view import Phase, PublicView


def lamps_of(view: PublicView, buttons: int) -> tuple[Lamp, ...]:
    """Return what each of the `buttons` shows; while players join, free buttons blink."""
    by_button = {seat.button: seat.lamp for seat in view.seats}
    free = Lamp.BLINK if view.phase is Phase.JOINING else Lamp.OFF
    return tuple(by_button.get(button, free) for button in range(1, buttons + 1))


class Lamps:
    """Takes the newest view to the lamps; `changed` may be called from any thread, `step` by one alone."""

    def __init__(self, view: Callable[[], PublicView], sink: LampSink, buttons: int) -> None:
        self._view, self._sink, self._buttons = view, sink, buttons
        self._stale = True

    def changed(self) -> None:
        """Hear that there is another view."""
        self._stale = True

    def step(self, now_ns: int) -> None:
        """Show the newest view."""
        if self._stale:
            self._stale = False
            self._sink.show(lamps_of(self._view(), self._buttons))
        self._sink.step(now_ns)

    def close(self) -> None:
        """Switch all off."""
        self._sink.close()
