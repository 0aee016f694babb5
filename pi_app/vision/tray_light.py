"""What light falls on a tray: read from its own bare paper around the board, as the mat's strip may not be in view."""

from dataclasses import dataclass

import numpy as np

from pi_app.kit.table import Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.light import DARK_LEVEL, TO_LINEAR, opponent, srgb_linear
from pi_app.vision.pose import Image

ALONG_MM = (-62.0, -49.0, -36.0, -24.0, -12.0, 12.0, 24.0, 36.0, 49.0, 62.0)
"""Where paper is sampled along each side; the middle carries the player's name."""
FROM_EDGE_MM = 9.0
SPOT_MM = 1.5
ENOUGH = 8
PALE = 0.55
SHADED = 0.35
ROUNDS = 3
FIT = 0.12
BURNT = 0.97


@dataclass(frozen=True, eq=False)
class TrayLight:
    """A plane through the paper's linear B, G, R: `weights` 3 x 3 for 1, x, y in the tray frame (x, y / 100 mm).

    `dark` tells that the paper is too dark to judge colours by, `burnt` the part of the samples that is full scale.
    """

    weights: Floats
    dark: bool
    burnt: float

    def at(self, x_mm: float, y_mm: float) -> Floats:
        """Return the linear B, G, R that white (1, 1, 1) would have at a place."""
        return np.maximum(np.array([1.0, x_mm / 100, y_mm / 100]) @ self.weights, 1e-3)


def read_tray_light(image: Image, view: View, table: Table) -> TrayLight | None:
    """Return the light on a tray seen in a BGR picture; `None` where too little of its paper can be seen."""
    places = _places(table)
    levels = _levels(image, view, places)
    known = ~np.isnan(levels[:, 0])
    if known.sum() < ENOUGH:
        return None
    places, levels = places[known], levels[known]
    middle = np.median(levels, axis=0)
    tinted = np.linalg.norm(opponent(levels / np.maximum(middle, 1e-4)), axis=1)
    shade = (levels / np.maximum(middle, 1e-4)).mean(axis=1)
    kept = (tinted < PALE * shade) & (shade > SHADED)
    if kept.sum() < ENOUGH:
        return None
    weights = _plane(places, levels, kept) / srgb_linear(table.mat.paper_srgb)
    dark = bool(middle.max() < TO_LINEAR[DARK_LEVEL])
    return TrayLight(weights, dark, float((levels.max(axis=1) > BURNT).mean()))


def _plane(places: Floats, levels: Floats, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
    """Fit a plane to each channel; samples off by more than a share of it are left out, as shadows and prints are."""
    design = np.column_stack([np.ones(len(places)), places / 100])
    weights: Floats = np.zeros((3, 3))
    for _ in range(ROUNDS):
        weights = np.asarray(np.linalg.lstsq(design[kept], levels[kept], rcond=None)[0], np.float64)
        off = np.abs(levels - design @ weights).mean(axis=1) / max(float(levels[kept].mean()), 1e-4)
        closer = kept & (off < FIT)
        if closer.sum() < ENOUGH:
            break
        kept = closer
    return weights


def _places(table: Table) -> Floats:
    side, along = table.trays.size / 2 - FROM_EDGE_MM, np.array(ALONG_MM) * table.trays.size / 190.0
    across = np.full(len(along), side)
    sides = [(along, across), (along, -across), (across, along), (-across, along)]
    return np.concatenate([np.column_stack(pair) for pair in sides])


def _levels(image: Image, view: View, places: Floats) -> Floats:
    """Return the median linear B, G, R of a few pixels about each place; NaN where it is out of the picture."""
    steps = np.linspace(-SPOT_MM, SPOT_MM, 4)
    spots = places[:, None] + np.array([(x, y) for x in steps for y in steps])
    points = np.concatenate([spots, np.zeros((*spots.shape[:2], 1))], axis=2).reshape(-1, 3)
    pixels = np.rint(view.project(points)).astype(int)
    rows, columns = image.shape[:2]
    seen = (pixels[:, 0] >= 0) & (pixels[:, 0] < columns) & (pixels[:, 1] >= 0) & (pixels[:, 1] < rows)
    found = np.full((len(pixels), 3), np.nan)
    found[seen] = TO_LINEAR[image[pixels[seen, 1], pixels[seen, 0]]]
    return np.asarray(np.median(found.reshape(len(places), -1, 3), axis=1))
