"""Vector ink on PDF pages of true size: rectangles, lines, markers and words, in millimetres.

A sheet's frame: origin anywhere on the page, +x right, +y up, as the mat's own. Pages are 1:1 and ask viewers not to
scale them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from fpdf import FPDF
from fpdf.drawing_primitives import DeviceRGB
from fpdf.enums import PathPaintRule, StrokeCapStyle, StrokeJoinStyle
from fpdf.prefs import ViewerPreferences

from pi_app.kit.draw import Srgb
from pi_app.kit.draw_letters import strokes
from pi_app.kit.markers import Box

Paper = Literal["A3", "A4"]
PAPERS_MM: dict[Paper, tuple[float, float]] = {"A3": (420.0, 297.0), "A4": (297.0, 210.0)}
"""The longer side first."""
MARGIN_MM = 10.0
BLACK: Srgb = (0, 0, 0)
WHITE: Srgb = (255, 255, 255)
GREY: Srgb = (120, 120, 120)
PALE: Srgb = (200, 200, 200)
HAIR_MM = 0.1


@dataclass(frozen=True)
class Ink:
    """Draws on one page; `left`, `top` are the frame's origin from the page's upper left corner, mm."""

    pdf: FPDF
    left: float
    top: float

    def fill(self, box: Box, colour: Srgb) -> None:
        """Fill one rectangle."""
        self.pdf.set_fill_color(*colour)
        self.pdf.rect(self.left + box.x0, self.top - box.y1, box.width, box.height, style="F")

    def frame(self, box: Box, colour: Srgb, width_mm: float = HAIR_MM) -> None:
        """Draw a rectangle's outline, centred on its edges."""
        self._stroke(colour, width_mm)
        self.pdf.rect(self.left + box.x0, self.top - box.y1, box.width, box.height, style="D")

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: Srgb, width_mm: float = HAIR_MM) -> None:
        """Draw one line."""
        self._stroke(colour, width_mm)
        self.pdf.line(self.left + x0, self.top - y0, self.left + x1, self.top - y1)

    def dashes(self, x0: float, y0: float, x1: float, y1: float, colour: Srgb) -> None:
        """Draw a dashed hairline."""
        self.pdf.set_dash_pattern(dash=1.5, gap=1.5)
        self.line(x0, y0, x1, y1, colour)
        self.pdf.set_dash_pattern()

    def words(self, text: str, x: float, y: float, height_mm: float, colour: Srgb, width_mm: float = 0.4) -> None:
        """Write capitals and digits in the program's own strokes, from their lower left corner."""
        with self.pdf.new_path() as path:
            path.style.auto_close = False
            path.style.paint_rule = PathPaintRule.STROKE
            path.style.stroke_color = DeviceRGB(*(channel / 255 for channel in colour))
            path.style.stroke_width = width_mm
            path.style.stroke_cap_style = StrokeCapStyle.ROUND
            path.style.stroke_join_style = StrokeJoinStyle.ROUND
            for stroke in strokes(text):
                points = [(self.left + x + u * height_mm, self.top - y - (1 - v) * height_mm) for u, v in stroke]
                path.move_to(*points[0])
                for point in points[1:]:
                    path.line_to(*point)

    def note(self, text: str, x: float, y: float, colour: Srgb = GREY, size_pt: float = 8) -> None:
        """Write a line of small text from its baseline; Latin letters only, the font is the viewer's Helvetica."""
        self.pdf.set_text_color(*colour)
        self.pdf.set_font("helvetica", size=size_pt)
        self.pdf.text(self.left + x, self.top - y, text)

    def marker(self, box: Box, white: list[Box]) -> None:
        """Draw a marker: its black square, and its white cells as `white_boxes` gives them."""
        self.fill(box, BLACK)
        for cell in white:
            self.fill(Box(box.x0 + cell.x0, box.y1 - cell.y1, box.x0 + cell.x1, box.y1 - cell.y0), WHITE)

    def ruler(self, x: float, y: float, colour: Srgb = GREY) -> None:
        """Draw a ruler of 100 mm with a tick every 10 mm."""
        self.line(x, y, x + 100, y, colour, 0.2)
        for ten in range(11):
            self.line(x + 10 * ten, y - (2.0 if ten % 5 == 0 else 1.2), x + 10 * ten, y, colour, 0.2)
        self.note("100 mm: measure this line; print at 100 %, not fitted to the page", x + 2, y - 5, colour, 7)

    @contextmanager
    def inside(self, box: Box) -> Iterator[None]:
        """Let ink reach the paper within a rectangle only."""
        with self.pdf.rect_clip(self.left + box.x0, self.top - box.y1, box.width, box.height):
            yield

    def _stroke(self, colour: Srgb, width_mm: float) -> None:
        self.pdf.set_draw_color(*colour)
        self.pdf.set_line_width(width_mm)


def new_pdf(title: str) -> FPDF:
    """Return an empty document; the same content gives the same bytes."""
    pdf = FPDF(unit="mm")
    pdf.set_title(title)
    pdf.set_creator("Table Umpire")
    pdf.set_creation_date(datetime(2025, 1, 1, tzinfo=UTC))
    pdf.viewer_preferences = ViewerPreferences(print_scaling="None")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    return pdf


def new_page(pdf: FPDF, width_mm: float, height_mm: float) -> None:
    """Add a page of a size in mm, wide or high."""
    across, along = sorted((width_mm, height_mm))
    pdf.add_page(orientation="landscape" if width_mm > height_mm else "portrait", format=(across, along))
