"""The signals' player: one owner, never in the way of the game, the important first, and a part that comes and goes."""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from pi_app.adapters.retry import Report, Retry
from pi_app.adapters.sound_signals import SIGNALS, Note, importance
from pi_app.core.effects import Effect, PlaySound, Sound
from pi_app.core.ports import Clock, ToneSink

WAITING = 3
"""More signals do not wait: nobody could tell any more what they belong to."""
STALE_NS = 2_000_000_000
PAUSE_S = 0.15
"""Between two signals, so that they are not taken for one."""

Opener = Callable[[], ToneSink]


@dataclass(frozen=True, slots=True)
class _Asked:
    sound: Sound
    at_ns: int


class SignalPlayer:
    """Plays signals over one ToneSink; `opener` makes it and is called again after a fault (OSError).

    `play` only keeps the signal; `step` makes it sound and is called by one thread alone, either the caller's or the
    one `start` makes. A more important signal cuts a lesser one short. `volume` is 0 to 1, the tones' amplitude;
    `report` hears of a fault once, and of its end as None.
    """

    def __init__(
        self, opener: Opener, clock: Clock, report: Report | None = None, volume: float = 0.5, *, muted: bool = False
    ) -> None:
        self.muted = muted
        self._opener, self._clock, self._volume = opener, clock, volume
        self._retry = Retry("sound", report)
        self._wake = threading.Condition()
        self._waiting: list[_Asked] = []
        self._sink: ToneSink | None = None
        self._notes: deque[Note] = deque()
        self._rank = 0
        self._until_ns = 0
        self._thread: threading.Thread | None = None
        self._closing = False

    def carry_out(self, effect: Effect) -> None:
        """Take an effect, from any thread; what is not to be heard is left to others."""
        if isinstance(effect, PlaySound):
            self.play(effect.sound)

    def play(self, sound: Sound) -> None:
        """Keep `sound` to be played soon, unless muted; of too many the oldest of the least important goes."""
        if self.muted:
            return
        with self._wake:
            self._waiting.append(_Asked(sound, self._clock.now_ns()))
            self._waiting.sort(key=lambda asked: -importance(asked.sound))
            if len(self._waiting) > WAITING:
                least = importance(self._waiting[-1].sound)
                self._waiting.remove(next(asked for asked in self._waiting if importance(asked.sound) == least))
            self._wake.notify()

    def step(self) -> float | None:
        """Let sound what is due; return after how many seconds to step again, None: once there is a signal."""
        now_ns = self._clock.now_ns()
        self._forget_stale(now_ns)
        wait_s = self._retry.wait_s(now_ns)
        if wait_s:
            return wait_s
        try:
            pause_s = self._sound(now_ns)
        except OSError as error:
            self._let_go()
            return self._retry.failed(str(error), now_ns)
        self._retry.worked()
        return pause_s

    def start(self) -> None:
        """Play from a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Fall silent at once, stop the thread and let go of the part; safe to call twice."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
            if self._thread.is_alive():
                return
        self._let_go()

    def _run(self) -> None:
        while True:
            pause_s = self.step()
            with self._wake:
                if self._closing:
                    return
                if pause_s is not None or not self._waiting:
                    self._wake.wait(pause_s)

    def _sound(self, now_ns: int) -> float | None:
        """Begin the note that is due now; return how long until the next."""
        if self._sink is None:
            self._sink = self._opener()
        asked = self._next(now_ns)
        if asked is not None:
            self._notes = deque((*SIGNALS[asked.sound], Note(None, PAUSE_S)))
            self._rank, self._until_ns = importance(asked.sound), now_ns
        if now_ns < self._until_ns:
            return (self._until_ns - now_ns) / 1e9
        if not self._notes:
            self._sink.silence()
            return None
        note = self._notes.popleft()
        self._sink.sound(note.hz, note.length_s, self._volume)
        self._until_ns = now_ns + round(note.length_s * 1e9)
        return note.length_s

    def _next(self, now_ns: int) -> _Asked | None:
        """Take the signal that begins now: the first where none sounds, else only one that matters more."""
        sounding = bool(self._notes) or now_ns < self._until_ns
        with self._wake:
            if not self._waiting or (sounding and importance(self._waiting[0].sound) <= self._rank):
                return None
            return self._waiting.pop(0)

    def _forget_stale(self, now_ns: int) -> None:
        with self._wake:
            self._waiting = [asked for asked in self._waiting if now_ns - asked.at_ns <= STALE_NS]

    def _let_go(self) -> None:
        self._notes.clear()
        self._until_ns = 0
        sink, self._sink = self._sink, None
        if sink is not None:
            try:
                sink.silence()
                sink.close()
            except OSError:  # it is gone already
                return
