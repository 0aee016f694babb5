"""The sample kit's ten objects, each drawn within 23 mm of the pen's origin."""

from __future__ import annotations

import math
from collections.abc import Callable

from pi_app.kit.draw import Image, Pen, Srgb, arc, curve, sheet, star

INK: Srgb = (40, 32, 34)
WHITE: Srgb = (252, 250, 244)
RED: Srgb = (214, 52, 50)
ORANGE: Srgb = (240, 140, 40)
YELLOW: Srgb = (248, 200, 50)
GREEN: Srgb = (70, 160, 80)
BLUE: Srgb = (46, 120, 190)
NAVY: Srgb = (34, 62, 110)
BROWN: Srgb = (134, 88, 54)
PINK: Srgb = (238, 130, 160)
PURPLE: Srgb = (132, 82, 166)
EDGE = 0.9


def _balloon(pen: Pen) -> None:
    hull = curve([(0, -19), (9, -18), (14, -7), (8, 3), (3, 8), (-3, 8), (-8, 3), (-14, -7), (-9, -18)])
    pen.polygon(hull, RED)
    with pen.clipped(hull) as inside:
        for rx, colour in ((8.0, YELLOW), (3.2, BLUE)):
            inside.ellipse(0, -5, rx, 15, colour)
    pen.line([*hull, hull[0]], INK, EDGE)
    for side in (-1, 1):
        pen.line([(side * 3.0, 7.6), (side * 2.8, 13)], INK, 0.7)
    pen.box(-3.8, 12.4, 3.8, 18, BROWN, INK, EDGE, 0.8)
    pen.line([(-3.4, 15.1), (3.4, 15.1)], INK, 0.6)


def _cherries(pen: Pen) -> None:
    pen.line(curve([(4, -16), (-2, -8), (-7, 4)], closed=False), (82, 112, 48), 1.5)
    pen.line(curve([(4, -16), (5, -6), (8, 6)], closed=False), (82, 112, 48), 1.5)
    pen.polygon(curve([(4, -16), (-4, -19), (-14, -14), (-16, -9), (-6, -9)]), GREEN, INK, EDGE)
    pen.line([(3, -15.4), (-12, -11.6)], (40, 110, 56), 0.7)
    for x, y in ((-7.6, 9.4), (8.4, 10.6)):
        pen.circle(x, y, 7, (196, 28, 48), INK, EDGE)
        pen.ellipse(x - 2.4, y - 2.6, 1.8, 1.4, (250, 170, 176))


def _sailboat(pen: Pen) -> None:
    pen.line([(0, -18), (0, 8)], BROWN, 1.6)
    pen.polygon([(1.6, -16), (14.5, 5), (1.6, 5)], WHITE, INK, EDGE)
    pen.polygon([(-1.6, -12), (-12, 5), (-1.6, 5)], ORANGE, INK, EDGE)
    pen.polygon([(0, -18), (-6, -16), (0, -14.4)], RED, INK, 0.6)
    pen.polygon(curve([(-15, 8), (15, 8), (12, 14.6), (-10, 14.6)], rounds=1), NAVY, INK, EDGE)
    waves = [(x / 2, 16.4 + 0.9 * math.sin(x / 2 * 0.9)) for x in range(-28, 29)]
    pen.line(waves, BLUE, 1.6)


def _butterfly(pen: Pen) -> None:
    for mirror in (False, True):
        half = pen.at(0, 0, mirror=mirror)
        half.polygon(curve([(1, -2), (5, -15), (15, -17), (18, -9), (12, 0), (3, 2)]), PURPLE, INK, EDGE)
        half.polygon(curve([(1, 0), (12, 2), (14, 9), (9, 16), (3, 10)]), PINK, INK, EDGE)
        half.circle(11.6, -9.6, 2.8, YELLOW)
        half.circle(8.2, 7.6, 2.0, WHITE)
        half.line(arc(5.4, -9.4, 4.6, 7.6, 180, 262, 16), INK, 0.8)
    pen.ellipse(0, 1.6, 1.7, 10.5, INK)
    pen.circle(0, -9.4, 2.2, INK)


def _crown(pen: Pen) -> None:
    points = [(-15, 9), (-17, -9), (-8, -1), (0, -14), (8, -1), (17, -9), (15, 9)]
    pen.polygon(points, YELLOW, INK, EDGE)
    pen.box(-15.4, 8, 15.4, 14, (226, 164, 30), INK, EDGE, 1.0)
    for (x, y), colour in zip(((-17.0, -10.0), (0.0, -15.0), (17.0, -10.0)), (RED, BLUE, RED), strict=True):
        pen.circle(x, y, 2.3, colour, INK, 0.7)
    for x, colour in ((-9.5, GREEN), (0.0, RED), (9.5, GREEN)):
        pen.polygon([(x, 8.9), (x + 2, 11), (x, 13.1), (x - 2, 11)], colour, INK, 0.5)


def _mushroom(pen: Pen) -> None:
    pen.polygon(curve([(-5, 0), (5, 0), (5, 8), (7.6, 17), (-7.6, 17), (-5, 8)], rounds=3), (244, 230, 204), INK, EDGE)
    cap = [*arc(0, 1.6, 17, 17.6, 180, 360), (10, 3.6), (-10, 3.6)]
    pen.polygon(cap, RED, INK, EDGE)
    for x, y, r in ((-9.6, -4, 2.6), (0, -9.6, 3.2), (9.4, -3.6, 2.8), (-1.4, -1.2, 1.8)):
        pen.circle(x, y, r, WHITE)
    for left in (-13.4, 6.6):
        pen.polygon(
            [(left, 17.4), (left + 1.4, 12), (left + 3, 16), (left + 5, 11.4), (left + 6.4, 17.4)], GREEN, INK, 0.6
        )


def _tent(pen: Pen) -> None:
    roof = [(0, -12), (16, 0), (-16, 0)]
    wall = [(-13.6, 0), (13.6, 0), (13.6, 16), (-13.6, 16)]
    for outline, apex in ((wall, -300.0), (roof, -12.0)):
        pen.polygon(outline, WHITE)
        with pen.clipped(outline) as inside:
            for x in range(-16, 17, 8):
                inside.polygon([(0 if apex > -100 else x - 2, apex), (x - 2, 16), (x + 2, 16)], RED)
        pen.line([*outline, outline[0]], INK, EDGE)
    pen.polygon([(0, 2), (5, 16), (-5, 16)], INK)
    for x in range(-14, 15, 4):
        pen.polygon(arc(x, 0, 2, 2.6, 0, 180, 12), YELLOW, INK, 0.6)
    pen.line([(0, -12), (0, -18)], INK, 0.9)
    pen.polygon([(0, -18.4), (7, -16.4), (0, -14.4)], BLUE, INK, 0.6)


def _clock(pen: Pen) -> None:
    for side in (-1, 1):
        pen.circle(side * 9, -12.4, 4.4, YELLOW, INK, EDGE)
        pen.line([(side * 8, 12), (side * 11, 17.2)], INK, 2.2)
    pen.line([(0, -13), (0, -17)], INK, 2.4)
    pen.circle(0, 1, 15, (28, 140, 140), INK, EDGE)
    pen.circle(0, 1, 11.4, WHITE, INK, 0.7)
    for hour in range(12):
        turn = math.radians(30 * hour)
        pen.circle(9.6 * math.sin(turn), 1 - 9.6 * math.cos(turn), 1.0 if hour % 3 == 0 else 0.5, INK)
    pen.line([(0, 1), (-4.6, -3.4)], INK, 1.6)
    pen.line([(0, 1), (5.6, -3.0)], RED, 1.1)
    pen.circle(0, 1, 1.3, INK)


def _snail(pen: Pen) -> None:
    body = curve(
        [(-18, 14), (-15, 9), (6, 9), (9, -2), (13, -7), (18, -4), (16, 6), (13, 14), (6, 16), (-14, 16)], rounds=3
    )
    pen.polygon(body, (246, 206, 120), INK, EDGE)
    for x, y in ((11.4, -14), (17, -12.4)):
        pen.line([(14.4, -4), (x, y)], INK, 1.0)
        pen.circle(x, y, 1.5, INK)
    pen.circle(-3.4, 0.4, 12, (196, 104, 62), INK, EDGE)
    spiral = [
        ((9.6 - turn * 0.72) * math.cos(turn), (9.6 - turn * 0.72) * math.sin(turn))
        for turn in (k / 6 for k in range(78))
    ]
    pen.line([(x - 3.4, y + 0.4) for x, y in spiral], (92, 46, 34), 1.7)
    pen.line(arc(14.6, 1.0, 2.0, 1.6, 10, 100, 10), INK, 0.8)


def _anchor(pen: Pen) -> None:
    for colour, more in ((INK, 1.4), (NAVY, 0.0)):
        pen.line(arc(0, -13, 3.4, 3.4, 0, 360), colour, 2.2 + more)
        pen.line([(0, -9), (0, 15)], colour, 3.0 + more)
        pen.line([(-7, -4.4), (7, -4.4)], colour, 2.6 + more)
        pen.line(arc(0, 2, 13, 13, 12, 168), colour, 3.0 + more)
        for side in (-1, 1):
            barb = [(side * 13.4, 0.6), (side * 15.8, 7), (side * 9.2, 5.6)]
            pen.polygon(barb, NAVY, colour, 1.0 + more)
    pen.line(curve([(-3, -12), (-9, -6), (6, 2), (-8, 8), (3, 14)], closed=False), YELLOW, 1.4)


OBJECTS: dict[str, Callable[[Pen], None]] = {
    "balloon": _balloon, "cherries": _cherries, "sailboat": _sailboat, "butterfly": _butterfly, "crown": _crown,
    "mushroom": _mushroom, "tent": _tent, "clock": _clock, "snail": _snail, "anchor": _anchor,
}  # fmt: skip


def draw_tile(name: str, size_mm: float, px_per_mm: float) -> Image:
    """Return a round object tile's whole face; the corners outside the disc are table-coloured."""
    pen = sheet(size_mm, size_mm, px_per_mm, (198, 186, 168))
    middle = size_mm / 2
    pen.circle(middle, middle, middle, WHITE)
    pen.circle(middle, middle, middle - 0.9, NAVY)
    pen.circle(middle, middle, middle - 3.2, (252, 244, 222))
    for step in range(20):
        turn = math.radians(18 * step)
        x, y = middle + (middle - 2.05) * math.cos(turn), middle + (middle - 2.05) * math.sin(turn)
        pen.polygon(star(x, y, 0.95), YELLOW)
    OBJECTS[name](pen.at(middle, middle, 0.86 * (middle - 4) / 20))
    return pen.finished()
