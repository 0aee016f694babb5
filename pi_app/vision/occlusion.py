"""Is a structure that was seen whole still whole, covered by something in front of it, or moved?

A reference picture shows the structure free of hands. Other pictures, earlier and later ones, are compared with it
inside the structure's outline and close around it. All are cut-outs around the build zone at about half of 1280 x 720.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.table import Table
from pi_app.vision.camera import View
from pi_app.vision.motion import (
    LEVELS,
    NOISES,
    PATTERN_PIXELS,
    Box,
    Mask,
    Numbers,
    Picture,
    above,
    compare,
    difference,
    gradients,
    largest,
    left_behind,
    noise,
    pattern_changed,
    row_gains,
)
from pi_app.vision.reading import PartKind, SeenPart

WORK_WIDTH = 640
REACH_MM = 14.0
"""How far around the structure a hand's motion counts as the hand at it."""
REACHED_MM, EDGE_MM, FINGER_MM = 4.0, 1.5, 6.0
TOUCH_MM = 2.0
"""A thing closer than this to the outline, in the picture, may touch."""
HAND_MM2, STIR_MM2, PART_MM2 = 60.0, 40.0, 15.0
COVERED_SHARE, COVERED_PART, HIDDEN_PART = 0.012, 0.15, 0.6
STIR_LEVELS = 3.0
LIT_SHARE = 0.12
"""Share of a structure and its surroundings that other light changes; a hand of the table's colour changes less."""
EDGE_LEVELS, EDGE_AGREES, EDGES_LOST = 60.0, 0.85, 0.4
FEW_EDGES, HIDDEN_SHARE = 12, 0.15
TINT, DARK_OFFSET = 0.35, 12.0
"""Shade turns the ratio of two channels by less than exp(0.35); dark pixels' ratios are noise."""
_NEXT = np.ones((3, 3), np.uint8)


@dataclass(frozen=True)
class Window:
    """Cuts the build zone and the room above it out of a picture, `scale` work pixels a picture pixel."""

    left: int
    top: int
    right: int
    bottom: int
    scale: float
    picture_width: int

    def cut(self, image: Picture) -> Picture:
        """Return the cut-out, BGR."""
        part = image[self.top : self.bottom, self.left : self.right]
        size = (round(part.shape[1] * self.scale), round(part.shape[0] * self.scale))
        return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_LINEAR), np.uint8)

    def place(self, pixels: NDArray[np.float64]) -> NDArray[np.int32]:
        """Return where the picture's pixels n x 2 lie in the cut-out, rounded."""
        return np.asarray(np.round((pixels - [self.left, self.top]) * self.scale), np.int32)

    def is_near(self, other: "Window", distance_px: int = 12) -> bool:
        """Return whether another window shows nearly the same part of the picture."""
        mine, others = (
            (self.left, self.top, self.right, self.bottom),
            (other.left, other.top, other.right, other.bottom),
        )
        return all(abs(a - b) <= distance_px for a, b in zip(mine, others, strict=True))

    def part_of(self, mask: Mask) -> Mask:
        """Return the cut-out of a mask that shows the whole picture at another size."""
        step = mask.shape[1] / self.picture_width
        part = mask[
            int(self.top * step) : max(1, int(self.bottom * step)), int(self.left * step) : int(self.right * step)
        ]
        size = (round((self.right - self.left) * self.scale), round((self.bottom - self.top) * self.scale))
        return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def is_reached(reference: "Reference", hands: Mask) -> bool:
    """Return whether hands, a mask of the cut-out's size, are at the structure."""
    shared = cv2.bitwise_and(hands, reference.around(REACHED_MM))
    return cv2.countNonZero(shared) > PART_MM2 * reference.px_per_mm**2


def is_new_at(reference: "Reference", calm: Picture) -> bool:
    """Return whether something beside the structure has come to it since a calm picture was taken: hands, most likely.

    Light does not count, nor does what was taken away.
    """
    near = reference.around(REACH_MM)
    calm = evened(calm, reference.picture, np.asarray(cv2.bitwise_not(near), np.uint8))
    x, y, wide, high = cv2.boundingRect(near)
    box = np.s_[y : y + high, x : x + wide]
    change = compare(calm, reference.picture, box=box, strict=True)
    hidden = unlike(calm[box], reference.picture[box], change.light[box], reference, whole=True)
    changed = cv2.bitwise_or(change.doubtful[box], tinted(calm[box], reference.picture[box]))
    changed = np.asarray(cv2.bitwise_or(changed, hidden), np.uint8)
    outside = np.asarray(cv2.bitwise_and(changed, cv2.bitwise_not(reference.around(EDGE_MM)[box])), np.uint8)
    outside = fingers(outside, reference)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(outside)
    touching = np.unique(labels[(reference.around(REACHED_MM)[box] > 0) & (outside > 0)])
    least = HAND_MM2 * reference.px_per_mm**2
    apart = reference.around(REACHED_MM)[box] == 0  # the structure's own edges say nothing of what was beside it
    return any(
        stats[label, cv2.CC_STAT_AREA] >= least
        and not left_behind(((labels == label) & apart).astype(np.uint8), calm[box], reference.picture[box])
        for label in touching
        if 0 < label < count
    )


def evened(calm: Picture, now: Picture, where: Mask) -> Picture:
    """Return a calm picture as a lamp that has changed since would light it: one gain a channel, from `where` alone."""
    before, after = calm[where > 0].astype(np.float32) + 1.0, now[where > 0].astype(np.float32) + 1.0
    gains = np.median(after / before, axis=0) if len(before) else np.ones(3)
    return np.asarray(np.clip(calm * gains, 0, 255), np.uint8)


def tinted(before: Picture, now: Picture) -> Mask:
    """Return where the colour has turned further than shade turns it: skin before white paper, for one."""
    smooth = [cv2.GaussianBlur(picture, (3, 3), 0).astype(np.float32) + DARK_OFFSET for picture in (before, now)]
    ratio = np.log(smooth[1] / smooth[0])
    return np.asarray((ratio.max(axis=2) - ratio.min(axis=2) > TINT) * np.uint8(255), np.uint8)


def fingers(mask: Mask, reference: "Reference") -> Mask:
    """Return what of a mask is at least as wide as a fingertip."""
    size = max(3, round(FINGER_MM * reference.px_per_mm))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)


def unlike(before: Picture, now: Picture, light: Mask, reference: "Reference", *, whole: bool = False) -> Mask:
    """Return what of a change of light is one of the pattern, as wide as a finger: a hand of the table's colour.

    `whole` fills small holes in either first: it finds more hands, and takes edges of shadows for them now and then.
    """
    changed = pattern_changed(before, now, difference(before, now, np.s_[:, :])[1])
    square = np.ones((PATTERN_PIXELS, PATTERN_PIXELS), np.uint8)
    if whole:
        changed, light = (
            np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, square), np.uint8) for mask in (changed, light)
        )
    inner = cv2.erode(changed, square)
    return fingers(np.asarray(cv2.bitwise_and(inner, light), np.uint8), reference)


def window_on(view: View, table: Table, height_mm: float) -> Window:
    """Return the window on the build zone and `height_mm` above it."""
    zone, camera = table.zones.build, view.camera
    corners = [(x, y, z) for x in (zone.x0, zone.x1) for y in (zone.y0, zone.y1) for z in (0.0, height_mm)]
    pixels = view.project(corners)
    low = np.clip(pixels.min(0), 0, [camera.width - 64, camera.height - 64])
    high = np.clip(pixels.max(0), low + 64, [camera.width, camera.height])
    return Window(
        int(low[0]), int(low[1]), int(high[0]), int(high[1]), min(1.0, WORK_WIDTH / camera.width), camera.width
    )


@dataclass(frozen=True, eq=False)
class Reference:
    """The structure seen whole: its cut-out, `labels` (0 = none, else 1 + index of the part in front), work px a mm."""

    picture: Picture
    labels: Mask
    px_per_mm: float
    small: tuple[bool, ...] = ()

    def around(self, distance_mm: float) -> Mask:
        """Return the mask of the outline and everything within a distance of it."""
        size = 2 * max(1, round(distance_mm * self.px_per_mm)) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        return np.asarray(cv2.dilate(np.asarray(self.labels > 0, np.uint8) * np.uint8(255), disc), np.uint8)


def reference_of(picture: Picture, parts: Sequence[SeenPart], view: View, window: Window) -> Reference:
    """Return the reference for a cut-out in which `parts` were recognised."""
    labels = np.zeros(picture.shape[:2], np.uint8)
    distance = [float(np.linalg.norm(part.centre_mm - view.pose.eye)) for part in parts]
    for index in sorted(range(len(parts)), key=lambda index: -distance[index]):
        corners = window.place(view.project(parts[index].corners_mm()))
        cv2.fillConvexPoly(labels, cv2.convexHull(corners), (index + 1,))
    small = tuple(part.kind is PartKind.STONE for part in parts)
    return Reference(picture, labels, view.camera.fx / float(np.mean(distance)) * window.scale, small)


@dataclass(frozen=True)
class Look:
    """One picture against the reference.

    `covered`: part of the structure looks different, not merely lit differently, or a thing from outside is at it.
    `gone`: a part's visible edges are not where they were: it moved or is not there. `hidden`: a part cannot be seen.
    `reached`: something from outside the structure is at it. `stirred`: since the picture before, what covers it or is
    next to it moved. `bared`: what reaches it does so in the reference: there something was at it that is away now.
    `lit`: much of it and of what is around it is lit differently.
    """

    covered: bool
    gone: bool
    hidden: bool
    reached: bool
    stirred: bool
    bared: bool = False
    lit: bool = False


@dataclass(eq=False)
class Comparer:
    """Compares pictures in their order with one reference."""

    reference: Reference
    _near: Mask = field(init=False)
    _touch: Mask = field(init=False)
    _box: Box = field(init=False)
    _areas: NDArray[np.int64] = field(init=False)
    _edges: "Edges" = field(init=False)
    _before: Picture | None = None
    _things: Mask | None = None

    def __post_init__(self) -> None:
        self._near, self._touch = self.reference.around(REACH_MM), self.reference.around(TOUCH_MM)
        x, y, wide, high = cv2.boundingRect(self._near)
        self._box = np.s_[y : y + high, x : x + wide]
        self._areas = np.bincount(self.reference.labels.ravel())[1:]
        self._edges = Edges(self.reference, self._box)

    def look(self, picture: Picture, hands: Mask | None = None) -> Look:
        """Return how one cut-out differs from the reference and from the one before.

        `hands` is the mask of what the gate takes for hands: other light there is a hand of the table's hue.
        """
        change = compare(self.reference.picture, picture, box=self._box)
        things = change.things[self._box]
        if hands is not None:
            things = np.asarray(things | (hands[self._box] & change.light[self._box]), np.uint8)
        labels = self.reference.labels[self._box]
        on_parts = np.bincount(labels[things > 0], minlength=len(self._areas) + 1)[1:]
        least = PART_MM2 * self.reference.px_per_mm**2
        part_covered = bool((on_parts > np.maximum(least, COVERED_PART * self._areas)).any())
        covered = part_covered or on_parts.sum() > max(least, COVERED_SHARE * self._areas.sum())
        reached, bared = self._reaches(things, change.light[self._box], picture)
        gone, hidden = self._edges.compare(picture[self._box], things)
        if gone:
            doubtful = compare(self.reference.picture, picture, box=self._box, strict=True).doubtful[self._box]
            gone, hidden = self._edges.compare(picture[self._box], doubtful)
            covered = True
        hidden = hidden or bool((on_parts > HIDDEN_PART * self._areas).any())
        lit = cv2.countNonZero(change.light[self._box]) > LIT_SHARE * things.size
        look = Look(bool(covered) or reached, gone, hidden, reached, self._stirs(picture, things), bared, lit)
        self._before, self._things = picture, things
        return look

    def _reaches(self, things: Mask, light: Mask, picture: Picture) -> tuple[bool, bool]:
        """Return whether something is at the structure, and whether that was so in the reference rather than now."""
        touch, beside = self._touch[self._box], cv2.bitwise_not(self._outline())
        before, now = self.reference.picture[self._box], picture[self._box]
        outside = cv2.bitwise_and(things, beside)
        if cv2.countNonZero(cv2.bitwise_and(cv2.bitwise_and(light, beside), touch)) > 0:
            outside = cv2.bitwise_or(outside, cv2.bitwise_and(unlike(before, now, light, self.reference), beside))
        if cv2.countNonZero(cv2.bitwise_and(outside, touch)) == 0:
            return False, False
        count, labels, stats, _ = cv2.connectedComponentsWithStats(outside)
        least = HAND_MM2 * self.reference.px_per_mm**2
        at_it = set(np.unique(labels[(touch > 0) & (outside > 0)]).tolist()) - {0}
        large = [label for label in at_it if label < count and stats[label, cv2.CC_STAT_AREA] >= least]
        blobs = ((labels == label).astype(np.uint8) for label in large)
        return bool(large), bool(large) and all(left_behind(blob, before, now) for blob in blobs)

    def _outline(self) -> Mask:
        return above(self.reference.labels[self._box], 0)

    def _stirs(self, picture: Picture, things: Mask) -> bool:
        if self._before is None or self._things is None:
            return False
        beside = cv2.dilate(cv2.bitwise_or(things, self._things), _NEXT, iterations=2)
        around = np.asarray(cv2.bitwise_and(beside, self._near[self._box]), np.uint8)
        least = STIR_MM2 * self.reference.px_per_mm**2
        if _moved(*difference(self._before, picture, self._box), around) <= least:
            return False
        evened = self._before[self._box] * row_gains(self._before, picture)[self._box[0]]
        apart = np.asarray(np.abs(picture[self._box] - evened))
        return _moved(apart, noise(apart), around) > least


def _moved(apart: Numbers, sigma: float, around: Mask) -> int:
    changed = above(largest(apart), max(LEVELS, NOISES * sigma) + STIR_LEVELS)
    return cv2.countNonZero(cv2.bitwise_and(changed, around))


class Edges:
    """The reference's strong edges, part by part: light hardly turns an edge's direction, motion takes it away."""

    def __init__(self, reference: Reference, box: Box) -> None:
        labels = reference.labels[box]
        for index in np.flatnonzero(reference.small):
            labels = np.where(labels == index + 1, 0, labels)  # too small and glossy to have edges of their own
        self._across, self._down, strength = gradients(reference.picture[box])
        strong = strength > EDGE_LEVELS
        self._labels = np.where(strong & (labels > 0), labels, 0)
        self._strength = np.maximum(strength, 1.0)
        self._counts = np.bincount(self._labels.ravel(), minlength=int(reference.labels.max()) + 1)[1:]

    def compare(self, picture: Picture, covering: Mask) -> tuple[bool, bool]:
        """Return whether a part's visible edges are gone, and whether a part's edges are nearly all covered."""
        across, down, strength = gradients(picture)
        along = (across * self._across + down * self._down) / self._strength
        agrees = (along > EDGE_AGREES * strength) & (strength > 0.25 * self._strength)
        size = len(self._counts) + 1
        seen_labels = np.where(cv2.dilate(covering, _NEXT) > 0, 0, self._labels)
        visible = np.bincount(seen_labels.ravel(), minlength=size)[1:]
        agreeing = np.bincount(seen_labels[agrees], minlength=size)[1:]
        enough = visible >= FEW_EDGES
        gone = enough & (agreeing < EDGES_LOST * visible)
        hidden = (self._counts >= FEW_EDGES) & (visible < HIDDEN_SHARE * self._counts)
        return bool(gone.any()), bool(hidden.any())
