"""What objective cards and spectator tiles ask for: a pattern somewhere on the board, or conditions over all of it.

Only visible tokens count, wherever else tokens lie; a token may serve several goals. A pattern may be shifted, turned
where turning is allowed, and mirrored where that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from pi_app.games.festival.conditions import Condition
from pi_app.games.festival.need import Need
from pi_app.games.festival.tokens import CELLS, SIDE, Sky, Token, placed

Grid = tuple[tuple[Need | None, ...], ...]
"""Rows of cells; None asks for nothing."""
Variant = tuple[tuple[int, Need], ...]
"""One way to lay a pattern on the board: the cells it needs."""


class GoalKind(StrEnum):
    """Where a goal stands."""

    OBJECTIVE = "objective"
    STARTING = "starting"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Goal:
    """One face: a grid, or conditions that hold together; `lines` is its text as written, one blank between words.

    `owner`: of a starting objective the colour whose player has it, of a spectator face the name of its tile.
    `turned`, `mirrored`: what the face itself says; None leaves it to the settings.
    """

    id: str
    kind: GoalKind
    points: int
    lines: tuple[str, ...]
    grid: Grid = ()
    conditions: tuple[Condition, ...] = ()
    owner: str = ""
    turned: bool | None = None
    mirrored: bool | None = None

    @property
    def missing_is_exact(self) -> bool:
        """Return whether `missing` is the number itself; of several conditions together it is the least it can be."""
        return len(self.conditions) < 2


def variants(grid: Grid, turned: bool, mirrored: bool) -> tuple[Variant, ...]:
    """Return every different way to lay a grid on the board, in a fixed order."""
    shapes = [grid]
    if mirrored:
        shapes.append(tuple(row[::-1] for row in grid))
    if turned:
        shapes = [shape for start in shapes for shape in _turns(start)]
    return tuple(dict.fromkeys(variant for shape in shapes for variant in _shifts(shape)))


def _said(says: bool | None, otherwise: bool) -> bool:
    return otherwise if says is None else says


def _turns(grid: Grid) -> list[Grid]:
    turns = [grid]
    for _ in range(3):
        turns.append(tuple(zip(*turns[-1][::-1], strict=True)))
    return turns


def _shifts(grid: Grid) -> list[Variant]:
    rows, columns = len(grid), len(grid[0])
    needs = [(row, column, need) for row, line in enumerate(grid) for column, need in enumerate(line) if need]
    return [
        tuple(((row + down) * SIDE + column + right, need) for row, column, need in needs)
        for down in range(SIDE - rows + 1)
        for right in range(SIDE - columns + 1)
    ]


@dataclass(frozen=True, slots=True)
class Gap:
    """A cell on which something is missing: tokens to place there, of which the last must be as `need` says."""

    cell: int
    need: Need
    tokens: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way to fulfil a pattern: what it lacks, and the cells whose visible tokens it already uses."""

    gaps: tuple[Gap, ...]
    kept: frozenset[int]


class GoalBook:
    """Goals made ready to be checked often: every way to lie worked out once, costs of a cell looked up.

    The costs of a sky are one flat list: what each need costs on each cell, in placements.
    """

    def __init__(self, goals: tuple[Goal, ...], turned: bool, mirrored: bool, starting_turned: bool) -> None:
        self.goals = {goal.id: goal for goal in goals}
        turns = dict.fromkeys(GoalKind, turned) | {GoalKind.STARTING: starting_turned}
        self._ways = {
            goal.id: variants(goal.grid, _said(goal.turned, turns[goal.kind]), _said(goal.mirrored, mirrored))
            for goal in goals
            if goal.grid
        }
        needs = dict.fromkeys(need for ways in self._ways.values() for way in ways for _, need in way)
        self._needs = {need: number for number, need in enumerate(needs)}
        self._indexes = {
            name: tuple(tuple(cell * len(needs) + self._needs[need] for cell, need in way) for way in ways)
            for name, ways in self._ways.items()
        }
        self._columns: dict[tuple[Token | None, int], list[int]] = {}

    def costs(self, sky: Sky) -> list[int]:
        """Return the costs of a sky, for several questions about the same one."""
        costs: list[int] = []
        for pile in sky:
            key = (pile[-1] if pile else None, len(pile))
            column = self._columns.get(key)
            if column is None:
                column = self._columns[key] = [need.cost(pile) for need in self._needs]
            costs += column
        return costs

    def missing(self, goal_id: str, sky: Sky, costs: list[int] | None = None) -> int:
        """Return the smallest number of placements that fulfil a goal, whatever the stacks hold; 0 where it is met."""
        goal = self.goals[goal_id]
        if goal.conditions:
            return max(condition.missing(sky) for condition in goal.conditions)
        costs = self.costs(sky) if costs is None else costs
        return min([sum([costs[index] for index in way]) for way in self._indexes[goal_id]])

    def holds(self, goal_id: str, sky: Sky, costs: list[int] | None = None) -> bool:
        """Return whether the visible tokens fulfil a goal."""
        if goal_id not in self._indexes:
            return self.missing(goal_id, sky) == 0
        costs = self.costs(sky) if costs is None else costs
        return any(not any(costs[index] for index in way) for way in self._indexes[goal_id])

    def shortest(self, goal_id: str, costs: list[int], most: int | None = None) -> list[Way]:
        """Return each of the shortest ways to fulfil a pattern, no more than `most`; none for conditions."""
        ways, indexes = self._ways.get(goal_id, ()), self._indexes.get(goal_id, ())
        sums = [sum([costs[index] for index in way]) for way in indexes]
        least = min(sums, default=0)
        found = [number for number, total in enumerate(sums) if total == least][:most]
        return [_way(ways[number], [costs[index] for index in indexes[number]]) for number in found]

    def completing(self, goal_id: str, sky: Sky, token: Token) -> tuple[int, ...]:
        """Return the cells on which this token, placed now, fulfils a goal that is not fulfilled yet."""
        if self.missing(goal_id, sky) != 1:
            return ()
        return tuple(cell for cell in range(CELLS) if self.holds(goal_id, placed(sky, cell, token)))


def _way(variant: Variant, costs: list[int]) -> Way:
    cells = list(zip(variant, costs, strict=True))
    gaps = tuple([Gap(cell, need, cost) for (cell, need), cost in cells if cost])
    return Way(gaps, frozenset([cell for (cell, _), cost in cells if not cost]))


@lru_cache(maxsize=8)
def goal_book(goals: tuple[Goal, ...], turned: bool, mirrored: bool, starting_turned: bool) -> GoalBook:
    """Return the book of these goals; the same one for all games that are played with them."""
    return GoalBook(goals, turned, mirrored, starting_turned)
