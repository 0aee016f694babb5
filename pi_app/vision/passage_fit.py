"""Where does a lying acrobat fit a blob of changed pixels best, given what stands in front of it?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.kit.model import Acrobat
from pi_app.vision.camera import Floats, View
from pi_app.vision.occlusion import Window
from pi_app.vision.reading import PartKind, SeenPart

Mask = NDArray[np.uint8]

ROUNDS = ((9.0, 30.0), (5.0, 15.0), (2.5, 7.5), (1.2, 3.5))
"""Steps of place in mm and of turn in degrees, coarse to fine."""
TURNS_DEG = np.arange(0.0, 180.0, 30.0)
STARTS_MM = np.array([[a, b] for a in (-14.0, 0.0, 14.0) for b in (-14.0, 0.0, 14.0)])
LEAST_VISIBLE = 0.3
POSES = (BlockPose.STAND, BlockPose.LIE)
_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)])


@dataclass(frozen=True, eq=False)
class Lying:
    """An acrobat lying on the mat: `pose` STAND flat on a picture, LIE on its long narrow side; turn of its length.

    `score` is how well its silhouette and the blob are the same, 0 to 1; `visible` is the share of it in view.
    """

    x_mm: float
    y_mm: float
    turn_rad: float
    pose: BlockPose
    score: float
    visible: float

    def footprint(self, acrobat: Acrobat) -> Floats:
        """Return the corners of its foot on the mat, 4 x 2."""
        wide = acrobat.width_mm if self.pose is BlockPose.STAND else acrobat.thickness_mm
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        along, across = np.array([c, s]) * acrobat.length_mm / 2, np.array([-s, c]) * wide / 2
        middle = np.array([self.x_mm, self.y_mm])
        return np.array([middle + a * along + b * across for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


class Fitter:
    """Fits lying acrobats to blobs of a window; `parts` are what may stand in front of them."""

    def __init__(
        self, view: View, window: Window, acrobat: Acrobat, parts: Sequence[SeenPart], size: tuple[int, int]
    ) -> None:
        self._view, self._window, self._acrobat, self._size = view, window, acrobat, size
        self._eye = view.pose.eye
        hulls = [(part, cv2.convexHull(window.place(view.project(part.corners_mm())))) for part in parts]
        self._over = self._filled([hull for part, hull in hulls if not _stands(part)])
        self._legs = [(self._away_mm(*part.centre_mm[:2]), hull) for part, hull in hulls if _stands(part)]

    def fit(self, blob: Mask, starts: Sequence[Lying] = ()) -> Lying | None:
        """Return the acrobat that fits a blob (a mask of the window's size, 1 inside) best; None where none does.

        With `starts`, the first round is left out and only what is near one of them is tried.
        """
        x, y, wide, high = cv2.boundingRect(blob)
        if wide * high == 0:
            return None
        box = _Box(max(0, x - 24), max(0, y - 24), min(self._size[1], x + wide + 24), min(self._size[0], y + high + 24))
        part = np.ascontiguousarray(blob[box.top : box.bottom, box.left : box.right])
        best = self._best(list(starts) or self._spread(blob), part, box)
        for step_mm, step_deg in ROUNDS if not starts else ROUNDS[1:]:
            if best is None or best.score == 0:
                return None
            best = self._best(_around(best, step_mm, np.deg2rad(step_deg)), part, box) or best
        return best

    def _spread(self, blob: Mask) -> list[Lying]:
        """Return where to begin: about the blob's middle, in any turn, flat or on the narrow side."""
        moments = cv2.moments(blob, binaryImage=True)
        middle = np.array([[moments["m10"], moments["m01"]]]) / max(moments["m00"], 1.0)
        pixel = middle / self._window.scale + (self._window.left, self._window.top)
        spot = self._view.on_plane(pixel, self._acrobat.thickness_mm / 2)[0]
        if not np.isfinite(spot).all():
            return []
        return [
            Lying(float(x), float(y), float(turn), pose, 0.0, 0.0)
            for x, y in spot + STARTS_MM
            for turn in np.deg2rad(TURNS_DEG)
            for pose in POSES
        ]

    def _best(self, tried: list[Lying], blob: Mask, box: "_Box") -> Lying | None:
        if not tried:
            return None
        pixels = self._window.place(self._view.project(np.concatenate([self._corners(one) for one in tried])))
        area = cv2.countNonZero(blob)
        best: Lying | None = None
        for one, corners in zip(tried, pixels.reshape(-1, 8, 2), strict=True):
            score, visible = self._score(one, corners, blob, area, box)
            if best is None or score > best.score:
                best = Lying(one.x_mm, one.y_mm, one.turn_rad, one.pose, score, visible)
        return best

    def _score(self, one: Lying, corners: NDArray[np.int32], blob: Mask, area: int, box: "_Box") -> tuple[float, float]:
        seen = np.zeros_like(blob)
        offset = (box.left, box.top)
        cv2.fillConvexPoly(seen, cv2.convexHull(corners - offset), (1,))
        whole = cv2.countNonZero(seen)
        seen &= 1 - self._over[box.top : box.bottom, box.left : box.right]
        away_mm = self._away_mm(one.x_mm, one.y_mm)
        for leg_mm, hull in self._legs:
            if away_mm > leg_mm:
                cv2.fillConvexPoly(seen, hull - offset, (0,))
        visible = cv2.countNonZero(seen)
        if whole == 0 or visible < LEAST_VISIBLE * whole:
            return 0.0, 0.0
        both = cv2.countNonZero(seen & blob)
        return both / max(visible + area - both, 1), visible / whole

    def _away_mm(self, x_mm: float, y_mm: float) -> float:
        return math.hypot(x_mm - self._eye[0], y_mm - self._eye[1])

    def _corners(self, one: Lying) -> Floats:
        flat = one.pose is BlockPose.STAND
        wide, high = self._acrobat.width_mm, self._acrobat.thickness_mm
        size = np.array([self._acrobat.length_mm, *((wide, high) if flat else (high, wide))])
        c, s = np.cos(one.turn_rad), np.sin(one.turn_rad)
        return np.asarray((_CORNERS * size) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + (one.x_mm, one.y_mm, 0.0))

    def _filled(self, hulls: Sequence[object]) -> Mask:
        mask = np.zeros(self._size, np.uint8)
        for hull in hulls:
            cv2.fillConvexPoly(mask, np.asarray(hull, np.int32), (1,))
        return mask


@dataclass(frozen=True)
class _Box:
    left: int
    top: int
    right: int
    bottom: int


def _stands(part: SeenPart) -> bool:
    """Whether a part stands on the mat: what lies behind it is hidden, and not what lies before it."""
    return part.kind is PartKind.ACROBAT and float(part.centre_mm[2]) < max(part.size_mm)


def _around(best: Lying, step_mm: float, step_rad: float) -> list[Lying]:
    return [
        Lying(best.x_mm + a * step_mm, best.y_mm + b * step_mm, best.turn_rad + t * step_rad, pose, 0.0, 0.0)
        for pose in ((best.pose,) if step_mm < ROUNDS[1][0] else POSES)
        for a in (-1, 0, 1)
        for b in (-1, 0, 1)
        for t in (-1, 0, 1)
    ]
