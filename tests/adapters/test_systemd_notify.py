"""What the service manager hears, on a real datagram socket."""

import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from pi_app.adapters.systemd_notify import Notifier, open_notifier


class Manager:
    """The socket of a service manager."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        """Return what arrived since the last call."""
        found = []
        while True:
            try:
                found.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return found

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify") if request.param == "path" else f"@umpire-test-{uuid4()}")
    yield made
    made.close()


def test_everything_arrives_and_a_status_only_as_news(manager: Manager) -> None:
    notifier = open_notifier({"NOTIFY_SOCKET": manager.address})
    notifier.status("joining,\nREADY=1 " + "x" * 1000)
    notifier.status("joining,\nREADY=1 " + "x" * 1000)
    notifier.ready()
    notifier.alive(0)
    notifier.stopping()
    notifier.close()
    notifier.close()
    notifier.ready()
    status, *rest = manager.heard()
    assert status.startswith("STATUS=joining, READY=1 x")
    assert (status.count("\n"), len(status) <= 210) == (0, True)
    assert rest == ["READY=1", "STOPPING=1"], "no watchdog was asked for"


def test_signs_of_life_come_four_times_a_period(manager: Manager) -> None:
    notifier = open_notifier({"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 7)
    for second in range(41):
        notifier.alive(10**12 + second * 10**9)
    assert manager.heard() == ["WATCHDOG=1"] * 9
    notifier.close()


@pytest.mark.parametrize(
    "watchdog",
    [
        {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "-5"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "9" * 40},
    ],
)
def test_a_watchdog_of_another_process_or_none_is_not_fed(manager: Manager, watchdog: dict[str, str]) -> None:
    notifier = open_notifier({"NOTIFY_SOCKET": manager.address, **watchdog}, 7)
    notifier.alive(10**12)
    assert manager.heard() == []
    notifier.close()


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "nowhere"}])
def test_without_a_manager_nobody_is_told(environment: dict[str, str]) -> None:
    notifier = open_notifier(environment)
    notifier.ready()
    notifier.alive(0)
    notifier.close()


def test_a_manager_that_went_away_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    notifier = Notifier(str(tmp_path / "gone"), 1)
    with caplog.at_level(logging.WARNING):
        notifier.ready()
        notifier.alive(10)
    assert len(caplog.records) == 1
    assert "READY=1 is not heard" in caplog.text
    notifier.close()


def test_a_status_that_was_not_heard_is_told_again(tmp_path: Path) -> None:
    notifier = Notifier(str(tmp_path / "notify"))
    notifier.status("joining")
    manager = Manager(str(tmp_path / "notify"))
    notifier.status("joining")
    notifier.status("joining")
    assert manager.heard() == ["STATUS=joining"]
    manager.close()
    notifier.close()
