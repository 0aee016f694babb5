"""The mat as PDF pages: whole on A3, or in overlapping parts on A4 that are cut and glued."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from fpdf import FPDF

from pi_app.core.errors import UserError
from pi_app.core.names import Zone
from pi_app.kit.draw_mat import LABEL_MM, LINE_SRGB, label_at, outline_boxes, patch_boxes
from pi_app.kit.markers import Box, PlacedMarker, marker_bits, mat_markers, white_boxes
from pi_app.kit.print_ink import GREY, MARGIN_MM, PALE, PAPERS_MM, WHITE, Ink, Paper, new_page, new_pdf
from pi_app.kit.table import Table

FOOT_MM = 12.0


@dataclass(frozen=True, slots=True)
class Tile:
    """One page of a mat printed in parts: the part of the mat (frame +y up) it shows whole."""

    column: int
    row: int
    window: Box


def mat_tiles(table: Table, width_mm: float, height_mm: float) -> list[Tile]:
    """Return the parts the mat is cut into for pages with that much usable space, row by row from the top left.

    Neighbours overlap by the largest marker with its margin, so every marker is whole on at least one page.
    """
    overlap = max(group.side for group in table.markers.mat) + 2 * table.markers.quiet_mm
    if overlap >= min(width_mm, height_mm):
        raise UserError(f"markers: got {overlap:g} mm with their margin, wanted less than the paper's {height_mm:g} mm")
    columns = _spans(table.mat.width, width_mm, overlap)
    rows = _spans(table.mat.height, height_mm, overlap)
    left, top = -table.mat.width / 2, table.mat.height / 2
    return [
        Tile(column, row, Box(left + x0, top - y1, left + x1, top - y0))
        for (row, (y0, y1)), (column, (x0, x1)) in product(enumerate(rows), enumerate(columns))
    ]


def _spans(length: float, room: float, overlap: float) -> list[tuple[float, float]]:
    count = max(1, math.ceil((length - overlap) / (room - overlap) - 1e-9))
    window = (length + (count - 1) * overlap) / count
    return [(i * (window - overlap), i * (window - overlap) + window) for i in range(count)]


def mat_pdf(table: Table, paper: Paper) -> FPDF:
    """Return the mat's pages; UserError where it does not fit the paper."""
    pdf = new_pdf("Table Umpire: mat")
    width, height = PAPERS_MM[paper]
    if paper == "A4":
        tiles = mat_tiles(table, width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - FOOT_MM)
        for number, tile in enumerate(tiles, start=1):
            new_page(pdf, width, height)
            _mat_tile(pdf, table, tile, tiles, number)
        return pdf
    if table.mat.width > width + 0.5 or table.mat.height > height + 0.5:
        got = f"{table.mat.width:g} x {table.mat.height:g} mm"
        raise UserError(f"mat: got {got}, wanted at most {width:g} x {height:g} mm; print it on A4 in parts")
    new_page(pdf, width, height)
    ink = Ink(pdf, width / 2, height / 2)
    ink.ruler(40, -table.mat.height / 2 + 9, PALE)
    _mat_ink(ink, table)
    return pdf


def _mat_ink(ink: Ink, table: Table) -> None:
    """Draw the mat; the paper itself is its ground and gets no ink."""
    for zone in Zone:
        rect = table.zones.of(zone)
        for box in outline_boxes(rect):
            ink.fill(box, LINE_SRGB)
        ink.words(zone.upper(), *label_at(rect), LABEL_MM, LINE_SRGB, 0.2 * LABEL_MM)
    for box, colour in patch_boxes(table):
        ink.fill(box, colour)
    for marker in mat_markers(table):
        _marker(ink, table, marker)


def _marker(ink: Ink, table: Table, marker: PlacedMarker) -> None:
    bits = marker_bits(table.markers.family, marker.marker_id, table.markers.border_bits)
    ink.fill(marker.box.grown(table.markers.quiet_mm), WHITE)
    ink.marker(marker.box, white_boxes(bits, marker.side))


def _mat_tile(pdf: FPDF, table: Table, tile: Tile, tiles: list[Tile], number: int) -> None:
    window = tile.window
    ink = Ink(pdf, MARGIN_MM - window.x0, MARGIN_MM + window.y1)
    with ink.inside(window):
        for above in tiles[number:]:
            _glue_lines(ink, window, above.window)
        _mat_ink(ink, table)
    _crop_marks(ink, window)
    foot = window.y0 - 9
    ink.ruler(window.x1 - 100, foot)
    ink.note(f"Mat, sheet {number} of {len(tiles)} (row {tile.row + 1}, column {tile.column + 1})", window.x0, foot)
    how = "Cut at the corner marks. Lay the next sheets onto the dashed lines of this one."
    ink.note(how, window.x0, foot - 4, size_pt=7)


def _glue_lines(ink: Ink, window: Box, above: Box) -> None:
    """Show where the edges of a sheet that is laid on top of this one come to lie."""
    x0, x1 = max(window.x0, above.x0), min(window.x1, above.x1)
    y0, y1 = max(window.y0, above.y0), min(window.y1, above.y1)
    for x in (above.x0, above.x1):
        if window.x0 < x < window.x1 and y0 < y1:
            ink.dashes(x, y0, x, y1, PALE)
    for y in (above.y0, above.y1):
        if window.y0 < y < window.y1 and x0 < x1:
            ink.dashes(x0, y, x1, y, PALE)


def _crop_marks(ink: Ink, box: Box, reach: float = 5.0, gap: float = 1.0) -> None:
    for x, way in ((box.x0, -1), (box.x1, 1)):
        for y in (box.y0, box.y1):
            ink.line(x + way * gap, y, x + way * (gap + reach), y, GREY)
    for y, way in ((box.y0, -1), (box.y1, 1)):
        for x in (box.x0, box.x1):
            ink.line(x, y + way * gap, x, y + way * (gap + reach), GREY)
