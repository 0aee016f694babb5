"""A kit's cards as they would be seen from above beside the mat's paper, prepared once."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.art import PX_PER_MM as ART_PX_PER_MM
from pi_app.kit.art import KitArt
from pi_app.kit.model import Srgb
from pi_app.vision.light import Linear, linear, near_paper, srgb_linear

CARD_MM = 0.3
"""How high a card's face lies above the mat."""
AROUND_MM = 4.0
PX_PER_MM = 1.5
FIT_PX_PER_MM = 0.75
COARSE_PX_PER_MM = 0.5
MARGIN_MM = 3.0
PAPER_MM = 24.0
"""Bare paper laid around a card's picture, so that light is read from it as from the mat's."""
SOFT_MM = 0.6
"""A camera's blur on the mat, standard deviation: half a pixel at 0.8 to 1.5 pixels a mm."""
BRIGHTEST = 1.5
STEEPEST = 0.05
"""Tone edges steeper than this a pixel count no more: a marker is no better an edge than a card's frame."""

Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class CardArt:
    """All cards of a kit at one size.

    `tones` are n x rows x columns x 3, FIT_PX_PER_MM pixels a mm, `common` their median over the cards; `edges` is the
    mean of their edges along and across, PX_PER_MM pixels a mm, with MARGIN_MM of paper around; `size_mm` is width and
    height.
    """

    ids: tuple[str, ...]
    size_mm: tuple[float, float]
    tones: Singles
    common: Singles
    edges: Singles


@lru_cache(maxsize=4)
def card_art(art: KitArt, paper: Srgb) -> CardArt:
    """Return a kit's cards prepared; the same object for the same art."""
    ids = tuple(art.cards)
    shapes = np.array([picture.shape[:2] for picture in art.cards.values()])
    height, width = (float(side) / ART_PX_PER_MM for side in np.median(shapes, axis=0))
    around = [_among_paper(picture, (width, height), srgb_linear(paper)) for picture in art.cards.values()]
    margin = round((PAPER_MM - MARGIN_MM) * PX_PER_MM)
    wide = np.stack([tones[margin:-margin, margin:-margin] for tones in around])
    inner = round(MARGIN_MM * PX_PER_MM)
    tones = np.stack([halved(picture) for picture in wide[:, inner:-inner, inner:-inner]])
    edges = np.mean([square_edges(picture)[0] for picture in wide], axis=0)
    return CardArt(ids, (width, height), tones, np.median(tones, axis=0), np.asarray(edges, np.float32))


def tone_of(levels: Linear, paper: NDArray[np.float64], px_per_mm: float) -> Singles:
    """Return the square root of reflectance relative to the paper near each pixel: differences as the eye has them."""
    relative = levels / near_paper(levels, paper, px_per_mm)
    return np.asarray(np.sqrt(np.clip(relative, 0.0, BRIGHTEST)), np.float32)


def halved(picture: Singles) -> Singles:
    """Return a picture at half its size: from PX_PER_MM to FIT_PX_PER_MM."""
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def square_edges(tones: Singles) -> tuple[Singles, Singles]:
    """Return edge strength times cosine and sine of four times its direction.

    Their mix by cosine and sine of four times an angle is positive on edges along that angle or across it, negative on
    those between, and nothing on average where edges have no direction.
    """
    grey = np.asarray(tones @ np.array([0.4, 0.4, 0.2], np.float32), np.float32)
    across = cv2.Scharr(grey, cv2.CV_32F, 1, 0, scale=1 / 32)
    down = cv2.Scharr(grey, cv2.CV_32F, 0, 1, scale=1 / 32)
    size = np.maximum(np.hypot(across, down), np.float32(1e-6))
    cos, sin = (across - down) * (across + down), 2 * across * down
    strength = np.minimum(size, np.float32(STEEPEST)) / size**4
    return strength * (cos * cos - sin * sin), strength * (2 * cos * sin)


def _among_paper(picture: NDArray[np.uint8], size_mm: tuple[float, float], paper: NDArray[np.float64]) -> Singles:
    size = (round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM))
    small = linear(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
    pad = round(PAPER_MM * PX_PER_MM)
    levels = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=paper.tolist())
    soft = cv2.GaussianBlur(levels, (0, 0), SOFT_MM * PX_PER_MM)
    return tone_of(np.asarray(soft, np.float32), paper, PX_PER_MM)
