"""The mat around a zone seen from above, its print and the light on it taken out: what is left lies on it.

Everything is measured on the mat's plane: a point above it is seen where its line of sight meets the plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Zone
from pi_app.kit.draw_mat import draw_mat
from pi_app.kit.table import Rect, Table
from pi_app.teach.shot import Shot
from pi_app.vision.camera import Floats, View
from pi_app.vision.light import linear, srgb_linear, to_lab
from pi_app.vision.pose import Image

Mask = NDArray[np.uint8]
Field = NDArray[np.float32]

PX_PER_MM = 4.0
MARGIN_MM = 30.0
KNOT_MM = 5.0
EDGE_MM, EDGE_SPREADS = 1.0, 0.9
LABEL_MM = (32.0, 8.0)
TINT, BRIGHT, DARK = 5.0, 3.5, 12.0
"""In L*, a*, b* relative to the paper: what differs from it by so much is not paper. Grey and darker may be shade."""
DARKEST_SHADE = 42.0
NOISE_SIGMAS = 5.0


@dataclass(frozen=True, eq=False)
class Ground:
    """A part of the mat at PX_PER_MM: `lab` relative to the lit mat (bare mat is 100, 0, 0), rows from far to near.

    `sure` is 255 where the picture shows the mat and no printed edge; `thing` from 0 to 1 how surely what is seen is
    neither the mat nor a shadow on it; `light` the linear B, G, R of white paper there.
    """

    shot: Shot
    zone: Rect
    area: Rect
    lab: Field
    light: Field
    sure: Mask
    thing: Field

    @property
    def eye(self) -> Floats:
        """The camera's place, mm."""
        return self.shot.view.pose.eye

    def pixels(self, points_mm: Floats) -> Floats:
        """Return column and row of points of the mat, n x 2."""
        off = np.asarray(points_mm, np.float64)[:, :2] - (self.area.x0, self.area.y1)
        return off * (PX_PER_MM, -PX_PER_MM) - 0.5

    def places(self, pixels: Floats) -> Floats:
        """Return the mat's points n x 2 of columns and rows."""
        return (np.asarray(pixels, np.float64) + 0.5) / (PX_PER_MM, -PX_PER_MM) + (self.area.x0, self.area.y1)

    def seen_at(self, points_mm: Floats) -> Floats:
        """Return where points n x 3 in space are seen on the mat, n x 2."""
        eye, points = self.eye, np.asarray(points_mm, np.float64)
        return np.asarray(eye[:2] + (points[:, :2] - eye[:2]) * (eye[2] / (eye[2] - points[:, 2]))[:, None])


def ground(shot: Shot, zone: Zone, margin_mm: float = MARGIN_MM) -> Ground:
    """Return the mat in and around a zone."""
    rect, mat = shot.table.zones.of(zone), shot.table.mat
    half_x, half_y = mat.width / 2, mat.height / 2
    area = Rect(
        x0=max(rect.x0 - margin_mm, -half_x), y0=max(rect.y0 - margin_mm, -half_y),
        x1=min(rect.x1 + margin_mm, half_x), y1=min(rect.y1 + margin_mm, half_y),
    )  # fmt: skip
    corner = np.array([area.x0, area.y1, 0.0])
    size = (area.x1 - area.x0, area.y1 - area.y0)
    flat, inside = flattened(shot.image, shot.view, corner, np.eye(3)[0], -np.eye(3)[1], size, PX_PER_MM)
    printed, edges = _mat_print(shot.table, _near_edges(shot))
    window = _window(area, shot.table, flat.shape)
    sure = np.asarray(cv2.bitwise_and(inside, cv2.bitwise_not(edges[window])), np.uint8)
    level = np.maximum(cv2.GaussianBlur(linear(flat), (0, 0), 1.0), 1e-4) / printed[window]
    light = _light_field(np.asarray(level, np.float32), sure)
    lab = to_lab(np.asarray(level / light, np.float64)).astype(np.float32)
    return Ground(shot, rect, area, lab, light, sure, _thing(lab, sure))


def flattened(
    image: Image, view: View, corner: Floats, right: Floats, down: Floats, size_mm: tuple[float, float], px_mm: float
) -> tuple[Image, Mask]:
    """Return a rectangle in space as seen straight on, and 255 where the picture shows it.

    `corner` is its upper left one in the mat frame, `right` and `down` unit vectors along its sides, `size_mm` its
    width and height. The lens's distortion is taken out.
    """
    columns, rows = round(size_mm[0] * px_mm), round(size_mm[1] * px_mm)
    count_x, count_y = (max(2, round(side / KNOT_MM) + 1) for side in size_mm)
    across = (np.linspace(0, columns - 1, count_x) + 0.5) * size_mm[0] / columns
    along = (np.linspace(0, rows - 1, count_y) + 0.5) * size_mm[1] / rows
    points = corner + across[None, :, None] * right + along[:, None, None] * down
    knots = view.project(points.reshape(-1, 3)).reshape(count_y, count_x, 2).astype(np.float32)
    x, y = np.meshgrid(
        np.linspace(0, count_x - 1, columns, dtype=np.float32), np.linspace(0, count_y - 1, rows, dtype=np.float32)
    )
    maps = np.asarray(cv2.remap(knots, x, y, cv2.INTER_LINEAR), np.float32)
    flat = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    height, width = image.shape[:2]
    inside = (maps >= 0).all(axis=2) & (maps[..., 0] <= width - 1) & (maps[..., 1] <= height - 1)
    return np.asarray(flat, np.uint8), np.where(inside, 255, 0).astype(np.uint8)


def _near_edges(shot: Shot) -> float:
    """Return how far in mm printed edges reach in the picture, in steps of a half."""
    return max(EDGE_MM, round(2 * EDGE_SPREADS * max(shot.spread.across_mm, shot.spread.along_mm)) / 2)


@lru_cache(maxsize=4)
def _mat_print(table: Table, near_mm: float) -> tuple[Field, Mask]:
    """Return the whole mat's linear colours as printed, relative to its white paper, and 255 within `near_mm` of
    printed edges."""
    picture = draw_mat(table, PX_PER_MM)
    levels = linear(picture)
    relative = np.maximum(levels / srgb_linear(table.mat.paper_srgb), 0.02)
    size = 2 * round(near_mm * PX_PER_MM) + 1
    contrast = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    edges = cv2.dilate(np.where(contrast > 20, 255, 0).astype(np.uint8), np.ones((size, size), np.uint8))
    for zone in Zone:
        rect = table.zones.of(zone)
        left, low = (rect.x0 + table.mat.width / 2) * PX_PER_MM, (table.mat.height / 2 - rect.y0) * PX_PER_MM
        edges[
            round(low - LABEL_MM[1] * PX_PER_MM) : round(low), round(left) : round(left + LABEL_MM[0] * PX_PER_MM)
        ] = 255
    return np.asarray(relative, np.float32), np.asarray(edges, np.uint8)


def _window(area: Rect, table: Table, shape: tuple[int, ...]) -> tuple[slice, slice]:
    left = round((area.x0 + table.mat.width / 2) * PX_PER_MM)
    top = round((table.mat.height / 2 - area.y1) * PX_PER_MM)
    return slice(top, top + shape[0]), slice(left, left + shape[1])


def _light_field(level: Field, sure: Mask) -> Field:
    """Return the light on the mat: a smooth surface through what is bare mat, found by leaving out what differs."""
    rows, columns = level.shape[:2]
    step = 6
    small, known = np.log(level[::step, ::step].astype(np.float64)), sure[::step, ::step].ravel() > 0
    flat = small.reshape(-1, 3)
    basis = _basis(*small.shape[:2])
    keep = known & (np.abs(flat - np.median(flat[known], axis=0)).max(axis=1) < 0.5) if known.any() else known
    surface = np.zeros((6, 3))
    for reach in (0.25, 0.12, 0.07, 0.05, 0.05):
        if keep.sum() < 50:
            break
        surface = np.linalg.lstsq(basis[keep], flat[keep], rcond=None)[0]
        off = flat - basis @ surface
        off -= np.median(off[keep], axis=0)
        keep = known & (np.abs(off).max(axis=1) < reach)
    light = np.exp(basis @ surface).reshape(small.shape).astype(np.float32)
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32) / step, np.arange(rows, dtype=np.float32) / step)
    return np.asarray(cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


@lru_cache(maxsize=8)
def _basis(rows: int, columns: int) -> Floats:
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)


def _thing(lab: Field, sure: Mask) -> Field:
    """Return how surely each pixel is neither mat nor shade, 0 to 1; thresholds rise with the picture's noise."""
    soft = cv2.GaussianBlur(lab, (0, 0), 0.5 * PX_PER_MM)
    bare = soft[::5, ::5][(sure[::5, ::5] > 0) & (np.abs(soft[::5, ::5, 0] - 100) < 2 * BRIGHT)]
    noise = 1.48 * float(np.median(np.hypot(bare[:, 1], bare[:, 2]))) if len(bare) else 0.0
    pale = 1.48 * float(np.median(np.abs(bare[:, 0] - 100))) if len(bare) else 0.0
    tint = np.hypot(soft[..., 1], soft[..., 2]) / max(TINT, NOISE_SIGMAS * noise)
    bright = (soft[..., 0] - 100) / max(BRIGHT, NOISE_SIGMAS * pale)
    dark = (DARKEST_SHADE - soft[..., 0]) / DARK
    odd = np.maximum.reduce([tint, bright, dark])
    return _filled(np.asarray(np.clip(odd - 0.5, 0, 1), np.float32), sure)


def _filled(thing: Field, sure: Mask) -> Field:
    """Return a field with what is not sure as its nearest sure pixel is."""
    unsure = np.where(sure > 0, 0, 255).astype(np.uint8)
    _, labels = cv2.distanceTransformWithLabels(unsure, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
    rows, columns = np.nonzero(sure)
    values = np.zeros(int(labels.max()) + 1, np.float32)
    values[labels[rows, columns]] = thing[rows, columns]
    return np.asarray(values[labels], np.float32)
