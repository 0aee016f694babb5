"""Pictures that are stretched over the simulated table: faces, tiles, cards, table top. BGR or BGRA, uint8."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Mode
from pi_app.kit.art import PX_PER_MM, KitArt
from pi_app.kit.markers import marker_bits
from pi_app.kit.model import Kit
from pi_app.kit.table import Table, badge_id
from pi_app.sim.scene import Look
from pi_app.vision.reading import PartKind

Picture = NDArray[np.uint8]
CARDBOARD_BGR = (150.0, 170.0, 180.0)
PHONE = "phone, screen up"
"""The name under which a phone is drawn that lies where cards may."""
PHONE_MM = (71.0, 146.0)


@dataclass(frozen=True, eq=False)
class Texture:
    """One picture at several sizes, each half the one before, all BGRA, with its size in mm."""

    levels: tuple[Picture, ...]
    width_mm: float
    height_mm: float

    def at(self, px_mm: float) -> Picture:
        """Return the smallest level that still has at least `px_mm`."""
        finest = self.levels[0].shape[1] / self.width_mm
        level = int(np.log2(max(finest / max(px_mm, 1e-3), 1.0)) + 0.35)
        return self.levels[min(level, len(self.levels) - 1)]


def texture(picture: Picture, width_mm: float, height_mm: float, *, disc: bool = False) -> Texture:
    """Make a texture of a BGR picture; `disc` cuts the inscribed ellipse."""
    alpha = np.full(picture.shape[:2], 255, np.uint8)
    if disc:
        alpha[:] = 0
        centre = ((picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2)
        axes = (picture.shape[1] // 2, picture.shape[0] // 2)
        cv2.ellipse(alpha, (round(centre[0]), round(centre[1])), axes, 0, 0, 360, (255,), -1, cv2.LINE_AA)
    level = np.dstack([cv2.bitwise_and(picture, picture, mask=alpha), alpha]).astype(np.uint8)
    levels = [level]
    while min(levels[-1].shape[:2]) >= 16 and len(levels) < 5:
        height, width = levels[-1].shape[:2]
        levels.append(cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA).astype(np.uint8))
    return Texture(tuple(levels), width_mm, height_mm)


class Textures:
    """All of a kit's textures; acrobats carry badges where `mode` says so."""

    def __init__(self, kit: Kit, art: KitArt, table: Table, mode: Mode) -> None:
        self._kit, self._art, self._table, self._mode = kit, art, table, mode
        self._faces: dict[str, Texture] = {}
        self._cards: dict[str, Texture] = {}

    def wood_bgr(self) -> tuple[float, float, float]:
        """Return the bare wood's colour: what the faces' art shows along its edges."""
        art = self._art.faces[self._kit.acrobat.piece[0].id, False]
        edge = np.concatenate([art[:6].reshape(-1, 3), art[-6:].reshape(-1, 3), art[:, :6].reshape(-1, 3)])
        blue, green, red = (float(c) for c in np.median(edge, axis=0))
        return blue, green, red

    def acrobat(self, piece_id: int, *, back: bool) -> Texture:
        """Return a picture face, head up, seen from outside."""
        key = f"acrobat {piece_id} {back}"
        if key not in self._faces:
            art = self._art.faces[piece_id, back].copy()
            if self._mode is Mode.BADGE:
                _stick_badge(art, self._table, badge_id(piece_id, back=back), art.shape[1] / self._kit.acrobat.width_mm)
            self._faces[key] = texture(art, self._kit.acrobat.width_mm, self._kit.acrobat.length_mm)
        return self._faces[key]

    def bare(self, width_mm: float, height_mm: float, seed: int) -> Texture:
        """Return a face of bare wood, grain along its height."""
        key = f"bare {width_mm} {height_mm} {seed}"
        if key not in self._faces:
            self._faces[key] = texture(_wood(width_mm, height_mm, self.wood_bgr(), seed), width_mm, height_mm)
        return self._faces[key]

    def tile(self, tile_id: str) -> Texture:
        """Return a tile's picture."""
        if tile_id not in self._faces:
            tile = self._kit.tile
            self._faces[tile_id] = texture(
                self._art.tiles[tile_id], tile.size_mm, tile.size_mm, disc=tile.shape == "round"
            )
        return self._faces[tile_id]

    def overview(self) -> Texture:
        """Return the overview tile's picture."""
        if "overview" not in self._faces:
            over = self._kit.overview
            self._faces["overview"] = texture(self._art.overview, over.width_mm, over.height_mm)
        return self._faces["overview"]

    def board(self, kind: PartKind, width_mm: float, height_mm: float) -> Texture:
        """Return grey board: backs of tiles and of the overview; a disc where the tiles are round."""
        key = f"board {kind} {width_mm} {height_mm}"
        if key not in self._faces:
            plain = np.full((round(4 * height_mm) + 2, round(4 * width_mm) + 2, 3), CARDBOARD_BGR, np.uint8)
            disc = kind is PartKind.TILE and self._kit.tile.shape == "round" and width_mm == height_mm
            self._faces[key] = texture(plain, width_mm, height_mm, disc=disc)
        return self._faces[key]

    def card(self, card_id: str) -> Texture:
        """Return a card's picture, or the phone's; its size follows from its art."""
        if card_id not in self._cards:
            art = phone_picture() if card_id == PHONE else self._art.cards[card_id]
            self._cards[card_id] = texture(art, art.shape[1] / PX_PER_MM, art.shape[0] / PX_PER_MM)
        return self._cards[card_id]


def _stick_badge(face: Picture, table: Table, marker: int, px_mm: float) -> None:
    """Draw a badge sticker in the middle of a face, white margin included."""
    bits = marker_bits(table.markers.family, marker, table.markers.border_bits)
    side, quiet = round(table.badges.side * px_mm), round(table.badges.quiet_mm * px_mm)
    cells = np.where(bits, 250, 14).astype(np.uint8)
    badge = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
    badge = cv2.copyMakeBorder(badge, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=(250.0,))
    top, left = (face.shape[0] - badge.shape[0]) // 2, (face.shape[1] - badge.shape[1]) // 2
    face[top : top + badge.shape[0], left : left + badge.shape[1]] = badge[:, :, None]


def phone_picture() -> Picture:
    """Draw a phone from above: a dark pane with a few bright signs."""
    width, height = (round(size * PX_PER_MM) for size in PHONE_MM)
    pane = np.full((height, width, 3), 38, np.uint8)
    pane[40:-40, 32:-32] = (52, 40, 30)
    for row in range(4):
        for column in range(4):
            x, y = 60 + column * 120, 560 + row * 130
            colour = ((60 * row) % 200 + 55, (90 * column) % 200 + 55, (45 * (row + column)) % 200 + 55)
            cv2.rectangle(pane, (x, y), (x + 76, y + 76), colour, -1, cv2.LINE_AA)
    cv2.putText(pane, "12:40", (90, 300), cv2.FONT_HERSHEY_SIMPLEX, 4.0, (235, 235, 235), 12, cv2.LINE_AA)
    return pane


@lru_cache(maxsize=4)
def table_top(look: Look, seed: int, size: int = 1024) -> Picture:
    """Draw the bare table, `size` square at 1 px a mm, that repeats by mirroring."""
    random = np.random.default_rng((seed, 1))
    speckle = random.normal(0.0, 1.0, (size, size)).astype(np.float32)
    match look.table_kind:
        case "wood":
            boards = np.repeat(random.normal(0, 6, 8), size // 8)[:, None]
            relief = boards + _smooth(speckle, 60, 1.2) * 80 + _smooth(speckle, 30, 30) * 250
        case "cloth":
            relief = _smooth(speckle, 1, 1) * 9 + _smooth(speckle, 25, 25) * 200
        case _:
            relief = _smooth(speckle, 40, 40) * 150
    return np.clip(np.array(look.table_bgr) + np.clip(relief, -30, 30)[:, :, None], 0, 255).astype(np.uint8)


def _smooth(speckle: NDArray[np.float32], across_px: float, down_px: float) -> NDArray[np.float64]:
    return np.asarray(cv2.GaussianBlur(speckle, (0, 0), sigmaX=across_px, sigmaY=down_px), np.float64)


def _wood(width_mm: float, height_mm: float, wood_bgr: tuple[float, float, float], seed: int) -> Picture:
    random = np.random.default_rng((seed, 2))
    shape = (round(height_mm * 4) + 2, round(width_mm * 4) + 2)
    grain = cv2.GaussianBlur(random.normal(0.0, 1.0, shape).astype(np.float32), (0, 0), sigmaX=0.8, sigmaY=40)
    return np.clip(np.array(wood_bgr) + grain[:, :, None] * 45, 0, 255).astype(np.uint8)
