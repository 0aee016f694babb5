"""The build zone without hands, and with a hand that rests in it.

What is new beside a structure since the last picture without hands is a hand at it, most likely.
"""

from dataclasses import dataclass

from pi_app.vision.motion import Mask, Picture
from pi_app.vision.occlusion import Window

CALM_NS = 500_000_000
"""How long nothing has moved in the zone when a picture of it between two questions is kept."""
CALM_AGAIN_NS = 1_000_000_000


@dataclass(slots=True)
class CalmPictures:
    """Keeps at most three cut-outs: one taken since the question, one from before it, and the question's first."""

    _since: Picture | None = None
    _before: Picture | None = None
    _first: Picture | None = None
    _kept_ns: int | None = None

    def best(self) -> Picture | None:
        """Return the picture that what has come to a structure since is told by."""
        return next((picture for picture in (self._since, self._before, self._first) if picture is not None), None)

    def ask(self) -> None:
        """Begin a question: what was calm until now is from before it."""
        self._before = self._since if self._since is not None else self._before
        self._since = self._first = None

    def forget(self) -> None:
        """Drop everything: the camera looks elsewhere now."""
        self._since = self._before = self._first = self._kept_ns = None

    def begin(self, picture: Picture) -> None:
        """Take the question's first picture, with or without hands; better than none."""
        self._first = picture if self._first is None else self._first

    def wants(self, at_ns: int) -> bool:
        """Return whether a picture between questions is due."""
        return self._kept_ns is None or at_ns - self._kept_ns >= CALM_AGAIN_NS

    def rest(self, picture: Picture, at_ns: int) -> None:
        """Take a calm picture between questions."""
        self._since, self._kept_ns = picture, at_ns

    def not_right(self, picture: Picture) -> None:
        """Take a calm picture in which the structure asked for was read and was not right."""
        self._since = picture


def is_free(window: Window, hands: Mask | None) -> bool:
    """Return whether no hands are in the window; `hands` is a small mask of the whole picture."""
    return hands is None or not window.part_of(hands).any()


@dataclass(slots=True)
class HandRest:
    """The longest time that a hand has rested in a zone."""

    longest_ns: int = 0
    until_ns: int = 0
    _since_ns: int | None = None

    def see(self, at_ns: int, *, resting: bool) -> None:
        """Take what the next picture shows: a hand in the zone, and nothing that moves."""
        if not resting:
            self._since_ns = None
            return
        self._since_ns = at_ns if self._since_ns is None else self._since_ns
        if at_ns - self._since_ns >= self.longest_ns:
            self.longest_ns, self.until_ns = at_ns - self._since_ns, at_ns
