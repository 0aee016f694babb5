"""Bitmaps of the mat's markers and of the badges, as OpenCV's dictionaries define them, in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.errors import UserError
from pi_app.kit.table import Table

BADGED_PIECES = 6


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle; whether y runs up or down is the owner's matter."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Return the extent along x."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Return the extent along y."""
        return self.y1 - self.y0

    def holds(self, other: Box, slack: float = 1e-9) -> bool:
        """Return whether another box lies inside."""
        return (
            self.x0 <= other.x0 + slack
            and self.y0 <= other.y0 + slack
            and self.x1 >= other.x1 - slack
            and self.y1 >= other.y1 - slack
        )

    def grown(self, by: float) -> Box:
        """Return the box with `by` more on every side."""
        return Box(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def moved(self, x: float, y: float) -> Box:
        """Return the box shifted."""
        return Box(self.x0 + x, self.y0 + y, self.x1 + x, self.y1 + y)


@dataclass(frozen=True, slots=True)
class PlacedMarker:
    """One of the mat's markers: centre and side of its black square in the mat frame (+y up), mm."""

    marker_id: int
    x: float
    y: float
    side: float

    @property
    def box(self) -> Box:
        """Return the black square in the mat frame."""
        half = self.side / 2
        return Box(self.x - half, self.y - half, self.x + half, self.y + half)


def marker_bits(family: str, marker_id: int, border_bits: int) -> NDArray[np.bool_]:
    """Return a marker's cells, the black border included: rows from the top, True where white.

    UserError where OpenCV has no such dictionary or the dictionary no such id.
    """
    name = getattr(cv2.aruco, family, None)
    if not isinstance(name, int):
        raise UserError(f"markers.family: got {family!r}, wanted one of OpenCV's dictionaries, as DICT_5X5_100")
    dictionary = cv2.aruco.getPredefinedDictionary(name)
    if not 0 <= marker_id < len(dictionary.bytesList):
        raise UserError(f"markers: got id {marker_id}, wanted 0 to {len(dictionary.bytesList) - 1} of {family}")
    cells = dictionary.markerSize + 2 * border_bits
    image = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, cells, borderBits=border_bits))
    return image > 127


def white_boxes(bits: NDArray[np.bool_], side: float) -> list[Box]:
    """Return the largest white rectangles of a marker of `side` mm, from its upper left corner, y down.

    Together they cover every white cell; they overlap, so that no hairline shows between two of them.
    """
    cells = len(bits)
    spans = [(a, b) for a in range(cells) for b in range(a + 1, cells + 1)]
    white = [Box(x0, y0, x1, y1) for (y0, y1), (x0, x1) in product(spans, spans) if bits[y0:y1, x0:x1].all()]
    largest = [box for box in white if not any(other != box and other.holds(box) for other in white)]
    cell = side / cells
    return [Box(box.x0 * cell, box.y0 * cell, box.x1 * cell, box.y1 * cell) for box in largest]


def mat_markers(table: Table) -> Iterator[PlacedMarker]:
    """Yield the mat's markers in the order of table.toml."""
    for group in table.markers.mat:
        for marker_id, x, y in zip(group.ids, group.centre_x, group.centre_y, strict=True):
            yield PlacedMarker(marker_id, x, y, group.side)
