"""A part that fails is named once and tried again at growing pauses; its return is told too."""

import logging
from collections.abc import Callable

FIRST_NS = 250_000_000
LAST_NS = 2_000_000_000
"""A part that failed is tried again after a quarter of a second, then at twice the pause, at most two seconds."""

Report = Callable[[str | None], None]
"""Hears of a fault once, and of its end as None."""

_log = logging.getLogger(__name__)


class Retry:
    """When to try a part again; `part` is what people call it. Used by the one thread that owns the part."""

    def __init__(self, part: str, report: Report | None = None) -> None:
        self._part, self._report = part, report
        self._fault: str | None = None
        self._pause_ns = FIRST_NS
        self._next_ns: int | None = None

    @property
    def failing(self) -> bool:
        """Return whether the part failed when it was last tried."""
        return self._fault is not None

    def wait_s(self, now_ns: int) -> float:
        """Return how long the part is to be left alone; 0: use it."""
        return 0.0 if self._next_ns is None else max(0, self._next_ns - now_ns) / 1e9

    def failed(self, fault: str, now_ns: int) -> float:
        """Note that the part failed now; return after how many seconds to try it again."""
        pause_ns, self._pause_ns = self._pause_ns, min(2 * self._pause_ns, LAST_NS)
        self._next_ns = now_ns + pause_ns
        if self._fault is None:
            self._fault = fault
            _log.warning("%s: %s; the game goes on without it", self._part, fault)
            self._tell(fault)
        return pause_ns / 1e9

    def worked(self) -> None:
        """Note that the part did what was asked."""
        self._next_ns, self._pause_ns = None, FIRST_NS
        if self._fault is not None:
            self._fault = None
            _log.info("%s: works again", self._part)
            self._tell(None)

    def _tell(self, fault: str | None) -> None:
        if self._report is not None:
            self._report(fault)
