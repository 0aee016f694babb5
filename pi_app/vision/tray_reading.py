"""What lies on one player's board: the top token of each cell, or why it cannot be told."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.festival import CELLS, FestivalArt
from pi_app.kit.table import Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.light import Linear
from pi_app.vision.pose import Image
from pi_app.vision.tokens import Match, half_mm, match, rectified, tints_as, turns_alike
from pi_app.vision.tokens_art import BOARD_SOFT_MM, PX_PER_MM, Singles, TokenArt, shine, softer, token_art
from pi_app.vision.tray import TraySight, cell_centres_mm, inside
from pi_app.vision.tray_light import TrayLight, read_tray_light

Mask = NDArray[np.bool_]

ALIKE = 0.72
"""A token's least correlation with its face."""
CERTAIN = 0.8
"""A correlation near a cell's middle that needs no search further off."""
SOMETHING_ALIKE = 0.5
MOTIFS_APART = 0.10
"""The least by which the next motif must be less alike."""
TINT_OFF = 0.14
TINTS_APART = 0.55
"""The seen colour's distance from its own may be this part of that from the next colour at most."""
OFF_CENTRE_MM = 7.0
BOARD_ALIKE, BOARD_OFF = 0.8, 0.12
INSIDE_ALIKE = 0.73
"""The bare board's least correlation within a token's rim, where a dark back hides it though its ring shows beside."""
MOST_RELIEF = 2.0
"""The lines within may be so many times as strong as the board's; a back's printed ring is stronger."""
BOARD_REACH_MM = 5.0
RELIEF_MM = 3.0
LEAST_SEEN = 0.35
AS_ALIKE = 0.006
"""Two turns whose correlations differ by less cannot be told apart."""
RIM_MM, INSIDE_MM = 2.0, 5.0
"""A cell is compared with the bare board to 2 mm beyond a token's rim; its inner part ends 5 mm within it."""
BESIDE_MM = 3.0
MOST_OFF_INSIDE, MOST_OFF = 0.03, 0.05
BURNT, MOST_BURNT = 0.95, 0.25


class Look(StrEnum):
    """What a cell shows."""

    EMPTY = "empty"
    TOKEN = "token"  # noqa: S105
    UNSURE = "unsure"


class CellFault(StrEnum):
    """Why a cell cannot be told."""

    HIDDEN = "hidden"
    OUT_OF_PICTURE = "out_of_picture"
    GLARE = "glare"
    TOO_DARK = "too_dark"
    UNKNOWN_TOKEN = "unknown_token"  # noqa: S105
    UNKNOWN_COLOUR = "unknown_colour"
    TWO_ALIKE = "two_alike"
    OFF_CENTRE = "off_centre"


@dataclass(frozen=True)
class CellReading:
    """One cell, 0 to 8: empty, a token, or unsure with its fault; `confidence` 0 to 1.

    `seen_mm` is where the token's centre appears on the board's surface, in the tray frame, `turn_deg` its turn
    anticlockwise, and `lift_mm` how far one more token below it would move `seen_mm`. `face` is its brightness on
    rings, ring x place, to compare it with itself later.
    """

    cell: int
    look: Look
    colour: str = ""
    motif: str = ""
    confidence: float = 1.0
    fault: CellFault | None = None
    seen_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    lift_mm: tuple[float, float] = (0.0, 0.0)
    face: Singles | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class TrayReading:
    """One tray's nine cells in their order; none, and the fault, where the tray itself cannot be read."""

    player: int
    cells: tuple[CellReading, ...] = ()
    fault: str | None = None


def read_tray(
    image: Image, sight: TraySight, table: Table, art: FestivalArt, levels: Sequence[int] = (0,) * CELLS
) -> TrayReading:
    """Return what lies on a tray found in a BGR picture; `levels` are the heights of its piles as far as known.

    A pile may be one token higher than `levels` says; tops of piles of unknown height are found up to about two levels
    off, by camera.
    """
    if sight.view is None:
        return TrayReading(sight.player, fault=sight.fault)
    light = read_tray_light(image, sight.view, table)
    if light is None:
        return TrayReading(sight.player, fault=CellFault.HIDDEN)
    if light.dark:
        return TrayReading(sight.player, fault=CellFault.TOO_DARK)
    reader = _Reader(image, sight.view, light, table, art, levels)
    return TrayReading(sight.player, tuple(reader.read(cell, levels[cell]) for cell in range(CELLS)))


class _Reader:
    """Reads the cells of one tray in one picture."""

    def __init__(
        self, picture: Image, view: View, light: TrayLight, table: Table, art: FestivalArt,
        levels: Sequence[int],
    ) -> None:  # fmt: skip
        self._levels = levels
        self._picture, self._view, self._light = picture, view, light
        self._centres = cell_centres_mm(table)
        self._board_mm, self._thick_mm = art.kit.board.thickness_mm, art.kit.token.thickness_mm
        self._art = token_art(art)

    def read(self, cell: int, level: int) -> CellReading:
        """Return one cell, whose pile is `level` or one more high."""
        corners = self._centres[cell] + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * self._art.radius_mm
        if not inside(self._view, np.column_stack([corners, np.full(4, self._board_mm)])):
            return _unsure(cell, CellFault.OUT_OF_PICTURE)
        pile = max(1.0, level + 0.5)
        near = self._patch(cell, pile, wide=False)
        found = match(near, self._art, wide=False)
        if found.alike.max() >= CERTAIN:
            return self._told(cell, pile, near, found)
        if self._is_bare(cell):
            return CellReading(cell, Look.EMPTY)
        patch = self._patch(cell, pile, wide=True)
        return self._told(cell, pile, patch, match(patch, self._art, wide=True))

    def _patch(self, cell: int, pile: float, *, wide: bool) -> Linear:
        half = half_mm(self._art.radius_mm, wide=wide)
        height = self._board_mm + self._thick_mm * pile
        seen = rectified(self._picture, self._view, self._centres[cell], height, half)
        return np.asarray(seen / self._light.at(*self._centres[cell]).astype(np.float32), np.float32)

    def _is_bare(self, cell: int) -> bool:
        bare = self._patch(cell, 0.0, wide=True)
        return is_bare(bare, self._art, self._centres[cell], self._before(cell, bare))

    def _before(self, cell: int, patch: Linear) -> Mask | None:
        """Return where in a cell's patch of the board's level the other cells' piles, or one token more, may show."""
        half, reach = (patch.shape[0] - 1) / 2, self._art.radius_mm + BESIDE_MM
        mask, eye = np.zeros(patch.shape[:2], np.uint8), self._view.pose.eye
        for other, level in enumerate(self._levels):
            if other == cell or not level:
                continue
            for z in np.arange(level + 2) * self._thick_mm:
                at = eye[:2] + (self._centres[other] - eye[:2]) * (eye[2] - self._board_mm) / (
                    eye[2] - self._board_mm - z
                )
                x, y = (at - self._centres[cell]) * PX_PER_MM
                cv2.circle(mask, (round(half + x), round(half - y)), round(reach * PX_PER_MM), (1,), -1)
        return mask.astype(bool) if mask.any() else None

    def _told(self, cell: int, pile: float, patch: Linear, found: Match) -> CellReading:
        """Name the token of the best match, or say why not."""
        art = self._art
        best = int(found.alike.argmax())
        if found.alike[best] < ALIKE:
            return _unsure(cell, _why_unlike(patch, float(found.alike[best])))
        motif, apart = _motif(art, found.alike)
        colour, off, next_off = _colour(art, found, motif, 1 / self._light.at(*self._centres[cell]))
        sure = (
            float(np.clip((found.alike[best] - 0.5) / 0.4, 0, 1)),
            float(np.clip(apart / (2 * MOTIFS_APART), 0, 1)),
            float(np.clip(1.5 - off / (TINTS_APART * max(next_off, 1e-6)), 0, 1)),
        )
        kind = art.kinds.index((colour, motif))
        place = self._place(cell, pile, found.off_mm)
        reading = CellReading(
            cell, Look.TOKEN, colour, motif, min(sure), None, place[0], float(found.turn_deg[kind]), place[1],
            shine(found.seen),
        )  # fmt: skip
        fault = self._fault(apart, off, next_off, found)
        return reading if fault is None else _unsure(cell, fault)

    def _fault(self, apart: float, off: float, next_off: float, found: Match) -> CellFault | None:
        if apart < MOTIFS_APART:
            return CellFault.TWO_ALIKE
        if off > TINT_OFF or off > TINTS_APART * next_off:
            return CellFault.UNKNOWN_COLOUR
        if float(np.linalg.norm(found.off_mm)) > OFF_CENTRE_MM:
            return CellFault.OFF_CENTRE
        return None

    def _place(self, cell: int, pile: float, off_mm: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return where a centre at a pile's height appears on the board, and how far one level more would move it."""
        eye, top = self._view.pose.eye, self._board_mm + self._thick_mm * pile
        at = self._centres[cell] + off_mm
        shown = eye[:2] + (at - eye[:2]) * (eye[2] - self._board_mm) / (eye[2] - top)
        lift = (at - eye[:2]) * self._thick_mm / (eye[2] - top)
        return (float(shown[0]), float(shown[1])), (float(lift[0]), float(lift[1]))


def turned_deg(cell: CellReading, before: CellReading) -> float:
    """Return by how much a token is turned against an earlier reading of one of its kind, 0 to 180.

    A firework may look nearly the same at several turns: it counts as not turned where that fits as well as the best.
    """
    if cell.face is None or before.face is None:
        return abs((cell.turn_deg - before.turn_deg + 180) % 360 - 180)
    alike = turns_alike(cell.face, before.face)
    best, count = int(alike.argmax()), len(alike)
    if max(alike[0], alike[1], alike[-1]) >= alike[best] - AS_ALIKE:
        return 0.0
    return min(best, count - best) * 360.0 / count


def is_bare(patch: Linear, art: TokenArt, centre_mm: Floats, hidden: Mask | None = None) -> bool:
    """Return whether a patch of the board's level shows the bare board about a place, up to a few mm off.

    `hidden`, of the patch's shape, are places that say nothing, as other piles may stand before them.
    """
    seen = softer(shine(patch), BOARD_SOFT_MM)
    wide, reach = round((art.radius_mm + RIM_MM) * PX_PER_MM), round(BOARD_REACH_MM * PX_PER_MM)
    wanted = _cut(art.board, centre_mm, wide)
    window = _cut(seen, np.zeros(2), wide + reach)
    if wanted is None or window is None:
        return False
    left, top = _best_place(window, wanted)
    size = 2 * wide + 1
    y, x = np.mgrid[-wide : wide + 1, -wide : wide + 1]
    counts = np.hypot(x, y) <= wide
    if hidden is not None:
        covered = _cut(hidden.astype(np.float32), np.zeros(2), wide + reach)
        assert covered is not None, "the mask is as large as the patch"
        counts &= covered[top : top + size, left : left + size] < 0.5
    if counts.mean() < LEAST_SEEN:
        return False
    got, inner = window[top : top + size, left : left + size], np.hypot(x, y) < (art.radius_mm - INSIDE_MM) * PX_PER_MM
    off = np.abs(got - wanted) > BOARD_OFF
    within = counts & (np.hypot(x, y) < (art.radius_mm - RIM_MM) * PX_PER_MM)
    lines, wanted_lines = _relief(got), _relief(wanted)
    if not (_alike(lines, wanted_lines, counts) >= BOARD_ALIKE and _alike(lines, wanted_lines, within) >= INSIDE_ALIKE):
        return False
    if lines[within].std() > MOST_RELIEF * wanted_lines[within].std():
        return False
    return bool(off[inner & counts].mean() <= MOST_OFF_INSIDE and off[counts].mean() <= MOST_OFF)


def _best_place(window: Singles, wanted: Singles) -> tuple[int, int]:
    """Return where in a window a smaller picture fits best, left and top: at half the scale, then about that place."""
    small, less = (cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for p in (window, wanted))
    _, _, _, (across, down) = cv2.minMaxLoc(cv2.matchTemplate(small, less, cv2.TM_CCOEFF_NORMED))
    height, width = wanted.shape
    left = min(max(2 * across - 1, 0), window.shape[1] - width)
    top = min(max(2 * down - 1, 0), window.shape[0] - height)
    near = window[top : top + height + 3, left : left + width + 3]
    _, _, _, (right, below) = cv2.minMaxLoc(cv2.matchTemplate(near, wanted, cv2.TM_CCOEFF_NORMED))
    return left + right, top + below


def _alike(got: Singles, wanted: Singles, counts: Mask) -> float:
    """Return the correlation of two pictures where it counts; not a number where one of them is even."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.corrcoef(got[counts], wanted[counts])[0, 1])


def _relief(bright: Singles) -> Singles:
    """Return lines and signs without the slow change of light across them."""
    return np.asarray(bright - cv2.GaussianBlur(bright, (0, 0), RELIEF_MM * PX_PER_MM), np.float32)


def _cut(picture: Singles, centre_mm: Floats, half_px: int) -> Singles | None:
    """Return a square of 2 `half_px` + 1 about a place from the picture's middle (y up); `None` beyond its edge."""
    middle = np.array([picture.shape[1] - 1, picture.shape[0] - 1]) / 2 + centre_mm * (PX_PER_MM, -PX_PER_MM)
    left, top = (int(v) for v in np.rint(middle) - half_px)
    cut = picture[max(top, 0) : top + 2 * half_px + 1, max(left, 0) : left + 2 * half_px + 1]
    return cut if cut.shape == (2 * half_px + 1, 2 * half_px + 1) else None


def _motif(art: TokenArt, alike: Floats) -> tuple[str, float]:
    """Return the motif that is most alike, and by how much more than the next."""
    best: dict[str, float] = {}
    for (_, motif), value in zip(art.kinds, alike, strict=True):
        best[motif] = max(best.get(motif, -1.0), float(value))
    ranked = sorted(best.items(), key=lambda item: -item[1])
    return ranked[0][0], ranked[0][1] - (ranked[1][1] if len(ranked) > 1 else 0.0)


def _colour(art: TokenArt, found: Match, motif: str, full_scale: Floats) -> tuple[str, float, float]:
    """Return the colour nearest to the seen one among a motif's tokens, and its and the next one's distance."""
    kinds = [kind for kind, (_, other) in enumerate(art.kinds) if other == motif]
    seen = tints_as(found, kinds, art, full_scale)
    away = np.linalg.norm(seen - art.tints[kinds], axis=1)
    offs = sorted((float(off), art.kinds[kind][0]) for off, kind in zip(away, kinds, strict=True))
    return offs[0][1], offs[0][0], offs[1][0] if len(offs) > 1 else 1.0


def _why_unlike(patch: Linear, alike: float) -> CellFault:
    if float((patch.min(axis=-1) > BURNT).mean()) > MOST_BURNT:
        return CellFault.GLARE
    return CellFault.UNKNOWN_TOKEN if alike > SOMETHING_ALIKE else CellFault.HIDDEN


def _unsure(cell: int, fault: CellFault) -> CellReading:
    return CellReading(cell, Look.UNSURE, confidence=0.0, fault=fault)
