"""What `umpire run` does: the device without a terminal, started by a service manager or by hand."""

import logging
import os
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn

from pi_app.adapters.systemd_notify import Notifier, open_notifier
from pi_app.config import load_config
from pi_app.core.device import GamePart
from pi_app.core.errors import UserError
from pi_app.core.names import Mode
from pi_app.play.live import LiveGame
from pi_app.session.voila.sessions import read_session, state_of
from pi_app.session.voila.state import State, phase_of
from pi_app.session.voila.view import Phase, PublicView
from pi_app.wiring import Set, new_journal, open_set
from pi_app.wiring_live import live_game
from pi_app.wiring_parts import known_lens, open_camera

_log = logging.getLogger(__name__)


def run_device(config: Path | None, journals: Path | None = None) -> NoReturn:
    """Referee until SIGTERM; then fall silent, save, say goodbye and end with status 0.

    UserError where the settings cannot be met or the journal cannot be written.
    """
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with suppress(SystemExit):
        _referee(config, journals)
    _end()


def _referee(config: Path | None, journals: Path | None) -> None:
    part = load_config(config).device.game
    folder = config.parent if config else Path()
    lying = open_set(_path(folder, part.kit), _path(folder, part.table), _mode(part), config)
    known = known_lens(lying.config.device.camera, _path(folder, part.lens))
    with ExitStack() as stack:
        notifier = open_notifier()
        stack.callback(notifier.close)
        camera = open_camera(lying.config.device.camera)
        stack.callback(camera.close)
        journal = journal_to_play(lying, journals)
        game = live_game(lying, known.camera if known else None, camera, journal, stack)
        for line in (f"journal: {journal}", f"lens: {known.source if known else 'solved from the mat'}", *game.running):
            _log.info("%s", line)
        tell(game, notifier)
        game.serve(notifier.ready, lambda: _leave(notifier))


def _end() -> NoReturn:
    """End the process at once: all is saved and let go of.

    A camera's or a recogniser's thread that is still inside OpenCV, as the interpreter is taken down, aborts it.
    """
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


def tell(game: LiveGame[State, PublicView], notifier: Notifier) -> None:
    """Let the session's own loop feed the watchdog, so that a session that stands starves it; and say how it goes."""
    game.runner.on_step(lambda: notifier.alive(game.clock.now_ns()))
    game.runner.on_change(lambda: notifier.status(status_of(game.runner.view())))
    notifier.status(status_of(game.runner.view()))


def status_of(view: PublicView) -> str:
    """Return in one line what goes on, for whoever looks after the service."""
    turn = f", turn {view.turn.number} of {view.turn.turns}" if view.turn else ""
    faults = "".join(f"; {part}: {fault}" for part, fault in view.faults)
    return f"{view.phase}, {len(view.seats)} players{turn}{faults}"


def journal_to_play(lying: Set, folder: Path | None = None) -> Path:
    """Return the journal of the last game unless it is over or cannot be gone on with, else the name of a new one."""
    new = new_journal(lying.config.device.game.name)
    folder = folder or new.parent
    kept = sorted(folder.glob(f"{lying.config.device.game.name}-*.db"), key=lambda path: path.stem)
    return kept[-1] if kept and _goes_on(kept[-1]) else _unused(folder / new.name)


def _goes_on(journal: Path) -> bool:
    try:
        return phase_of(state_of(journal, read_session(journal))) is not Phase.OVER
    except UserError as error:
        _log.warning("%s; a new game begins", error)
        return False


def _unused(journal: Path) -> Path:
    """Return this name, or one with a number where it is taken: two games may begin within a second."""
    tried, number = journal, 1
    while tried.exists():
        number += 1
        tried = journal.with_name(f"{journal.stem}-{number}.db")
    return tried


def _leave(notifier: Notifier) -> None:
    """Say so; whoever asks again from now on is not heard: the end is on its way."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    notifier.stopping()


def _mode(part: GamePart) -> Mode:
    return Mode.STOCK if part.stock else Mode.BADGE


def _path(folder: Path, given: str) -> Path | None:
    return folder / given if given else None
