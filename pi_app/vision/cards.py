"""Which of the kit's cards lie in the card zone."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from pi_app.core.verdict import Reason
from pi_app.kit.art import KitArt
from pi_app.kit.table import Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.cards_art import AROUND_MM, CARD_MM, FIT_PX_PER_MM, PX_PER_MM, CardArt, card_art, halved, tone_of
from pi_app.vision.cards_find import Spot, blank_print, find_spots, to_field
from pi_app.vision.cards_fit import Mask, Weighed, cheapest, cut_out, likeness, settled, weigh
from pi_app.vision.field import field_of
from pi_app.vision.light import read_light
from pi_app.vision.pose import Image

GUESSED_AT = 4
LOOKED_AT = 2
MOST_CARDS = 4
CARDLIKE = 0.15
MAYBE = 0.2
MOST_COVERED = 0.65
LEAST_FRAME = 0.25
LEAST_OWN = 0.35
LEAST_APART = 0.28
MOST_STRANGE = 0.22
FOREIGN = 0.15
BARE_SHARE = 0.015
NOTHING_SHARE = 0.002
"""Less of the zone than this that is not paper is no second card, not even the corner of one."""
APART_MM = 12.0
GROWN_MM = 2.0


@dataclass(frozen=True)
class SeenCard:
    """One card of the kit: its middle in mm on the mat, its turn (0 where the active player reads it, left turns
    positive, degrees), and the card most like it of the others with how alike the two look here (1: no telling).
    """

    card: str
    x_mm: float
    y_mm: float
    turn_deg: float
    confidence: float
    second: str = ""
    alike: float = 0.0


@dataclass(frozen=True)
class CardReading:
    """The cards that were surely told, the one nearest to the active player first.

    `reason` is None, or why something in the zone could not be told: no_card, unknown_card, hidden, doubtful, too_dark
    or colours_wrong.
    """

    cards: tuple[SeenCard, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True, eq=False)
class Look:
    """One card laid on one spot, and what speaks for it."""

    spot: Spot
    number: int
    weighed: Weighed


@dataclass(frozen=True)
class _Guess:
    spot: Spot
    number: int
    alike: float


def read_card(image: Image, view: View, table: Table, art: KitArt) -> CardReading:
    """Return which of the kit's cards have their middle in the card zone of a BGR picture."""
    light = read_light(image, view, table)
    if light.reason is not None:
        return CardReading((), light.reason)
    cards = card_art(art, table.mat.paper_srgb)
    zone = CardZone(image, view, table, light.paper, cards)
    looks = zone.look()
    found = sorted((_seen(look, cards) for look in looks if is_sure(look.weighed)), key=lambda card: card.y_mm)
    rest = [look for look in looks if not is_sure(look.weighed)]
    return CardReading(tuple(found), zone.why_not(rest, alone=not found))


class CardZone:
    """The card zone of one picture, and the kit's cards to be looked for in it."""

    def __init__(self, image: Image, view: View, table: Table, paper: Floats, cards: CardArt) -> None:
        self.cards = cards
        self._field = field_of(image, view, table.zones.cards, _reach_mm(cards), CARD_MM, PX_PER_MM)
        self._tones = tone_of(self._field.levels, paper, PX_PER_MM)
        self._small = halved(self._tones)
        self._blank = blank_print(table, self._field)
        self._zone = table.zones.cards

    def look(self) -> list[Look]:
        """Return what cards may lie there: those surely told first, then the best of the others."""
        sure: list[Look] = []
        while len(sure) < MOST_CARDS:
            looks = self._looks(sure)
            told = next((look for look in looks if is_sure(look.weighed)), None)
            if told is None:
                return sure + looks
            sure.append(told)
            if self._bare(sure, NOTHING_SHARE):
                break
        return sure

    def _looks(self, sure: list[Look]) -> list[Look]:
        """Return the best guesses apart from what was told, laid exactly; none after one that is sure."""
        looks: list[Look] = []
        for guess in self._guesses(self._under(sure)):
            if all(_apart_mm(guess.spot, other.spot) > APART_MM for other in looks):
                looks.append(self.settle(guess.spot, guess.number, self._free(guess.spot, sure)))
            if len(looks) >= LOOKED_AT or (looks and is_sure(looks[-1].weighed)):
                break
        return looks

    def settle(self, spot: Spot, number: int, free: Mask | None = None) -> Look:
        """Return the card at a spot, laid exactly; another one than was guessed where that differs less."""
        for _ in range(2):
            spot = settled(self._small, self._field, spot, self.cards, number)
            cut = cut_out(self._small, self._field, spot, self.cards)
            best = cheapest(cut, self.cards, free)
            if best == number:
                break
            number = best
        return Look(spot, number, weigh(cut, self.cards, number, free))

    def why_not(self, rest: list[Look], *, alone: bool) -> Reason | None:
        """Return why what was not told was not; `alone` says that no card was."""
        if not alone:
            hint = any(look.weighed.frame > LEAST_FRAME and look.weighed.covered < MOST_COVERED for look in rest)
            return Reason.DOUBTFUL if hint else None
        strangers = [look for look in rest if look.spot.score > CARDLIKE]
        if strangers:
            likely = any(look.weighed.own > MAYBE or look.weighed.unseen for look in strangers)
            return Reason.DOUBTFUL if likely else Reason.UNKNOWN_CARD
        return Reason.NO_CARD if self._bare([]) else Reason.HIDDEN

    def _bare(self, sure: list[Look], most: float = BARE_SHARE) -> bool:
        """Return whether the zone shows nothing but the mat and the cards that were told."""
        off = np.abs(self._tones - 1).max(axis=2) > FOREIGN
        free = ~((self._blank > 0) | self._under(sure))
        columns, rows = self._pixels
        inside = (off & free)[rows, columns]
        return bool(inside.sum() < most * free[rows, columns].sum())

    @property
    def _pixels(self) -> tuple[slice, slice]:
        """Columns and rows of the field that lie in the zone."""
        zone, field = self._zone, self._field
        left, right = (round((x - field.x_mm) * PX_PER_MM) for x in (zone.x0, zone.x1))
        low, high = (round((y - field.y_mm) * PX_PER_MM) for y in (zone.y0, zone.y1))
        return slice(left, right), slice(low, high)

    def _under(self, sure: list[Look]) -> Mask:
        """Return where the field is under a card that was told."""
        mask = np.zeros(self._blank.shape, np.uint8)
        wide = (self.cards.size_mm[0] + 2 * GROWN_MM, self.cards.size_mm[1] + 2 * GROWN_MM)
        for look in sure:
            corners = to_field(self._field, look.spot, wide) @ _corners(wide, PX_PER_MM)
            cv2.fillPoly(mask, [np.rint(corners.T).astype(np.int32)], (1,))
        return np.asarray(mask > 0)

    def _guesses(self, under: Mask) -> list[_Guess]:
        """Return where the cards may lie, the likeliest first; not where `under` is True."""
        blank = np.maximum(self._blank, under.astype(np.float32))
        guesses = []
        for spot in find_spots(self._field, self._tones, blank, self.cards)[:GUESSED_AT]:
            for turn in (0.0, 180.0):
                turned = replace(spot, turn_deg=spot.turn_deg + turn)
                alike = likeness(cut_out(self._small, self._field, turned, self.cards), self.cards)
                best = int(np.argmax(alike))
                guesses.append(_Guess(turned, best, float(alike[best])))
        return sorted(guesses, key=lambda guess: -guess.alike)

    def _free(self, spot: Spot, sure: list[Look]) -> Mask | None:
        """Return where a card at a spot is not under those that were told; None where nowhere."""
        if not sure:
            return None
        mask = np.ones(self.cards.common.shape[:2], np.uint8)
        size = self.cards.size_mm
        back = cv2.invertAffineTransform(to_field(self._field, spot, size, FIT_PX_PER_MM))
        wide = (size[0] + 2 * GROWN_MM, size[1] + 2 * GROWN_MM)
        for look in sure:
            corners = to_field(self._field, look.spot, wide, FIT_PX_PER_MM) @ _corners(wide, FIT_PX_PER_MM)
            on_card = back[:, :2] @ corners + back[:, 2:]
            cv2.fillPoly(mask, [np.rint(on_card.T).astype(np.int32)], (0,))
        return np.asarray(mask > 0)


def is_sure(weighed: Weighed) -> bool:
    """Return whether what speaks for a card is enough to name it."""
    rival = float(np.sort(weighed.against)[1]) if len(weighed.against) > 1 else 1.0
    seen = weighed.frame >= LEAST_FRAME and weighed.own >= LEAST_OWN
    return seen and rival >= LEAST_APART and weighed.strange <= MOST_STRANGE


def _seen(look: Look, cards: CardArt) -> SeenCard:
    against = np.delete(look.weighed.against, look.number)
    others = [name for number, name in enumerate(cards.ids) if number != look.number]
    second = int(np.argmin(against)) if others else -1
    alike = float(np.clip(1 - against[second], 0.0, 1.0)) if others else 0.0
    spot, confidence = look.spot, min(1.0, look.weighed.own, 1 - alike)
    name, rival = cards.ids[look.number], others[second] if others else ""
    return SeenCard(name, spot.x_mm, spot.y_mm, spot.turn_deg % 360, confidence, rival, alike)


def _apart_mm(a: Spot, b: Spot) -> float:
    return float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm))


def _corners(size_mm: tuple[float, float], px_per_mm: float) -> Floats:
    """Return a card's corners in its own pixels, 3 x 4, homogeneous."""
    width, height = (side * px_per_mm - 1 for side in size_mm)
    return np.array([[0, width, width, 0], [0, 0, height, height], [1, 1, 1, 1]], np.float64)


def _reach_mm(cards: CardArt) -> float:
    return float(np.hypot(*cards.size_mm)) / 2 + AROUND_MM
