"""The mat as a picture, as it looks printed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Zone
from pi_app.kit.draw import Image, Srgb, bgr, sheet
from pi_app.kit.draw_letters import width_of
from pi_app.kit.markers import Box, marker_bits, mat_markers, white_boxes
from pi_app.kit.table import Rect, Table

LINE_SRGB: Srgb = (150, 160, 165)
LINE_MM = 1.1
LABEL_MM = 4.0
LABEL_INSET_MM = 2.6
BLACK: Srgb = (0, 0, 0)
WHITE: Srgb = (255, 255, 255)


def draw_mat(table: Table, px_per_mm: float = 8.0) -> Image:
    """Return the whole mat, BGR, the side away from the active player at the top.

    A point (x, y) of the mat frame lies at pixel ((x + width / 2) * px_per_mm, (height / 2 - y) * px_per_mm), counted
    from the picture's upper left corner; edges between pixels are smoothed. UserError as for markers.
    """
    canvas = _Canvas(table, px_per_mm)
    for zone in Zone:
        for box in outline_boxes(table.zones.of(zone)):
            canvas.fill(box, LINE_SRGB)
        canvas.label(zone, table.zones.of(zone))
    for box, colour in patch_boxes(table):
        canvas.fill(box, colour)
    for marker in mat_markers(table):
        canvas.fill(marker.box.grown(table.markers.quiet_mm), WHITE)
        canvas.fill(marker.box, BLACK)
        bits = marker_bits(table.markers.family, marker.marker_id, table.markers.border_bits)
        for box in white_boxes(bits, marker.side):
            canvas.fill(_turned(box).moved(marker.box.x0, marker.box.y1), WHITE)
    return canvas.image()


def outline_boxes(zone: Rect) -> list[Box]:
    """Return the four bars of a zone's outline, centred on its edges."""
    out, wide = LINE_MM / 2, LINE_MM
    x0, y0, x1, y1 = zone.x0 - out, zone.y0 - out, zone.x1 + out, zone.y1 + out
    return [
        Box(x0, y0, x1, y0 + wide),
        Box(x0, y1 - wide, x1, y1),
        Box(x0, y0, x0 + wide, y1),
        Box(x1 - wide, y0, x1, y1),
    ]


def patch_boxes(table: Table) -> list[tuple[Box, Srgb]]:
    """Return the squares of the colour reference strip with their printed sRGB."""
    patches, half = table.patches, table.patches.side / 2
    return [
        (Box(x - half, patches.centre_y - half, x + half, patches.centre_y + half), colour)
        for x, colour in zip(patches.centre_x, patches.srgb, strict=True)
    ]


def label_at(zone: Rect) -> tuple[float, float]:
    """Return the lower left corner of a zone's name in the mat frame."""
    return zone.x0 + LABEL_INSET_MM, zone.y0 + LABEL_INSET_MM


def _turned(box: Box) -> Box:
    return Box(box.x0, -box.y1, box.x1, -box.y0)


class _Canvas:
    """Fills rectangles of the mat frame by the exact part of each pixel they cover."""

    def __init__(self, table: Table, px_per_mm: float) -> None:
        self._scale, self._mat = px_per_mm, table.mat
        shape = (round(table.mat.height * px_per_mm), round(table.mat.width * px_per_mm), 3)
        self._image = np.empty(shape, np.uint8)
        self._image[:] = bgr(table.mat.paper_srgb)

    def fill(self, box: Box, colour: Srgb) -> None:
        """Fill one rectangle."""
        columns, across = self._cover(box.x0 + self._mat.width / 2, box.x1 + self._mat.width / 2, 1)
        rows, down = self._cover(self._mat.height / 2 - box.y1, self._mat.height / 2 - box.y0, 0)
        part = (down[:, None] * across[None, :])[..., None]
        under = self._image[rows, columns]
        mixed = under * (1 - part) + np.array(bgr(colour), np.float64) * part
        self._image[rows, columns] = np.round(mixed).astype(np.uint8)

    def label(self, zone: Zone, rect: Rect) -> None:
        """Write a zone's name into its lower left corner."""
        text, (x, y) = zone.upper(), label_at(rect)
        width, height = width_of(text) * LABEL_MM + 1, LABEL_MM + 1
        pen = sheet(width, height, self._scale, self._mat.paper_srgb)
        pen.text(text, width / 2, height / 2, LABEL_MM, LINE_SRGB, 0.2)
        picture = pen.finished()
        left = round((x - 0.5 + self._mat.width / 2) * self._scale)
        top = round((self._mat.height / 2 - y - LABEL_MM - 0.5) * self._scale)
        place = self._image[max(top, 0) : top + picture.shape[0], max(left, 0) : left + picture.shape[1]]
        place[:] = picture[: place.shape[0], : place.shape[1]]

    def image(self) -> Image:
        """Return the picture."""
        return self._image

    def _cover(self, from_mm: float, to_mm: float, axis: int) -> tuple[slice, NDArray[np.float64]]:
        size = self._image.shape[1 if axis else 0]
        start, stop = (min(max(mm * self._scale, 0.0), float(size)) for mm in (from_mm, to_mm))
        first, last = int(np.floor(start)), int(np.ceil(stop))
        cells = np.arange(first, last, dtype=np.float64)
        return slice(first, last), np.clip(np.minimum(stop, cells + 1) - np.maximum(start, cells), 0.0, 1.0)
