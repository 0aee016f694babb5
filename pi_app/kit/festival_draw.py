"""A Festival kit's own pictures: fireworks on round tokens, the night sky of a board, the printed tray."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from pi_app.kit.draw import SUPERSAMPLE, Image, Pen, Point, Srgb, arc, bgr, curve, shade, sheet, star
from pi_app.kit.festival_tray import tray_table
from pi_app.kit.markers import marker_bits, mat_markers, white_boxes
from pi_app.kit.table import Table

PX_PER_MM = 8.0
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
FRAME: Srgb = (150, 160, 170)
Stroke = list[Point]


@dataclass(frozen=True)
class Style:
    """How a set of tokens is printed: ground, and in parts of the radius the rim's width and the strokes'.

    `glow` is how far light spreads about a stroke, `marks` whether each colour has its small sign at the foot.
    """

    ground: Srgb = (12, 14, 36)
    rim: float = 0.06
    stroke: float = 0.05
    glow: float = 0.07
    marks: bool = True


def _rose() -> list[Stroke]:
    def petals(size: float, count: int, depth: float) -> Stroke:
        turns = [math.tau * step / 180 for step in range(181)]
        return [_polar(turn, size * (1 - depth + depth * abs(math.cos(count * turn / 2)))) for turn in turns]

    return [petals(0.84, 8, 0.5), petals(0.55, 6, 0.45), petals(0.3, 5, 0.4), arc(0, 0, 0.08, 0.08, 0, 360)]


def _star() -> list[Stroke]:
    outline = star(0, 0, 0.62)
    rays = [[_polar(turn, 0.68), _polar(turn, 0.86)] for turn in _turns(10, -math.pi / 2)]
    return [[*outline, outline[0]], *rays, arc(0, 0, 0.13, 0.13, 0, 360)]


def _palm() -> list[Stroke]:
    leaves = [
        curve([(0, -0.1), (side * wide / 2, -0.1 - high), (side * wide, end)], closed=False)
        for side in (-1, 1)
        for wide, high, end in ((0.3, 0.7, -0.55), (0.6, 0.55, -0.15), (0.8, 0.3, 0.2))
    ]
    return [curve([(0, 0.84), (0.04, 0.4), (0, -0.1)], closed=False), [(0, -0.1), (0, -0.82)], *leaves]


def _fountain() -> list[Stroke]:
    jets = [
        curve([(foot, 0.6), (foot + lean * 0.4, -0.3 + abs(lean) * 0.7), (foot + lean, -0.1 + abs(lean))], closed=False)
        for foot in (-0.45, -0.15, 0.15, 0.45)
        for lean in (-0.3, -0.12, 0.12, 0.3)
    ]
    return [[(-0.6, 0.62), (0.6, 0.62)], *jets, *([(x, 0.6), (x, -0.5 + x * x)] for x in (-0.45, -0.15, 0.15, 0.45))]


def _comet() -> list[Stroke]:
    tails = [[(0.1 * n, -0.25 + 0.05 * abs(n)), (-0.36 + 0.2 * n, 0.7 - 0.09 * abs(n))] for n in range(-2, 3)]
    return [arc(0.1, -0.45, 0.24, 0.24, 0, 360), arc(0.1, -0.45, 0.1, 0.1, 0, 360), *tails]


def _spiral() -> list[Stroke]:
    return [[_polar(0.2 * step, 0.08 + 0.0115 * step) for step in range(64)]]


def _heart() -> list[Stroke]:
    half = [(0.0, 0.7), (0.55, 0.25), (0.75, -0.2), (0.55, -0.55), (0.2, -0.55), (0.0, -0.25)]
    outline = curve([*half, *((-x, y) for x, y in half[-2:0:-1])])
    return [[(size * x, size * y) for x, y in [*outline, outline[0]]] for size in (1.0, 0.55)]


def _peony() -> list[Stroke]:
    rays = [[_polar(turn, 0.2), _polar(turn, 0.66)] for turn in _turns(12)]
    return [*rays, *(_ring_at(turn, 0.78, 0.06) for turn in _turns(12))]


def _crown() -> list[Stroke]:
    points = [(-0.75, 0.45), (-0.8, -0.35), (-0.4, 0.05), (0, -0.6), (0.4, 0.05), (0.8, -0.35), (0.75, 0.45)]
    dots = [arc(x, y - 0.12, 0.06, 0.06, 0, 360) for x, y in points[1:6:2]]
    return [[*points, points[0]], [(-0.7, 0.25), (0.7, 0.25)], *dots]


def _rings() -> list[Stroke]:
    return [arc(0, 0, size, size, 0, 360) for size in (0.2, 0.5, 0.8)] + [[(0, -0.8), (0, -0.5)]]


def _polar(turn: float, size: float) -> Point:
    return size * math.cos(turn), size * math.sin(turn)


def _turns(count: int, start: float = 0.0) -> list[float]:
    return [start + math.tau * step / count for step in range(count)]


def _ring_at(turn: float, size: float, radius: float) -> Stroke:
    return arc(*_polar(turn, size), radius, radius, 0, 360)


MOTIFS: dict[str, Callable[[], list[Stroke]]] = {
    "rose": _rose,
    "star": _star,
    "palm": _palm,
    "fountain": _fountain,
    "comet": _comet,
    "spiral": _spiral,
    "heart": _heart,
    "peony": _peony,
    "crown": _crown,
    "rings": _rings,
}
"""The fireworks that can be drawn, by name: strokes within a radius of 1, y down."""


def draw_token(motif: str, colour: Srgb, sign: int, diameter_mm: float, style: Style | None = None) -> Image:
    """Return a token's face, BGR, PX_PER_MM, firework up; the corners about it are of its rim's colour.

    `sign` chooses the small mark of its colour: 0 star, 1 triangle, 2 cross, 3 disc.
    """
    style, radius = style or Style(), diameter_mm / 2
    rim = shade(colour, 0.55) if style.rim else style.ground
    pen = sheet(diameter_mm, diameter_mm, PX_PER_MM, rim).at(radius, radius, radius)
    pen.circle(0, 0, 1 - style.rim, style.ground)
    _glow(pen, MOTIFS[motif](), colour, style, radius)
    if style.marks:
        _sign(pen, sign % 4, colour, style.ground)
    return pen.finished()


def _glow(pen: Pen, strokes: list[Stroke], colour: Srgb, style: Style, radius_mm: float) -> None:
    """Draw strokes of light: a pale core in a glow of the colour, added to what is there."""
    lines = Pen(np.zeros_like(pen.image), pen.matrix)
    for stroke in strokes:
        lines.line(stroke, WHITE, style.stroke)
    core = lines.image[:, :, :1].astype(np.float32) / 255
    small = cv2.resize(core, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), style.glow * radius_mm * PX_PER_MM * SUPERSAMPLE / 4)
    wide = cv2.resize(soft, core.shape[1::-1])[:, :, None]
    light = np.array(bgr(colour), np.float32)
    pale = light + (255 - light) * 0.45
    dark = (255 - pen.image).astype(np.float32)
    dark *= 1 - np.minimum(1.1 * wide, 1) * (light / 255)
    lit = 255 - dark
    lit += (pale - lit) * core
    pen.image[:] = lit


def _sign(pen: Pen, sign: int, colour: Srgb, ground: Srgb) -> None:
    x, y, size = 0.0, 0.84, 0.09
    pen.circle(x, y, size * 1.3, ground)
    match sign:
        case 0:
            pen.polygon(star(x, y, size), colour)
        case 1:
            pen.polygon([(x, y - size), (x + size, y + size), (x - size, y + size)], colour)
        case 2:
            for side in (-1, 1):
                pen.line([(x - size, y - side * size), (x + size, y + side * size)], colour, size / 2)
        case _:
            pen.circle(x, y, size, colour)


def draw_back(colour: Srgb, diameter_mm: float, style: Style | None = None) -> Image:
    """Return a token's other side: the rim about the bare ground with a small ring."""
    style, radius = style or Style(), diameter_mm / 2
    pen = sheet(diameter_mm, diameter_mm, PX_PER_MM, shade(colour, 0.55)).at(radius, radius, radius)
    pen.circle(0, 0, 1 - style.rim, style.ground)
    pen.line(arc(0, 0, 0.4, 0.4, 0, 360), shade(FRAME, 0.6), 0.03)
    return pen.finished()


def draw_board(side_mm: float, pitch_mm: float, ring_mm: float, sky: tuple[Srgb, Srgb], seed: int = 0) -> Image:
    """Return a board's night sky from its top colour to its lowest, nine rings of a diameter, stars and a skyline."""
    random = np.random.default_rng((seed, 5))
    pen = sheet(side_mm, side_mm, PX_PER_MM, sky[0])
    ramp = np.linspace(0, 1, pen.image.shape[0])[:, None, None]
    pen.image[:] = ((1 - ramp) * np.array(bgr(sky[0])) + ramp * np.array(bgr(sky[1]))).astype(np.uint8)
    for x, y in random.uniform(0, side_mm, (150, 2)):
        pen.circle(float(x), float(y), float(random.uniform(0.12, 0.35)), shade(WHITE, float(random.uniform(0.5, 0.9))))
    x = 0.0
    while x < side_mm:
        wide, high = float(random.uniform(6, 14)), float(random.uniform(5, 24))
        pen.box(x, side_mm - high, x + wide, side_mm, (10, 10, 14))
        for u, v in random.uniform(0, 1, (int(wide * high / 25), 2)):
            pen.box(x + u * wide, side_mm - v * high, x + u * wide + 0.5, side_mm - v * high + 0.7, (190, 160, 70))
        x += wide
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            centre = (side_mm / 2 + column * pitch_mm, side_mm / 2 + row * pitch_mm)
            pen.line(arc(*centre, ring_mm / 2, ring_mm / 2, 0, 360), (120, 122, 165), 0.6)
    return pen.finished()


def draw_tray(table: Table, player: int, board_mm: float) -> Image:
    """Return a player's printed tray, its top edge away from the player: paper, four markers, the board's place."""
    own, size = tray_table(table, (player,)), table.trays.size
    pen = sheet(size, size, PX_PER_MM, table.mat.paper_srgb)
    low, high = (size - board_mm) / 2 - 0.5, (size + board_mm) / 2 + 0.5
    pen.line([(low, low), (high, low), (high, high), (low, high), (low, low)], FRAME, 0.8)
    pen.text(f"P{player + 1}", size / 2, size - table.trays.marker_inset, 5.0, FRAME)
    for marker in mat_markers(own):
        left, top = marker.box.x0 + size / 2, size / 2 - marker.box.y1
        pen.box(left - 2, top - 2, left + marker.side + 2, top + marker.side + 2, WHITE)
        pen.box(left, top, left + marker.side, top + marker.side, BLACK)
        for box in white_boxes(marker_bits(own.markers.family, marker.marker_id, own.markers.border_bits), marker.side):
            pen.box(left + box.x0, top + box.y0, left + box.x1, top + box.y1, WHITE)
    return pen.finished()
