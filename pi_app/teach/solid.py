"""Solids of unknown size that lie on the mat, and the outline each shows the camera; lengths in mm.

A solid's values are x, y and turn (in units of TURN_UNIT) of its foot's middle, then its sizes: width across, depth and
height of a box, diameter and height of a disc or of a stone. Outlines are convex and lie on the mat's plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from pi_app.teach.ground import Ground
from pi_app.vision.camera import Floats

TURN_UNIT = 0.02
"""Radians: so that a step of 1 moves a piece's edges by about as much as a step of 1 mm does."""
ROUND = 40
STEP_MM = 1.5


class Shape(StrEnum):
    """What a solid is: a box, a disc, a stone; or of a thin box or disc (a sheet, a coin) the upper face alone."""

    BOX = "box"
    DISC = "disc"
    STONE = "stone"
    SHEET = "sheet"
    COIN = "coin"

    @property
    def square(self) -> bool:
        """Whether it has corners."""
        return self in (Shape.BOX, Shape.SHEET)


@dataclass(frozen=True, eq=False)
class Solid:
    """A solid in its place: `at_mm` x, y of its foot's middle, `turn_rad` from +x, `size_mm` as above."""

    shape: Shape
    at_mm: tuple[float, float]
    turn_rad: float
    size_mm: tuple[float, ...]

    def foot(self) -> Floats:
        """Return the corners of a box's foot, or points of a disc's, n x 2, counter-clockwise."""
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        if self.shape.square:
            half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(self.size_mm[:2]) / 2
        else:
            around = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
            half = np.column_stack([np.cos(around), np.sin(around)]) * self.size_mm[0] / 2
        return np.asarray(half @ np.array([[c, s], [-s, c]]) + self.at_mm)

    @property
    def height_mm(self) -> float:
        """How high it is."""
        return self.size_mm[-1]

    def outline(self, ground: Ground) -> Floats:
        """Return what it covers of the mat as the camera sees it: corners n x 2, counter-clockwise."""
        if self.shape is Shape.STONE:
            return hull(ground.seen_at(self._rim(ground.eye)))
        foot = self.foot()
        top = self.top(ground)
        return hull(top if self.shape in (Shape.SHEET, Shape.COIN) else np.concatenate([foot, top]))

    def top(self, ground: Ground) -> Floats:
        """Return where the upper face of a box or disc is seen on the mat, n x 2."""
        foot = self.foot()
        return ground.seen_at(np.column_stack([foot, np.full(len(foot), self.height_mm)]))

    def _rim(self, eye: Floats) -> Floats:
        """Return the points of an ellipsoid where the eye's lines of sight touch it, n x 3."""
        radii = np.array([self.size_mm[0], self.size_mm[0], self.size_mm[1]]) / 2
        middle = np.array([*self.at_mm, radii[2]])
        toward = (eye - middle) / radii
        far = float(np.linalg.norm(toward))
        axis = toward / far
        across = np.cross(axis, (0.0, 0.0, 1.0))
        across /= max(float(np.linalg.norm(across)), 1e-9)
        around = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)[:, None]
        ring = np.cos(around) * across + np.sin(around) * np.cross(axis, across)
        return np.asarray(middle + radii * (axis / far + ring * np.sqrt(1 - 1 / far**2)))


def solid_of(shape: Shape, values: Floats) -> Solid:
    """Return the solid of fitted values."""
    x, y, turn, *sizes = (float(value) for value in values)
    return Solid(shape, (x, y), turn * TURN_UNIT, tuple(max(size, 0.05) for size in sizes))


def hull(points: Floats) -> Floats:
    """Return the convex hull's corners, n x 2, counter-clockwise."""
    corners = cv2.convexHull(np.asarray(points, np.float32), clockwise=False).reshape(-1, 2).astype(np.float64)
    x, y = corners.T
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    return corners if area >= 0 else corners[::-1]


def edges_of(corners: Floats) -> tuple[Floats, Floats, Floats]:
    """Return each edge's outward unit normal n x 2, its offset along it n, and its length n."""
    way = np.roll(corners, -1, axis=0) - corners
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
    normals = np.column_stack([way[:, 1], -way[:, 0]]) / length[:, None]
    return normals, (normals * corners).sum(axis=1), length


def outside_mm(points: Floats, corners: Floats) -> Floats:
    """Return how far points n x 2 lie outside a convex outline; negative inside."""
    normals, offsets, _ = edges_of(corners)
    return np.asarray((points @ normals.T - offsets).max(axis=1))


def along(corners: Floats) -> Floats:
    """Return points along an outline, STEP_MM apart, none near a corner of long edges."""
    points = []
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.linalg.norm(other - one))
        count = max(1, round(length / STEP_MM))
        points.append(one + ((np.arange(count) + 0.5) / count)[:, None] * (other - one))
    return np.concatenate(points)
