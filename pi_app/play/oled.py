"""The OLED follows the view: drawn when it has changed, ten times a second at most."""

import threading
from collections.abc import Callable
from typing import Generic

from PIL import Image

from pi_app.core.ports import ScreenSink
from pi_app.session.view import GameViewT

REDRAW_S = 0.1


class Oled(Generic[GameViewT]):
    """Takes the newest view to the display; `changed` may be called from any thread, the others by one alone.

    `view` gives what the whole table may see, `screen` its picture.
    """

    def __init__(
        self, view: Callable[[], GameViewT], screen: Callable[[GameViewT], Image.Image], sink: ScreenSink
    ) -> None:
        self._view, self._screen, self._sink = view, screen, sink
        self._drawn: GameViewT | None = None
        self._stale = threading.Event()

    def changed(self) -> None:
        """Hear that there is another view."""
        self._stale.set()

    def wait(self) -> None:
        """Wait until there is another view, or a running clock may have gone on."""
        self._stale.wait(REDRAW_S)
        self._stale.clear()

    def step(self) -> None:
        """Draw the newest view unless it was drawn already."""
        view = self._view()
        if view != self._drawn:
            self._drawn = view
            self._sink.show(self._screen(view))
