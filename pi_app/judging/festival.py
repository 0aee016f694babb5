"""One player's board over time: readings of its tray become placements, or questions where they cannot."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import assert_never

from pi_app.core.errors import UserError
from pi_app.judging.answer import Answer
from pi_app.judging.case import Case
from pi_app.kit.festival import CELLS
from pi_app.vision.tray import TraySight, find_trays
from pi_app.vision.tray_reading import CellReading, Look, TrayReading, read_tray, turned_deg

SURE = 0.6
"""Readings of less confidence tell nothing of their cell."""
SAME_MM, SAME_TURN_DEG = 0.8, 6.0
"""A token that lies nearer than this to where it lay, and is turned less, is the same one."""
IN_PLACE_MM = 0.6
"""An equal token placed on one must appear further from it than this, unless a level more would not move it."""
LIFTED_MM = 0.9
LIVE_HOLD_NS = 600_000_000
LIVE_AGREE = 3
LIVE_PATIENCE_NS = 4_000_000_000


class Doubt(StrEnum):
    """What is asked about."""

    UNCLEAR = "unclear"
    TWO_CHANGES = "two_changes"
    REMOVED = "removed"
    MOVED = "moved"
    STEP_UNKNOWN = "step_unknown"


@dataclass(frozen=True, slots=True)
class Placement:
    """A token came onto a cell, 0 to 8, as the `level`-th of its pile.

    `at_ns` is the first picture that showed it, `after_ns` the last one that showed the cell as it was before, `None`
    where there was none.
    """

    player: int
    cell: int
    colour: str
    motif: str
    level: int
    at_ns: int
    after_ns: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Question:
    """Cells to be looked at by people: why, and since when; none for the tray as a whole. `fault` says more."""

    player: int
    cells: tuple[int, ...]
    doubt: Doubt
    at_ns: int
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Layer:
    """A token of a pile and how it was seen when it lay on top; `seen` is `None` where it was told, not seen."""

    colour: str
    motif: str
    seen: CellReading | None = None


class Change(StrEnum):
    """What a clear reading says of a cell against the pile that is known."""

    SAME = "same"
    PLACED = "placed"
    MOVED = "moved"
    REMOVED = "removed"


@dataclass(slots=True)
class _Candidate:
    cell: int
    kind: tuple[str, str]
    first: CellReading
    first_ns: int
    after_ns: int | None
    count: int = 0


@dataclass(eq=False)
class TrayWatch:
    """Takes one tray's readings in order of time; not for several threads.

    A change counts once `agree` readings in a row over at least `hold_ns` show it and nothing else; what stays unclear
    or impossible for `patience_ns` becomes a question, once. Nothing is guessed: an impossible reading leaves the piles
    as they are, and the next possible one goes on from them.
    """

    player: int
    hold_ns: int = LIVE_HOLD_NS
    agree: int = LIVE_AGREE
    patience_ns: int = LIVE_PATIENCE_NS
    _piles: list[tuple[Layer, ...]] = field(default_factory=lambda: [()] * CELLS)
    _clear_ns: list[int | None] = field(default_factory=lambda: [None] * CELLS)
    _candidate: _Candidate | None = None
    _trouble: Question | None = None
    _asked: Question | None = None

    @property
    def levels(self) -> tuple[int, ...]:
        """Return the height of each pile."""
        return tuple(len(pile) for pile in self._piles)

    @property
    def tops(self) -> tuple[tuple[str, str, int] | None, ...]:
        """Return colour, motif and level of each cell's top token."""
        return tuple((pile[-1].colour, pile[-1].motif, len(pile)) if pile else None for pile in self._piles)

    @property
    def asked(self) -> Question | None:
        """Return the question that is still open."""
        return self._asked

    @property
    def trouble(self) -> Question | None:
        """Return what was wrong in the last reading, whether it has been asked about or not."""
        return self._trouble

    def amend(self, cell: int, pile: tuple[tuple[str, str], ...]) -> None:
        """Take from people what lies on a cell, from below; how it lies is taken from the next clear reading."""
        self._piles[cell] = tuple(Layer(colour, motif) for colour, motif in pile)
        self._candidate = self._trouble = self._asked = None

    def see(self, reading: TrayReading, at_ns: int) -> Placement | Question | None:
        """Take a reading of this player's tray; return what is new."""
        if reading.fault is not None:
            self._candidate = None
            return self._trouble_with((), Doubt.UNCLEAR, at_ns, reading.fault)
        changes = {cell.cell: self._change(cell) for cell in reading.cells if _is_clear(cell)}
        unclear = tuple(cell for cell in reading.cells if cell.cell not in changes)
        before = self._clear_ns.copy()
        self._settle(reading, changes, at_ns)
        changed = {cell: change for cell, change in changes.items() if change is not Change.SAME}
        if len(changed) == 1:
            ((cell, change),) = changed.items()
            if change is Change.PLACED:
                self._leave(unclear, at_ns)
            return self._one_change(reading.cells[cell], change, before[cell], at_ns)
        self._candidate = None
        if changed:
            return self._trouble_with(tuple(changed), Doubt.TWO_CHANGES, at_ns)
        if unclear:
            return self._trouble_with(_cells(unclear), Doubt.UNCLEAR, at_ns, _faults(unclear))
        self._trouble = self._asked = None
        return None

    def _leave(self, unclear: tuple[CellReading, ...], at_ns: int) -> None:
        """Keep in mind what is unclear beside a placement; a question about anything else is answered by it."""
        self._trouble = self._since(_cells(unclear), Doubt.UNCLEAR, at_ns, _faults(unclear)) if unclear else None
        if self._asked != self._trouble:
            self._asked = None

    def _settle(self, reading: TrayReading, changes: dict[int, Change], at_ns: int) -> None:
        """Note which cells were clearly as they were, and how their tokens lie now."""
        for cell, change in changes.items():
            if change is Change.SAME:
                self._clear_ns[cell] = at_ns
                pile = self._piles[cell]
                if pile:
                    self._piles[cell] = (*pile[:-1], replace(pile[-1], seen=reading.cells[cell]))

    def _one_change(
        self, cell: CellReading, change: Change, after_ns: int | None, at_ns: int
    ) -> Placement | Question | None:
        match change:
            case Change.PLACED:
                return self._placing(cell, after_ns, at_ns)
            case Change.MOVED:
                doubt = Doubt.MOVED
            case Change.REMOVED:
                doubt = Doubt.REMOVED
            case Change.SAME:
                raise AssertionError("a cell that is the same is no change")
            case _:
                assert_never(change)
        self._candidate = None
        return self._trouble_with((cell.cell,), doubt, at_ns)

    def _placing(self, cell: CellReading, after_ns: int | None, at_ns: int) -> Placement | None:
        kind = (cell.colour, cell.motif)
        candidate = self._candidate
        if candidate is None or (candidate.cell, candidate.kind) != (cell.cell, kind):
            candidate = self._candidate = _Candidate(cell.cell, kind, cell, at_ns, after_ns)
        candidate.count += 1
        if candidate.count < self.agree or at_ns - candidate.first_ns < self.hold_ns:
            return None
        pile = self._piles[cell.cell] = (*self._piles[cell.cell], Layer(*kind, cell))
        self._clear_ns[cell.cell] = at_ns
        self._candidate = None
        return Placement(
            self.player, cell.cell, *kind, len(pile), candidate.first_ns, candidate.after_ns, cell.confidence
        )

    def _change(self, cell: CellReading) -> Change:
        pile = self._piles[cell.cell]
        if cell.look is Look.EMPTY:
            return Change.REMOVED if pile else Change.SAME
        if not pile:
            return Change.PLACED
        top = pile[-1]
        if (top.colour, top.motif) == (cell.colour, cell.motif):
            return _against_equal(cell, top.seen)
        uncovered = any(
            (layer.colour, layer.motif) == (cell.colour, cell.motif) and layer.seen and _same_place(cell, layer.seen)
            for layer in pile[:-1]
        )
        return Change.REMOVED if uncovered else Change.PLACED

    def _trouble_with(self, cells: tuple[int, ...], doubt: Doubt, at_ns: int, fault: str = "") -> Question | None:
        """Remember what is wrong since when; return it as a question once it has lasted."""
        trouble = self._trouble = self._since(cells, doubt, at_ns, fault)
        if at_ns - trouble.at_ns < self.patience_ns or self._asked == trouble:
            return None
        self._asked = trouble
        return trouble

    def _since(self, cells: tuple[int, ...], doubt: Doubt, at_ns: int, fault: str) -> Question:
        """Return a trouble as a question: the one there is where it goes on, or a new one."""
        trouble = self._trouble
        if trouble is not None and (trouble.cells, trouble.doubt) == (cells, doubt):
            return trouble
        return Question(self.player, cells, doubt, at_ns, fault)


def _cells(readings: tuple[CellReading, ...]) -> tuple[int, ...]:
    return tuple(cell.cell for cell in readings)


def _faults(readings: tuple[CellReading, ...]) -> str:
    return ", ".join(sorted({str(cell.fault or "low confidence") for cell in readings}))


def _is_clear(cell: CellReading) -> bool:
    return cell.look is not Look.UNSURE and cell.confidence >= SURE


def _against_equal(cell: CellReading, before: CellReading | None) -> Change:
    """Tell whether the token that shows is the one before, another one of its kind on it, or the one before moved.

    A new one is turned by chance and appears a level higher; one that keeps its turn, or turns about its own place
    though a level would show, was moved by somebody.
    """
    if before is None or _same_place(cell, before):
        return Change.SAME
    moved, turned, lift = _moved_mm(cell, before), turned_deg(cell, before), math.hypot(*cell.lift_mm)
    if turned < SAME_TURN_DEG:
        return Change.MOVED
    return Change.MOVED if moved < IN_PLACE_MM and lift > LIFTED_MM else Change.PLACED


def _same_place(cell: CellReading, before: CellReading) -> bool:
    return _moved_mm(cell, before) < SAME_MM and turned_deg(cell, before) < SAME_TURN_DEG


def _moved_mm(cell: CellReading, before: CellReading) -> float:
    x, y = cell.seen_mm[0] - before.seen_mm[0], cell.seen_mm[1] - before.seen_mm[1]
    return math.hypot(x, y)


def judge_festival(case: Case) -> Answer:
    """Answer what was placed on the player's tray, picture by picture, and what lies on top in the end.

    Unsure, with the cells, where a question stays open or it cannot be told in which picture a token came.
    """
    if case.entry.player is None:
        raise UserError(f"{case.folder / 'case.toml'}: player: missing, wanted 0 to 3, whose tray is judged")
    watch = TrayWatch(case.entry.player, hold_ns=0, agree=1, patience_ns=0)
    placements = list(_placements(case, watch))
    steps = {1_000_000_000 * number: number + 1 for number in range(len(case.entry.images))}
    open_question = watch.trouble or _of_unknown_step(placements)
    if open_question is not None:
        return {
            "outcome": "unsure",
            "reasons": [str(open_question.doubt), *filter(None, [open_question.fault])],
            "cells": list(open_question.cells),
            "step": steps[open_question.at_ns],
        }
    tops = [list(top) if top else None for top in watch.tops]
    return {
        "placements": [
            {"step": steps[p.at_ns], "cell": p.cell, "colour": p.colour, "motif": p.motif} for p in placements
        ],
        "tops": [tops[row : row + 3] for row in (0, 3, 6)],
        "confidence": round(min((p.confidence for p in placements), default=1.0), 2),
    }


def _placements(case: Case, watch: TrayWatch) -> Iterator[Placement]:
    art, known = case.festival_art(), tuple[TraySight, ...]()
    for frame in case.frames():
        known = find_trays(frame.image, case.camera, case.table, (watch.player,), known)
        reading = read_tray(frame.image, known[0], case.table, art, watch.levels)
        news = watch.see(reading, frame.sensor_ns)
        if isinstance(news, Placement):
            yield news


def _of_unknown_step(placements: list[Placement]) -> Question | None:
    """Return what to ask where a cell was not to be seen in the picture before a token showed on it."""
    for placement in placements:
        before_ns = placement.at_ns - 1_000_000_000
        if before_ns >= 0 and placement.after_ns != before_ns:
            return Question(placement.player, (placement.cell,), Doubt.STEP_UNKNOWN, placement.at_ns)
    return None
