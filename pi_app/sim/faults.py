"""What goes wrong with the simulated device's parts, when, and for how long: `camera.freeze@30,serial.cut@45+8`.

Each fault is one that owners of such devices reported. A fault begins at its second of the table's time (0 where none
is given) and ends after its usual time, or after the `+seconds` that were given.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from PIL.Image import Image

from pi_app.core.clock import ManualClock
from pi_app.core.errors import UserError
from pi_app.sim.board import SimReader
from pi_app.sim.devices import CaptureOled, SimButtons
from pi_app.sim.parts import SimCamera

MAX_FAULTS = 100
LONGEST_S = 36_000.0
EVENING = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
_FORM = re.compile(r"(?P<name>[a-z.]+)(?:@(?P<at>\d+(?:\.\d+)?))?(?:\+(?P<for>\d+(?:\.\d+)?))?")


@dataclass(slots=True)
class SimWall:
    """The wall clock of the simulated table: it follows the table's time and can be set wrong."""

    clock: ManualClock
    off_s: float = 0.0
    _start_ns: int = field(init=False)

    def __post_init__(self) -> None:
        self._start_ns = self.clock.now_ns()

    def __call__(self) -> str:
        """Return the wall time as the journal notes it."""
        passed_s = (self.clock.now_ns() - self._start_ns) / 1e9
        return (EVENING + timedelta(seconds=passed_s + self.off_s)).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class SimBus:
    """The OLED's bus: `opener` opens the display on it; nothing answers while it is broken."""

    opener: Callable[[], CaptureOled]
    broken: bool = False

    def open(self) -> "_OnBus":
        """Open the display; OSError while the bus is broken."""
        self.check()
        return _OnBus(self, self.opener())

    def check(self) -> None:
        """Raise what the kernel says of a device that does not answer (OLED-1)."""
        if self.broken:
            raise OSError(121, "Remote I/O error")


@dataclass(slots=True)
class _OnBus:
    """The emulated OLED, reached over a bus that may break."""

    bus: SimBus
    oled: CaptureOled
    mode: str = "1"

    def display(self, image: Image) -> None:
        """Send one picture; OSError while the bus is broken."""
        self.bus.check()
        self.oled.display(image)

    def cleanup(self) -> None:
        """Let go of the display."""
        self.oled.cleanup()


@dataclass(frozen=True)
class Parts:
    """Everything that can go wrong."""

    camera: SimCamera
    buttons: SimButtons
    reader: SimReader
    bus: SimBus
    wall: SimWall


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """One fault from `at_s` on for `for_s` seconds of the table's time."""

    name: str
    at_s: float
    for_s: float


@dataclass(frozen=True, slots=True)
class _Kind:
    lasts_s: float
    set: Callable[[Parts, bool], None]


def _camera(name: str, wrong: object, right: object) -> Callable[[Parts, bool], None]:
    return lambda parts, on: setattr(parts.camera.trouble, name, wrong if on else right)


def _board(name: str) -> Callable[[Parts, bool], None]:
    return lambda parts, on: setattr(parts.reader.board, name, on)


def _buttons(name: str) -> Callable[[Parts, bool], None]:
    return lambda parts, on: getattr(parts.buttons, name)(on)


def _noise(parts: Parts, on: bool) -> None:
    parts.reader.noise = bytes(range(0, 250, 7)) * 3 if on else b""


def _wall(parts: Parts, on: bool) -> None:
    parts.wall.off_s += -3600.0 if on else 6 * 3600.0


KINDS: dict[str, _Kind] = {
    "camera.freeze": _Kind(6, _camera("frozen", True, False)),
    "camera.lost": _Kind(6, _camera("lost", True, False)),
    "camera.late": _Kind(3, _camera("late_s", 0.8, 0.0)),
    "camera.swap": _Kind(8, _camera("swapped", True, False)),
    "camera.flicker": _Kind(10, _camera("flicker", 0.15, 0.0)),
    "camera.exposure": _Kind(4, _camera("gain", 1.25, 1.0)),
    "camera.bump": _Kind(math.inf, _camera("bump", (1.2, 0.5), (0.0, 0.0))),
    "camera.dark": _Kind(5, _camera("gain", 0.02, 1.0)),
    "button.bounce": _Kind(math.inf, _buttons("roughen")),
    "button.stuck": _Kind(20, _buttons("stick")),
    "button.spike": _Kind(1, _buttons("spike")),
    "oled.missing": _Kind(30, lambda parts, on: setattr(parts.bus, "broken", on)),
    "serial.cut": _Kind(8, lambda parts, on: setattr(parts.reader, "cut", on)),
    "serial.noise": _Kind(0.5, _noise),
    "serial.hang": _Kind(8, _board("hung")),
    "reader.dead": _Kind(8, _board("dead")),
    "reader.flicker": _Kind(math.inf, _board("misses")),
    "clock.step": _Kind(10, _wall),
}
"""Every fault: how long it usually lasts, and what begins (True) and ends (False) it."""


def parse_faults(text: str) -> tuple[PlannedFault, ...]:
    """Return the faults of a list such as `camera.freeze@30,oled.missing`; UserError names what is none."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > MAX_FAULTS:
        raise UserError(f"--faults: got {len(parts)} faults, wanted at most {MAX_FAULTS}")
    return tuple(_parsed(part) for part in parts)


def _parsed(text: str) -> PlannedFault:
    match = _FORM.fullmatch(text)
    if match is None or match["name"] not in KINDS:
        raise UserError(f"--faults: got {text[:40]!r}, wanted NAME, NAME@SECOND or NAME@SECOND+SECONDS of {_names()}")
    at_s = float(match["at"] or 0)
    for_s = float(match["for"]) if match["for"] else KINDS[match["name"]].lasts_s
    if at_s > LONGEST_S or LONGEST_S < for_s < math.inf:
        raise UserError(f"--faults: got {text[:40]!r}, wanted seconds up to {LONGEST_S:g}")
    return PlannedFault(match["name"], at_s, for_s)


def _names() -> str:
    return ", ".join(sorted(KINDS))


@dataclass(slots=True)
class Mischief:
    """Lets the planned faults begin and end as the table's time passes."""

    plan: tuple[PlannedFault, ...]
    parts: Parts
    _begun: set[int] = field(default_factory=set)
    _ended: set[int] = field(default_factory=set)

    def pass_time(self, table_s: float) -> None:
        """Begin and end what is due by now."""
        for number, fault in enumerate(self.plan):
            if number not in self._begun and table_s >= fault.at_s:
                self._begun.add(number)
                KINDS[fault.name].set(self.parts, True)
            if number in self._begun - self._ended and table_s >= fault.at_s + fault.for_s:
                self._ended.add(number)
                KINDS[fault.name].set(self.parts, False)
