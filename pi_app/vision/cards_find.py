"""Where a card may lie: its outline and frame, looked for at every place and turn by their edges."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from pi_app.kit.draw_mat import draw_mat
from pi_app.kit.table import Table
from pi_app.vision.cards_art import COARSE_PX_PER_MM, MARGIN_MM, PX_PER_MM, CardArt, Singles, square_edges
from pi_app.vision.field import Field

TURN_STEP_DEG = 5
MOST_SPOTS = 8
APART_MM, APART_DEG = 6.0, 12.0
PRINT_MM = 1.5
"""The mat's print is left out with this much around it."""


@dataclass(frozen=True)
class Spot:
    """A card's middle in mm on the mat and its turn, 0 where the active player reads it, left turns positive."""

    x_mm: float
    y_mm: float
    turn_deg: float
    score: float = 0.0


def find_spots(field: Field, tones: Singles, blank: Singles, cards: CardArt) -> list[Spot]:
    """Return where a card's edges fit best, best first; a card and the same turned by half are one spot.

    `blank` is 1 where the field shows the mat's own print and edges must not count.
    """
    cos, sin = (_reduced(edges * (1 - blank), COARSE_PX_PER_MM / PX_PER_MM) for edges in square_edges(tones))
    templates = _templates(cards)
    turns = 4 * np.deg2rad(TURN_STEP_DEG * np.arange(len(templates)))
    mixes = [np.asarray(cos * np.cos(turn) + sin * np.sin(turn), np.float32) for turn in turns]
    matched = [cv2.matchTemplate(m, t, cv2.TM_CCORR) for m, t in zip(mixes, templates, strict=True)]
    maps = np.asarray(matched, np.float32)
    spots = []
    step = 1 / COARSE_PX_PER_MM
    half = (templates[0].shape[1] - 1) / 2, (templates[0].shape[0] - 1) / 2
    for _ in range(MOST_SPOTS):
        turn, row, column = np.unravel_index(int(np.argmax(maps)), maps.shape)
        best = float(maps[turn, row, column])
        if best <= 0:
            break
        x, y = field.x_mm + (column + half[0]) * step, field.y_mm + (row + half[1]) * step
        spots.append(Spot(float(x), float(y), float(turn * TURN_STEP_DEG), best))
        _clear(maps, int(turn), int(row), int(column))
    return spots


def blank_print(table: Table, field: Field) -> Singles:
    """Return 1 where a field shows the mat's own print, its edge or what lies beside it, else 0."""
    drawn = _print(table, field.px_per_mm)
    left, top = field.x_mm + table.mat.width / 2, field.y_mm + table.mat.height / 2
    shift = np.array([[1, 0, left * field.px_per_mm - 0.5], [0, 1, top * field.px_per_mm - 0.5]])
    size = (field.seen.shape[1], field.seen.shape[0])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(drawn, shift, size, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=(1.0,))
    return np.where(field.seen, cut, np.float32(1.0)).astype(np.float32)


@lru_cache(maxsize=4)
def _print(table: Table, px_per_mm: float) -> Singles:
    mat = draw_mat(table, px_per_mm)[::-1].astype(np.int16)
    printed = (np.abs(mat - mat[1, 1]).max(axis=2) > 12).astype(np.uint8)
    reach = 2 * round(PRINT_MM * px_per_mm) + 1
    wide = cv2.dilate(printed, np.ones((reach, reach), np.uint8))
    wide = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
    wide[[0, 1, -2, -1]] = 1
    wide[:, [0, 1, -2, -1]] = 1
    return wide.astype(np.float32)


def to_field(field: Field, spot: Spot, size_mm: tuple[float, float], px_per_mm: float = PX_PER_MM) -> Singles:
    """Return the 2 x 3 map from a card's pixels to the field's, both taken at `px_per_mm`."""
    turn = np.deg2rad(spot.turn_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    spin = np.array([[cos, sin], [sin, -cos]])
    middle = np.array([side * px_per_mm - 1 for side in size_mm]) / 2
    corner = np.array([field.x_mm, field.y_mm]) - 0.5 / field.px_per_mm + 0.5 / px_per_mm
    at = (np.array([spot.x_mm, spot.y_mm]) - corner) * px_per_mm
    return np.column_stack([spin, at - spin @ middle]).astype(np.float32)


def _clear(maps: Singles, turn: int, row: int, column: int) -> None:
    near = round(APART_MM * COARSE_PX_PER_MM)
    rows = slice(max(0, row - near), row + near + 1)
    columns = slice(max(0, column - near), column + near + 1)
    reach = int(APART_DEG // TURN_STEP_DEG)
    for other in range(turn - reach, turn + reach + 1):
        maps[other % len(maps), rows, columns] = -1.0


def _reduced(picture: Singles, factor: float) -> Singles:
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.float32)


@lru_cache(maxsize=4)
def _templates(cards: CardArt) -> list[Singles]:
    """Return the edge template at each turn of a half circle, mean 0 where the card lies and 0 elsewhere."""
    size = np.array(cards.size_mm) + 2 * MARGIN_MM
    side = int(np.ceil(np.hypot(*size) * COARSE_PX_PER_MM)) | 1
    templates = []
    for turn in range(0, 180, TURN_STEP_DEG):
        middle = Spot(0.0, 0.0, float(turn))
        shape = _square(middle, cards.size_mm, side * round(PX_PER_MM / COARSE_PX_PER_MM))
        factor = COARSE_PX_PER_MM / PX_PER_MM
        fine = (side * round(PX_PER_MM / COARSE_PX_PER_MM),) * 2
        drawn = _reduced(np.asarray(cv2.warpAffine(cards.edges, shape, fine), np.float32), factor)
        templates.append(np.asarray(drawn / np.linalg.norm(drawn), np.float32))
    return templates


def _square(spot: Spot, size_mm: tuple[float, float], side_px: int) -> Singles:
    half_mm = (side_px - 1) / 2 / PX_PER_MM
    field = Field(np.zeros((1, 1, 3), np.float32), np.ones((1, 1), bool), -half_mm, -half_mm, 0.0, PX_PER_MM)
    wide = (size_mm[0] + 2 * MARGIN_MM, size_mm[1] + 2 * MARGIN_MM)
    return to_field(field, spot, wide)
