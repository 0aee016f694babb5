"""The sample kit's acrobats: six performers, each in one pose on the front and in another on the back."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from pi_app.kit.draw import SUPERSAMPLE, Image, Pen, Point, Srgb, arc, bgr, curve, rounded, shade, sheet, star

INK: Srgb = (44, 34, 38)
WOOD: Srgb = (222, 184, 134)
CREAM: Srgb = (250, 244, 230)
STICKER_MM = (22.0, 50.0)


@dataclass(frozen=True)
class Pose:
    """Elbow and hand, knee and foot of either side, in mm from the sticker's centre; the picture's left first."""

    arms: tuple[tuple[Point, Point], tuple[Point, Point]]
    legs: tuple[tuple[Point, Point], tuple[Point, Point]]
    lean_deg: float = 0.0


def _pose(*numbers: float) -> Pose:
    points = list(zip(numbers[0:16:2], numbers[1:16:2], strict=True))
    limbs = list(zip(points[0::2], points[1::2], strict=True))
    return Pose((limbs[0], limbs[1]), (limbs[2], limbs[3]), numbers[16])


@dataclass(frozen=True)
class Performer:
    """One acrobat's looks."""

    ground: Srgb
    skin: Srgb
    hair: Srgb
    suit: Srgb
    trim: Srgb
    pattern: Callable[[Pen, Srgb], None]
    head: Callable[[Pen, Srgb, Srgb], None]


def _stripes(pen: Pen, trim: Srgb) -> None:
    for y in range(-10, 8, 4):
        pen.box(-8, y, 8, y + 2, trim)


def _dots(pen: Pen, trim: Srgb) -> None:
    for row in range(-4, 4):
        for column in range(-3, 4):
            pen.circle(column * 3.2 + (row % 2) * 1.6, row * 2.6, 0.85, trim)


def _diamonds(pen: Pen, trim: Srgb) -> None:
    for row in range(-4, 5):
        for column in range(-3, 4):
            x, y = column * 4 + (row % 2) * 2, row * 2.7
            pen.polygon([(x, y - 1.9), (x + 1.3, y), (x, y + 1.9), (x - 1.3, y)], trim)


def _star(pen: Pen, trim: Srgb) -> None:
    pen.polygon(star(0, -2.4, 3.6), trim)
    pen.box(-8, 3.0, 8, 4.2, trim)


def _sash(pen: Pen, trim: Srgb) -> None:
    for shift in (-6.0, 0.0, 6.0):
        pen.polygon([(-8, 5 + shift), (8, -7 + shift), (8, -4.4 + shift), (-8, 7.6 + shift)], trim)


def _waves(pen: Pen, trim: Srgb) -> None:
    for y in (-7.5, -4.0, -0.5, 3.0):
        line = [(x / 4, y + 0.9 * math.sin(x / 4 * 1.9)) for x in range(-32, 33)]
        pen.line(line, trim, 1.3)


def _bun(pen: Pen, hair: Srgb, _trim: Srgb) -> None:
    pen.circle(0, -5.4, 2.2, hair, INK)
    pen.polygon([*arc(0, -0.6, 4.3, 4.5, 180, 360), (3.2, -1.6), (-3.2, -1.6)], hair, INK)


def _top_hat(pen: Pen, hair: Srgb, _trim: Srgb) -> None:
    pen.polygon([*arc(0, -0.2, 4.2, 3.6, 170, 370), (2.9, -1.0), (-2.9, -1.0)], hair, INK)
    pen.box(-3.2, -8.6, 3.2, -2.6, INK, round_mm=0.5)
    pen.box(-3.2, -4.7, 3.2, -3.3, CREAM)
    pen.box(-5.2, -3.2, 5.2, -2.0, INK, round_mm=0.6)


def _curls(pen: Pen, hair: Srgb, _trim: Srgb) -> None:
    for turn in range(155, 400, 27):
        x, y = 4.0 * math.cos(math.radians(turn)), -0.4 + 4.0 * math.sin(math.radians(turn))
        pen.circle(x, y, 1.9, hair, INK, 0.4)
    pen.circle(0, 0.5, 3.1, hair)


def _plaits(pen: Pen, hair: Srgb, trim: Srgb) -> None:
    for side in (-1, 1):
        pen.limb([(side * 3.6, -0.5), (side * 5.4, 2.4), (side * 5.0, 5.4)], hair, 1.9, INK)
        pen.circle(side * 5.0, 4.2, 0.9, trim, INK, 0.3)
    pen.polygon([*arc(0, -0.4, 4.4, 4.4, 180, 360), (2.2, -1.8), (0, -2.9), (-2.2, -1.8)], hair, INK)


def _cap(pen: Pen, hair: Srgb, trim: Srgb) -> None:
    pen.polygon([*arc(0, 0.2, 4.2, 3.9, 175, 365), (3.0, -1.4), (-3.0, -1.4)], hair, INK)
    pen.polygon([*arc(0, -1.4, 4.5, 4.0, 180, 360)], trim, INK)
    pen.box(-5.0, -2.0, 5.0, -0.9, trim, INK, 0.4, round_mm=0.5)
    pen.circle(0, -6.0, 1.4, CREAM, INK, 0.4)


def _mohawk(pen: Pen, hair: Srgb, _trim: Srgb) -> None:
    crest = [(-1.6, -2.6), (-2.8, -6.4), (-1.0, -5.4), (0, -8.2), (1.0, -5.4), (2.8, -6.4), (1.6, -2.6)]
    pen.polygon(crest, hair, INK, 0.45)


PERFORMERS = (
    Performer((36, 120, 176), (240, 204, 168), (84, 48, 30), (214, 48, 52), CREAM, _stripes, _bun),
    Performer((238, 176, 44), (150, 98, 66), (34, 26, 26), (60, 60, 150), (246, 206, 70), _star, _top_hat),
    Performer((52, 146, 92), (226, 180, 140), (206, 92, 36), (250, 250, 246), (186, 40, 110), _dots, _curls),
    Performer((128, 78, 160), (246, 214, 186), (232, 190, 84), (40, 158, 150), (252, 236, 120), _diamonds, _plaits),
    Performer((226, 100, 60), (116, 74, 52), (30, 24, 26), (238, 232, 216), (34, 92, 166), _sash, _cap),
    Performer((66, 74, 92), (234, 192, 156), (226, 60, 130), (120, 190, 70), (28, 60, 52), _waves, _mohawk),
)

POSES = (
    # elbow, hand; elbow, hand; knee, foot; knee, foot; lean
    _pose(-6.6, -9.4, -7.6, -17.6, 6.6, -9.4, 7.6, -17.6, -3.6, 11.0, -6.4, 19.6, 3.6, 11.0, 6.4, 19.6, 0.0),
    _pose(-7.4, -4.2, -3.6, 1.0, 7.0, -9.0, 7.4, -17.4, -1.8, 11.6, -2.2, 20.2, 6.8, 7.2, 2.4, 12.4, 0.0),
    _pose(-7.2, -6.6, -8.2, 1.4, 7.2, -6.6, 8.2, 1.4, -6.6, 8.0, -7.4, 16.6, 6.6, 8.0, 7.4, 16.6, 0.0),
    _pose(-6.0, -10.4, -1.2, -18.2, 6.0, -10.4, 1.2, -18.2, -2.0, 11.8, -2.2, 20.4, 2.0, 11.8, 2.2, 20.4, 0.0),
    _pose(-7.0, -9.8, -8.6, -3.6, 7.2, -3.6, 8.4, -11.0, -6.6, 6.6, -8.0, 12.6, 2.6, 11.8, 1.0, 20.2, 6.0),
    _pose(-7.2, -4.0, -8.4, -11.8, 6.4, -3.0, 1.8, 1.6, -3.4, 11.4, -6.6, 19.0, 5.0, 9.6, 7.4, 17.8, -3.0),
    _pose(-6.8, -2.6, -2.4, 1.2, 6.8, -2.6, 2.4, 1.2, -5.6, 9.6, -2.6, 18.4, 5.6, 9.6, 2.6, 18.4, 0.0),
    _pose(-7.4, -10.0, -7.0, -2.2, 7.0, -10.0, 8.2, -17.4, -1.4, 12.0, -1.8, 20.4, 7.2, 5.0, 8.2, 13.0, 4.0),
    _pose(-7.8, -8.4, -8.6, -15.6, 7.4, -6.6, 8.4, 0.2, -6.8, 5.6, -2.2, 10.0, 2.4, 11.8, 3.4, 20.2, -6.0),
    _pose(-6.2, -3.4, -8.2, 3.0, 6.6, -9.8, 2.6, -17.0, -4.6, 10.4, -3.4, 19.2, 4.2, 10.8, 6.8, 18.8, 0.0),
    _pose(-7.2, -9.6, -3.6, -16.4, 7.4, -8.0, 8.4, -15.0, -6.0, 9.2, -6.0, 18.0, 1.8, 11.8, 1.6, 20.4, 7.0),
    _pose(-7.6, -7.0, -8.6, -13.6, 7.6, -7.0, 8.6, -13.6, -7.0, 8.4, -3.0, 13.6, 7.0, 8.4, 3.0, 13.6, 0.0),
)  # fmt: skip

# How the stickers lie: shift x, shift y in mm and turn in degrees, one for each face, as hands put them on.
_LIE = (
    (0.4, -0.5, 1.2), (-0.6, 0.3, -1.6), (0.2, 0.6, 0.5), (-0.3, -0.8, 2.0), (0.7, 0.1, -0.8), (-0.5, 0.7, 1.5),
    (0.1, -0.4, -2.1), (0.5, 0.5, 0.9), (-0.7, -0.2, -0.4), (0.3, 0.8, -1.3), (-0.2, -0.6, 1.8), (0.6, 0.2, -1.0),
)  # fmt: skip


@dataclass(frozen=True)
class Stuck:
    """A sticker on a face: whose, in which pose, shifted by mm and turned clockwise, `size` of what fits; the wood."""

    performer: int
    pose: int
    x_mm: float
    y_mm: float
    turn_deg: float
    size: float = 1.0
    wood: Srgb = WOOD


def draw_face(
    piece: int, length_mm: float, width_mm: float, px_per_mm: float, *, back: bool, stuck: Stuck | None = None
) -> Image:
    """Return one whole face: wood, and the sticker as it is stuck on, by default the sample's; portrait, head up."""
    face = 2 * piece + back
    on = stuck or Stuck(piece, face, *_LIE[face])
    pen = sheet(width_mm, length_mm, px_per_mm, on.wood)
    _grain(pen, on.wood, seed=face)
    scale = on.size * min((width_mm - 4.5) / STICKER_MM[0], (length_mm - 4.5) / STICKER_MM[1])
    sticker = pen.at(width_mm / 2 + on.x_mm, length_mm / 2 + on.y_mm, scale, on.turn_deg)
    draw_sticker(sticker, PERFORMERS[on.performer], POSES[on.pose], back=back)
    return pen.finished()


def draw_sticker(pen: Pen, performer: Performer, pose: Pose, *, back: bool) -> None:
    """Draw one sticker, its centre at the pen's origin."""
    width, height = STICKER_MM
    outline = rounded(-width / 2, -height / 2, width / 2, height / 2, 2.4)
    pen.polygon(outline, performer.ground, shade(performer.ground, 0.7), 0.35)
    with pen.clipped(outline) as inside:
        _ring(inside, performer, back=back)
    frame = rounded(1 - width / 2, 1 - height / 2, width / 2 - 1, height / 2 - 1, 1.6)
    pen.line([*frame, frame[0]], CREAM, 0.5)
    pen.ellipse(0, 22.4, 8.6, 1.5, shade(performer.ground, 0.66))
    draw_performer(pen.at(0, 0.6, turn_deg=pose.lean_deg), performer, pose)


def draw_performer(pen: Pen, performer: Performer, pose: Pose) -> None:
    """Draw the performer: legs, arms, body, head, from back to front."""
    for side, (knee, foot) in zip((-1.0, 1.0), pose.legs, strict=True):
        hip = (side * 2.0, 4.4)
        pen.limb([hip, knee, foot], performer.skin, 3.0, INK)
        pen.limb([hip, _between(hip, knee, 0.62)], performer.suit, 3.4, INK)
        pen.limb([foot, (foot[0] + side * 1.2, foot[1] + 0.3)], performer.trim, 2.2, INK)
    for side, (elbow, hand) in zip((-1.0, 1.0), pose.arms, strict=True):
        shoulder = (side * 3.4, -6.6)
        pen.limb([shoulder, elbow, hand], performer.skin, 2.3, INK)
        pen.limb([shoulder, _between(shoulder, elbow, 0.7)], performer.suit, 2.7, INK)
        pen.circle(*hand, 1.5, performer.skin, INK, 0.45)
    _body(pen, performer)
    pen.limb([(0, -8.2), (0, -9.6)], performer.skin, 2.2, INK)
    _head(pen.at(0, -13.0), performer)


def _body(pen: Pen, performer: Performer) -> None:
    outline = curve(
        [
            (-4.6, -8.6),
            (4.6, -8.6),
            (4.8, -5.2),
            (3.2, -0.4),
            (4.4, 5.6),
            (0, 7.0),
            (-4.4, 5.6),
            (-3.2, -0.4),
            (-4.8, -5.2),
        ],
        rounds=3,
    )
    pen.polygon(outline, performer.suit)
    with pen.clipped(outline) as inside:
        performer.pattern(inside, performer.trim)
    pen.line([*outline, outline[0]], INK, 0.5)


def _head(pen: Pen, performer: Performer) -> None:
    hat_first = performer.head in (_curls, _plaits)
    if hat_first:
        performer.head(pen, performer.hair, performer.trim)
    pen.circle(0, 0.4 if hat_first else 0, 3.6 if hat_first else 4.0, performer.skin, INK)
    if performer.head is _plaits:
        pen.polygon([*arc(0, -0.4, 3.9, 4.0, 185, 355), (1.6, -1.9), (0, -2.8), (-1.6, -1.9)], performer.hair, INK, 0.4)
    if not hat_first:
        performer.head(pen, performer.hair, performer.trim)
    for side in (-1, 1):
        pen.circle(side * 1.4, 0.3, 0.5, INK)
        pen.circle(side * 2.3, 1.7, 0.7, (236, 130, 116))
    pen.line(arc(0, 1.1, 1.3, 1.2, 25, 155, 12), INK, 0.4)


def _ring(pen: Pen, performer: Performer, *, back: bool) -> None:
    light = shade(performer.ground, 1.22)
    if back:
        for x, y, r in ((-8, -20, 2.0), (7.6, -22, 1.5), (8.6, 6, 1.7), (-8.4, 4, 1.4), (-7.6, 21, 1.6), (8, 19, 1.3)):
            pen.polygon(star(x, y, r), light)
        return
    for step in range(0, 24, 2):
        turns = [math.radians(15 * (step + k)) for k in (0, 1)]
        pen.polygon([(0, -4), *((60 * math.cos(turn), -4 + 60 * math.sin(turn)) for turn in turns)], light)


def _between(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _grain(pen: Pen, wood: Srgb, seed: int) -> None:
    """Cover the sheet with a wood grain that runs along its length; `seed` tells the pieces apart."""
    height, width = pen.image.shape[0] // SUPERSAMPLE, pen.image.shape[1] // SUPERSAMPLE
    y, x = np.mgrid[0:height, 0:width] / 8.0
    bend = x + 0.9 * np.sin(y / 17.0 + seed) + 0.25 * np.sin(y / 5.3 + 2.1 * seed)
    rings = np.sin(2.3 * bend + 1.7 * seed) + 0.6 * np.sin(5.9 * bend + 0.7 * seed) + 0.35 * np.sin(13.7 * bend + y / 9)
    grain = np.clip(np.array(bgr(wood)) * (1.0 + 0.032 * rings)[..., None] + 0.5, 0, 255).astype(np.uint8)
    cv2.resize(grain, pen.image.shape[1::-1], dst=pen.image, interpolation=cv2.INTER_NEAREST)
