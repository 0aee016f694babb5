"""Pictures of a kit that a camera may take for one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.art import PX_PER_MM
from pi_app.vision.light import linear, to_lab
from pi_app.vision.pose import Image

Image32 = NDArray[np.float32]

SEEN_PX_PER_MM = 2.0
"""About what a camera of 1280 x 720 sees of the mat."""
PATCH_MM = 6.0
ALIKE = 0.85
CLEAR_LAB = 15.0
"""Two pictures are told apart where a patch of PATCH_MM differs by so much."""
SHIFT_PX = 2


@dataclass(frozen=True)
class Alike:
    """Two pictures, how alike they are (correlation, 1 the same), and how much the patch that differs most differs, in
    L*, a*, b* units."""

    one: str
    other: str
    correlation: float
    differs: float

    @property
    def confusable(self) -> bool:
        """Whether there is no patch by which to tell them apart."""
        return self.differs < CLEAR_LAB

    def __str__(self) -> str:
        told = "cannot be told apart" if self.confusable else "differ in a small part only"
        return (
            f"{self.one} and {self.other} {told}: {self.correlation:.2f} alike, largest difference {self.differs:.0f}"
        )


def alike_pairs(pictures: Mapping[str, Image], *, halfway: bool = True) -> list[Alike]:
    """Return the pairs of BGR pictures (8 px/mm) that are alike, the most alike first; `halfway`: either way up."""
    small = {name: _as_seen(picture) for name, picture in pictures.items()}
    found = []
    for one, other in combinations(small, 2):
        first, second = small[one], small[other]
        if abs(first.shape[0] / second.shape[0] - 1) > 0.1 or abs(first.shape[1] / second.shape[1] - 1) > 0.1:
            continue
        second = np.asarray(cv2.resize(second, (first.shape[1], first.shape[0])), np.float32)
        turned = [_compare(first, np.asarray(np.rot90(second, 2 * k)).copy()) for k in range(2 if halfway else 1)]
        best = max(turned)
        if best[0] >= ALIKE:
            found.append(Alike(one, other, round(best[0], 3), round(best[1], 1)))
    return sorted(found, key=lambda pair: pair.differs)


def _as_seen(picture: Image) -> Image32:
    scale = SEEN_PX_PER_MM / PX_PER_MM
    soft = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return to_lab(linear(np.asarray(soft, np.uint8)).astype(np.float64)).astype(np.float32)


def _compare(one: Image32, other: Image32) -> tuple[float, float]:
    """Return the best correlation of two L*a*b* pictures over small shifts, and the largest difference there."""
    s = SHIFT_PX
    inner = other[s:-s, s:-s]
    scores = cv2.matchTemplate(one, inner, cv2.TM_CCOEFF_NORMED)
    _, score, _, (left, top) = cv2.minMaxLoc(scores)
    off = one[top : top + inner.shape[0], left : left + inner.shape[1]] - inner
    size = round(PATCH_MM * SEEN_PX_PER_MM)
    patches = cv2.blur((off**2).sum(axis=2), (size, size))
    return float(score), float(np.sqrt(patches.max()))
