"""Where on the mat a die's upper face may lie: what differs from the bare mat, searched coarsely at every turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.draw_mat import draw_mat
from pi_app.kit.markers import mat_markers
from pi_app.kit.table import Rect, Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.cards_art import tone_of
from pi_app.vision.dice_art import SIDE_PX, DieArt
from pi_app.vision.field import Field, field_of
from pi_app.vision.light import linear, srgb_linear
from pi_app.vision.pose import Image

Singles = NDArray[np.float32]
Mask = NDArray[np.uint8]
Window = tuple[slice, slice]

PX_PER_MM = 1.0
TURN_STEP_DEG = 12
MIDDLE = 0.8
"""The middle share of a face that is searched for, so that what is around it does not count."""
PRINT_SLACK_MM = 1.5
"""The mat's print may be seen so far from where it should be."""
DIFFERS = 0.12
PALER_INK = 0.3
"""Black print may be seen so much paler than it is drawn, dark print in proportion: ink is no perfect black."""
ANY_LOW, ANY_HIGH = (-1.0, -1.0, -1.0), (9.0, 9.0, 9.0)
"""Bounds on tones where it is not known what lies there: off the mat, and along its edges."""
LEAST_PX = 8
REACH = 0.75
"""A face's middle is looked for up to so many sizes from what is strange."""
SIGHTS_A_FACE = 4
LEAST_ALIKE = 0.3


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane of upper faces in tones, 1 px/mm.

    A face's middle may lie where `strange` is 1, as something other than the mat's print is seen near; where `unknown`
    is 1, a die need not stand out from what is below it: from markers, or from the table along the mat's edge.
    """

    field: Field
    tones: Singles
    strange: Mask
    unknown: Mask
    size_mm: float


@dataclass(frozen=True)
class Sight:
    """A place and turn, left positive, where a face may lie; `alike` is its coarse correlation."""

    x_mm: float
    y_mm: float
    turn_deg: float
    alike: float


def plane_of(image: Image, view: View, table: Table, size_mm: float, paper: Floats) -> Plane:
    """Return the whole mat as seen on the plane of upper faces."""
    half_x, half_y = table.mat.width / 2, table.mat.height / 2
    mat = Rect(x0=-half_x, y0=-half_y, x1=half_x, y1=half_y)
    field = field_of(image, view, mat, size_mm / 2, size_mm, PX_PER_MM)
    tones = tone_of(field.levels, paper, PX_PER_MM)
    strange, unknown = _apart_from_mat(tones, field, view.pose.eye, table)
    return Plane(field, tones, _reached(strange, size_mm, REACH), _reached(unknown, size_mm, 0.0), size_mm)


def _reached(mask: Mask, size_mm: float, reach: float) -> Mask:
    """Return where the middle of a face may be: up to `reach` sizes from the mask, and on the mat."""
    across = round(2 * reach * size_mm * PX_PER_MM) | 1
    near = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)))
    edge = round(size_mm / 2 * PX_PER_MM)
    near[:edge], near[-edge:], near[:, :edge], near[:, -edge:] = 0, 0, 0, 0
    return np.asarray(near, np.uint8)


def sights_of(plane: Plane, die: DieArt, where: Mask) -> list[Sight]:
    """Return where a die's faces fit best, coarsely: several places a face, apart from each other."""
    picture = np.asarray(plane.tones @ die.axis.astype(np.float32), np.float32)
    windows = list(_windows(where, plane.size_mm))
    return [sight for face in die.tones for sight in _of_face(plane, picture, (where, windows), face @ die.axis)]


def _of_face(
    plane: Plane, picture: Singles, places: tuple[Mask, list[Window]], face: NDArray[np.floating]
) -> Iterator[Sight]:
    where, windows = places
    turns = range(0, 360, TURN_STEP_DEG)
    templates = [_turned(np.asarray(face, np.float32), turn, plane.size_mm) for turn in turns]
    half = templates[0].shape[0] // 2
    best, which = np.full(picture.shape, -1.0, np.float32), np.zeros(picture.shape, np.int64)
    for rows, columns in windows:
        part = picture[rows, columns]
        maps = np.stack([cv2.matchTemplate(part, template, cv2.TM_CCOEFF_NORMED) for template in templates])
        maps[~np.isfinite(maps)] = -1.0
        inside = slice(rows.start + half, rows.stop - half), slice(columns.start + half, columns.stop - half)
        best[inside], which[inside] = maps.max(axis=0), maps.argmax(axis=0)
    best[where == 0] = -1.0
    reach = round(plane.size_mm * PX_PER_MM / 3)
    for _ in range(SIGHTS_A_FACE):
        row, column = (int(n) for n in np.unravel_index(int(best.argmax()), best.shape))
        if best[row, column] < LEAST_ALIKE:
            return
        yield Sight(*plane.field.place(column, row), float(turns[int(which[row, column])]), float(best[row, column]))
        best[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1] = -1.0


def _windows(where: Mask, size_mm: float) -> Iterator[Window]:
    """Yield the boxes around the parts of a mask, with room for a face around."""
    room = round(size_mm * PX_PER_MM * MIDDLE / 2) + 1
    count, _, boxes, _ = cv2.connectedComponentsWithStats(where)
    rows, columns = where.shape
    for left, top, width, height, _ in boxes[1:count]:
        across = slice(max(0, int(left) - room), min(columns, int(left + width) + room))
        down = slice(max(0, int(top) - room), min(rows, int(top + height) + room))
        if min(across.stop - across.start, down.stop - down.start) > 2 * room:
            yield down, across


def _apart_from_mat(tones: Singles, field: Field, eye: Floats, table: Table) -> tuple[Mask, Mask]:
    """Return where the plane shows something other than the print below it, and where that cannot be told."""
    above = field.level_mm / eye[2]
    scale = 1 / (1 - above)
    to_mat = np.array([
        [scale, 0.0, (field.x_mm - eye[0]) * scale + eye[0] + table.mat.width / 2],
        [0.0, scale, (field.y_mm - eye[1]) * scale + eye[1] + table.mat.height / 2],
    ])  # fmt: skip
    size, flags = tones.shape[1::-1], cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    pictures = zip(_printed(table), (ANY_LOW, ANY_HIGH, (0.0,)), strict=True)
    least, most, known = (cv2.warpAffine(one, to_mat, size, flags=flags, borderValue=fill) for one, fill in pictures)
    strange = ((tones < least) | (tones > most)).any(axis=2) & field.seen
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8))
    large = np.flatnonzero(boxes[:, cv2.CC_STAT_AREA] >= LEAST_PX)
    return np.isin(labels, large[large > 0]).astype(np.uint8), ((known < 0.5) & field.seen).astype(np.uint8)


@lru_cache(maxsize=2)
def _printed(table: Table) -> tuple[Singles, Singles, Singles]:
    """Return the least and greatest tones of the mat's print, and 1 where it is neither marker nor edge.

    At every mm, rows along +y from the mat's corner.
    """
    drawn = linear(np.ascontiguousarray(draw_mat(table, PX_PER_MM)[::-1]))
    tones = np.sqrt(drawn / srgb_linear(table.mat.paper_srgb).astype(np.float32))
    reach = 2 * round(PRINT_SLACK_MM * PX_PER_MM) + 1
    kernel = np.ones((reach, reach), np.uint8)
    least, most = cv2.erode(tones, kernel), cv2.dilate(tones + np.maximum(1 - tones, 0) * np.float32(PALER_INK), kernel)
    low, high = np.asarray(least - DIFFERS, np.float32), np.asarray(most + DIFFERS, np.float32)
    known = np.ones(tones.shape[:2], np.float32)
    for edge in (np.s_[:reach], np.s_[-reach:], np.s_[:, :reach], np.s_[:, -reach:]):
        low[edge], high[edge], known[edge] = ANY_LOW, ANY_HIGH, 0.0
    for marker in mat_markers(table):
        box = marker.box.moved(table.mat.width / 2, table.mat.height / 2)
        known[round(box.y0) : round(box.y1), round(box.x0) : round(box.x1)] = 0.0
    return low, high, known


def _turned(face: Singles, turn_deg: float, size_mm: float) -> Singles:
    """Return the middle of a face turned and made as small as the plane shows it, rows along +y."""
    side = int(size_mm * PX_PER_MM * MIDDLE) | 1
    reduced = SIDE_PX / (size_mm * PX_PER_MM)
    turn = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(turn), np.sin(turn)], [np.sin(turn), -np.cos(turn)]]) * reduced
    middle = np.full(2, (SIDE_PX - 1) / 2) - spin @ np.full(2, (side - 1) / 2)
    soft = cv2.GaussianBlur(face, (0, 0), reduced / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(
        soft, np.column_stack([spin, middle]), (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(turned, np.float32)
