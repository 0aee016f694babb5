"""What a recording notes beside its pictures: before which frame a question was asked, and the recogniser's pace.

A line of JSON each: {"frame": 12, "what": "ask", "task": "tower", "card": "tower", "figure": null, "at_ns": 5} or
"drop", {"frame": 12, "what": "offered"} where the recogniser took that frame, {"frame": 14, "what": "found"} where its
answer was taken. With them a replay is exact although the recogniser ran on a thread of its own.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

from pi_app.core.effects import AskCamera, DropQuestion
from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.judging.worker import Found, Job, Read, Recogniser
from pi_app.play.eyes import Order

FILE = "orders.jsonl"


class OrderWriter:
    """Appends notes to a recording's folder."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / FILE).open("w", encoding="utf-8")

    def order(self, frame: int, order: Order) -> None:
        """Note an order that was carried out before a frame."""
        match order:
            case AskCamera(task, card, figure, at_ns):
                self.note(frame, "ask", task=task, card=card, figure=figure, at_ns=at_ns)
            case DropQuestion():
                self.note(frame, "drop")
            case _:
                assert_never(order)

    def note(self, frame: int, what: str, **values: str | int | None) -> None:
        """Note anything."""
        self._file.write(json.dumps({"frame": frame, "what": what, **values}) + "\n")

    def close(self) -> None:
        """Finish the file; safe to call twice."""
        self._file.close()


@dataclass(frozen=True)
class Orders:
    """A recording's notes by frame number; `offered` in order, `found` are the frames at which answers were taken."""

    by_frame: dict[int, list[Order]] = field(default_factory=dict)
    offered: set[int] = field(default_factory=set)
    found: list[int] = field(default_factory=list)


def read_orders(folder: Path) -> Orders:
    """Return a recording's notes; UserError names the line that is none."""
    path, orders = folder / FILE, Orders()
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(lines, start=1):
        try:
            _take(orders, json.loads(line))
        except (ValueError, KeyError, TypeError):
            raise UserError(f"{path}: line {number}: got {line[:60]!r}, wanted a note of a recording") from None
    return orders


def _take(orders: Orders, note: dict[str, str | int | None]) -> None:
    frame = int(note["frame"] or 0)
    match note["what"]:
        case "ask":
            figure = note["figure"]
            asked = AskCamera(
                Task(str(note["task"])),
                str(note["card"]),
                None if figure is None else str(figure),
                int(note["at_ns"] or 0),
            )
            orders.by_frame.setdefault(frame, []).append(asked)
        case "drop":
            orders.by_frame.setdefault(frame, []).append(DropQuestion())
        case "offered":
            orders.offered.add(frame)
        case "found":
            orders.found.append(frame)
        case other:
            raise ValueError(other)


class NotingRecogniser:
    """A recogniser whose pace is noted: which frames it took, and at which frames its answers were taken."""

    def __init__(self, recogniser: Recogniser, writer: OrderWriter) -> None:
        self._recogniser, self._writer = recogniser, writer
        self.frame = 0

    def offer(self, job: Job) -> bool:
        """Hand over a job."""
        taken = self._recogniser.offer(job)
        if taken:
            self._writer.note(job.frame.number, "offered")
        return taken

    def found(self) -> list[Found]:
        """Return what was found since the last call."""
        found = self._recogniser.found()
        for _ in found:
            self._writer.note(self.frame, "found")
        return found

    def close(self) -> None:
        """Stop; safe to call twice."""
        self._recogniser.close()


class PacedRecogniser:
    """Reads at once, but takes and gives back at the frames at which a recording did."""

    def __init__(self, read: Read, orders: Orders) -> None:
        self._read, self._orders = read, orders
        self._due = list(orders.found)
        self._waiting: list[Found] = []
        self.frame = 0

    def offer(self, job: Job) -> bool:
        """Read the job now, where the recording's recogniser took it."""
        if job.frame.number not in self._orders.offered:
            return False
        self._waiting.append(self._read(job))
        return True

    def found(self) -> list[Found]:
        """Return what the recording's recogniser gave back by this frame."""
        ready: list[Found] = []
        while self._waiting and self._due and self._due[0] <= self.frame:
            self._due.pop(0)
            ready.append(self._waiting.pop(0))
        return ready

    def close(self) -> None:
        """Nothing to stop."""
