"""The thread that owns a camera: keeps the newest frame only, and opens a camera again that stalls, ends or fails."""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pi_app.core.errors import UserError
from pi_app.core.observations import Frame
from pi_app.core.ports import FrameSource

BACK_OFF_S = 0.5
LONGEST_BACK_OFF_S = 5.0
Opener = Callable[[], FrameSource]


@dataclass(frozen=True, slots=True)
class CameraLost:
    """No frame came for `stall_s`, or the source said why it ended; the camera is being opened again."""

    why: str


@dataclass(slots=True)
class _Slot:
    """What one reader thread shares with its owner; retired when the owner has given up on that thread."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    frame: Frame | None = None
    ended: str | None = None
    retired: bool = False


class CameraThread:
    """Reads a FrameSource in a thread of its own; `take` never blocks longer than it is told to.

    A reader that is stuck inside the camera's driver cannot be stopped from outside: it is left behind, closes its
    source if it ever comes back, and a new reader opens the camera again.
    """

    def __init__(self, open_source: Opener, stall_s: float = 2.0) -> None:
        self._open_source = open_source
        self._stall_s = stall_s
        self._quiet_s = 0.0
        self._losses = 0
        self._slot = self._start()

    def take(self, timeout_s: float) -> Frame | CameraLost | None:
        """Return the newest frame not taken yet, None after `timeout_s` without one, or that the camera is lost."""
        slot = self._slot
        with slot.changed:
            slot.changed.wait_for(lambda: slot.frame or slot.ended, timeout_s)
            frame, slot.frame, ended = slot.frame, None, slot.ended
        if frame is not None:
            self._quiet_s, self._losses = 0.0, 0
            return frame
        self._quiet_s += timeout_s
        if ended is None and self._quiet_s < self._stall_s:
            return None
        return self._lose(ended or f"no picture for {self._quiet_s:.1f} s")

    def close(self) -> None:
        """Stop reading; safe to call twice."""
        self._slot.retired = True

    def _lose(self, why: str) -> CameraLost:
        self._slot.retired = True
        self._quiet_s = 0.0
        self._slot = self._start()
        self._losses += 1
        return CameraLost(why)

    def _start(self) -> _Slot:
        slot = _Slot()
        wait_s = min(self._losses * BACK_OFF_S, LONGEST_BACK_OFF_S)
        threading.Thread(target=_read, args=(self._open_source, slot, wait_s), name="camera", daemon=True).start()
        return slot


def _read(open_source: Opener, slot: _Slot, wait_s: float) -> None:
    why = "the camera stopped"
    time.sleep(wait_s)
    try:
        with contextlib.closing(open_source()) as source:
            for frame in source:
                if slot.retired:
                    return
                with slot.changed:
                    slot.frame = frame
                    slot.changed.notify()
    except (UserError, OSError) as error:
        why = str(error)
    with slot.changed:
        slot.ended = why
        slot.changed.notify()
