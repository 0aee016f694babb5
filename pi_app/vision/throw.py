"""Where a thrown stone may be in each picture: small spots that move, or have a stone's colour; nothing is judged here.

Only the part of the picture in which something moved lately is looked at. Colours are taken relative to the mat's
paper, as how much more of a stone's hue a spot has than what surrounds it: so it is found before skin, sleeves and
table alike. Before something of its own colour only its motion shows it: what a picture has and those before and after
it have not, over two spans of time.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Colour
from pi_app.core.observations import Frame
from pi_app.kit.model import Kit, Srgb
from pi_app.kit.table import Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.light import read_light
from pi_app.vision.pose import Image

Grey = NDArray[np.uint8]

LEAST_STONE_PX = 8.0
"""Pictures are halved, or taken at a third, while a stone on the mat keeps this diameter."""
COARSE_PX = 3.5
"""Diameter of a stone on the mat in the coarse picture that tells where anything moves."""
LAGS_NS = (45_000_000, 125_000_000)
"""Spans of time over which motion is looked for: a stone in full flight, and one near its highest point."""
KEPT_NS = 300_000_000
LATELY_NS = 700_000_000
MOVED = 9
"""Grey levels, averaged over some pixels, by which a moving thing changes the coarse picture."""
COLOUR_CONTRAST, MOTION_CONTRAST = 14, 9
"""Grey levels by which a spot differs from its surroundings, and from the pictures before and after."""
SIDEWAYS = 1.3
"""How much a wrong hue counts against a right one."""
LEAST_AREA, MOST_AREA, MOST_LENGTH = 0.16, 6.0, 5.0
"""Of a spot, in areas and diameters of a stone on the mat: far away and half hidden, to near and blurred by speed."""
MOST_SPOTS = 30
ANY = len(Colour)
"""Instead of the number of a colour in `Colour`: found by its motion alone."""
GAMMA = 2.2
PAPER_LEVEL = 0.85
"""What the paper is brought to before colours are compared, so that a brighter lamp makes no more contrast."""


@dataclass(frozen=True, eq=False)
class Spots:
    """Small spots of one picture, n each: `rays` n x 3, unit lines of sight in the mat frame from the camera's eye.

    `colours` are places in `Colour`, or ANY; `widths` are the diameters of discs as large as the spots, in radians;
    `levels` are by how many grey levels the spots stand out at most.
    """

    at_ns: int
    rays: Floats
    colours: NDArray[np.int64]
    widths: Floats
    levels: Floats


@dataclass(frozen=True)
class _Box:
    """A part of the picture, in pixels of the small one; empty where right <= left."""

    left: int
    top: int
    right: int
    bottom: int

    def joined(self, other: "_Box") -> "_Box":
        """Return the smallest box around both."""
        if self.right <= self.left:
            return other
        if other.right <= other.left:
            return self
        return _Box(
            min(self.left, other.left), min(self.top, other.top),
            max(self.right, other.right), max(self.bottom, other.bottom),
        )  # fmt: skip

    def of(self, image: Image) -> Image:
        """Return this part of a picture."""
        return image[self.top : self.bottom, self.left : self.right]


_NOWHERE = _Box(0, 0, 0, 0)


@dataclass(frozen=True, eq=False)
class _Look:
    """A picture, small and coarse, and the box around what moved since a moment before."""

    at_ns: int
    small: Image
    coarse: Image


class StoneFinder:
    """Finds spots in one camera's pictures, in order; it answers late, once the pictures after have come."""

    def __init__(self, view: View, table: Table, kit: Kit, image: Image) -> None:
        """`image` is a picture from which the light is read."""
        self._view = view
        distance = float(np.linalg.norm(view.pose.eye))
        full_px = view.camera.fx * kit.stone.diameter_mm / distance
        self._shrink = max(1, int(full_px / LEAST_STONE_PX))
        self._stone_px = full_px / self._shrink
        self._stride = max(1, round(self._stone_px / COARSE_PX))
        paper = np.maximum(read_light(image, view, table).paper, 1e-3) ** (1 / GAMMA)
        self._mixes = [_mix(kit.stone.colours.of(colour), paper) for colour in Colour]
        size = 2 * round(1.1 * self._stone_px) + 1
        self._around = np.ones((size, size), np.uint8)
        self._looks: deque[_Look] = deque()
        self._moved: deque[tuple[int, _Box]] = deque()
        self._next = 0

    def see(self, frame: Frame) -> Iterator[Spots]:
        """Take the next picture and yield the spots of those for which enough later ones are known now."""
        if self._looks and frame.sensor_ns <= self._looks[-1].at_ns:
            return
        small = self._shrunk(frame.image)
        coarse = cv2.blur(np.ascontiguousarray(small[:: self._stride, :: self._stride]), (3, 3))
        self._looks.append(_Look(frame.sensor_ns, small, np.asarray(coarse, np.uint8)))
        self._moved.append((frame.sensor_ns, self._moved_now()))
        while self._next < len(self._looks) and frame.sensor_ns - self._looks[self._next].at_ns >= LAGS_NS[-1]:
            yield self._spots(self._next)
            self._next += 1
        while self._next and self._looks[0].at_ns < self._looks[self._next - 1].at_ns - KEPT_NS:
            self._looks.popleft()
            self._next -= 1
        while self._moved[0][0] < frame.sensor_ns - LATELY_NS:
            self._moved.popleft()

    def finish(self) -> Iterator[Spots]:
        """Yield the spots of the last pictures."""
        while self._next < len(self._looks):
            yield self._spots(self._next)
            self._next += 1

    def _shrunk(self, image: Image) -> Image:
        if self._shrink == 1:
            return image
        part = 1 / self._shrink
        return np.asarray(cv2.resize(image, None, fx=part, fy=part, interpolation=cv2.INTER_AREA), np.uint8)

    def _moved_now(self) -> _Box:
        newest = self._looks[-1]
        before = self._before(newest.at_ns - LAGS_NS[0])
        if before is None:
            return _NOWHERE
        change = cv2.blur(_brightest(cv2.absdiff(newest.coarse, before.coarse)), (3, 3))
        left, top, width, height = cv2.boundingRect(np.asarray(change > MOVED, np.uint8))
        if not width:
            return _NOWHERE
        rows, columns = newest.small.shape[:2]
        step, spare = self._stride, round(2 * self._stone_px)
        return _Box(
            max(0, left * step - spare), max(0, top * step - spare),
            min(columns, (left + width) * step + spare), min(rows, (top + height) * step + spare),
        )  # fmt: skip

    def _before(self, at_ns: int) -> _Look | None:
        return next((look for look in reversed(self._looks) if look.at_ns <= at_ns), None)

    def _spots(self, index: int) -> Spots:
        look = self._looks[index]
        box = _NOWHERE
        for _, moved in self._moved:
            box = box.joined(moved)
        if box.right <= box.left:
            return Spots(look.at_ns, np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
        small = np.asarray(cv2.blur(box.of(look.small), (3, 3)), np.uint8)
        rows = np.concatenate([self._coloured(small), *(self._moving(look, small, box, lag) for lag in LAGS_NS)])
        pixels = (rows[:, :2] + (box.left, box.top) + 0.5) * self._shrink - 0.5
        rays = self._view.rays(pixels) if len(rows) else np.zeros((0, 3))
        widths = np.sqrt(rows[:, 2] / (np.pi / 4)) * self._shrink / self._view.camera.fx
        return Spots(look.at_ns, rays, rows[:, 3].astype(np.int64), widths, rows[:, 4])

    def _coloured(self, small: Image) -> Floats:
        spots = []
        for mix in self._mixes:
            likeness = cv2.min(*cv2.split(cv2.transform(small, mix)))
            spots.append(np.asarray(cv2.morphologyEx(likeness, cv2.MORPH_TOPHAT, self._around), np.uint8))
        most = cv2.max(cv2.max(spots[0], spots[1]), spots[2])
        found = []
        for number, spot in enumerate(spots):
            own = cv2.bitwise_and(spot, cv2.compare(spot, most, cv2.CMP_GE))
            found.append(self._blobs(np.asarray(own, np.uint8), COLOUR_CONTRAST, number))
        return np.concatenate(found)

    def _moving(self, look: _Look, small: Image, box: _Box, lag_ns: int) -> Floats:
        before = self._before(look.at_ns - lag_ns)
        after = next((new for new in self._looks if new.at_ns >= look.at_ns + lag_ns), None)
        if before is None or after is None:
            return np.zeros((0, 5))
        changes = [cv2.absdiff(small, cv2.blur(box.of(other.small), (3, 3))) for other in (before, after)]
        return self._blobs(_brightest(cv2.min(*changes)), MOTION_CONTRAST, ANY)

    def _blobs(self, levels: Grey, least: int, colour: int) -> Floats:
        """Return the spots brighter than `least` and about as large as a stone: x, y, area, colour, greatest level."""
        _, mask = cv2.threshold(levels, least, 255, cv2.THRESH_BINARY)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
        numbers = np.asarray(labels, np.int32)
        area = np.pi / 4 * self._stone_px**2
        sizes = stats[:, cv2.CC_STAT_AREA]
        right = (sizes > LEAST_AREA * area) & (sizes < MOST_AREA * area)
        right &= stats[:, 2:4].max(axis=1) < MOST_LENGTH * self._stone_px
        right[0] = False
        chosen = np.flatnonzero(right)
        if count > MOST_SPOTS:
            chosen = chosen[np.argsort(-sizes[chosen])][:MOST_SPOTS]
        rows = [[*_middle(levels, numbers, stats[n].tolist(), n), colour] for n in chosen.tolist()]
        return np.array(rows, np.float64).reshape(-1, 5)[:, [0, 1, 2, 4, 3]]


def _brightest(image: cv2.typing.MatLike) -> Grey:
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _middle(levels: Grey, labels: NDArray[np.int32], stat: list[int], label: int) -> list[float]:
    """Return a spot's weighted middle, its area and greatest level."""
    left, top, width, height, area = stat
    part = (slice(top, top + height), slice(left, left + width))
    weights = np.where(labels[part] == label, levels[part], 0).astype(np.float64)
    rows, columns = weights.sum(axis=1), weights.sum(axis=0)
    total = float(rows.sum())
    x, y = columns @ np.arange(width) / total + left, rows @ np.arange(height) / total + top
    return [x, y, area, weights.max()]


def _mix(colour: Srgb, paper: Floats) -> Floats:
    """Return 2 x 3 factors of B, G, R: the smaller of the two sums is how much of a colour's hue there is.

    Each sum is the chroma along the hue, less, on one side of it, what is beside it.
    """
    chroma = np.array([[-0.5, -0.5, 1.0], [-np.sqrt(3) / 2, np.sqrt(3) / 2, 0.0]])
    hue = chroma @ np.array(colour[::-1], np.float64)
    hue /= np.linalg.norm(hue)
    beside = SIDEWAYS * np.array([-hue[1], hue[0]])
    return np.asarray(np.stack([hue + beside, hue - beside]) @ chroma * (PAPER_LEVEL / paper), np.float64)
