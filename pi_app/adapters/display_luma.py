"""The OLED by luma: one owner, only the newest picture, and a display that comes and goes (OLED-1, OLED-2)."""

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from luma.core.error import Error as LumaError
from PIL.Image import Image

from pi_app.core.ports import Clock

RETRY_FIRST_NS = 250_000_000
RETRY_LAST_NS = 2_000_000_000
"""An absent display is tried again after a quarter of a second, then at twice the pause, at most two seconds."""

_log = logging.getLogger(__name__)


class Device(Protocol):
    """What is used of luma.core.device.device."""

    mode: str

    def display(self, image: Image) -> None:
        """Send one picture of the device's mode and size."""

    def cleanup(self) -> None:
        """Switch the panel off and let go of the bus."""


Opener = Callable[[], Device]
Report = Callable[[str | None], None]


class LumaScreen:
    """A ScreenSink over one luma device; `opener` makes the device and is called again after a fault.

    `show` only keeps the picture; `step` sends it and is called by one thread alone, either the caller's or the one
    `start` makes. `report` hears of a fault once, and of its end as None.
    """

    def __init__(self, opener: Opener, clock: Clock, report: Report | None = None) -> None:
        self._opener = opener
        self._clock = clock
        self._report = report
        self._wake = threading.Condition()
        self._newest: Image | None = None
        self._shown: Image | None = None
        self._device: Device | None = None
        self._fault: str | None = None
        self._pause_ns = RETRY_FIRST_NS
        self._retry_ns: int | None = None
        self._thread: threading.Thread | None = None
        self._closing = False

    def show(self, picture: Image) -> None:
        """Keep `picture` as the next to send; never blocks on the bus."""
        with self._wake:
            self._newest = picture
            self._wake.notify()

    def step(self) -> float | None:
        """Send the newest picture if it is not shown yet; return after how many seconds to try again, None: done."""
        with self._wake:
            newest = self._newest
        now_ns = self._clock.now_ns()
        if newest is None or newest is self._shown:
            return None
        if self._retry_ns is not None and now_ns < self._retry_ns:
            return (self._retry_ns - now_ns) / 1e9
        try:
            self._send(newest)
        except (OSError, LumaError) as error:
            return self._failed(str(error), now_ns)
        return None

    def start(self) -> None:
        """Send from a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send what is left, stop the thread and let go of the device; safe to call twice."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
        self._let_go()

    def _run(self) -> None:
        while True:
            pause_s = self.step()
            with self._wake:
                done = self._newest is self._shown
                if self._closing and (done or pause_s is not None):
                    return
                if done or pause_s is not None:
                    self._wake.wait(pause_s)

    def _send(self, picture: Image) -> None:
        if self._device is None:
            self._device = self._opener()
        self._device.display(picture.convert(self._device.mode))
        self._shown = picture
        self._retry_ns, self._pause_ns = None, RETRY_FIRST_NS
        if self._fault is not None:
            self._fault = None
            _log.info("display: works again")
            self._tell(None)

    def _failed(self, fault: str, now_ns: int) -> float:
        self._let_go()
        self._shown = None
        pause_ns, self._pause_ns = self._pause_ns, min(2 * self._pause_ns, RETRY_LAST_NS)
        self._retry_ns = now_ns + pause_ns
        if self._fault is None:
            self._fault = fault
            _log.warning("display: %s; the game goes on without it", fault)
            self._tell(fault)
        return pause_ns / 1e9

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            try:
                device.cleanup()
            except OSError:
                _log.debug("display: could not be switched off")

    def _tell(self, fault: str | None) -> None:
        if self._report is not None:
            self._report(fault)
