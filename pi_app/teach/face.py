"""The face of a piece that lies on the mat: straight, upright, 8 px/mm, and as daylight would show it."""

from __future__ import annotations

import cv2
import numpy as np

from pi_app.kit.art import PX_PER_MM
from pi_app.kit.model import Srgb
from pi_app.teach.ground import PX_PER_MM as GROUND_PX_PER_MM
from pi_app.teach.ground import Ground, flattened
from pi_app.teach.lesson import Top
from pi_app.teach.solid import Solid
from pi_app.vision.camera import Floats
from pi_app.vision.light import linear, srgb_linear
from pi_app.vision.pose import Image

CARDBOARD_SRGB: Srgb = (202, 190, 170)
"""What is drawn around a round tile."""
_QUARTERS = {Top.AWAY: 0, Top.LEFT: 1, Top.TOWARDS: 2, Top.RIGHT: 3}
_LIGHT = np.linspace(0, 1, 4097)
_TO_SRGB = np.where(_LIGHT <= 0.0031308, 12.92 * _LIGHT, 1.055 * _LIGHT ** (1 / 2.4) - 0.055)


def top_face(ground: Ground, solid: Solid, size_mm: tuple[float, float], top: Top, *, disc: bool = False) -> Image:
    """Return a lying piece's upper face, BGR, size_mm (width, height) as one holds it upright, at 8 px/mm.

    `top` is where its upper edge points; the solid's own turn may be any that its shape allows.
    """
    turn = _upright_turn(solid, size_mm, top)
    right, up = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
    middle = np.array([*solid.at_mm, solid.height_mm])
    corner = middle - right * size_mm[0] / 2 + up * size_mm[1] / 2
    flat, _ = flattened(ground.shot.image, ground.shot.view, corner, right, -up, size_mm, PX_PER_MM)
    face = daylight(flat, _paper(ground, solid))
    return _on_cardboard(face) if disc else face


def daylight(flat: Image, paper: Floats) -> Image:
    """Return a picture as daylight shows it, from the linear B, G, R that white paper has in it."""
    levels = np.clip(linear(flat) / np.maximum(paper, 1e-4), 0, 1)
    return np.asarray(np.rint(255 * _TO_SRGB[np.rint(levels * 4096).astype(np.int32)]), np.uint8)


def _paper(ground: Ground, solid: Solid) -> Floats:
    """Return the linear B, G, R of perfect white where a piece lies, from the light on the mat around it."""
    column, row = ground.pixels(np.array([solid.at_mm]))[0]
    rows, columns = ground.light.shape[:2]
    row, column = int(np.clip(row, 0, rows - 1)), int(np.clip(column, 0, columns - 1))
    white = ground.light[row, column].astype(np.float64) / srgb_linear(ground.shot.table.mat.paper_srgb)
    return np.asarray(white)


def _upright_turn(solid: Solid, size_mm: tuple[float, float], top: Top) -> float:
    """Return by how much the upright face is turned, radians from lying so that the active player reads it.

    Of the turns that bring width and height onto the solid, the one whose top is nearest to where `top` says.
    """
    wanted = _QUARTERS[top] * np.pi / 2
    if not solid.shape.square:
        return wanted
    same = abs(solid.size_mm[0] - size_mm[0]) <= abs(solid.size_mm[1] - size_mm[0])
    first = solid.turn_rad if same else solid.turn_rad + np.pi / 2
    step = np.pi / 2 if abs(size_mm[0] - size_mm[1]) < 0.5 else np.pi
    return float(first + step * round((wanted - first) / step))


def _on_cardboard(face: Image) -> Image:
    mask = np.zeros(face.shape[:2], np.uint8)
    middle = ((face.shape[1] - 1) / 2, (face.shape[0] - 1) / 2)
    axes = (face.shape[1] // 2, face.shape[0] // 2)
    cv2.ellipse(mask, (round(middle[0]), round(middle[1])), axes, 0, 0, 360, (255,), cv2.FILLED, cv2.LINE_AA)
    part = mask[..., None].astype(np.float64) / 255
    return np.rint(face * part + np.array(CARDBOARD_SRGB[::-1]) * (1 - part)).astype(np.uint8)


def stone_srgb(ground: Ground, solid: Solid) -> Srgb:
    """Return a stone's colour under daylight: the median of what is seen of it, gloss and its dark edge left out."""
    outline = solid.outline(ground)
    small = outline.mean(axis=0) + 0.7 * (outline - outline.mean(axis=0))
    mask = np.zeros(ground.lab.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(ground.pixels(small)).astype(np.int32), (255,))
    area, right, up = ground.area, np.eye(3)[0], np.eye(3)[1]
    corner, size = np.array([area.x0, area.y1, 0.0]), (area.x1 - area.x0, area.y1 - area.y0)
    flat, _ = flattened(ground.shot.image, ground.shot.view, corner, right, -up, size, GROUND_PX_PER_MM)
    colours = daylight(flat, _paper(ground, solid))[mask > 0].astype(np.float64)
    vivid = np.ptp(colours, axis=1)
    blue, green, red = (round(float(c)) for c in np.median(colours[vivid >= np.median(vivid)], axis=0))
    return red, green, blue
