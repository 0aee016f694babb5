"""Eyes that open once the mat is in view: the camera's lens is solved from it, and the game begins without."""

from collections import deque
from collections.abc import Callable

from pi_app.core.effects import Effect
from pi_app.core.events import PartFault
from pi_app.core.observations import Frame
from pi_app.play.eyes import CAMERA, Eyes, Post

AGAIN_NS = 500_000_000
"""How often a picture without the mat is searched for it."""
SAY_NS = 2_000_000_000
NO_MAT = "no mat in view: four of its markers at least, or the lens's numbers in the settings"


class LateEyes:
    """Looks for the mat until `make` returns eyes for a picture, then is these eyes; a mat that is missing is said.

    What the session asks for meanwhile is kept for then.
    """

    def __init__(self, make: Callable[[Frame], Eyes | None], post: Post) -> None:
        self._make, self._post = make, post
        self._eyes: Eyes | None = None
        self._kept: deque[Effect] = deque()
        self._first_ns: int | None = None
        self._next_ns = 0
        self._said = False

    def carry_out(self, effect: Effect) -> None:
        """Take an effect, from any thread."""
        self._kept.append(effect)

    def see(self, frame: Frame) -> None:
        """Look at a frame; called by the one thread that owns the camera's frames."""
        if self._eyes is None:
            self._look_for_mat(frame)
        if self._eyes is not None:
            while self._kept:
                self._eyes.carry_out(self._kept.popleft())
            self._eyes.see(frame)

    def lost(self, why: str, at_ns: int) -> None:
        """Post that no frames come."""
        self._post(PartFault(CAMERA, why, at_ns))

    def found(self, at_ns: int) -> None:
        """Post that frames come again."""
        self._said, self._first_ns = False, None
        self._post(PartFault(CAMERA, None, at_ns))

    def _look_for_mat(self, frame: Frame) -> None:
        now_ns = frame.sensor_ns
        self._first_ns = now_ns if self._first_ns is None else self._first_ns
        if now_ns < self._next_ns:
            return
        self._next_ns = now_ns + AGAIN_NS
        self._eyes = self._make(frame)
        if self._eyes is None and not self._said and now_ns - self._first_ns >= SAY_NS:
            self._post(PartFault(CAMERA, NO_MAT, now_ns))
            self._said = True
        elif self._eyes is not None and self._said:
            self._post(PartFault(CAMERA, None, now_ns))
