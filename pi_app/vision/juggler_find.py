"""Where a known card lies under stones: its outline and the print that is still visible, stones left out."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from pi_app.kit.model import Stone
from pi_app.kit.table import Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.cards_art import AROUND_MM, CARD_MM, PX_PER_MM, CardArt, Singles, halved, tone_of
from pi_app.vision.cards_find import Spot, blank_print, find_spots
from pi_app.vision.cards_fit import DIFFERENT, FAR, GLOSS, Mask, cut_out, moved, slopes_of
from pi_app.vision.field import Field, field_of
from pi_app.vision.light import near_paper
from pi_app.vision.pose import Image
from pi_app.vision.stones import colour_masks

LOOKED_AT = 6
LEAST_VISIBLE = 0.25
"""Less visible print than this share of it tells nothing."""
STONELIKE = 0.5
"""A patch of a stone's colour at least this wide, in diameters, may be a stone; print is finer."""
AROUND_STONE_MM = 1.5
FREE = 0.3
SOFT_PX = (2.0, 0.0)
ROUNDS = 6
NEAR_ROUNDS = 3
SETTLED = 2

Step = tuple[Singles, Singles, Singles]
"""What is seen, the card's print, and how that changes as the card moves: all equally soft."""


@dataclass(frozen=True)
class Found:
    """Where a card lies, and which part of its visible print speaks for that: 1 all, 0 as much for bare paper."""

    spot: Spot
    shown: float


def find_card(
    image: Image, view: View, table: Table, paper: Floats, cards: CardArt, number: int, stone: Stone
) -> Found | None:
    """Return where one card of the kit lies in the card zone of a BGR picture; None where nothing like it is seen."""
    reach = float(np.hypot(*cards.size_mm)) / 2 + AROUND_MM
    field = field_of(image, view, table.zones.cards, reach, CARD_MM, PX_PER_MM)
    tones = tone_of(field.levels, paper, PX_PER_MM)
    stones = _stonelike(field, paper, stone)
    small, hidden = halved(tones), halved(stones)
    soft = Softened(small, hidden, field, cards, number)
    found = []
    for spot in find_spots(field, tones, np.maximum(blank_print(table, field), stones), cards)[:LOOKED_AT]:
        for turn in (0.0, 180.0):
            laid = soft.drawn_near(replace(spot, turn_deg=spot.turn_deg + turn))
            found.append(Found(laid, _shown(small, hidden, field, laid, cards, number)))
    best = sorted(found, key=lambda one: -one.shown)[:SETTLED]
    exact = [soft.settled(one.spot) for one in best]
    laid_exactly = [Found(spot, _shown(small, hidden, field, spot, cards, number)) for spot in exact]
    return max(laid_exactly, key=lambda one: one.shown, default=None)


class Softened:
    """Lays a card by its visible print, softened at first, so that a thin frame pulls from some millimetres away."""

    def __init__(self, small: Singles, hidden: Singles, field: Field, cards: CardArt, number: int) -> None:
        self._hidden, self._field, self._cards = hidden, field, cards
        pairs = [(_blurred(small, px), _blurred(cards.tones[number], px)) for px in SOFT_PX]
        self._steps = [(seen, wanted, slopes_of(wanted, cards)) for seen, wanted in pairs]

    def drawn_near(self, spot: Spot) -> Spot:
        """Return a spot moved and turned a little: enough to tell the right one from the others."""
        return self._moved_by(self._steps[:1], spot, NEAR_ROUNDS)

    def settled(self, spot: Spot) -> Spot:
        """Return a spot moved and turned until the card lies on what is seen of its print."""
        return self._moved_by(self._steps, spot, ROUNDS)

    def _moved_by(self, steps: list[Step], spot: Spot, rounds: int) -> Spot:
        for tones, wanted, slopes in steps:
            for _ in range(rounds):
                spot, step = self._moved(spot, tones, wanted, slopes)
                if step < 0.08:
                    break
        return spot

    def _moved(self, spot: Spot, tones: Singles, wanted: Singles, slopes: Singles) -> tuple[Spot, float]:
        free = cut_out(self._hidden, self._field, spot, self._cards) < FREE
        seen = _levelled(cut_out(tones, self._field, spot, self._cards), wanted, free)
        off = (seen - wanted).reshape(-1)
        weight = np.maximum(1 - (off / FAR) ** 2, 0) ** 2 * np.repeat(free.reshape(-1), 3)
        pulled = slopes * weight[:, None]
        step = np.linalg.lstsq(pulled.T @ slopes + np.eye(3) * 1e-3, pulled.T @ off, rcond=None)[0]
        step = np.clip(step, -2.0, 2.0)
        return moved(spot, *step), float(np.abs(step).max())


def _blurred(picture: Singles, px: float) -> Singles:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), px), np.float32) if px else picture


def _stonelike(field: Field, paper: Floats, stone: Stone) -> Singles:
    """Return 1 where a field may show a stone, by its colour, else 0."""
    relative = field.levels / near_paper(field.levels, paper, PX_PER_MM)
    coloured = np.maximum.reduce(list(colour_masks(relative, stone).values()))
    coloured = cv2.morphologyEx(coloured, cv2.MORPH_OPEN, _round(STONELIKE * stone.diameter_mm))
    return np.asarray(cv2.dilate(coloured, _round(2 * AROUND_STONE_MM)) > 0, np.float32)


def _round(wide_mm: float) -> Singles:
    side = 2 * round(wide_mm * PX_PER_MM / 2) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))


def _shown(small: Singles, hidden: Singles, field: Field, spot: Spot, cards: CardArt, number: int) -> float:
    """Return what the visible print speaks for a card at a spot rather than for bare paper."""
    picture, cut = cards.tones[number], cut_out(small, field, spot, cards)
    free = cut_out(hidden, field, spot, cards) < FREE
    seen = _levelled(cut, picture, free)
    between = _off(picture, np.ones_like(picture))
    free &= cut.min(axis=2) < GLOSS
    printed = between > DIFFERENT
    visible = float(between[printed & free].sum())
    if visible < LEAST_VISIBLE * float(between[printed].sum()):
        return 0.0
    gain = _off(seen, np.ones_like(picture)) - _off(seen, picture)
    return float(gain[printed & free].sum()) / visible


def _levelled(cut: Singles, picture: Singles, free: Mask) -> Singles:
    """Return what was cut out with its brightness, by channel, brought to the picture's where it is visible."""
    if not free.any():
        return cut
    share = np.median(cut[free], axis=0) / np.maximum(np.median(picture[free], axis=0), 0.1)
    return np.asarray(cut / np.clip(share, 0.7, 1.4).astype(np.float32), np.float32)


def _off(a: Singles, b: Singles) -> Singles:
    return np.asarray(np.minimum(np.abs(a - b) @ np.full(3, 1 / 3, np.float32), FAR), np.float32)
