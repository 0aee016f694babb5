"""A rectangle of the mat seen straight from above, with the lens's distortion taken out."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.table import Rect
from pi_app.vision.camera import View
from pi_app.vision.light import Linear, linear
from pi_app.vision.pose import Image

GRID_MM = 10.0
Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Field:
    """A part of the plane at `level_mm` over the mat, columns along +x and rows along +y, from the first pixel's
    middle at `x_mm`, `y_mm`, `px_per_mm` pixels a mm. `levels` are linear B, G, R; `seen` is where the picture shows
    it.
    """

    levels: Linear
    seen: NDArray[np.bool_]
    x_mm: float
    y_mm: float
    level_mm: float
    px_per_mm: float

    def place(self, column: float, row: float) -> tuple[float, float]:
        """Return x, y on the mat of a pixel."""
        return self.x_mm + column / self.px_per_mm, self.y_mm + row / self.px_per_mm


def field_of(image: Image, view: View, rect: Rect, margin_mm: float, level_mm: float, px_per_mm: float) -> Field:
    """Return a rectangle of the mat and what lies up to `margin_mm` around it, as seen on the plane at `level_mm`."""
    columns = round((rect.x1 - rect.x0 + 2 * margin_mm) * px_per_mm)
    rows = round((rect.y1 - rect.y0 + 2 * margin_mm) * px_per_mm)
    x0, y0 = rect.x0 - margin_mm, rect.y0 - margin_mm
    xs = np.linspace(0, columns - 1, max(2, round(columns / px_per_mm / GRID_MM)))
    ys = np.linspace(0, rows - 1, max(2, round(rows / px_per_mm / GRID_MM)))
    grid = np.array([[x0 + x / px_per_mm, y0 + y / px_per_mm, level_mm] for y in ys for x in xs])
    knots = view.project(grid).reshape(len(ys), len(xs), 2)
    maps = _stretched(knots.astype(np.float32), columns, rows)
    picture = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    picture = cv2.GaussianBlur(picture, (5, 5), 1.0)
    height, width = image.shape[:2]
    seen = (maps[..., 0] >= 0) & (maps[..., 0] <= width - 1) & (maps[..., 1] >= 0) & (maps[..., 1] <= height - 1)
    return Field(linear(np.asarray(picture, np.uint8)), np.asarray(seen), x0, y0, level_mm, px_per_mm)


def _stretched(knots: Singles, columns: int, rows: int) -> Singles:
    """Return a coarse grid of pixels interpolated to full size, its outer knots at the outer pixels' middles."""
    count_y, count_x = knots.shape[:2]
    x = np.linspace(0, count_x - 1, columns, dtype=np.float32)
    y = np.linspace(0, count_y - 1, rows, dtype=np.float32)
    map_x, map_y = np.meshgrid(x, y)
    return np.asarray(cv2.remap(knots, map_x, map_y, cv2.INTER_LINEAR), np.float32)
