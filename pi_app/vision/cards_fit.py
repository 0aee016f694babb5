"""Laying a kit's card exactly on what the camera sees, and weighing what speaks for it and against it."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.cards_art import FIT_PX_PER_MM, CardArt, Singles
from pi_app.vision.cards_find import Spot, to_field
from pi_app.vision.field import Field

ROUGH = 0.67
"""Pictures are compared at this part of their size first."""
FAR = 0.25
"""A tone difference from which on a pixel shows something else: more counts no more."""
DIFFERENT = 0.04
LEAST_VISIBLE = 0.4
"""Two cards are told apart only where at least this share of what differs between them is visible."""
MOST_HIDDEN = 0.5
GLOSS = 1.12
"""A tone whiter than any paper: a lamp mirrored on the card, no print."""
VEIL_PX = 2.5
"""A lamp's mirror image is smooth over so many pixels, standard deviation; print is not."""
LEAST_PX = 5
"""A lamp's mirror image is at least so wide, in pixels; less is noise or a drawing's edge."""
EVEN = 0.5
ON_GROUND = 0.25
RIM, LEAST_RIM = 2, 4
ROUNDS = 6
WIDE = 8.0
Mask = NDArray[np.bool_]


def cut_out(tones: Singles, field: Field, spot: Spot, cards: CardArt) -> Singles:
    """Return what lies at a spot as a card's picture, rows x columns x 3, `tones` at FIT_PX_PER_MM."""
    rows, columns = cards.tones.shape[1:3]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shape = to_field(field, spot, cards.size_mm, FIT_PX_PER_MM)
    cut = cv2.warpAffine(tones, shape, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.float32)


def likeness(cut: Singles, cards: CardArt) -> Singles:
    """Return the correlation of what was cut out with each card, seen roughly: a millimetre off does little harm."""
    seen = _rough(cut)
    return np.asarray(_all_rough(cards) @ seen / max(float(np.linalg.norm(seen)), 1e-6), np.float32)


def _rough(picture: Singles) -> Singles:
    small = cv2.resize(picture, None, fx=ROUGH, fy=ROUGH, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 1.2)
    return np.asarray(soft - cv2.GaussianBlur(soft, (0, 0), WIDE), np.float32).ravel()


@lru_cache(maxsize=4)
def _all_rough(cards: CardArt) -> Singles:
    rough = np.stack([_rough(picture) for picture in cards.tones])
    return np.asarray(rough / np.linalg.norm(rough, axis=1, keepdims=True), np.float32)


def settled(tones: Singles, field: Field, spot: Spot, cards: CardArt, number: int) -> Spot:
    """Return a spot moved and turned until a card lies on what is seen; pixels that show something else do not pull."""
    wanted = cards.tones[number]
    slopes = slopes_of(wanted, cards)
    for _ in range(ROUNDS):
        seen = levelled(cut_out(tones, field, spot, cards), cards)
        off = (seen - wanted).reshape(-1)
        weight = np.maximum(1 - (off / FAR) ** 2, 0) ** 2
        pulled = slopes * weight[:, None]
        step = np.linalg.lstsq(pulled.T @ slopes + np.eye(3) * 1e-3, pulled.T @ off, rcond=None)[0]
        step = np.clip(step, -2.0, 2.0)
        spot = moved(spot, *step)
        if np.abs(step).max() < 0.08:
            break
    return spot


def moved(spot: Spot, right: float, down: float, turn: float) -> Spot:
    """Return a spot moved along the card's own axes in mm and turned by `turn` times 30 mm at its radius."""
    angle = np.deg2rad(spot.turn_deg)
    x = spot.x_mm + right * np.cos(angle) + down * np.sin(angle)
    y = spot.y_mm + right * np.sin(angle) - down * np.cos(angle)
    return Spot(float(x), float(y), float(spot.turn_deg - np.rad2deg(turn / 30.0)) % 360, spot.score)


def slopes_of(wanted: Singles, cards: CardArt) -> Singles:
    """Return how each value changes where the card lies a mm further right, down, and turned by a mm at 30 mm."""
    per_mm = wanted.shape[1] / cards.size_mm[0]
    across = -cv2.Scharr(wanted, cv2.CV_32F, 1, 0, scale=1 / 32) * per_mm
    down = -cv2.Scharr(wanted, cv2.CV_32F, 0, 1, scale=1 / 32) * per_mm
    rows, columns = np.indices(wanted.shape[:2], np.float32)
    x = (columns - (wanted.shape[1] - 1) / 2) / per_mm / 30.0
    y = (rows - (wanted.shape[0] - 1) / 2) / per_mm / 30.0
    turned = down * x[..., None] - across * y[..., None]
    return np.stack([across, down, turned], axis=-1).reshape(-1, 3)


def levelled(cut: Singles, cards: CardArt) -> Singles:
    """Return what was cut out with its brightness, by channel, brought to that of the cards' common ground."""
    share = np.median(cut.reshape(-1, 3)[::5], axis=0) / np.maximum(_ground(cards), 0.1)
    return np.asarray(cut / np.clip(share, 0.7, 1.4).astype(np.float32), np.float32)


@lru_cache(maxsize=4)
def _ground(cards: CardArt) -> Singles:
    return np.asarray(np.median(cards.common.reshape(-1, 3)[::5], axis=0), np.float32)


@dataclass(frozen=True, eq=False)
class Weighed:
    """What speaks for a card, each from 1 (all of it) over 0 (nothing either way) to -1 (all against it).

    `frame`: that a card of this kit lies there and not bare paper; `own`: that its own picture is seen and not only the
    frame of all cards; `against`: by number, that it is this and not the other card where the two differ. `covered` is
    the share of the card under something that reaches in over its edge; `strange` the area of what else is wrong on
    it, as a share of its own picture. `cost` is the mean tone difference of what is visible.
    """

    frame: float
    own: float
    against: Singles
    covered: float
    strange: float
    cost: float

    @property
    def unseen(self) -> bool:
        """Return whether too little of the card's own picture is visible to speak for or against it."""
        return self.own == 0.0 or self.covered > MOST_HIDDEN


def weigh(cut: Singles, cards: CardArt, number: int, free: Mask | None = None) -> Weighed:
    """Weigh what was cut out against one card and its rivals; where `free` is False another card lies over it."""
    seen, pictures, common = levelled(cut, cards), cards.tones, cards.common
    picture, paper = pictures[number], np.ones_like(common)
    gloss = _gloss(seen, picture)
    differ = Unveiled(seen, gloss).off
    off = np.stack([differ(other) for other in pictures])
    mine = off[number]
    here = np.ones(mine.shape, bool) if free is None else free
    drawn = _off(common, picture) > DIFFERENT
    covers, spots = _strange(mine, here, gloss, drawn)
    here = here & ~covers
    between = _between(cards, number)
    against = np.array([_support(off[k], mine, between[k], here) for k in range(len(pictures))])
    own = _support(differ(common), mine, _off(common, picture), here)
    frame = _support(differ(paper), mine, _off(paper, common), here)
    strange = float(spots.sum() / max(1, (drawn & here).sum()))
    cost = float(mine[here].mean()) if here.any() else FAR
    return Weighed(frame, own, against, float(1 - here.mean()), strange, cost)


def cheapest(cut: Singles, cards: CardArt, free: Mask | None = None) -> int:
    """Return the number of the card that differs least from what was cut out."""
    off = _off(levelled(cut, cards), cards.tones)
    return int(np.argmin(off.mean(axis=(1, 2)) if free is None else off[:, free].sum(axis=1)))


class Unveiled:
    """What was cut out, compared with each picture after the smooth, even light that speaks best for that picture.

    Every picture gets a veil of its own, so that gloss speaks for none of them; only where `gloss` is True or near.
    """

    def __init__(self, seen: Singles, gloss: Mask) -> None:
        self._seen, self._light = seen, seen**2
        patches = cv2.morphologyEx(gloss.astype(np.uint8), cv2.MORPH_OPEN, np.ones((LEAST_PX, LEAST_PX), np.uint8))
        near = cv2.dilate(patches, np.ones((7, 7), np.uint8))
        x, y, columns, rows = cv2.boundingRect(near)
        self._box = slice(y, y + rows), slice(x, x + columns)
        self._near = near[self._box] > 0

    def off(self, picture: Singles) -> Singles:
        """Return each pixel's mean tone difference from a picture, rows x columns, at most FAR."""
        off = _off(self._seen, picture)
        if self._near.any():
            light, wanted = self._light[self._box], picture[self._box]
            more = np.where(self._near, np.maximum((light - wanted**2).min(axis=2), 0), 0).astype(np.float32)
            veil = np.where(self._near, cv2.GaussianBlur(more, (0, 0), VEIL_PX), 0)[..., None]
            off[self._box] = _off(np.sqrt(np.maximum(light - veil, 0)).astype(np.float32), wanted)
        return off


def _gloss(seen: Singles, picture: Singles) -> Mask:
    """Return where a lamp mirrored on the card adds as much light to every channel."""
    more = seen**2 - picture**2
    least, most = more.min(axis=2), more.max(axis=2)
    return np.asarray((least > 0.02) & (least > EVEN * most) | (seen.min(axis=2) > GLOSS))


def _strange(off: Singles, here: Mask, gloss: Mask, drawn: Mask) -> tuple[Mask, Mask]:
    """Return what covers a card, and what of its own picture is plainly another.

    What reaches in over the card's edge, and what lies on drawing and bare ground alike, covers it; so does gloss.
    """
    wrong = cv2.morphologyEx(((off > FAR / 2) & here).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(np.where(gloss, 0, wrong).astype(np.uint8), connectivity=8)
    rim = np.ones(off.shape, bool)
    rim[RIM:-RIM, RIM:-RIM] = False
    rim |= ~here
    near = cv2.dilate(drawn.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    outer = []
    for n in range(1, count):
        part = labels == n
        if (rim & part).sum() >= LEAST_RIM or (part & ~near).sum() > ON_GROUND * part.sum():
            outer.append(n)
    covers = cv2.dilate(np.isin(labels, outer).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    covers |= (wrong > 0) & gloss
    return np.asarray(covers), np.asarray((wrong > 0) & ~covers)


def _off(a: Singles, b: Singles) -> Singles:
    return np.asarray(np.minimum(np.abs(a - b) @ np.full(3, 1 / 3, np.float32), FAR), np.float32)


def _support(theirs: Singles, mine: Singles, between: Singles, here: Mask) -> float:
    """Return the evidence for mine where the two differ; 0 where too little of that is visible."""
    differ = between > DIFFERENT
    total, visible = float(between[differ].sum()), float(between[differ & here].sum())
    if visible < LEAST_VISIBLE * total or total == 0.0:
        return 0.0
    return float((theirs - mine)[differ & here].sum() / visible)


@lru_cache(maxsize=512)
def _between(cards: CardArt, number: int) -> Singles:
    """Return how much each card differs from one of them, n x rows x columns."""
    return _off(cards.tones, cards.tones[number])
