"""Painting single things into a part of the picture: flat faces, hulls, limbs and stones."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from pi_app.sim.ground import HEADROOM
from pi_app.sim.pieces import Floats, Piece, Placed
from pi_app.sim.textures import Picture

Bgr = ArrayLike


RING = np.stack([np.cos(np.linspace(0, 2 * np.pi, 14)[:-1]), np.sin(np.linspace(0, 2 * np.pi, 14)[:-1])], axis=1)


@dataclass(frozen=True, eq=False)
class Canvas:
    """A window of the picture: `pixels` is a view into it, whose top left pixel is at (left, top)."""

    pixels: Picture
    left: int
    top: int

    def cut(self, points_px: Floats, margin_px: int = 1) -> tuple[Picture, Floats] | None:
        """Return the part around points and its corner; None where they lie outside."""
        low = np.floor(points_px.min(axis=0)).astype(int) - margin_px - (self.left, self.top)
        high = np.ceil(points_px.max(axis=0)).astype(int) + margin_px + 1 - (self.left, self.top)
        low, high = np.maximum(low, 0), np.minimum(high, (self.pixels.shape[1], self.pixels.shape[0]))
        if (high <= low).any():
            return None
        return self.pixels[low[1] : high[1], low[0] : high[0]], np.array(
            [low[0] + self.left, low[1] + self.top], np.float64
        )


def paint_face(canvas: Canvas, picture: Picture, corners_px: Floats) -> None:
    """Stretch a BGRA picture (already lit) between four corners, clockwise from its top left."""
    part = canvas.cut(corners_px)
    if part is None:
        return
    window, corner = part
    rows, columns = picture.shape[:2]
    source = np.array(
        [[-0.5, -0.5], [columns - 0.5, -0.5], [columns - 0.5, rows - 0.5], [-0.5, rows - 0.5]], np.float32
    )
    stretch = cv2.getPerspectiveTransform(source, (corners_px - corner).astype(np.float32))
    size = (window.shape[1], window.shape[0])
    drawn = cv2.warpPerspective(picture, stretch, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    _over(window, drawn.astype(np.uint8, copy=False))


def _over(window: Picture, drawn: NDArray[np.uint8]) -> None:
    """Lay a BGRA picture, colours already multiplied by alpha, over a window."""
    through = cv2.cvtColor(cv2.bitwise_not(drawn[:, :, 3]), cv2.COLOR_GRAY2BGR)
    cv2.multiply(window, through, window, 1 / 255)
    cv2.add(window, cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR), window)


def lit(picture: Picture, light: Floats) -> Picture:
    """Return a BGRA picture with its colours multiplied by 3 factors and brought to HEADROOM."""
    factors = np.array([*(light * HEADROOM), 1.0])
    return np.asarray(cv2.multiply(picture, factors), np.uint8)


def lit_unevenly(picture: Picture, light: Floats, masks: list[tuple[NDArray[np.uint8], Floats]]) -> Picture:
    """Like `lit`, with each mask (0..255) bringing the colours down to 3 factors where it is full."""
    drawn = lit(picture, light)
    for mask, least in masks:
        ramp = np.arange(256)[:, None] / 255.0
        table = np.clip(np.column_stack([255 * (1 - ramp * (1 - least)), np.full(256, 255)]), 0, 255).astype(np.uint8)
        sized = cv2.resize(mask, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
        cv2.multiply(drawn, cv2.LUT(cv2.merge([sized] * 4), table[None]), drawn, 1 / 255)
    return drawn


def paint_hull(canvas: Canvas, points_px: Floats, bgr: Bgr, shrink_px: float = 0.0) -> None:
    """Fill the hull of points with one colour (at HEADROOM already)."""
    part = canvas.cut(points_px)
    if part is None:
        return
    window, corner = part
    hull = cv2.convexHull((points_px - corner).astype(np.float32)).reshape(-1, 2)
    if shrink_px:
        inwards = hull.mean(axis=0) - hull
        length = np.maximum(np.linalg.norm(inwards, axis=1, keepdims=True), shrink_px + 1e-6)
        hull = hull + inwards / length * shrink_px
    cv2.fillConvexPoly(
        window, np.round(hull * 16).astype(np.int32), [float(c) for c in np.asarray(bgr)], cv2.LINE_AA, 4
    )


def paint_limb(
    canvas: Canvas, ends_px: Floats, radii_px: tuple[float, float], light_px: Floats, bright: Floats, dark: Floats
) -> None:
    """Paint a thickened line as a round limb whose bright side lies towards `light_px` (unit, in the picture)."""
    part = canvas.cut(np.concatenate([ends_px - max(radii_px), ends_px + max(radii_px)]))
    if part is None:
        return
    window, corner = part
    sizes = np.array(radii_px)[:, None]
    for step in range(5):
        inwards = step / 5
        middle = ends_px - corner + light_px * sizes * 0.55 * inwards
        points = (middle[:, None] + RING * (sizes * (1 - 0.8 * inwards))[:, None]).reshape(-1, 2)
        colour = dark + (bright - dark) * (inwards + 0.08) ** 0.5
        hull = cv2.convexHull(points.astype(np.float32))
        cv2.fillConvexPoly(window, np.round(hull * 16).astype(np.int32), colour.tolist(), cv2.LINE_AA, 4)


def paint_stone(
    canvas: Canvas, window_px: Floats, rays: NDArray[np.float32], piece: Piece, placed: Placed, eye_mm: Floats,
    lamp_mm: Floats, bgr: Floats, light: tuple[Floats, Floats],
) -> None:  # fmt: skip
    """Paint a glossy nugget where lines of sight meet an ellipsoid.

    `rays` are those of the whole picture, h x w x 3; `light` is the ambient and the lamp's, by channel.
    """
    part = canvas.cut(window_px)
    if part is None:
        return
    window, corner = part
    left, top = int(corner[0]), int(corner[1])
    ways = rays[top : top + window.shape[0], left : left + window.shape[1]]
    eye = placed.rotation.T @ (eye_mm - placed.at_mm) / piece.half_mm
    way = (ways @ placed.rotation) / piece.half_mm
    a, b, c = (way * way).sum(axis=2), way @ eye, float(eye @ eye) - 1.0
    inside = b * b - a * c
    met = eye + way * ((-b - np.sqrt(np.maximum(inside, 0))) / a)[:, :, None]
    normal = met / piece.half_mm
    normal = (normal / np.linalg.norm(normal, axis=2, keepdims=True)) @ placed.rotation.T
    towards = (lamp_mm - placed.at_mm) / np.linalg.norm(lamp_mm - placed.at_mm)
    glow = np.maximum(normal @ towards, 0)
    mirrored = 2 * glow[:, :, None] * normal - towards
    gloss = np.maximum(-(mirrored * ways).sum(axis=2), 0) ** 60
    shade = (light[0] * (0.7 + 0.3 * normal[:, :, 2:]) + light[1] * glow[:, :, None]) ** (1 / 2.2)
    colour = (bgr * shade + 200.0 * gloss[:, :, None]) * HEADROOM
    slope = np.hypot(*np.gradient(inside)) if min(inside.shape) > 1 else np.ones_like(inside)
    cover = np.clip(inside / np.maximum(slope, 1e-9) + 0.5, 0, 1)[:, :, None]
    window[:] = np.clip(window * (1 - cover) + colour * cover, 0, 255).astype(np.uint8)
