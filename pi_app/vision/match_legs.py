"""Legs of the tunnel whose badges are not seen: where does what shows of them under and beside the tile put them?

A leg is believed only for what is seen of it: colour that the mat's paper, lit or in shadow, cannot have, where no
known part is in view and the mat is behind. A leg nothing of which shows is not there, as far as the reading goes.
Slivers are told from grain by averaging over a few pixels, and from coloured light by what the paper around shows.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.vision.blocks import Place, Stand, acrobat_part
from pi_app.vision.camera import Floats
from pi_app.vision.light import TO_LINEAR
from pi_app.vision.reading import SeenPart
from pi_app.vision.scene import Scene, chroma

Mask = NDArray[np.uint8]

STEP_MM = 4.0
BEYOND_MM = 22.0
"""How far outside the tile's edge a leg is looked for."""
APART_SHARE = 0.18
"""Least distance of a leg's middle from the tile's, as a share of the tile's size."""
VIVID = 0.22
"""Least saturation that paper, lit or in shadow, does not have."""
NOISES = 4.0
"""A colour stands out of the grain when it is so many times as strong as the spread of what the mat shows."""
SMOOTH_PX = (1.0, 1.5, 2.2, 3.0)
"""How widely colours are averaged: the first that brings the grain below what `VIVID` allows."""
MEDIAN_OF_RAYLEIGH = 1.177
LEAST_TO_FIT = 60
MOST_TO_FIT = 1500
FIT_ROUNDS = 5
FIT_SPREAD = 0.05
MAT_INSET_MM = 2.0
FINE_MM = np.array([[a, b] for a in (-2.6, -1.3, 0.0, 1.3, 2.6) for b in (-2.6, -1.3, 0.0, 1.3, 2.6)])
STRONG = 1.25
"""Least mean strength of a leg's colour, as a multiple of what the paper may have."""
MIN_AREA_MM2 = 12.0
ALIKE = 0.04
ALIKE_SMALL = 0.08
"""Places fit about as well when their scores differ by less; the second where little shows."""
SMALL_MM2 = 60.0


@dataclass(frozen=True, eq=False)
class Deck:
    """The tile as seen from above: its middle, its axes as rows 2 x 2, half its sizes along them, in mm."""

    middle: Floats
    axes: Floats
    half: Floats

    def local(self, points: Floats) -> Floats:
        """Return points n x 2 of the mat in the tile's axes."""
        return np.asarray((points - self.middle) @ self.axes.T)

    def reach_mm(self, part: SeenPart) -> float:
        """Return how far an upright part reaches inside the tile's edge; negative: so far outside."""
        corners = part.corners_mm()[:, :2]
        low, across, along = corners[0], corners[4] - corners[0], corners[2] - corners[0]
        steps = np.linspace(0, 1, 7)
        points = np.array([low + a * across + b * along for a in steps for b in steps])
        return float((self.half - np.abs(self.local(points))).min(axis=1).max())


@dataclass(frozen=True, eq=False)
class Trace:
    """What is seen of a leg: its part where it fits best, how well it fits, 0 to 1, the area that shows at its place.

    `least_mm` and `most_mm` are how far the places that fit about as well reach inside the tile's edge.
    """

    part: SeenPart
    score: float
    area_mm2: float
    least_mm: float
    most_mm: float


def free_corners(deck: Deck, legs: tuple[SeenPart, ...]) -> list[tuple[int, int]]:
    """Return the corners of the tile, by signs of its axes, that none of the legs stands nearest to."""
    taken = {tuple(1 if v > 0 else -1 for v in deck.local(leg.centre_mm[None, :2])[0]) for leg in legs}
    return [(a, b) for a in (-1, 1) for b in (-1, 1) if (a, b) not in taken]


def trace_leg(
    scene: Scene, deck: Deck, corner: tuple[int, int], turn_rad: float, known: tuple[SeenPart, ...]
) -> Trace | None:
    """Return the leg at a corner of the tile as far as it is seen; `None` where too little shows."""
    candidates = [_leg(scene, deck, corner, spot, turn_rad) for spot in _spots(deck)]
    window = _Window(scene, [*candidates, *known])
    open_mask = window.open(known)
    colours = _Colours(*window.coloured(open_mask), MIN_AREA_MM2 / window.mm2_per_px)
    hulls = [window.filled([part]) & open_mask for part in candidates]
    scores = np.array([colours.overlap(hull) for hull in hulls])
    for spot in _spots(deck)[int(np.argmax(scores))] + FINE_MM:
        candidates.append(_leg(scene, deck, corner, spot, turn_rad))
        hulls.append(window.filled([candidates[-1]]) & open_mask)
        scores = np.append(scores, colours.overlap(hulls[-1]))
    best = int(np.argmax(scores))
    area = float((hulls[best] & colours.mask).sum()) * window.mm2_per_px
    if scores[best] == 0:
        return None
    alike = ALIKE_SMALL if area < SMALL_MM2 else ALIKE
    reaches = [deck.reach_mm(candidates[i]) for i in np.flatnonzero(scores >= scores[best] - alike)]
    return Trace(candidates[best], float(scores[best]), area, min(reaches), max(reaches))


class _Colours:
    """Where something has a colour of its own, and how strong it is as a multiple of what the paper may have."""

    def __init__(self, mask: Mask, strengths: Floats, least_px: float) -> None:
        self.mask, self._strengths, self._least_px = mask, strengths, least_px
        count, self._labels = cv2.connectedComponents(mask, connectivity=4)
        self._sizes = np.bincount(self._labels.ravel(), minlength=count)

    def overlap(self, hull: Mask) -> float:
        """Return how well a leg's outline and the patches of colour in it are the same, 0 to 1; 0 for next to none."""
        inside = hull > 0
        both = self._labels[inside & (self.mask > 0)]
        if len(both) < self._least_px or self._strengths[inside].mean() < STRONG:
            return 0.0
        patches = int(self._sizes[np.unique(both)].sum())
        return len(both) / max(int(inside.sum()) + patches - len(both), 1)


def _beside_paper(light: Floats, open_mask: Mask) -> Floats:
    """Return how far each pixel's colour is from the paper's, as saturation.

    The paper's own colour runs over the picture with the lamps' light and changes in the shade: a second-order surface
    and the level, fitted to the open part; what is not paper is left out by weights (Cauchy's).
    """
    hue, saturation = chroma(light)
    colour = saturation[..., None] * np.stack([np.cos(hue), np.sin(hue)], axis=-1)
    y, x = np.mgrid[-1 : 1 : light.shape[0] * 1j, -1 : 1 : light.shape[1] * 1j]
    level = light.mean(axis=-1)
    one = np.ones_like(x)
    terms = np.stack([one, x, y, x * x, x * y, y * y, level, level * level, level * x, level * y], axis=-1)
    at = np.flatnonzero(open_mask)
    if len(at) < LEAST_TO_FIT:
        return saturation
    at = at[:: 1 + len(at) // MOST_TO_FIT]
    rows, wanted = terms.reshape(-1, terms.shape[-1])[at], colour.reshape(-1, 2)[at]
    paper = np.zeros((terms.shape[-1], 2))
    paper[0] = np.median(wanted, axis=0)
    for _ in range(FIT_ROUNDS):
        weight = 1 / (1 + (np.linalg.norm(wanted - rows @ paper, axis=1, keepdims=True) / FIT_SPREAD) ** 2)
        paper = np.linalg.lstsq(rows * weight, wanted * weight, rcond=None)[0]
    return np.asarray(np.linalg.norm(colour - terms @ paper, axis=-1))


def _spots(deck: Deck) -> Floats:
    """Return distances from the tile's middle along its axes, n x 2, at which a leg's middle is looked for."""
    one, two = (np.arange(2 * APART_SHARE * half, half + BEYOND_MM, STEP_MM) for half in deck.half)
    return np.array([[a, b] for a in one for b in two])


def _leg(scene: Scene, deck: Deck, corner: tuple[int, int], spot: Floats, turn_rad: float) -> SeenPart:
    x, y = deck.middle + (np.array(corner) * spot) @ deck.axes
    place = Place(BlockPose.STAND, 0.0, scene.kit.acrobat.length_mm / 2)
    return acrobat_part(place, Stand(float(x), float(y), turn_rad), scene.kit)


class _Window:
    """The part of the picture in which some parts would be seen; masks are 0 or 1."""

    def __init__(self, scene: Scene, parts: list[SeenPart]) -> None:
        pixels = scene.view.project(np.concatenate([part.corners_mm() for part in parts]))
        rows, columns = scene.image.shape[:2]
        low = np.clip(np.floor(pixels.min(axis=0)) - 4, 0, (columns - 1, rows - 1)).astype(int)
        high = np.clip(np.ceil(pixels.max(axis=0)) + 5, low + 1, (columns, rows)).astype(int)
        self._scene, self._low = scene, low
        self._picture = scene.image[low[1] : high[1], low[0] : high[0]]
        middle = np.mean([part.centre_mm for part in parts], axis=0)
        steps = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, 0.0, 0.0]])
        ends = scene.view.project(middle + steps)
        tall, wide = (float(np.linalg.norm(end - ends[0])) / 10 for end in ends[1:])
        self.mm2_per_px = 1 / max(tall * wide, 1e-6)

    def filled(self, parts: list[SeenPart]) -> Mask:
        """Return where parts are in view."""
        mask = np.zeros(self._picture.shape[:2], np.uint8)
        for part in parts:
            hull = cv2.convexHull(self._scene.view.project(part.corners_mm()).astype(np.float32)).reshape(-1, 2)
            cv2.fillConvexPoly(mask, np.rint(hull - self._low).astype(np.int32), (1,))
        return mask

    def open(self, known: tuple[SeenPart, ...]) -> Mask:
        """Return where no known part is in view, nor its very edge, and the mat is behind."""
        hidden = np.asarray(cv2.dilate(self.filled(list(known)), np.ones((5, 5), np.uint8)), np.uint8)
        return np.asarray(self._mat() & (1 - hidden), np.uint8)

    def coloured(self, open_mask: Mask) -> tuple[Mask, Floats]:
        """Return where in `open_mask` something has a colour that the paper there cannot have, and how strong it is.

        Light is averaged before its saturation is taken, else grain in a shadow looks like colour, and only over the
        open part, else the edges of known parts run into it.
        """
        light = np.asarray(TO_LINEAR[self._picture] / self._scene.paper * open_mask[..., None], np.float32)
        vivid, least = np.zeros(open_mask.shape), VIVID
        for smooth_px in SMOOTH_PX:
            weight = cv2.GaussianBlur(open_mask.astype(np.float32), (0, 0), smooth_px)[..., None]
            vivid = _beside_paper(cv2.GaussianBlur(light, (0, 0), smooth_px) / np.maximum(weight, 1e-3), open_mask)
            grain = float(np.median(vivid[open_mask > 0])) / MEDIAN_OF_RAYLEIGH if open_mask.any() else 0.0
            least = max(VIVID, NOISES * grain)
            if least <= VIVID:
                break
        return (vivid > least).astype(np.uint8) & open_mask, np.asarray(vivid / least)

    def _mat(self) -> Mask:
        mat = self._scene.table.mat
        x, y = mat.width / 2 - MAT_INSET_MM, mat.height / 2 - MAT_INSET_MM
        steps = np.linspace(-1, 1, 16)[:-1]
        ring = [(s * x, -y) for s in steps] + [(x, s * y) for s in steps]
        ring += [(-s * x, y) for s in steps] + [(-x, -s * y) for s in steps]
        pixels = self._scene.view.project(np.array([[a, b, 0.0] for a, b in ring]))
        mask = np.zeros(self._picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.rint(pixels - self._low).astype(np.int32)], (1,))
        return mask
