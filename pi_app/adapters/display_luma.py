"""The OLED by luma: one owner, only the newest picture, and a display that comes and goes (OLED-1, OLED-2)."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol, runtime_checkable

from luma.core.error import Error as LumaError
from PIL import Image

from pi_app.adapters.retry import Report, Retry
from pi_app.core.ports import Clock

FAULTS = (OSError, LumaError, ImportError, RuntimeError)
"""What luma raises: bus errors, its own, and those of bus and pin libraries that are missing or refuse."""
DRIFT_PX = (0, 1, 2, 1)
"""How far right the picture stands, in turn; the screens leave that much free."""


class Light(Enum):
    """How bright the panel is."""

    FULL = auto()
    DIM = auto()
    OFF = auto()


class Device(Protocol):
    """What is used of luma.core.device.device."""

    mode: str

    def display(self, image: Image.Image) -> None:
        """Send one picture of the device's mode and size."""

    def cleanup(self) -> None:
        """Switch the panel off and let go of the bus."""


@runtime_checkable
class Panel(Protocol):
    """What a device can do that is a panel: pi_app.adapters.display_panel.PartialPanel."""

    persist: bool
    """Whether the picture stays when the device is let go of."""

    def light(self, light: Light) -> None:
        """Set the brightness."""


@dataclass(frozen=True, slots=True)
class Care:
    """Against burn-in: when a picture that stays is dimmed and switched off, how often it moves a pixel; 0: never."""

    dim_after_s: float = 0.0
    off_after_s: float = 0.0
    drift_every_s: float = 0.0

    def light(self, idle_s: float) -> Light:
        """Return how bright a picture is that has stood for so long."""
        if 0 < self.off_after_s <= idle_s:
            return Light.OFF
        return Light.DIM if 0 < self.dim_after_s <= idle_s else Light.FULL

    def drift_px(self, now_ns: int) -> int:
        """Return how far right the picture stands now."""
        if self.drift_every_s <= 0:
            return 0
        return DRIFT_PX[int(now_ns / 1e9 / self.drift_every_s) % len(DRIFT_PX)]

    def look_again_s(self) -> float | None:
        """Return how often to look whether something is due; None: never."""
        due = [after_s for after_s in (self.dim_after_s, self.off_after_s, self.drift_every_s) if after_s > 0]
        return min([*due, 1.0]) if due else None


Opener = Callable[[], Device]


class LumaScreen:
    """A ScreenSink over one luma device; `opener` makes the device and is called again after a fault.

    `show` only keeps the picture; `step` sends it and is called by one thread alone, either the caller's or the one
    `start` makes. `report` hears of a fault once, and of its end as None.
    """

    def __init__(self, opener: Opener, clock: Clock, report: Report | None = None, care: Care | None = None) -> None:
        self._opener, self._clock = opener, clock
        self._retry, self._care = Retry("display", report), care or Care()
        self._wake = threading.Condition()
        self._newest: Image.Image | None = None
        self._shown: Image.Image | None = None
        self._changed_ns = clock.now_ns()
        self._device: Device | None = None
        self._sent: tuple[bytes, int] | None = None
        self._light = Light.FULL
        self._thread: threading.Thread | None = None
        self._closing = False

    def show(self, picture: Image.Image) -> None:
        """Keep `picture` as the next to send; never blocks on the bus."""
        with self._wake:
            self._newest = picture
            self._wake.notify()

    def step(self) -> float | None:
        """Send the newest picture if it is not shown yet; return after how many seconds to step again, None: done."""
        with self._wake:
            newest = self._newest
        now_ns = self._clock.now_ns()
        wait_s = self._retry.wait_s(now_ns)
        if newest is None or wait_s:
            return wait_s or None
        try:
            self._bring(newest, now_ns)
        except FAULTS as error:
            self._let_go()
            self._shown = None
            return self._retry.failed(str(error), now_ns)
        self._shown = newest
        self._retry.worked()
        return self._care.look_again_s()

    def start(self) -> None:
        """Send from a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    def close(self, *, leave_on: bool = False) -> None:
        """Send what is left, stop the thread and let go of the device; safe to call twice.

        With `leave_on` the last picture stays on the panel for as long as it has power.
        """
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
            if self._thread.is_alive():
                return
        self._let_go(leave_on)

    def _run(self) -> None:
        while True:
            pause_s = self.step()
            with self._wake:
                done = self._newest is self._shown
                if self._closing and (done or self._retry.failing):
                    return
                if done or self._retry.failing:
                    self._wake.wait(pause_s)

    def _bring(self, picture: Image.Image, now_ns: int) -> None:
        """Let the panel show the picture, as bright and as far right as its age and the hour say."""
        if self._device is None:
            self._device, self._sent, self._light = self._opener(), None, Light.FULL
        pixels = picture.tobytes()
        if self._sent is None or pixels != self._sent[0]:
            self._changed_ns = now_ns
        wanted = pixels, self._care.drift_px(now_ns)
        if wanted != self._sent:
            self._device.display(_moved(picture, wanted[1]).convert(self._device.mode))
            self._sent = wanted
        self._set_light(self._device, self._care.light((now_ns - self._changed_ns) / 1e9))

    def _set_light(self, device: Device, light: Light) -> None:
        if light is not self._light and isinstance(device, Panel):
            device.light(light)
            self._light = light

    def _let_go(self, leave_on: bool = False) -> None:
        device, self._device = self._device, None
        if device is not None:
            _persist(device, leave_on)
            try:
                device.cleanup()
            except FAULTS:  # it is gone already, or the pins are
                return


def _persist(device: Device, persist: bool) -> None:
    if isinstance(device, Panel):
        device.persist = persist


def _moved(picture: Image.Image, right_px: int) -> Image.Image:
    if not right_px:
        return picture
    moved = Image.new(picture.mode, picture.size, 0)
    moved.paste(picture, (right_px, 0))
    return moved
