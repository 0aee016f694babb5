"""Highlights: where a lamp mirrors in a glossy face, and the light that it adds there."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from pi_app.sim.ground import HEADROOM, screened
from pi_app.sim.pieces import Floats
from pi_app.sim.scene import Lamp
from pi_app.sim.shapes import Face
from pi_app.sim.stage import Stage
from pi_app.sim.textures import Picture

ROUGH = 0.085
"""Half the angle, in radians, over which print on board spreads what it mirrors."""
LAMP_MM = 8.0
"""A lamp's radius for each mm of its shadows' softness."""
BRIGHT = 480.0
"""Grey levels that a lamp as strong as the light in the mat's middle adds to a perfect mirror's picture."""
REACH = 2.6
GRID = (24, 32)


@dataclass(frozen=True, eq=False)
class Glint:
    """A highlight: its middle across and down the face in mm from the top left, its spread, grey levels by channel."""

    at_mm: Floats
    spread_mm: float
    bgr: Floats


def glints(face: Face, stage: Stage) -> Iterator[Glint]:
    """Yield the lamps' highlights that fall on a face or near it."""
    if face.gloss <= 0:
        return
    right, down = face.corners_mm[1] - face.corners_mm[0], face.corners_mm[3] - face.corners_mm[0]
    wide, high = float(np.linalg.norm(right)), float(np.linalg.norm(down))
    for lamp in stage.light.lamps:
        met = _mirrored(face, stage.eye, np.array(lamp.place_mm))
        if met is None:
            continue
        at = np.array([(met - face.corners_mm[0]) @ right / wide, (met - face.corners_mm[0]) @ down / high])
        spread = _spread_mm(met, stage.eye, lamp)
        outside = np.maximum(np.maximum(-at, at - (wide, high)), 0.0)
        if float(np.linalg.norm(outside)) < REACH * spread:
            yield Glint(at, spread, _levels(face, stage, lamp, met))


def gleam(picture: Picture, face: Face, glint: Glint) -> None:
    """Add a highlight to a face's lit BGRA picture."""
    rows, columns = GRID
    wide, high = face.texture.width_mm, face.texture.height_mm
    across = (np.arange(columns) + 0.5) / columns * wide - glint.at_mm[0]
    below = (np.arange(rows) + 0.5) / rows * high - glint.at_mm[1]
    fall = np.exp(-(across[None, :] ** 2 + below[:, None] ** 2) / (2 * glint.spread_mm**2))
    small = np.clip(fall[:, :, None] * glint.bgr, 0, 255).astype(np.uint8)
    light = cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    covered = cv2.merge([picture[:, :, 3]] * 3)
    added = cv2.multiply(light, covered, scale=1 / 255)
    picture[:, :, :3] = cv2.add(picture[:, :, :3], added)


def _mirrored(face: Face, eye_mm: Floats, lamp_mm: Floats) -> Floats | None:
    """Return where on a face's plane the eye sees a lamp; None where it does not."""
    to_eye = float((eye_mm - face.corners_mm[0]) @ face.normal)
    to_lamp = float((lamp_mm - face.corners_mm[0]) @ face.normal)
    if to_eye <= 1.0 or to_lamp <= 1.0:
        return None
    behind = lamp_mm - 2 * to_lamp * face.normal
    return np.asarray(eye_mm + (behind - eye_mm) * to_eye / (to_eye + to_lamp))


def _spread_mm(met: Floats, eye_mm: Floats, lamp: Lamp) -> float:
    way, further = float(np.linalg.norm(eye_mm - met)), float(np.linalg.norm(np.array(lamp.place_mm) - met))
    rough = ROUGH * way
    return float(np.hypot(rough, LAMP_MM * lamp.softness_mm * way / (way + further)))


def _levels(face: Face, stage: Stage, lamp: Lamp, met: Floats) -> Floats:
    seen = 1.0 - (float(screened(stage.light, met[None])[0]) if lamp is stage.light.lamps[0] else 0.0)
    grazing = 1.0 - abs(float((stage.eye - met) @ face.normal)) / float(np.linalg.norm(stage.eye - met))
    mirrors = face.gloss * (0.35 + 0.65 * grazing**2)
    return np.asarray(seen * mirrors * BRIGHT * HEADROOM * np.array(lamp.strength) / stage.reference)
