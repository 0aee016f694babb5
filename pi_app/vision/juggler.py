"""Which stones lie on a Juggler card: the card's own print is taken away first, and height tells a stone from print."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Colour
from pi_app.core.verdict import Outcome, Reason
from pi_app.kit.art import KitArt
from pi_app.kit.model import Card, Kit, Stone
from pi_app.kit.table import Rect, Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.cards_art import CARD_MM, FIT_PX_PER_MM, CardArt, Singles, card_art
from pi_app.vision.cards_find import Spot
from pi_app.vision.field import field_of
from pi_app.vision.juggler_find import find_card
from pi_app.vision.juggler_fit import Costs, Fit, Mask
from pi_app.vision.light import Linear, near_paper, read_light
from pi_app.vision.pose import Image
from pi_app.vision.stones import colour_masks, stamp_of
from pi_app.vision.tops import outline_mm

PX_PER_MM = 1.25
FAR = 0.25
SURE_GAIN = 0.34
MAYBE_GAIN = 0.17
BESIDE = 1.2
MOST_BESIDE = 1
"""More stones' worth of their colours over the card's edge is a hand or a sleeve, which may hide or feign stones."""
MOST_UNEXPLAINED = 0.45
"""More of a stone's outline that is neither print nor a stone is something that may hide one."""
APART = 0.88
EDGE_MM = 1.5
LEAST_SHOWN = 0.2
NO_STONE, FAINT, OTHER = 0.8, 0.5, 1.0
AS_STONE = 0.15
OFF_PRINT = 0.7
PRINT_GONE = 0.6
GLOSSED, DIMMED = 0.2, 0.5
"""How far a difference counts that a lamp's mirror image, or a shadow on pale print, explains: on a printed circle a
stone of its colour looks like its shadow."""
LEAST_GLOSS, EVEN_GLOSS, EVEN_SHADE, DARKEST = 0.2, 0.6, 0.75, 0.3


@dataclass(frozen=True)
class JugglerReading:
    """Do the card's stones, and only those, lie on it; `counts` of each colour and `places_mm` of those on it."""

    outcome: Outcome
    reasons: tuple[Reason, ...]
    counts: dict[Colour, int] = field(default_factory=dict)
    places_mm: dict[Colour, tuple[tuple[float, float], ...]] = field(default_factory=dict)


def read_juggler(image: Image, view: View, table: Table, kit: Kit, art: KitArt, card: Card) -> JugglerReading:
    """Return whether a Juggler card's stones lie on it in a BGR picture; the card lies in the card zone."""
    light = read_light(image, view, table)
    if light.reason is not None:
        return _unsure(light.reason)
    cards = card_art(art, table.mat.paper_srgb)
    number = cards.ids.index(card.id)
    found = find_card(image, view, table, light.paper, cards, number, kit.stone)
    if found is None or found.shown < LEAST_SHOWN:
        return _unsure(Reason.HIDDEN)
    board = _Board(image, view, table, kit.stone, light.paper, cards, number, found.spot)
    return board.judged(card)


def _unsure(*reasons: Reason) -> JugglerReading:
    return JugglerReading(Outcome.UNSURE, reasons)


class _Board:
    """One card with what lies on it, seen on the level of the stones' middles."""

    def __init__(
        self,
        image: Image,
        view: View,
        table: Table,
        stone: Stone,
        paper: Floats,
        cards: CardArt,
        number: int,
        spot: Spot,
    ) -> None:
        self._view, self._stone, self._cards, self._spot = view, stone, cards, spot
        self._level = CARD_MM + stone.height_mm / 2
        reach = float(np.hypot(*cards.size_mm)) / 2 + stone.diameter_mm
        x, y = spot.x_mm, spot.y_mm
        rect = Rect(x0=x - reach, y0=y - reach, x1=x + reach, y1=y + reach)
        self._field = field_of(image, view, rect, 0.0, self._level, PX_PER_MM)
        relative = self._field.levels / near_paper(self._field.levels, paper, PX_PER_MM)
        self._seen = np.sqrt(np.clip(relative, 0.0, 2.25)).astype(np.float32)
        self._labels = _labels(relative, stone)
        self._print = self._printed(number)
        self._print_labels = _labels(self._print**2, stone)
        self._card = self._on_card()
        self._known = self._on_mat(table) | (self._printed_mask() > 0.5)

    def _printed(self, number: int) -> Singles:
        """Return the card's print as it is seen on the field, bare paper around."""
        picture = self._cards.tones[number]
        shape = self._to_board()
        size = (self._labels.shape[1], self._labels.shape[0])
        return np.asarray(
            cv2.warpAffine(picture, shape, size, flags=cv2.INTER_LINEAR, borderValue=(1.0, 1.0, 1.0)), np.float32
        )

    def _printed_mask(self) -> Singles:
        size = (self._labels.shape[1], self._labels.shape[0])
        whole = np.ones(self._cards.common.shape[:2], np.float32)
        return np.asarray(cv2.warpAffine(whole, self._to_board(), size), np.float32)

    def _on_mat(self, table: Table) -> Mask:
        """Return where the field shows the mat: what lies beside it has any colour."""
        rows, columns = np.indices(self._labels.shape)
        eye = self._view.pose.eye
        shrink = eye[2] / (eye[2] - self._level)
        x = eye[0] + (self._field.x_mm + columns / PX_PER_MM - eye[0]) * shrink
        y = eye[1] + (self._field.y_mm + rows / PX_PER_MM - eye[1]) * shrink
        return np.asarray((np.abs(x) < table.mat.width / 2 - 1) & (np.abs(y) < table.mat.height / 2 - 1))

    def _to_board(self) -> Singles:
        """Return the 2 x 3 map from the card's pixels to where they are seen on the field: through the eye."""
        spot, field = self._spot, self._field
        eye = self._view.pose.eye
        grow = (eye[2] - self._level) / (eye[2] - CARD_MM)
        x, y = (eye[n] + (middle - eye[n]) * grow for n, middle in enumerate((spot.x_mm, spot.y_mm)))
        turn = np.deg2rad(spot.turn_deg)
        cos, sin = np.cos(turn), np.sin(turn)
        spin = np.array([[cos, sin], [sin, -cos]]) * grow * PX_PER_MM / FIT_PX_PER_MM
        middle = np.array([side * FIT_PX_PER_MM - 1 for side in self._cards.size_mm]) / 2
        at = (np.array([x, y]) - (field.x_mm, field.y_mm)) * PX_PER_MM
        return np.column_stack([spin, at - spin @ middle]).astype(np.float32)

    def _on_card(self) -> Singles:
        """Return for each pixel of the field how far inside the card's outline a stone with its middle there stands."""
        rows, columns = np.indices(self._labels.shape)
        x = self._field.x_mm + columns / PX_PER_MM - self._spot.x_mm
        y = self._field.y_mm + rows / PX_PER_MM - self._spot.y_mm
        turn = np.deg2rad(self._spot.turn_deg)
        right, up = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        width, height = self._cards.size_mm
        return np.asarray(np.minimum(width / 2 - np.abs(right), height / 2 - np.abs(up)), np.float32)

    def costs(self) -> Costs:
        """Return what each pixel speaks against bare print and against stones."""
        off = np.minimum(np.abs(self._seen - self._print).mean(axis=2), FAR) / FAR
        seen, printed = self._labels, self._print_labels
        glossed, dimmed = _glossed(self._seen, self._print), _dimmed(self._seen, self._print) & (printed == 0)
        off = off * np.where(glossed, GLOSSED, np.where(dimmed, DIMMED, 1.0))
        bare = np.where((seen == printed) | glossed, OFF_PRINT * off, np.where(seen > 0, OTHER, PRINT_GONE))
        level = self._seen.mean(axis=2)
        faint = (level > 1.1) | (level < 0.5)
        none = np.where(faint, np.maximum(FAINT, bare), NO_STONE)
        bare = np.where(self._known, bare, 0.0)
        stones = [np.where(seen == n + 1, AS_STONE, np.where(seen == 0, none, OTHER)) for n in range(len(Colour))]
        stones = [np.where(self._known, cost, 0.0) for cost in stones]
        return Costs(bare.astype(np.float32), np.stack(stones).astype(np.float32))

    def fit(self) -> Fit:
        middle = np.array([self._spot.x_mm, self._spot.y_mm, self._level])
        stamp = stamp_of(outline_mm(self._view, middle, self._stone), PX_PER_MM)
        way = self._view.pose.eye[:2] - middle[:2]
        closed = self._card < -BESIDE * self._stone.diameter_mm
        return Fit(
            self.costs(), stamp, closed, APART * self._stone.diameter_mm * PX_PER_MM, (float(way[0]), float(way[1]))
        )

    def judged(self, card: Card) -> JugglerReading:
        """Return whether the card's stones lie on it."""
        fit = self.fit()
        laid, more = fit.stones()
        inside = [stone for stone in laid if self._card[stone.row, stone.column] > 0]
        counts = {colour: sum(stone.colour == n for stone in inside) for n, colour in enumerate(Colour)}
        places = {
            colour: tuple(self._field.place(s.column, s.row) for s in inside if s.colour == n)
            for n, colour in enumerate(Colour)
        }
        edge = any(abs(float(self._card[s.row, s.column])) < EDGE_MM for s in laid)
        weak = any(s.gain < SURE_GAIN for s in laid if self._card[s.row, s.column] > -EDGE_MM)
        beside = len(laid) - len(inside)
        covered = fit.unexplained(laid, self._known & (self._card > 0)) > MOST_UNEXPLAINED
        if beside > MOST_BESIDE or edge or weak or covered or (more is not None and more.gain > MAYBE_GAIN):
            return replace(_unsure(Reason.DOUBTFUL), counts=counts, places_mm=places)
        assert card.stones is not None, "a Juggler card names its stones"
        right = all(counts[colour] == card.stones.of(colour) for colour in Colour)
        outcome, reason = (Outcome.PASS, Reason.OK) if right else (Outcome.FAIL, Reason.WRONG_STONES)
        return JugglerReading(outcome, (reason,), counts, places)


def _labels(relative: Linear, stone: Stone) -> NDArray[np.uint8]:
    """Return for each pixel which stone colour it has, counted from 1; 0 none."""
    masks = colour_masks(relative, stone)
    labels = np.zeros(relative.shape[:2], np.uint8)
    for number, colour in enumerate(Colour):
        labels[masks[colour] > 0] = number + 1
    return labels


def _glossed(seen: Singles, picture: Singles) -> Mask:
    """Return where a lamp mirrored on the card adds about as much light to every channel of the print."""
    more = seen**2 - picture**2
    least, most = more.min(axis=2), more.max(axis=2)
    return np.asarray((least > LEAST_GLOSS) & (least > EVEN_GLOSS * most))


def _dimmed(seen: Singles, picture: Singles) -> Mask:
    """Return where a shadow takes about the same share of every channel's light."""
    share = seen**2 / np.maximum(picture**2, 0.02)
    least, most = share.min(axis=2), share.max(axis=2)
    return np.asarray((most < 1.0) & (least > EVEN_SHADE * most) & (least > DARKEST))
