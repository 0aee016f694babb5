"""Monotonic time and the name of its run."""

import time
from dataclasses import dataclass
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """The machine's monotonic clock: it survives the process, not the boot."""

    def now_ns(self) -> int:
        """Return CLOCK_MONOTONIC in nanoseconds."""
        return time.monotonic_ns()

    def boot_id(self) -> str:
        """Return the kernel's id of this boot; `unknown` where there is none."""
        return BOOT_ID.read_text().strip() if BOOT_ID.exists() else "unknown"


@dataclass(slots=True)
class ManualClock:
    """A clock that moves when it is told to: for the simulated table and for tests."""

    ns: int = 0
    boot: str = "simulated"

    def now_ns(self) -> int:
        """Return the time it was last set to."""
        return self.ns

    def boot_id(self) -> str:
        """Return the name it was given."""
        return self.boot

    def advance_s(self, seconds: float) -> None:
        """Move forward; a step back is refused."""
        if seconds < 0:
            raise ValueError(f"a monotonic clock cannot go back: got {seconds} s")
        self.ns += round(seconds * 1e9)
