"""Where the Vowl card lies in the card zone, by its ground's colour, and the card seen straight from above."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.kit.vowl import Tier, VowlCard
from pi_app.vision.camera import Floats, View
from pi_app.vision.field import Field, field_of
from pi_app.vision.light import near_paper, opponent, srgb_linear
from pi_app.vision.pose import Image

PX_PER_MM = 2.0
CARD_PX_PER_MM = 6.0
TIERS: tuple[Tier, ...] = ("green", "yellow", "red")
HUE_DEG = 26.0
LEAST_VIVID = 0.35
"""A ground's chroma against the tier's own, both in units of their mean light: gloss halves it, paper has none."""
BRIDGE_MM = 4.0
LEAST_AREA = 0.3
LEAST_FIT = 0.75
Mask = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class FoundCard:
    """A card: tier, middle in mm on the mat, turn of its long side (left positive, degrees; half a turn untold), `fit`
    of its outline (1: exact), `face` BGR at CARD_PX_PER_MM and `whole`, 255 where the face shows card and not a cover.
    """

    tier: Tier
    x_mm: float
    y_mm: float
    turn_deg: float
    fit: float
    face: Image
    whole: Mask


def find_vowl_card(image: Image, view: View, table: Table, card: VowlCard, paper: Floats) -> FoundCard | Reason:
    """Return the one card whose middle is in the card zone: no_card, hidden or doubtful (two) where it is not clear.

    `paper` is the light on the mat's reference strip, linear BGR.
    """
    reach = float(np.hypot(card.width_mm, card.height_mm)) / 2 + 4.0
    field = field_of(image, view, table.zones.cards, reach, card.thickness_mm, PX_PER_MM)
    masks = _grounds(field, table, card, paper)
    blobs = [(tier, blob) for tier in TIERS for blob in _blobs(masks[tier], card)]
    zone = table.zones.cards
    cards = []
    for tier, blob in blobs:
        box, fit = _fitted(blob, card)
        x, y = field.place(box[0][0], box[0][1])
        if zone.x0 <= x <= zone.x1 and zone.y0 <= y <= zone.y1:
            cards.append((tier, blob, box, fit, x, y))
    if not cards:
        return Reason.NO_CARD
    if len(cards) > 1:
        return Reason.DOUBTFUL
    tier, blob, box, fit, x, y = cards[0]
    if fit < LEAST_FIT:
        return Reason.HIDDEN
    corners = _corners(box, card)
    face = _face(image, view, field, corners, card)
    whole = _cut(blob, corners, card)
    return FoundCard(tier, x, y, float(box[1]), fit, face, whole)


Box = tuple[tuple[float, float], float]
"""A card's middle in pixels of the field and its turn in degrees."""


def _grounds(field: Field, table: Table, card: VowlCard, paper: Floats) -> dict[Tier, Mask]:
    """Return where the field has each tier's colour, 255, on the mat alone."""
    relative = cv2.GaussianBlur(field.levels / near_paper(field.levels, paper, PX_PER_MM), (0, 0), 0.8 * PX_PER_MM)
    pair = opponent(np.asarray(relative, np.float64))
    light = np.maximum(relative.mean(axis=2), 1e-3)
    vivid = np.hypot(pair[..., 0], pair[..., 1]) / light
    hue = np.arctan2(pair[..., 1], pair[..., 0])
    inside = _on_mat(field, table)
    masks: dict[Tier, Mask] = {}
    wanted = {tier: srgb_linear(card.tiers.of(tier)) / srgb_linear(table.mat.paper_srgb) for tier in TIERS}
    angles = {tier: float(np.arctan2(*opponent(colour)[::-1])) for tier, colour in wanted.items()}
    off = {tier: np.abs(np.angle(np.exp(1j * (hue - angle)))) for tier, angle in angles.items()}
    nearest = np.minimum.reduce(list(off.values()))
    for tier, colour in wanted.items():
        own = float(np.linalg.norm(opponent(colour)) / colour.mean())
        is_ground = (off[tier] <= nearest) & (off[tier] < np.deg2rad(HUE_DEG)) & (vivid > LEAST_VIVID * own)
        masks[tier] = np.asarray(np.where(is_ground & inside, 255, 0), np.uint8)
    return masks


def _on_mat(field: Field, table: Table) -> NDArray[np.bool_]:
    rows, columns = field.seen.shape
    x = field.x_mm + np.arange(columns) / field.px_per_mm
    y = field.y_mm + np.arange(rows) / field.px_per_mm
    on_x, on_y = np.abs(x) < table.mat.width / 2, np.abs(y) < table.mat.height / 2
    return field.seen & on_x[None, :] & on_y[:, None]


def _blobs(mask: Mask, card: VowlCard) -> list[Mask]:
    """Return each large patch of one colour, its holes filled: letters, the owl and gloss are holes."""
    reach = round(BRIDGE_MM * PX_PER_MM) | 1
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = LEAST_AREA * card.width_mm * card.height_mm * PX_PER_MM**2
    blobs = []
    for contour in contours:
        if cv2.contourArea(contour) >= least:
            blob = np.zeros_like(mask)
            cv2.drawContours(blob, [contour], -1, (255,), cv2.FILLED)
            blobs.append(blob)
    return blobs


def _fitted(blob: Mask, card: VowlCard) -> tuple[Box, float]:
    """Return where a card of the kit's size covers a patch best, and their shared part of both together."""
    contour = cv2.findContours(blob, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0][0]
    (x, y), (width, height), turn = cv2.minAreaRect(contour)
    starts = [turn if width < height else turn + 90.0, turn + 90.0 if width < height else turn]
    fits = [_climbed(blob, ((x, y), start), card) for start in starts]
    return max(fits, key=lambda fit: fit[1])


def _climbed(blob: Mask, box: Box, card: VowlCard) -> tuple[Box, float]:
    best, step_px, step_deg = _overlap(blob, box, card), 4.0, 4.0
    while step_px > 0.4:
        (x, y), turn = box
        moves = ((step_px, 0.0), (-step_px, 0.0), (0.0, step_px), (0.0, -step_px))
        trials: list[Box] = [((x + dx, y + dy), turn) for dx, dy in moves]
        trials += [((x, y), turn + step_deg), ((x, y), turn - step_deg)]
        scores = [_overlap(blob, trial, card) for trial in trials]
        top = int(np.argmax(scores))
        if scores[top] > best:
            best, box = scores[top], trials[top]
        else:
            step_px, step_deg = step_px / 2, step_deg / 2
    return box, best


def _overlap(blob: Mask, box: Box, card: VowlCard) -> float:
    drawn = np.zeros_like(blob)
    cv2.fillConvexPoly(drawn, np.rint(_corners(box, card) * 8).astype(np.int32), (255,), cv2.LINE_8, 3)
    both = cv2.countNonZero(drawn & blob)
    return both / max(1, cv2.countNonZero(drawn | blob))


def _corners(box: Box, card: VowlCard) -> Floats:
    """Return the card's corners in the field's pixels: top left, top right, bottom right, bottom left of its face."""
    turn = np.deg2rad(box[1])
    right = np.array([np.cos(turn), np.sin(turn)]) * card.width_mm * PX_PER_MM / 2
    up = np.array([-np.sin(turn), np.cos(turn)]) * card.height_mm * PX_PER_MM / 2
    middle = np.array(box[0])
    return np.array([middle - right + up, middle + right + up, middle + right - up, middle - right - up])


def _size(card: VowlCard) -> tuple[int, int]:
    return round(card.width_mm * CARD_PX_PER_MM), round(card.height_mm * CARD_PX_PER_MM)


def _face(image: Image, view: View, field: Field, corners: Floats, card: VowlCard) -> Image:
    places = [(*field.place(float(x), float(y)), card.thickness_mm) for x, y in corners]
    return _warped(image, view.project(places), card)


def _cut(blob: Mask, corners: Floats, card: VowlCard) -> Mask:
    return _warped(blob, corners, card)


def _warped(picture: NDArray[np.uint8], corners: Floats, card: VowlCard) -> NDArray[np.uint8]:
    width, height = _size(card)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    back = cv2.getPerspectiveTransform(target, corners.astype(np.float32))
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, back, (width, height), flags=flags), np.uint8)
