"""Judge a recording again, from its pictures alone, and decide its inputs again: both must come out as they did."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pi_app.core.effects import AskCamera
from pi_app.core.errors import UserError
from pi_app.core.events import VerdictGiven
from pi_app.core.names import Task
from pi_app.core.observations import Frame
from pi_app.judging.sight import table_sight
from pi_app.judging.worker import TableReader
from pi_app.play.eyes import Eyes
from pi_app.play.orders import PacedRecogniser, read_orders
from pi_app.play.pictures import STREAM, jpeg_of, read_pictures
from pi_app.play.recording import KIT, TABLE, Recording, camera_toml
from pi_app.play.seen import Seen, read_seen
from pi_app.session.voila.sessions import check_decisions, read_session
from pi_app.session.voila.state import State

AFTER_NS = 500_000_000
STILL, TIMES = "still.jpg", "times.csv"
KINDS = {Task.THROW: "throw", Task.TUNNEL: "tunnel", Task.JUGGLER: "juggler"}
"""Kinds of cases by task; any other task is a structure that has to stand."""


@dataclass(frozen=True)
class Replay:
    """What was seen then and now, in order, and the state the journal's inputs lead to."""

    then: tuple[Seen, ...]
    now: tuple[Seen, ...]
    state: State

    @property
    def same(self) -> bool:
        """Return whether every verdict and every reading came out as it did."""
        return self.then == self.now


def replay(recording: Recording, seen: Callable[[], None] = lambda: None) -> Replay:
    """Judge the pictures and decide the inputs again; UserError where the recording is broken or decides otherwise.

    `seen` is called after each picture.
    """
    records = read_session(recording.journal)
    state = check_decisions(recording.journal, records)
    return Replay(tuple(read_seen(recording.folder)), tuple(_judged_again(recording, seen)), state)


def _judged_again(recording: Recording, seen: Callable[[], None]) -> list[Seen]:
    orders = read_orders(recording.folder)
    reader = TableReader(recording.camera, recording.table, recording.kit, recording.art)
    recogniser = PacedRecogniser(reader, orders)
    sight = table_sight(recording.table, recording.kit, recording.camera, recogniser)
    found: list[Seen] = []
    eyes = Eyes(
        sight,
        recording.kit,
        recording.mode,
        lambda sensed: found.append(sensed) if isinstance(sensed, Seen) else None,
        lambda _: None,
    )
    for frame in read_pictures(recording.folder):
        recogniser.frame = frame.number
        for order in orders.by_frame.get(frame.number, ()):
            eyes.carry_out(order)
        eyes.see(frame)
        seen()
    return found


def verdicts(recording: Recording) -> list[VerdictGiven]:
    """Return the recorded verdicts in order; number 1 is the first."""
    return [seen for seen in read_seen(recording.folder) if isinstance(seen, VerdictGiven)]


def save_case(recording: Recording, number: int, out: Path) -> Path:
    """Write the pictures from the question to verdict `number` as a case of their own; `out` must not exist yet."""
    known = verdicts(recording)
    if not 1 <= number <= len(known):
        raise UserError(f"verdict {number}: the recording has verdicts 1 to {len(known)}" if known else "no verdicts")
    if out.exists():
        raise UserError(f"{out}: exists already, wanted a new folder")
    given = known[number - 1]
    frames = read_pictures(recording.folder, given.asked_ns, given.at_ns + AFTER_NS)
    draft = out.with_name(f".{out.name}-draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    pictures = _write_still(draft, frames, given) if given.task is Task.JUGGLER else _write_pictures(draft, frames)
    (draft / "case.toml").write_text(_case_toml(recording, given, out.name, pictures))
    shutil.copytree(recording.folder / KIT, draft / "kits" / "own")
    shutil.copyfile(recording.folder / TABLE, draft / "table.toml")
    draft.rename(out)
    return out


def _write_still(folder: Path, frames: Iterator[Frame], given: VerdictGiven) -> list[str]:
    """Write the picture that the verdict rests on; return the lines of case.toml that name it."""
    seen_ns = given.verdict.confirmed_at_ns or given.at_ns
    last = max((frame for frame in frames if frame.sensor_ns <= seen_ns), key=lambda frame: frame.sensor_ns)
    (folder / STILL).write_bytes(jpeg_of(last, 100))
    return [f'images = ["{STILL}"]']


def _write_pictures(folder: Path, frames: Iterator[Frame]) -> list[str]:
    """Write every picture; return the lines of case.toml that name them."""
    with (folder / STREAM).open("wb") as stream, (folder / TIMES).open("w") as times:
        times.write("frame,sensor_ns\n")
        for count, frame in enumerate(frames):
            stream.write(jpeg_of(frame, 100))
            times.write(f"{count},{frame.sensor_ns}\n")
    return [f'video = "{STREAM}"', f'times = "{TIMES}"']


def _case_toml(recording: Recording, given: VerdictGiven, name: str, pictures: list[str]) -> str:
    orders = read_orders(recording.folder).by_frame.values()
    asked = next(
        order for before in orders for order in before if isinstance(order, AskCamera) and order.at_ns == given.asked_ns
    )
    lines = [
        f'id = "{name}"',
        'kit = "own"',
        'game = "voila"',
        f'kind = "{KINDS.get(given.task, "stand")}"',
        f'mode = "{recording.mode}"',
        'seat_view = "behind"',
        f'task = "{given.task}"',
        f'card = "{asked.card}"',
        *([f'figure = "{asked.figure}"'] if asked.figure else []),
        *pictures,
    ]
    return "\n".join(lines) + "\n\n" + camera_toml(recording.camera)
