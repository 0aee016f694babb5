"""Conditions over the whole visible board, as spectator tiles have them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pi_app.games.festival.need import Need
from pi_app.games.festival.tokens import Of, Sky

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))


class Area(StrEnum):
    """Parts of a board of which one, or of rows and columns several, must be as asked."""

    ROW = "row"
    COLUMN = "column"
    DIAGONAL = "diagonal"
    LINE = "line"
    """A row, a column or a diagonal."""
    SQUARE = "square"
    """Two by two cells."""
    CORNERS = "corners"

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Return the cells of each such part."""
        return PLACES[self]

    @property
    def most(self) -> int:
        """Return how many of them may be asked for at once: only of parts that share no cell more than one."""
        return len(self.places) if self in (Area.ROW, Area.COLUMN) else 1


PLACES: dict[Area, tuple[tuple[int, ...], ...]] = {
    Area.ROW: ROWS,
    Area.COLUMN: COLUMNS,
    Area.DIAGONAL: DIAGONALS,
    Area.LINE: (*ROWS, *COLUMNS, *DIAGONALS),
    Area.SQUARE: tuple((cell, cell + 1, cell + 3, cell + 4) for cell in (0, 1, 3, 4)),
    Area.CORNERS: ((0, 2, 6, 8),),
}


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least `count` visible tokens as needed."""

    count: int
    need: Need

    def missing(self, sky: Sky) -> int:
        """Return the smallest number of placements until the condition holds."""
        return sum(sorted(self.need.cost(pile) for pile in sky)[: self.count])


@dataclass(frozen=True, slots=True)
class Different:
    """At least `count` different colours, motifs or tokens are visible; no more than the box has."""

    count: int
    of: Of

    def missing(self, sky: Sky) -> int:
        """Return the smallest number of placements: each may cover an empty cell or one of several alike."""
        return max(0, self.count - _different(self.of, sky, range(len(sky))))


@dataclass(frozen=True, slots=True)
class Filled:
    """`count` areas, each full of tokens that all meet the same one of the `needs`."""

    count: int
    area: Area
    needs: tuple[Need, ...]

    def missing(self, sky: Sky) -> int:
        """Return the smallest number of placements until the condition holds."""
        each = [[need.cost(pile) for pile in sky] for need in self.needs]
        sums = (min(sum(costs[cell] for cell in place) for costs in each) for place in self.area.places)
        return sum(sorted(sums)[: self.count])


@dataclass(frozen=True, slots=True)
class Varied:
    """`count` areas, each full of tokens of which no two are alike; the box has enough kinds."""

    count: int
    area: Area
    of: Of

    def missing(self, sky: Sky) -> int:
        """Return the smallest number of placements until the condition holds."""
        sums = (len(place) - _different(self.of, sky, place) for place in self.area.places)
        return sum(sorted(sums)[: self.count])


Condition = AtLeast | Different | Filled | Varied


def _different(of: Of, sky: Sky, cells: range | tuple[int, ...]) -> int:
    return len({of.value_of(sky[cell][-1]) for cell in cells if sky[cell]})
