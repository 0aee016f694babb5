"""The thread that owns a camera: keeps the newest frame only, and opens a camera again that stalls, ends or fails."""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.core.observations import Frame
from pi_app.core.ports import FrameSource

BACK_OFF_S = 0.5
LONGEST_BACK_OFF_S = 5.0
OPENING_S = 15.0
"""A camera that is being opened, exposes and focuses; it is not lost before that."""
Opener = Callable[[], FrameSource]


@runtime_checkable
class TaskCamera(Protocol):
    """A camera that has more than one frame rate."""

    def for_task(self, task: Task | None) -> None:
        """Choose the frame rate that suits the task being watched; called between two frames, by their thread."""
        ...


@dataclass(frozen=True, slots=True)
class CameraLost:
    """No new frame came for `stall_s`, or the source said why it ended; the camera is being opened again."""

    why: str


@dataclass(slots=True)
class _Slot:
    """What one reader thread shares with its owner; retired when the owner has given up on that thread."""

    task: Task | None
    changed: threading.Condition = field(default_factory=threading.Condition)
    frame: Frame | None = None
    newest_ns: int | None = None
    repeats: int = 0
    ended: str | None = None
    retired: bool = False


class CameraThread:
    """Reads a FrameSource in a thread of its own; `take` never blocks longer than it is told to.

    Frames whose sensor time does not advance are repeats and dropped; a camera that only repeats is lost. A reader that
    is stuck inside the camera's driver cannot be stopped from outside: it is left behind, closes its source if it ever
    comes back, and a new reader opens the camera again.
    """

    def __init__(self, open_source: Opener, stall_s: float = 2.0, opening_s: float = OPENING_S) -> None:
        self._open_source = open_source
        self._stall_s, self._opening_s = stall_s, opening_s
        self._quiet_s = 0.0
        self._losses = 0
        self._task: Task | None = None
        self._slot = self._start()

    def take(self, timeout_s: float, after_ns: int | None = None) -> Frame | CameraLost | None:
        """Return the newest frame not taken yet, None after `timeout_s` without one, or that the camera is lost.

        With `after_ns` only a frame sensed at that time or later counts: one that waits may be older than a question.
        """
        slot = self._slot
        with slot.changed:
            slot.changed.wait_for(lambda: _awaited(slot, after_ns) or slot.ended, timeout_s)
            frame = slot.frame if _awaited(slot, after_ns) else None
            heard, slot.frame, ended = slot.frame is not None, None, slot.ended
        if frame is not None or heard:
            self._quiet_s, self._losses = 0.0, 0
            return frame
        self._quiet_s += timeout_s
        if ended is None and self._quiet_s < (self._opening_s if slot.newest_ns is None else self._stall_s):
            return None
        return self._lose(ended or self._silence(slot))

    def for_task(self, task: Task | None) -> None:
        """Say which task is being watched, None for none: a throw wants more frames a second. Never blocks."""
        self._task = self._slot.task = task

    def close(self) -> None:
        """Stop reading; safe to call twice."""
        self._slot.retired = True

    def _silence(self, slot: _Slot) -> str:
        what = "the same picture again and again" if slot.repeats else "no picture"
        return f"{what} for {self._quiet_s:.1f} s"

    def _lose(self, why: str) -> CameraLost:
        self._slot.retired = True
        self._quiet_s = 0.0
        self._slot = self._start()
        self._losses += 1
        return CameraLost(why)

    def _start(self) -> _Slot:
        slot = _Slot(self._task)
        wait_s = min(self._losses * BACK_OFF_S, LONGEST_BACK_OFF_S)
        threading.Thread(target=_read, args=(self._open_source, slot, wait_s), name="camera", daemon=True).start()
        return slot


def _awaited(slot: _Slot, after_ns: int | None) -> bool:
    return slot.frame is not None and (after_ns is None or slot.frame.sensor_ns >= after_ns)


def _read(open_source: Opener, slot: _Slot, wait_s: float) -> None:
    time.sleep(wait_s)
    try:
        why = _read_from(open_source, slot)
    except (UserError, OSError) as error:
        why = str(error)
    with slot.changed:
        slot.ended = why
        slot.changed.notify()


def _read_from(open_source: Opener, slot: _Slot) -> str:
    """Keep the newest frame until the source ends or its owner has given up on it; return why it ended."""
    task: Task | None = None
    with contextlib.closing(open_source()) as source:
        for frame in source:
            if slot.retired:
                break
            _keep(frame, slot)
            if slot.task is not task and isinstance(source, TaskCamera):
                task = slot.task
                source.for_task(task)
    return "the camera stopped"


def _keep(frame: Frame, slot: _Slot) -> None:
    with slot.changed:
        if slot.newest_ns is not None and frame.sensor_ns <= slot.newest_ns:
            slot.repeats += 1
            return
        slot.frame, slot.newest_ns, slot.repeats = frame, frame.sensor_ns, 0
        slot.changed.notify()
