"""`umpire run`: the device as a service, its journal, its watchdog, and its end in order."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL import Image

from pi_app.adapters.camera_thread import CameraThread
from pi_app.adapters.systemd_notify import Notifier
from pi_app.config import Config
from pi_app.core.clock import SystemClock
from pi_app.core.device import ButtonParts, DeviceParts, SoundKind, SoundPart
from pi_app.core.effects import Effect, PlaySound
from pi_app.core.errors import UserError
from pi_app.core.names import Mode
from pi_app.play.run_command import journal_to_play, run_device, status_of, tell
from pi_app.session.commands import Press
from pi_app.session.voila.sessions import read_session
from pi_app.ui.screens import goodbye
from pi_app.wiring import Set, open_set, session_at
from pi_app.wiring_live import live_game
from tests.ui.views import VIEWS

PATIENCE_S = 30.0
LEAVES_WITHIN_S = 5.0
ALIVE_MS = 40
SETTINGS = """
[device.camera]
device = 99
[device.display]
on = true
drift_every_s = 0.0
arguments = ["--display", "capture", "--transform", "none", "--scale", "1"]
"""


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(PATIENCE_S)
        yield heard


@pytest.fixture(scope="module")
def lying() -> Set:
    return open_set(None, None, Mode.BADGE)


def started(tmp_path: Path) -> "subprocess.Popen[str]":
    (tmp_path / "umpire.toml").write_text(SETTINGS)
    environment = {
        **os.environ,
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "WATCHDOG_USEC": str(ALIVE_MS * 4 * 1000),
        "SDL_VIDEODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    }
    command = [sys.executable, "-m", "pi_app", "run", "--config", "umpire.toml", "--journals", "games"]
    return subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, stderr=subprocess.PIPE)


def heard_until(manager: socket.socket, *wanted: str) -> list[str]:
    """Return what the manager hears until each of these has begun a message."""
    heard: list[str] = []
    while not all(any(message.startswith(one) for message in heard) for one in wanted):
        heard.append(manager.recv(4096).decode())
    return heard


def heard_so_far(manager: socket.socket) -> None:
    """Forget what has arrived."""
    manager.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            manager.recv(4096)


def test_a_service_is_ready_alive_and_ends_in_order(tmp_path: Path, manager: socket.socket) -> None:
    with started(tmp_path) as service:
        try:
            heard = heard_until(manager, "READY=1", "WATCHDOG=1", "STATUS=joining, 0 players; camera: camera 99")
            told_s = time.monotonic()
            service.send_signal(signal.SIGTERM)
            assert service.wait(PATIENCE_S) == 0
            assert time.monotonic() - told_s < LEAVES_WITHIN_S
        finally:
            service.kill()
        assert service.stderr is not None
        log = service.stderr.read()
    assert "Traceback" not in log
    assert "STOPPING=1" in heard_until(manager, "STOPPING=1")
    assert heard.count("READY=1") == 1
    (journal,) = (tmp_path / "games").glob("voila-*")
    assert read_session(journal), "the journal was closed: no -wal beside it"
    last = max(tmp_path.glob("luma_*.png"))
    assert Image.open(last).convert("1").tobytes() == goodbye().tobytes()


def test_settings_that_cannot_be_met_are_refused_before_a_game_begins(tmp_path: Path) -> None:
    config = tmp_path / "umpire.toml"
    config.write_text('[device.game]\nname = "chess"\n')
    with pytest.raises(UserError, match=r"device\.game\.name.*'chess'"):
        run_device(config, tmp_path)
    config.write_text('[device.game]\nkit = "nowhere"\n')
    with pytest.raises(UserError, match="nowhere"):
        run_device(config, tmp_path)
    assert list(tmp_path.iterdir()) == [config]


def test_the_last_game_goes_on_unless_it_is_broken(
    tmp_path: Path, lying: Set, caplog: pytest.LogCaptureFixture
) -> None:
    first = journal_to_play(lying, tmp_path)
    with closing(session_at(first, SystemClock(), lying)) as runner:
        runner.command(Press(1))
        runner.step()
    assert journal_to_play(lying, tmp_path) == first
    newer = tmp_path / "voila-99991231-235959.db"
    newer.write_bytes(b"no journal")
    assert journal_to_play(lying, tmp_path) not in (first, newer)
    assert str(newer) in caplog.text
    (tmp_path / "vowl-99991231-235959.db").write_bytes(b"another game's")
    newer.unlink()
    assert journal_to_play(lying, tmp_path) == first


def test_the_status_tells_what_goes_on_and_what_is_wrong() -> None:
    assert status_of(VIEWS["faults"]).startswith("paused, 3 players")
    for part, fault in VIEWS["faults"].faults:
        assert f"; {part}: {fault}" in status_of(VIEWS["faults"])
    running = VIEWS["running-digits"]
    assert running.turn is not None
    assert f", turn {running.turn.number} of {running.turn.turns}" in status_of(running)


def silent_camera() -> CameraThread:
    def refuse() -> "CameraThread":
        raise UserError("no camera here")

    return CameraThread(refuse)  # type: ignore[arg-type]


def test_a_session_that_stands_starves_the_watchdog(tmp_path: Path, lying: Set, manager: socket.socket) -> None:
    stands, goes_on = threading.Event(), threading.Event()

    def stand(effect: Effect) -> None:
        if isinstance(effect, PlaySound):
            stands.set()
            goes_on.wait(PATIENCE_S)

    with ExitStack() as stack:
        game = live_game(lying, None, silent_camera(), tmp_path / "voila-1.db", stack)
        notifier = Notifier(str(tmp_path / "notify"), ALIVE_MS * 4 * 1_000_000)
        stack.callback(notifier.close)
        tell(game, notifier)
        game.runner.on_effect(stand)
        left = threading.Event()
        serving = threading.Thread(target=game.serve, args=(notifier.ready, left.set), daemon=True)
        serving.start()
        heard_until(manager, "READY=1", "WATCHDOG=1")
        game.runner.command(Press(1))
        assert stands.wait(PATIENCE_S)
        heard_so_far(manager)
        manager.settimeout(ALIVE_MS * 10 / 1000)
        with pytest.raises(TimeoutError):
            manager.recv(4096)
        goes_on.set()
        manager.settimeout(PATIENCE_S)
        heard_until(manager, "WATCHDOG=1", "STATUS=joining, 1 players")
        game.leave()
        serving.join(PATIENCE_S)
        assert left.is_set()


def test_presses_sound_and_the_device_is_silent_when_it_is_left(tmp_path: Path, lying: Set) -> None:
    piezo = 18
    device = DeviceParts(ButtonParts((5, 6)), sound=SoundPart(SoundKind.PIEZO, piezo))
    pins = MockFactory(pin_class=MockPWMPin)
    with ExitStack() as stack:
        stack.callback(pins.close)
        table = replace(lying, config=Config(device=device))
        game = live_game(table, None, silent_camera(), tmp_path / "voila-1.db", stack, pins)
        joined = threading.Event()
        game.runner.on_change(lambda: joined.set() if game.runner.view().seats else None)
        pin = pins.pin(piezo)

        def ready() -> None:
            pins.pin(5).drive_low()
            assert joined.wait(PATIENCE_S)
            while not pin.state:
                os.sched_yield()
            raise SystemExit(0)

        with pytest.raises(SystemExit):
            game.serve(ready, lambda: None)
        assert pin.state == 0
