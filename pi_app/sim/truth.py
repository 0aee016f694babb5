"""What really happened on the simulated table, from physics and hands alone, by the recorded scenes' conventions.

A structure has stood when it is complete and right, no hand touches it (gap of at least 0.5 mm), and nothing in it
moves (less than 3 mm and 3 degrees) for 2.000 s. Nothing here knows how the judge decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pi_app.core.names import Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.kit.model import Figure, Kit
from pi_app.kit.table import Table
from pi_app.sim.built import match_structure
from pi_app.sim.hands import TOUCH_MM, reach_of
from pi_app.sim.pieces import Floats, Piece, Placed
from pi_app.sim.shapes import Capsule
from pi_app.vision.reading import PartKind

STAND_S = 2.0
STILL_MM = 3.0
STILL_DEG = 3.0
FALL_MM = 8.0
FALL_DEG = 12.0
WHY_S = 1.2


@dataclass(frozen=True, eq=False)
class Sample:
    """One moment: pieces in the build zone, which of them a hand touches and which it carries."""

    at_s: float
    places: Mapping[str, Placed]
    touched: frozenset[str]
    gripped: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Attempt:
    """What a judge should have said about one attempt; times in s of the table's clock.

    `stood_for_s` is the longest hands-free motionless stretch, None where the structure was never right.
    `margin_s` is how far the decisive time is from 2.000 s; `doubtful` where a measure lies between right and wrong.
    """

    task: Task
    outcome: Outcome
    reasons: tuple[Reason, ...]
    stood_from_s: float | None = None
    stood_for_s: float | None = None
    confirmed_s: float | None = None
    hand_off_s: float | None = None
    fell_at_s: float | None = None
    doubtful: bool = False

    @property
    def margin_s(self) -> float:
        """Return how far the longest stretch is from the 2 seconds asked for."""
        return abs((self.stood_for_s or 0.0) - STAND_S)


@dataclass(eq=False)
class TruthKeeper:
    """Samples the table and answers what an attempt between two times should have been judged."""

    kit: Kit
    table: Table
    pieces: Mapping[str, Piece]
    samples: list[Sample] = field(default_factory=list)

    def sample(
        self, at_s: float, places: Mapping[str, Placed], limbs: Sequence[Capsule], gripped: frozenset[str] = frozenset()
    ) -> None:
        """Add one moment; only pieces whose middle is in the build zone are kept."""
        zone = self.table.zones.build
        inside = {name: placed for name, placed in places.items() if zone.contains(*map(float, placed.at_mm[:2]))}
        reach = reach_of(limbs) if inside else reach_of(())
        touched = frozenset(n for n, placed in inside.items() if reach.gap_mm(self.pieces[n], placed) < TOUCH_MM)
        self.samples.append(Sample(at_s, inside, touched, gripped))

    def forget(self, before_s: float) -> None:
        """Drop moments that nobody will ask about."""
        self.samples = [sample for sample in self.samples if sample.at_s >= before_s]

    def attempt(self, task: Task, figure: Figure | None, from_s: float, to_s: float, slack_s: float = 0.0) -> Attempt:
        """Return the truth about an attempt: the first stand of 2 s, else the best that there was.

        `slack_s` is taken off the 2 s where the structure still stands at `to_s`.
        """
        asked = [sample for sample in self.samples if from_s <= sample.at_s <= to_s]
        stretches = _stretches(asked)
        best: Attempt | None = None
        for first, last in sorted(stretches, key=lambda span: asked[span[0]].at_s - asked[span[1]].at_s):
            found = self._stretch(task, figure, asked, (first, last), slack_s)
            if found.outcome is Outcome.PASS:
                return found
            if best is None or (best.stood_for_s is None and found.stood_for_s is not None):
                best = found
        return best or self._never_free(task, figure, asked)

    def _stretch(
        self, task: Task, figure: Figure | None, asked: Sequence[Sample], span: tuple[int, int], slack_s: float
    ) -> Attempt:
        first, last = span
        start, end = asked[first], asked[last]
        match = match_structure(task, figure, self.kit, start.places, self.pieces)
        length = end.at_s - start.at_s
        hand_off = start.at_s
        if not match.right:
            return Attempt(task, Outcome.FAIL, match.reasons, hand_off_s=hand_off, doubtful=match.doubtful)
        if length >= STAND_S - (slack_s if last == len(asked) - 1 else 0.0):
            confirmed = start.at_s + STAND_S
            return Attempt(
                task, Outcome.PASS, (Reason.OK,), start.at_s, length, confirmed, hand_off, doubtful=match.doubtful
            )
        after = asked[min(last + 1, len(asked) - 1)]
        reason, fell = self._why_broke(after, asked[last:])
        return Attempt(task, Outcome.FAIL, (reason,), start.at_s, length, None, hand_off, fell, match.doubtful)

    def _why_broke(self, after: Sample, rest: Sequence[Sample]) -> tuple[Reason, float | None]:
        """Return why a stretch ended, and when something fell: taken away by hand, fallen, or merely held again."""
        soon = [sample for sample in rest if sample.at_s <= after.at_s + WHY_S]
        fell = next((sample.at_s for sample in soon if _fallen(rest[0], sample)), None)
        taken = next((sample.at_s for sample in soon if sample.gripped), None)
        if taken is not None and (fell is None or taken < fell):
            return Reason.TOO_SHORT, None
        return (Reason.FELL, fell) if fell is not None else (Reason.HELD, None)

    def _never_free(self, task: Task, figure: Figure | None, asked: Sequence[Sample]) -> Attempt:
        if not asked:
            return Attempt(task, Outcome.FAIL, (Reason.MISSING_PIECE,))
        match = match_structure(task, figure, self.kit, asked[-1].places, self.pieces)
        reasons = (Reason.HELD,) if match.right else match.reasons
        return Attempt(task, Outcome.FAIL, reasons, stood_for_s=0.0 if match.right else None, doubtful=match.doubtful)


def stones_in_zone(places: Mapping[str, Placed], pieces: Mapping[str, Piece], table: Table) -> dict[str, int]:
    """Return how many stones of each colour have their middle in the stone zone."""
    counts = {"yellow": 0, "red": 0, "blue": 0}
    for name, placed in places.items():
        if pieces[name].kind is PartKind.STONE and table.zones.stones.contains(*map(float, placed.at_mm[:2])):
            counts[pieces[name].id] += 1
    return counts


def _stretches(samples: Sequence[Sample], shortest_s: float = 0.05) -> list[tuple[int, int]]:
    """Return first and last indices of the stretches in which nothing is touched and nothing moves from its start."""
    found: list[tuple[int, int]] = []
    first = 0
    while first < len(samples):
        if samples[first].touched or not samples[first].places:
            first += 1
            continue
        last = first
        while last + 1 < len(samples) and not samples[last + 1].touched and _still(samples[first], samples[last + 1]):
            last += 1
        if samples[last].at_s - samples[first].at_s >= shortest_s:
            found.append((first, last))
            first = last + 1
        else:
            first += 1
    return found


def _still(first: Sample, second: Sample) -> bool:
    if first.places.keys() != second.places.keys():
        return False
    return all(
        float(np.linalg.norm(second.places[name].at_mm - placed.at_mm)) < STILL_MM
        and angle_deg(placed.rotation, second.places[name].rotation) < STILL_DEG
        for name, placed in first.places.items()
    )


def _fallen(before: Sample, sample: Sample) -> bool:
    """Return whether a piece that no hand carries has left its place for good."""
    return any(
        name not in sample.gripped
        and (
            name not in sample.places
            or float(np.linalg.norm(sample.places[name].at_mm - placed.at_mm)) > FALL_MM
            or angle_deg(sample.places[name].rotation, placed.rotation) > FALL_DEG
        )
        for name, placed in before.places.items()
    )


def angle_deg(first: Floats, second: Floats) -> float:
    """Return the angle of the turn between two rotations."""
    cosine = (float(np.trace(first.T @ second)) - 1) / 2
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
