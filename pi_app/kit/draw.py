"""A small pen for the program's own pictures: shapes in millimetres, drawn large and reduced, so edges are smooth.

Coordinates are of pictures: +x right, +y down. Colours are sRGB; finished pictures are uint8 BGR, as OpenCV has them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.draw_letters import strokes, width_of

Image = NDArray[np.uint8]
Point = tuple[float, float]
Srgb = tuple[int, int, int]

SUPERSAMPLE = 3
_SHIFT = 4
_PI = math.pi


@dataclass(frozen=True)
class Pen:
    """Draws on `image` (supersampled BGR); `matrix` (2 x 3) takes the pen's millimetres to its pixels."""

    image: Image
    matrix: NDArray[np.float64]

    @property
    def px_per_mm(self) -> float:
        """Return the scale of the pen's own millimetre in supersampled pixels."""
        return float(math.hypot(self.matrix[0, 0], self.matrix[1, 0]))

    def at(self, x: float, y: float, scale: float = 1.0, turn_deg: float = 0.0, *, mirror: bool = False) -> Pen:
        """Return a pen whose origin lies at (x, y), scaled, turned clockwise, its x axis mirrored before that."""
        turn = math.radians(turn_deg)
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        flip = -1.0 if mirror else 1.0
        step = np.array([[cos * flip, -sin, x], [sin * flip, cos, y], [0.0, 0.0, 1.0]])
        return replace(self, matrix=self.matrix @ step)

    def polygon(self, points: Iterable[Point], fill: Srgb, edge: Srgb | None = None, edge_mm: float = 0.5) -> None:
        """Fill a polygon, and draw its outline where an edge colour is given."""
        corners = self._pixels(points)
        cv2.fillPoly(self.image, [corners], bgr(fill), cv2.LINE_8, _SHIFT)
        if edge is not None:
            cv2.polylines(self.image, [corners], True, bgr(edge), self._thick(edge_mm), cv2.LINE_8, _SHIFT)

    def line(self, points: Iterable[Point], colour: Srgb, width_mm: float) -> None:
        """Draw an open line with round ends."""
        cv2.polylines(self.image, [self._pixels(points)], False, bgr(colour), self._thick(width_mm), cv2.LINE_8, _SHIFT)

    def limb(self, points: Sequence[Point], colour: Srgb, width_mm: float, edge: Srgb, edge_mm: float = 0.45) -> None:
        """Draw an open line with round ends and an outline."""
        self.line(points, edge, width_mm + 2 * edge_mm)
        self.line(points, colour, width_mm)

    def ellipse(
        self, x: float, y: float, rx: float, ry: float, fill: Srgb, edge: Srgb | None = None, edge_mm: float = 0.5
    ) -> None:
        """Fill an ellipse given by its centre and its two radii."""
        self.polygon(arc(x, y, rx, ry, 0, 360), fill, edge, edge_mm)

    def circle(self, x: float, y: float, r: float, fill: Srgb, edge: Srgb | None = None, edge_mm: float = 0.5) -> None:
        """Fill a circle."""
        self.ellipse(x, y, r, r, fill, edge, edge_mm)

    def box(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Srgb,
        edge: Srgb | None = None,
        edge_mm: float = 0.5,
        round_mm: float = 0.0,
    ) -> None:
        """Fill a rectangle, its corners rounded by `round_mm`."""
        self.polygon(rounded(x0, y0, x1, y1, round_mm), fill, edge, edge_mm)

    def text(self, text: str, x: float, y: float, height_mm: float, colour: Srgb, bold: float = 0.16) -> None:
        """Draw capitals and digits centred on (x, y); `bold` is the stroke's width as a part of the height."""
        left = x - width_of(text) * height_mm / 2
        for stroke in strokes(text):
            self.line([(left + u * height_mm, y + (v - 0.5) * height_mm) for u, v in stroke], colour, bold * height_mm)

    def clipped(self, points: Iterable[Point]) -> Clip:
        """Return a context whose pen draws inside the polygon only."""
        return Clip(self, self._pixels(points))

    def finished(self) -> Image:
        """Return the picture, reduced to its own size."""
        height, width = self.image.shape[0] // SUPERSAMPLE, self.image.shape[1] // SUPERSAMPLE
        return cv2.resize(self.image, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)

    def _thick(self, width_mm: float) -> int:
        return max(1, round(width_mm * self.px_per_mm))

    def _pixels(self, points: Iterable[Point]) -> NDArray[np.int32]:
        corners = np.asarray(list(points), np.float64) @ self.matrix[:2, :2].T + self.matrix[:2, 2] - 0.5
        return np.round(corners * (1 << _SHIFT)).astype(np.int32)


class Clip:
    """Draws through a hole: what lies outside the polygon stays as it was."""

    def __init__(self, pen: Pen, corners: NDArray[np.int32]) -> None:
        self._pen, self._corners = pen, corners

    def __enter__(self) -> Pen:
        self._inside = replace(self._pen, image=self._pen.image.copy())
        return self._inside

    def __exit__(self, *_: object) -> None:
        mask = np.zeros(self._pen.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._corners], (255,), cv2.LINE_8, _SHIFT)
        cv2.copyTo(self._inside.image, mask, self._pen.image)


def sheet(width_mm: float, height_mm: float, px_per_mm: float, ground: Srgb) -> Pen:
    """Return a pen on a sheet of one colour; its origin is the sheet's upper left corner."""
    scale = px_per_mm * SUPERSAMPLE
    shape = (round(height_mm * px_per_mm) * SUPERSAMPLE, round(width_mm * px_per_mm) * SUPERSAMPLE, 3)
    image = np.empty(shape, np.uint8)
    cv2.rectangle(image, (0, 0), (shape[1], shape[0]), bgr(ground), cv2.FILLED)
    return Pen(image, np.array([[scale, 0.0, 0.0], [0.0, scale, 0.0], [0.0, 0.0, 1.0]]))


def bgr(colour: Srgb) -> tuple[int, int, int]:
    """Return an sRGB colour in OpenCV's order."""
    return colour[2], colour[1], colour[0]


def shade(colour: Srgb, by: float) -> Srgb:
    """Return a colour made darker (`by` < 1) or lighter (`by` > 1)."""
    red, green, blue = (min(255, round(channel * by)) for channel in colour)
    return red, green, blue


def arc(x: float, y: float, rx: float, ry: float, from_deg: float, to_deg: float, points: int = 48) -> list[Point]:
    """Return points along an ellipse; 0 is right, 90 down."""
    turns = [math.radians(from_deg + (to_deg - from_deg) * step / points) for step in range(points + 1)]
    return [(x + rx * math.cos(turn), y + ry * math.sin(turn)) for turn in turns]


def rounded(x0: float, y0: float, x1: float, y1: float, r: float) -> list[Point]:
    """Return the outline of a rectangle with rounded corners."""
    if r <= 0:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    corners = [(x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180), (x1 - r, y0 + r, 270)]
    return [point for x, y, turn in corners for point in arc(x, y, r, r, turn, turn + 90, 10)]


def curve(points: Sequence[Point], *, closed: bool = True, rounds: int = 4) -> list[Point]:
    """Return a smooth line by cutting corners (Chaikin's method); an open one keeps its two ends."""
    line = list(points)
    for _ in range(rounds):
        pairs = list(zip(line, line[1:] + line[:1], strict=True))[: None if closed else -1]
        cut = [(a[0] * (1 - t) + b[0] * t, a[1] * (1 - t) + b[1] * t) for a, b in pairs for t in (0.25, 0.75)]
        line = cut if closed else [line[0], *cut, line[-1]]
    return line


def star(x: float, y: float, r: float, spikes: int = 5, inner: float = 0.42) -> list[Point]:
    """Return the outline of a star, one spike up."""
    turns = [(_PI * step / spikes - _PI / 2, r if step % 2 == 0 else r * inner) for step in range(2 * spikes)]
    return [(x + size * math.cos(turn), y + size * math.sin(turn)) for turn, size in turns]
