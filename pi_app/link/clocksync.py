"""The board's clock on the host's: a line fitted through the answers that came back fastest."""

from collections import deque
from dataclasses import dataclass, field

KEPT = 24
"""Answers kept, one a second or so: long enough to know the drift, short enough to follow a warming crystal."""

MAX_DRIFT = 500e-6
"""Crystals are within 100 parts in a million of each other; more is a fault of the measurement."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The board's clock read `up_us` at some moment between `asked_ns` and `heard_ns` of the host's."""

    asked_ns: int
    heard_ns: int
    up_us: int

    @property
    def middle_ns(self) -> float:
        """Return the host's time half way through the round trip."""
        return (self.asked_ns + self.heard_ns) / 2

    @property
    def slack_ns(self) -> float:
        """Return how far the middle can be from the true moment."""
        return (self.heard_ns - self.asked_ns) / 2


@dataclass(slots=True)
class ClockSync:
    """Maps the board's microseconds to the host's monotonic nanoseconds."""

    _answers: deque[Answer] = field(default_factory=lambda: deque(maxlen=KEPT))
    _rate: float = 1000.0
    _offset_ns: float = 0.0
    _up0_us: int = 0

    def feed(self, answer: Answer) -> None:
        """Take one answer; an answer in which the board's clock went back forgets all before (the board restarted)."""
        if answer.heard_ns < answer.asked_ns:
            raise ValueError(f"got an answer heard {answer.asked_ns - answer.heard_ns} ns before it was asked for")
        if self._answers and answer.up_us < self._answers[-1].up_us:
            self._answers.clear()
        self._answers.append(answer)
        self._fit()

    @property
    def ready(self) -> bool:
        """Return whether the clocks have met at all."""
        return bool(self._answers)

    @property
    def slack_ns(self) -> float:
        """Return how far a mapped time may be off: half the fastest round trip."""
        return min((answer.slack_ns for answer in self._answers), default=float("inf"))

    @property
    def drift(self) -> float:
        """Return by what part the board's clock runs slower than the host's."""
        return self._rate / 1000.0 - 1.0

    def host_ns(self, up_us: int) -> int:
        """Return the host's time of a moment on the board; ValueError before the first answer."""
        if not self._answers:
            raise ValueError("the clocks have not met yet")
        return round(self._offset_ns + self._rate * (up_us - self._up0_us))

    def forget(self) -> None:
        """Start anew: the board was away."""
        self._answers.clear()

    def _fit(self) -> None:
        """Fit offset and rate to the answers whose round trip was at most twice the fastest."""
        limit = 2 * self.slack_ns + 1
        good = [answer for answer in self._answers if answer.slack_ns <= limit]
        self._up0_us = good[-1].up_us
        ups = [float(answer.up_us - self._up0_us) for answer in good]
        hosts = [answer.middle_ns for answer in good]
        mean_up, mean_host = sum(ups) / len(ups), sum(hosts) / len(hosts)
        spread = sum((up - mean_up) ** 2 for up in ups)
        rate = 1000.0
        if spread > 0:
            rate = sum((up - mean_up) * (host - mean_host) for up, host in zip(ups, hosts, strict=True)) / spread
        self._rate = min(max(rate, 1000.0 * (1 - MAX_DRIFT)), 1000.0 * (1 + MAX_DRIFT))
        self._offset_ns = mean_host - self._rate * mean_up
