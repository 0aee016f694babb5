"""Counting the stones in the stone zone by colour, size and shape."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Colour
from pi_app.core.verdict import Reason
from pi_app.kit.model import Kit, Srgb, Stone
from pi_app.kit.table import Rect, Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.discs import Discs, fit_discs
from pi_app.vision.field import Field, field_of
from pi_app.vision.light import Linear, near_paper, read_light, srgb_linear
from pi_app.vision.pose import Image
from pi_app.vision.reading import StoneCount
from pi_app.vision.scene import chroma
from pi_app.vision.tops import classes, outline_mm

Mask = NDArray[np.uint8]

PX_PER_MM = 2.0
LEAST_VIVID = 0.28
APART_DIAMETERS = 0.85
MIN_AREA = 0.3
RIGHT_FIT = 0.70
WRONG_FIT = 0.55
"""Overlap of fitted stones with the coloured patch, intersection over union: a stone from the first, surely none below
the second."""
RIGHT_HUE_DEG = 9.0
WRONG_HUE_DEG = 11.0
RIGHT_VIVID = 0.37
WRONG_VIVID = 0.3
"""Median hue and saturation of a stone against the kit's: measured within 5 degrees and above 0.41, in shadow too."""


def count_stones(image: Image, view: View, table: Table, kit: Kit) -> StoneCount:
    """Return how many stones of each colour have their middle in the stone zone of a BGR picture.

    `doubts` hold too_dark or colours_wrong (nothing was counted), hidden (part of the zone is outside the picture), or
    doubtful (a patch of a stone's colour is neither surely stones nor surely none).
    """
    light = read_light(image, view, table)
    if light.reason is not None:
        return StoneCount(0, 0, 0, 0.0, {}, (light.reason,))
    if not _in_picture(image, view, table.zones.stones):
        return StoneCount(0, 0, 0, 0.0, {}, (Reason.HIDDEN,))
    stone = kit.stone
    field = field_of(image, view, table.zones.stones, stone.diameter_mm, stone.height_mm / 2, PX_PER_MM)
    relative = field.levels / near_paper(field.levels, light.paper, PX_PER_MM)
    masks = colour_masks(relative, stone)
    shapes = _Shapes(view, field, stone)
    places: dict[str, tuple[tuple[float, float], ...]] = {}
    doubts, fits = False, [1.0]
    for colour in Colour:
        found, unclear = _stones_of(colour, masks, shapes, relative)
        inside = [(disc, field.place(disc[0], disc[1])) for disc in found.centres]
        places[colour.value] = tuple(place for _, place in inside if table.zones.stones.contains(*place))
        doubts |= unclear
        fits += found.fits
    yellow, red, blue = (len(places[colour.value]) for colour in (Colour.YELLOW, Colour.RED, Colour.BLUE))
    confidence = 0.0 if doubts else min(fits)
    return StoneCount(yellow, red, blue, confidence, places, (Reason.DOUBTFUL,) if doubts else ())


def _in_picture(image: Image, view: View, zone: Rect) -> bool:
    corners = [[x, y, 0.0] for x in (zone.x0, zone.x1) for y in (zone.y0, zone.y1)]
    pixels = view.project(corners)
    rows, columns = image.shape[:2]
    return bool(np.isfinite(pixels).all() and (pixels >= -2).all() and (pixels <= (columns + 1, rows + 1)).all())


def colour_masks(relative: Linear, stone: Stone) -> dict[Colour, Mask]:
    """Return for each colour which pixels have it, 255 or 0."""
    flat = relative.reshape(-1, 3)
    blue, green, red = flat[:, 0], flat[:, 1], flat[:, 2]
    spread = np.maximum(np.maximum(blue, green), red) - np.minimum(np.minimum(blue, green), red)
    vivid = np.flatnonzero(spread > 0.5 * LEAST_VIVID * (blue + green + red) / 3)
    found = classes(flat[vivid].astype(np.float64), np.ones(3), stone, LEAST_VIVID)
    masks = {}
    for index, colour in enumerate(Colour):
        mask = np.zeros(len(flat), np.uint8)
        mask[vivid[found[:, index]]] = 255
        masks[colour] = mask.reshape(relative.shape[:2])
    return masks


class _Shapes:
    """What a stone looks like at each place of the field."""

    def __init__(self, view: View, field: Field, stone: Stone) -> None:
        self._view, self._field, self.stone = view, field, stone
        self.diameter_px = stone.diameter_mm * PX_PER_MM

    def stamp(self, column: float, row: float) -> NDArray[np.bool_]:
        """Return a stone's shape around a pixel as a small picture, its middle in the middle."""
        middle = np.array([*self._field.place(column, row), self._field.level_mm])
        return stamp_of(outline_mm(self._view, middle, self.stone), PX_PER_MM)


def _stones_of(colour: Colour, masks: dict[Colour, Mask], shapes: _Shapes, relative: Linear) -> tuple[Discs, bool]:
    """Return the stones of one colour in pixels, and whether a patch of it could not be told."""
    others = np.maximum.reduce([mask for other, mask in masks.items() if other is not colour]) > 0
    mask = _closed(masks[colour], shapes.diameter_px)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    stones, unclear = Discs([], []), False
    for index in range(1, count):
        stamp = shapes.stamp(*middles[index])
        if stats[index, cv2.CC_STAT_AREA] < MIN_AREA * stamp.sum():
            continue
        discs = fit_discs(labels == index, others, stamp, APART_DIAMETERS * shapes.diameter_px)
        for centre, fit in zip(discs.centres, discs.fits, strict=True):
            sure = _sure(fit, _at(relative, centre, stamp), shapes.stone.colours.of(colour))
            if sure:
                stones.centres.append(centre)
                stones.fits.append(fit)
            unclear |= sure is None
    return stones, unclear


def _at(relative: Linear, centre: tuple[int, int], stamp: NDArray[np.bool_]) -> Floats:
    """Return the colours under a stamp, n x 3, as far as it lies in the field."""
    half = stamp.shape[0] // 2
    rows, columns = np.nonzero(stamp)
    rows, columns = rows + centre[1] - half, columns + centre[0] - half
    inside = (rows >= 0) & (rows < relative.shape[0]) & (columns >= 0) & (columns < relative.shape[1])
    return np.asarray(relative[rows[inside], columns[inside]], np.float64)


def _sure(fit: float, colours: Floats, wanted: Srgb) -> bool | None:
    """Return whether a stamp covers a stone, by shape and by median hue and saturation; `None` where unclear."""
    hue, vivid = chroma(colours)
    wanted_hue, wanted_vivid = chroma(srgb_linear(wanted)[None])
    off = float(np.degrees(np.median(np.abs((hue - wanted_hue + np.pi) % (2 * np.pi) - np.pi))))
    share = float(np.median(vivid) / wanted_vivid[0])
    if fit >= RIGHT_FIT and off <= RIGHT_HUE_DEG and share >= RIGHT_VIVID:
        return True
    if fit < WRONG_FIT or off > WRONG_HUE_DEG or share < WRONG_VIVID:
        return False
    return None


def _closed(mask: Mask, diameter_px: float) -> Mask:
    """Return a mask without specks, with the holes and notches that gloss leaves filled."""
    size = max(3, round(diameter_px * 0.3) | 1)
    clean = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    clean = cv2.morphologyEx(clean, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    return _without_small_holes(np.asarray(clean, np.uint8), 0.12 * diameter_px**2)


def _without_small_holes(mask: Mask, largest: float) -> Mask:
    """Fill holes up to an area in pixels: gloss in the middle of a stone."""
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    filled = mask.copy()
    for contour, links in zip(contours, tree[0] if contours else [], strict=True):
        if links[3] >= 0 and cv2.contourArea(contour) < largest:
            cv2.drawContours(filled, [contour], -1, (255,), cv2.FILLED)
    return np.asarray(filled, np.uint8)


def stamp_of(outline_mm: Floats, px_per_mm: float) -> NDArray[np.bool_]:
    """Return a stone's outline about its middle as a small picture, its middle in the middle."""
    points = outline_mm * px_per_mm
    half = int(np.ceil(np.abs(points).max())) + 1
    stamp = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    cv2.fillPoly(stamp, [np.rint((points + half) * 16).astype(np.int32)], (1,), shift=4)
    return np.asarray(stamp > 0)
