"""The pieces that lie on the simulated table, with their sizes and axes; lengths in mm.

Axes of a piece: acrobats as in pi_app.vision.reading (x width, y thickness, z length, front picture at +y, head at +z);
tiles and the overview lie in x, y with their picture at +z, its top towards +y; stones stand on -z.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pi_app.core.names import Colour
from pi_app.kit.model import Kit
from pi_app.vision.reading import PartKind

Floats = NDArray[np.float64]

BAG = {Colour.YELLOW: 12, Colour.RED: 8, Colour.BLUE: 5}
"""Stones of each colour (rulebook, "Components")."""

DENSITY_KG_M3 = {PartKind.ACROBAT: 680.0, PartKind.TILE: 750.0, PartKind.OVERVIEW: 750.0, PartKind.STONE: 1200.0}
"""Beech, grey board and acrylic."""

FRICTION = {PartKind.ACROBAT: 0.45, PartKind.TILE: 0.40, PartKind.OVERVIEW: 0.40, PartKind.STONE: 0.35}


@dataclass(frozen=True)
class Piece:
    """One piece: `id` is the kit's id of an acrobat or tile, the colour of a stone; `round` seen from above."""

    name: str
    kind: PartKind
    id: str
    size_mm: tuple[float, float, float]
    round: bool = False

    @cached_property
    def half_mm(self) -> Floats:
        """Half the size along the piece's axes."""
        return np.array(self.size_mm) / 2

    def solids(self) -> list[tuple[tuple[float, float, float], float]]:
        """Return the boxes it collides as: half sizes in mm and turn about z in degrees."""
        x, y, z = self.half_mm
        if self.kind is PartKind.STONE:
            return [((0.6 * x, 0.6 * y, z), 0.0)]
        if self.round:
            return [((0.924 * x, 0.383 * y, z), turn) for turn in (0.0, 45.0, 90.0, 135.0)]
        return [((x, y, z), 0.0)]


def vec(x_mm: float, y_mm: float, z_mm: float) -> Floats:
    """Return a vector of 3."""
    return np.array([x_mm, y_mm, z_mm], np.float64)


def acrobat_name(piece_id: int) -> str:
    """Return the name of an acrobat of the kit."""
    return f"acrobat {piece_id}"


def tile_name(tile_id: str) -> str:
    """Return the name of an object tile of the kit."""
    return f"tile {tile_id}"


def stone_name(colour: Colour, number: int) -> str:
    """Return the name of a stone, numbered from 0 in each colour."""
    return f"stone {colour} {number}"


def pieces_of(kit: Kit) -> tuple[Piece, ...]:
    """Return every piece of a kit's box: acrobats, tiles, overview and the 25 stones."""
    acrobat, tile, over, stone = kit.acrobat, kit.tile, kit.overview, kit.stone
    block = (acrobat.width_mm, acrobat.thickness_mm, acrobat.length_mm)
    plate = (tile.size_mm, tile.size_mm, tile.thickness_mm)
    nugget = (stone.diameter_mm, stone.diameter_mm, stone.height_mm)
    blocks = [Piece(acrobat_name(p.id), PartKind.ACROBAT, str(p.id), block) for p in acrobat.piece]
    tiles = [Piece(tile_name(p.id), PartKind.TILE, p.id, plate, tile.shape == "round") for p in tile.piece]
    overview = Piece("overview", PartKind.OVERVIEW, "overview", (over.width_mm, over.height_mm, over.thickness_mm))
    stones = [
        Piece(stone_name(colour, n), PartKind.STONE, colour, nugget, round=True)
        for colour, count in BAG.items()
        for n in range(count)
    ]
    return (*blocks, *tiles, overview, *stones)


@dataclass(frozen=True, eq=False)
class Placed:
    """A place and a turn in the mat frame: `rotation` 3 x 3 takes the piece's axes into the mat's."""

    at_mm: Floats
    rotation: Floats

    def shifted(self, by_mm: ArrayLike) -> "Placed":
        """Return the same turn elsewhere."""
        return Placed(self.at_mm + np.asarray(by_mm, np.float64), self.rotation)

    def corners_mm(self, piece: Piece) -> Floats:
        """Return the 8 corners of the piece's box, 8 x 3, in the mat frame."""
        return np.asarray(self.at_mm + (CORNERS * piece.half_mm) @ self.rotation.T)


CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)


def turn_z(degrees: float) -> Floats:
    """Return the rotation about the mat's z, anticlockwise from above."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def turn_y(degrees: float) -> Floats:
    """Return the rotation about y."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def turn_x(degrees: float) -> Floats:
    """Return the rotation about x."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
