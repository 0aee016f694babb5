"""The simulated picture of dice on the mat: rounded, glossy cubes with their shadows on the mat and on each other."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.table import Table
from pi_app.kit.vowl import DiceArt
from pi_app.sim.gloss import gleam, glints
from pi_app.sim.ground import HEADROOM
from pi_app.sim.paint import Canvas, lit, lit_unevenly, paint_face, paint_hull, paint_limb
from pi_app.sim.pieces import CORNERS, Floats
from pi_app.sim.scene import Scene
from pi_app.sim.sensor import Sensor
from pi_app.sim.shadow import Casters, casters, fill, landing, shade_face
from pi_app.sim.shapes import Capsule, Face, Snapshot
from pi_app.sim.stage import UP, set_up
from pi_app.sim.textures import Picture, Texture, texture
from pi_app.sim.vowl_dice_scene import DieShown

SIDES = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
)
"""A side's directions in the die's axes: outside, right and up of its picture as seen from outside."""
ROUNDED = 0.09
"""Radius of a face's corners, and where its edges begin, as parts of its side."""
GLOSS = 0.35
SHADE_PX = 24


class DicePicture:
    """Draws dice at moments of one scene."""

    def __init__(self, scene: Scene, table: Table, art: DiceArt) -> None:
        self._scene, self._size = scene, art.dice.size_mm
        pictures = {str(name): picture for name, picture in art.number.items()} | art.mode
        self._textures = {
            (name, turns): _rounded(np.rot90(picture, turns), self._size)
            for name, picture in pictures.items()
            for turns in range(4)
        }
        self._grounds = {
            "number": np.array(art.dice.number_ground[::-1], np.float64),
            "mode": np.array(art.dice.mode_ground[::-1], np.float64),
        }
        self._stage, self._sensor = set_up(scene, table, 0.0, (0.0, 0.0)), Sensor(scene)

    def draw(self, dice: Sequence[DieShown], limbs: Sequence[Capsule] = ()) -> Picture:
        """Return the picture, height x width x 3, BGR; `limbs` lie over the dice."""
        clean = self._stage.ground.copy()
        canvas = Canvas(clean, 0, 0)
        solids = [
            (str(n), die.placed.at_mm + CORNERS @ die.placed.rotation.T * self._size / 2) for n, die in enumerate(dice)
        ]
        self._shade_table(clean, [solid for _, solid in solids])
        thrown = casters(solids)
        nearest_last = sorted(
            range(len(dice)), key=lambda n: -float(np.linalg.norm(dice[n].placed.at_mm - self._stage.eye))
        )
        for n in nearest_last:
            self._paint(canvas, dice[n], (str(n), thrown))
        for limb in limbs:
            self._paint_limb(canvas, limb)
        whole = (0, 0, clean.shape[1], clean.shape[0])
        return self._sensor.deliver(clean, [whole], self._stage.reference, Snapshot({}))

    def _paint(self, canvas: Canvas, die: DieShown, shadows: tuple[str, Casters]) -> None:
        """Paint what is seen of a die: its rounded edges in the ground's colour, its faces within them."""
        size, stage, placed = self._size, self._stage, die.placed
        corners = placed.at_mm + CORNERS @ placed.rotation.T * size * (1 - ROUNDED * 0.2) / 2
        ground = self._grounds[die.die]
        edge = ground * stage.shade(placed.at_mm, UP) * HEADROOM * 0.8
        paint_hull(canvas, stage.view.project(corners), np.clip(edge, 0, 255), 0.4)
        for axes, (name, turns) in zip(SIDES, die.faces, strict=True):
            outside, right, up = (placed.rotation @ np.array(axis, np.float64) * size / 2 for axis in axes)
            centre, normal = placed.at_mm + outside, outside / np.linalg.norm(outside)
            if normal @ (stage.eye - centre) <= 0:
                continue
            drawn = self._textures[name, turns] if not die.bare else _plain(ground, size)
            around = np.stack([up - right, up + right, right - up, -right - up])
            self._paint_face(canvas, Face(centre + around, normal, drawn, GLOSS), shadows)

    def _paint_face(self, canvas: Canvas, face: Face, shadows: tuple[str, Casters]) -> None:
        stage, middle = self._stage, face.corners_mm.mean(axis=0)
        pixels = stage.view.project(face.corners_mm)
        across = max(float(np.linalg.norm(pixels[n] - pixels[0])) for n in (1, 3)) / face.texture.width_mm
        picture, light = face.texture.at(across), stage.shade(middle, face.normal)
        masks = self._hidden(face, middle, shadows)
        drawn = lit_unevenly(picture, light, masks) if masks else lit(picture, light)
        for glint in glints(face, stage):
            gleam(drawn, face, glint)
        paint_face(canvas, drawn, pixels)

    def _hidden(
        self, face: Face, middle: Floats, shadows: tuple[str, Casters]
    ) -> list[tuple[NDArray[np.uint8], Floats]]:
        """Return what other dice keep of each lamp's light from a face, and the factors where they do."""
        own, thrown = shadows
        masks = []
        for number, lamp in enumerate(self._stage.light.lamps):
            place = np.array(lamp.place_mm)
            if len(thrown.names) < 2 or (place - middle) @ face.normal <= 1.0:
                continue
            mask = shade_face(thrown, own, face.corners_mm, face.normal, place, (SHADE_PX, SHADE_PX))
            if mask is not None:
                masks.append(
                    (np.asarray(cv2.blur(mask, (3, 3)), np.uint8), self._stage.without(number, middle, face.normal))
                )
        return masks

    def _shade_table(self, clean: Picture, solids: Sequence[Floats]) -> None:
        stage = self._stage
        for number, lamp in enumerate(stage.light.lamps):
            mask = np.zeros(clean.shape[:2], np.uint8)
            for solid in solids:
                fill(mask, stage.view.project(landing(solid, np.array(lamp.place_mm), np.zeros(3), UP)[0]))
            soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, lamp.softness_mm * 0.4))
            part = np.asarray(soft, np.float32)[:, :, None] / 255 * (stage.on_table[:, :, None] / np.float32(255))
            factors = 1 - part * (1 - stage.without(number, np.zeros(3), UP)).astype(np.float32)
            clean[:] = np.clip(clean * factors, 0, 255).astype(np.uint8)

    def _paint_limb(self, canvas: Canvas, limb: Capsule) -> None:
        ends = np.stack([limb.start_mm, limb.end_mm])
        pixels, away = self._stage.view.project(ends), np.linalg.norm(ends - self._stage.eye, axis=1)
        start, end = self._scene.view.camera.fx * np.array([limb.start_radius_mm, limb.end_radius_mm]) / away
        skin = np.array(limb.bgr) * HEADROOM * self._stage.bright(limb.end_mm, UP)
        paint_limb(canvas, pixels, (float(start), float(end)), np.array([-0.6, -0.8]), skin, 0.55 * skin)


def _plain(ground_bgr: Floats, size_mm: float) -> Texture:
    return _rounded(np.full((96, 96, 3), ground_bgr, np.uint8), size_mm)


def _rounded(picture: Picture, size_mm: float) -> Texture:
    """Return a face's texture, its corners cut round."""
    full = texture(np.ascontiguousarray(picture), size_mm, size_mm)
    levels = []
    for level in full.levels:
        side = level.shape[0]
        keep = np.zeros((side, side), np.uint8)
        radius = max(1, round(ROUNDED * side))
        keep[radius:-radius, 1:-1] = keep[1:-1, radius:-radius] = 255
        for row in (radius, side - 1 - radius):
            for column in (radius, side - 1 - radius):
                cv2.circle(keep, (column, row), radius - 1, (255,), -1, cv2.LINE_AA)
        levels.append(cv2.multiply(level, cv2.merge([keep] * 4), scale=1 / 255).astype(np.uint8))
    return Texture(tuple(levels), size_mm, size_mm)
