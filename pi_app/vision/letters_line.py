"""The print on a Vowl card seen from above: its ink against the ground around it, the line of letters, and the foot."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.letters_find import CARD_PX_PER_MM
from pi_app.vision.pose import Image

Singles = NDArray[np.float32]

FLOOR = 10.0
"""Levels added before ratios are taken, so that noise in the dark is no ink."""
GROUND_PX_PER_MM = 2.0
GROUND_MM = 25.0
SOFT_MM = 0.25
BAND = 0.17
"""The line of letters lies within this share of the card's height from its middle."""
LEAST_INK = 0.25
LEAST_TALL = 0.55
OWL_MM = 14.0
OWL_AT = 0.34
"""The owl's middle is this share of the card's height from the card's middle."""
SLIDE_MM = 1.2


@dataclass(frozen=True)
class Letter:
    """One shape of the line in pixels of the face: left, top, width, height."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, eq=False)
class Line:
    """The line of letters: its shapes from left to right, and the ink, 0 to 1, dark or light alike."""

    letters: tuple[Letter, ...]
    ink: Singles
    contrast: float

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Return left, top, right, bottom of all shapes together."""
        left = min(letter.left for letter in self.letters)
        top = min(letter.top for letter in self.letters)
        right = max(letter.left + letter.width for letter in self.letters)
        return left, top, right, max(letter.top + letter.height for letter in self.letters)


def ink_of(face: Image) -> Singles:
    """Return how much lighter (positive) or darker each pixel of a card's face is than its ground, in logs."""
    small_size = (np.array(face.shape[1::-1]) * GROUND_PX_PER_MM / CARD_PX_PER_MM).astype(int)
    small = cv2.resize(face, small_size.tolist(), interpolation=cv2.INTER_AREA)
    ground = cv2.medianBlur(small, round(GROUND_MM * GROUND_PX_PER_MM) | 1)
    ground = cv2.GaussianBlur(ground, (0, 0), 3.0)
    ground = cv2.resize(ground, (face.shape[1], face.shape[0]), interpolation=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(face, (0, 0), SOFT_MM * CARD_PX_PER_MM).astype(np.float32)
    return np.asarray(np.log((soft + FLOOR) / (ground + FLOOR)).mean(axis=2), np.float32)


def line_of(ink: Singles) -> Line | None:
    """Return the line of letters across a card's middle; None where there is none."""
    rows = ink.shape[0]
    top, bottom = round(rows * (0.5 - BAND)), round(rows * (0.5 + BAND))
    margin = round(1.5 * CARD_PX_PER_MM)
    band = ink[top:bottom, margin:-margin]
    low, high = np.percentile(band, (2.0, 98.0))
    signed = ink if high > -low else -ink
    contrast = float(max(high, -low))
    if contrast < LEAST_INK:
        return None
    scaled = np.clip(signed / contrast, 0.0, 1.0).astype(np.float32)
    levels = np.asarray(scaled[top:bottom, margin:-margin] * 255, np.uint8)
    _, shapes = cv2.threshold(levels, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    _, _, stats, _ = cv2.connectedComponentsWithStats(shapes)
    letters = _letters(np.asarray(stats[1:]), margin, top)
    return Line(letters, scaled, contrast) if letters else None


def _letters(stats: NDArray[np.int32], margin: int, top: int) -> tuple[Letter, ...]:
    """Return the shapes that are nearly as tall as the tallest, from left to right."""
    if not len(stats):
        return ()
    tall = stats[stats[:, cv2.CC_STAT_HEIGHT] >= LEAST_TALL * stats[:, cv2.CC_STAT_HEIGHT].max()]
    ordered = tall[np.argsort(tall[:, cv2.CC_STAT_LEFT])]
    return tuple(Letter(int(left) + margin, int(upper) + top, int(w), int(h)) for left, upper, w, h, _ in ordered)


def foot_of(ink: Singles) -> tuple[float, float]:
    """Return how much the print below the middle looks like the owl, and that above: strength of what is symmetric."""
    return _owl(ink), _owl(np.asarray(ink[::-1, ::-1]))


def _owl(ink: Singles) -> float:
    """Return the strength of print that is its own mirror image about the card's middle, near its foot.

    An animal seen from the front is symmetric, slanted stripes are not.
    """
    rows, columns = ink.shape
    half, slide = round(OWL_MM / 2 * CARD_PX_PER_MM), round(SLIDE_MM * CARD_PX_PER_MM)
    soft = cv2.GaussianBlur(ink, (0, 0), 0.5 * CARD_PX_PER_MM)
    top = round(rows * (0.5 + OWL_AT)) - half
    best = 0.0
    for shift in range(-slide, slide + 1, 2):
        middle = columns // 2 + shift
        box = soft[top : top + 2 * half, middle - half : middle + half]
        box = box - box.mean()
        same = float((box * box[:, ::-1]).mean())
        best = max(best, same)
    return float(np.sqrt(best))
