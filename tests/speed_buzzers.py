"""Measure how long a buzzer's edge takes to a claim decided, and on disk, while vision takes all of two cores.

    python tests/speed_buzzers.py [ROUNDS]

The threads are those of a live game: gpiozero's edges (mock pins, stamped when the contact moves), the senses, the
session with its journal on disk. Beside them two threads look for markers and read a structure without a pause.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from gpiozero.pins.mock import MockFactory

from pi_app.adapters.buttons_gpio import GpioButtons
from pi_app.core.clock import SystemClock
from pi_app.core.effects import Effect, PlaySound, Sound
from pi_app.core.events import Pressed
from pi_app.core.names import Task
from pi_app.games.voila import CardKind, Settings
from pi_app.kit.draw_mat import draw_mat
from pi_app.kit.load import load_table
from pi_app.play.live import quick_turns
from pi_app.play.senses import Senses
from pi_app.session.voila.commands import parse_command
from pi_app.session.voila.sessions import VoilaRunner, read_session, start_session
from pi_app.session.voila.view import Phase
from pi_app.sim.devices import PRESS_BOUNCE_MS
from pi_app.vision.pose import detector
from pi_app.wiring import OWN_TABLE

ROUNDS = 300
JOURNAL = "a.db"
PINS = (5, 6, 13, 19)
FINDS_A_TURN = 8
PATIENCE_S = 10.0
DECK = (CardKind("find-cat", Task.FIND, 1, 45, object="cat"),)


class Table:
    """Four players at a session that runs on its threads; `decided_ns` is when the last claim was on disk."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.factory = SystemClock(), MockFactory()
        self.runner: VoilaRunner = start_session(folder / JOURNAL, self.clock, DECK, settings=Settings(turns_each=20))
        self.buttons = GpioButtons(PINS, self.factory, self.clock)
        self.senses = Senses(self.runner.post, self.runner.sensed_until, (self.buttons,))
        self.edge_ns = self.decided_ns = 0
        self.decided = threading.Event()
        self.changed = threading.Condition()
        self.over = threading.Event()
        self.runner.on_effect(self._heard)
        self.runner.on_change(self._changed)
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.runner.run, self._feel)]
        for thread in self.threads:
            thread.start()

    def close(self) -> None:
        self.over.set()
        self.runner.stop()
        for thread in self.threads:
            thread.join(PATIENCE_S)
        self.runner.close()
        self.buttons.close()

    def claimed_ns(self, button: int) -> int:
        """Press, and return when the claim was on disk."""
        self.decided.clear()
        self.press(button)
        assert self.decided.wait(PATIENCE_S), self.runner.view()
        return self.decided_ns

    def press(self, button: int) -> None:
        """Press with bounces; `edge_ns` is the time of the first edge."""
        pin = self.factory.pin(PINS[button - 1])
        self.edge_ns, begun_s = self.clock.now_ns(), time.monotonic()
        for after_ms, down in PRESS_BOUNCE_MS:
            time.sleep(max(0.0, begun_s + after_ms / 1e3 - time.monotonic()))
            (pin.drive_low if down else pin.drive_high)()

    def lift(self, button: int) -> None:
        self.factory.pin(PINS[button - 1]).drive_high()
        time.sleep(0.04)

    def say(self, *commands: str) -> None:
        for command in commands:
            self.runner.command(parse_command(command))

    def until(self, phase: Phase) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.runner.view().phase is phase, PATIENCE_S), self.runner.view()

    def active(self) -> int:
        return next(seat.button for seat in self.runner.view().seats if seat.active)

    def _feel(self) -> None:
        while not self.over.is_set():
            self.senses.wait()
            self.senses.poll(self.clock.now_ns())

    def _heard(self, effect: Effect) -> None:
        if effect == PlaySound(Sound.CLAIM):
            self.decided_ns = self.clock.now_ns()
            self.decided.set()

    def _changed(self) -> None:
        with self.changed:
            self.changed.notify_all()


def measured(rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds from edge to decision, and to the record on disk, of so many claims, in order of size."""
    with tempfile.TemporaryDirectory() as folder, quick_turns(), vision_at_work():
        table = Table(Path(folder))
        for button in range(1, 5):
            table.say(f"press {button}")
        table.say("start")
        table.until(Phase.READY)
        try:
            on_disk = [took for turn in range(-(-rounds // FINDS_A_TURN)) for took in _turn(table, turn)]
        finally:
            table.close()
        return sorted(_decided_ms(Path(folder) / JOURNAL)), sorted(on_disk)


def _decided_ms(journal: Path) -> list[float]:
    """Return what the journal says: a record is stamped when its input was decided, before it is written."""
    records = read_session(journal)
    return [(one.at_ns - one.input.at_ns) / 1e6 for one in records if isinstance(one.input, Pressed)]


def _turn(table: Table, turn: int) -> Iterator[float]:
    table.say(f"press {table.active()}")
    table.until(Phase.RUNNING)
    for card in range(FINDS_A_TURN):
        table.say("stone red", "card find-cat")
        table.until(Phase.CLAIM)
        button = (turn + card) % 4 + 1
        yield (table.claimed_ns(button) - table.edge_ns) / 1e6
        table.lift(button)
        table.say("finder nobody")
        table.until(Phase.RUNNING)
    table.say("voila")
    table.until(Phase.READY)


@contextmanager
def vision_at_work() -> Iterator[None]:
    """Keep two threads at the device's own kind of work until the end."""
    mat = cv2.resize(draw_mat(load_table(OWN_TABLE), 2), (1280, 720)).astype(np.uint8)
    over = threading.Event()

    def work() -> None:
        detect = detector(load_table(OWN_TABLE).markers.family)
        for _ in count():
            if over.is_set():
                return
            detect.detectMarkers(mat)
            small = cv2.resize(mat, (320, 180)).astype(np.float32)
            sum(float(row.mean()) for row in small)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE_S)


def share_ms(took_ms: list[float], share: float) -> float:
    """Return what that share of sorted times stays under."""
    return took_ms[max(0, round(share * len(took_ms)) - 1)]


def print_buzzers() -> None:
    """Print the two figures as lines of `make speed`."""
    decided, _ = measured(ROUNDS)
    print(f"{'buzzer edge to claim decision, 99 % of them, ms':62} {share_ms(decided, 0.99):>8.1f}   under 5")
    print(f"{'buzzer edge to claim decision, all, ms':62} {decided[-1]:>8.1f}   under 20")


if __name__ == "__main__":
    decided_ms, disk_ms = measured(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
    for part in (0.5, 0.9, 0.99, 1.0):
        print(
            f"{part:4.0%} decided in {share_ms(decided_ms, part):.2f} ms, on disk in {share_ms(disk_ms, part):.2f} ms"
        )
