"""Where Festival's printed trays carry their markers and cells, from table.toml's sizes.

Tray frame: origin at the tray's centre, +x right and +y up as its player reads it; mm.
"""

from functools import lru_cache

from pi_app.kit.festival import PLAYERS
from pi_app.kit.table import MarkerGroup, Mat, Table

MARKER_ID0 = 40
"""Player p's tray has the ids 40 + 4 p to 43 + 4 p, clockwise from its top left."""
MARKERS = 4


@lru_cache(maxsize=16)
def tray_table(table: Table, players: tuple[int, ...] = tuple(range(PLAYERS))) -> Table:
    """Return a table whose mat is a tray with the markers of these players' trays, so that what holds for mats does."""
    sheet = Mat(width=table.trays.size, height=table.trays.size, paper_srgb=table.mat.paper_srgb)
    at = table.trays.size / 2 - table.trays.marker_inset
    group = MarkerGroup(
        side=table.trays.marker_side,
        ids=tuple(MARKER_ID0 + MARKERS * player + corner for player in players for corner in range(MARKERS)),
        centre_x=(-at, at, at, -at) * len(players),
        centre_y=(at, at, -at, -at) * len(players),
    )
    return table.model_copy(update={"mat": sheet, "markers": table.markers.model_copy(update={"mat": (group,)})})


def cell_centre_mm(table: Table, cell: int) -> tuple[float, float]:
    """Return the centre of a cell, 0 to 8, row by row from the top left."""
    row, column = divmod(cell, 3)
    return (column - 1) * table.trays.cell_pitch, (1 - row) * table.trays.cell_pitch
