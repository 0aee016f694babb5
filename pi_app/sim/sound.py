"""The simulated speaker: it records what sounded, and when."""

from dataclasses import dataclass, field

from pi_app.core.ports import Clock


@dataclass(frozen=True, slots=True)
class Heard:
    """A tone from one time to another, at the clock's nanoseconds."""

    hz: float
    amplitude: float
    from_ns: int
    until_ns: int


@dataclass(slots=True)
class SimSpeaker:
    """A ToneSink; `heard` is what sounded, `broken` lets every call fail as a part does that was unplugged."""

    clock: Clock
    broken: bool = False
    heard: list[Heard] = field(default_factory=list)
    opened: int = 0
    _now: tuple[float, float, int] | None = None

    def open(self) -> "SimSpeaker":
        """Open it; OSError while it is broken."""
        self._check()
        self.opened += 1
        return self

    def sound(self, hz: float | None, length_s: float, amplitude: float) -> None:
        """Begin a tone or a rest; it lasts until the next call."""
        del length_s
        self._check()
        self._end()
        self._now = None if hz is None else (hz, amplitude, self.clock.now_ns())

    def silence(self) -> None:
        """Fall silent."""
        self._check()
        self._end()

    def close(self) -> None:
        """Fall silent; safe to call twice."""
        self._end()

    def _end(self) -> None:
        if self._now is not None:
            hz, amplitude, from_ns = self._now
            self.heard.append(Heard(hz, amplitude, from_ns, self.clock.now_ns()))
        self._now = None

    def _check(self) -> None:
        if self.broken:
            raise OSError(19, "No such device")
