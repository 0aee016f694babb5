"""What the service manager is told: ready, how it goes, alive, stopping (sd_notify(3)); elsewhere nobody is told."""

import logging
import os
import socket
from collections.abc import Mapping

LONGEST_STATUS = 200
OFTEN = 4
"""Signs of life in one period of the watchdog."""

_log = logging.getLogger(__name__)


class Notifier:
    """Sends datagrams to the socket named by `address` (@ begins an abstract name), None: to nobody; never raises.

    `watchdog_ns` is the period in which the manager wants a sign of life, None: it wants none.
    """

    def __init__(self, address: str | None = None, watchdog_ns: int | None = None) -> None:
        self._watchdog_ns = watchdog_ns
        self._alive_ns: int | None = None
        self._status = ""
        self._failed = False
        self._address = "\0" + address[1:] if address and address[0] == "@" else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        if self._socket is not None:
            self._socket.setblocking(False)

    def ready(self) -> None:
        """Say that the device can be played at."""
        self._send("READY=1")

    def status(self, text: str) -> None:
        """Say in one line how it goes, where that is news."""
        line = " ".join(text.split())[:LONGEST_STATUS]
        if line != self._status and self._send(f"STATUS={line}"):
            self._status = line

    def alive(self, now_ns: int) -> None:
        """Give the watchdog a sign of life where it is time for one."""
        if self._watchdog_ns is None:
            return
        if self._alive_ns is None or now_ns - self._alive_ns >= self._watchdog_ns // OFTEN:
            self._alive_ns = now_ns
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the device is about to end."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Let go of the socket; safe to call twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str) -> bool:
        """Return whether it was heard, or nobody is there to hear it."""
        if self._socket is None or self._address is None:
            return True
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError as error:
            if not self._failed:
                _log.warning("service manager: %s is not heard: %s", message, error)
            self._failed = True
            return False
        self._failed = False
        return True


def open_notifier(environment: Mapping[str, str] = os.environ, pid: int | None = None) -> Notifier:
    """Return what tells the manager that started this process, as its environment says."""
    address = environment.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return Notifier()
    for_us = environment.get("WATCHDOG_PID", str(pid or os.getpid())) == str(pid or os.getpid())
    period_us = environment.get("WATCHDOG_USEC", "")
    watched = for_us and period_us.isascii() and period_us.isdigit() and 0 < int(period_us) < 1 << 63
    return Notifier(address, int(period_us) * 1000 if watched else None)
