"""The simulated camera's picture, drawn by OpenCV: only what changed since the last one is painted again.

The clean picture holds everything lit relative to the mat's middle, at HEADROOM of full scale; the sensor then applies
exposure, white balance, flicker and noise. Shadows are hulls thrown by lamps on the mat and on every face.
"""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Colour, Mode
from pi_app.kit.art import KitArt
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.sim.gloss import gleam, glints
from pi_app.sim.ground import GAMMA, HEADROOM, light_at, screened, shaded_at
from pi_app.sim.items import Item, Rect, Thing, joined, make_item, ordered, overlap, same
from pi_app.sim.paint import Canvas, lit, lit_unevenly, paint_face, paint_hull, paint_limb, paint_stone
from pi_app.sim.pieces import Floats, Piece, Placed
from pi_app.sim.scene import Scene
from pi_app.sim.sensor import Sensor
from pi_app.sim.shadow import Casters, casters, fill, shade_face
from pi_app.sim.shapes import Capsule, CardShown, Face, Snapshot
from pi_app.sim.stage import UP, Stage, relit, set_up
from pi_app.sim.textures import CARDBOARD_BGR, Picture, Textures
from pi_app.vision.reading import PartKind

BLUR_MARGIN_PX = 12


class TablePicture:
    """Draws snapshots of one scene; successive calls should follow one another in time."""

    def __init__(self, scene: Scene, table: Table, kit: Kit, art: KitArt, pieces: Iterable[Piece], mode: Mode) -> None:
        self._scene, self._table = scene, table
        self._pieces = {piece.name: piece for piece in pieces}
        self._textures = Textures(kit, art, table, mode)
        self._painter = Painter(kit, self._textures)
        self._sensor = Sensor(scene)
        self._setting = (0.0, (0.0, 0.0))
        self._stage = set_up(scene, table, *self._setting)
        self._clean = self._stage.ground.copy()
        self._items: dict[str, Item] = {}

    def draw(self, snapshot: Snapshot) -> Picture:
        """Return the picture of a snapshot, height x width x 3, BGR."""
        dirty = self._set(round(snapshot.lamp, 2), snapshot.bump) + self._renew(snapshot)
        parts = joined(dirty, self._clean.shape)
        for rect in parts:
            self._painter.paint(self._clean, rect, self._stage, list(self._items.values()))
        return self._sensor.deliver(self._clean, parts, self._stage.reference, snapshot)

    def _set(self, lamp: float, bump: tuple[float, float]) -> list[Rect]:
        """Follow the further lamp and the camera; return the parts of the picture that changed."""
        if (lamp, bump) == self._setting:
            return []
        moved = bump != self._setting[1]
        self._setting = (lamp, bump)
        self._stage = set_up(self._scene, self._table, lamp, bump) if moved else relit(self._stage, self._scene, lamp)
        self._items.clear()
        return [(0, 0, self._clean.shape[1], self._clean.shape[0])]

    def _renew(self, snapshot: Snapshot) -> list[Rect]:
        """Bring the items up to date; return the parts of the picture that changed."""
        wanted: dict[str, tuple[Thing, Placed | None]] = {}
        for n, card in enumerate(snapshot.cards):
            wanted[f"card {n}"] = (card, None)
        for name, at in snapshot.pieces.items():
            wanted[name] = (self._pieces[name], at)
        for n, limb in enumerate(snapshot.limbs):
            wanted[f"limb {n}"] = (limb, None)
        dirty = [item.reach for name, item in self._items.items() if name not in wanted]
        self._items = {name: item for name, item in self._items.items() if name in wanted}
        for name, (what, placed) in wanted.items():
            old = self._items.get(name)
            if old is not None and same(old, what, placed):
                continue
            new = make_item(name, what, placed, self._stage, self._textures)
            dirty += [new.reach] if old is None else [old.reach, new.reach]
            self._items[name] = new
        return dirty


class Painter:
    """Paints items into a part of the clean picture."""

    def __init__(self, kit: Kit, textures: Textures) -> None:
        self._stones = kit.stone.colours
        self._wood = np.array(textures.wood_bgr())

    def paint(self, clean: Picture, rect: Rect, stage: Stage, items: Sequence[Item]) -> None:
        """Paint one rectangle anew: the empty table, cards, shadows, then every solid, the nearest last."""
        left, top, right, bottom = rect
        window = clean[top:bottom, left:right]
        window[:] = stage.ground[top:bottom, left:right]
        canvas = Canvas(window, left, top)
        near = [item for item in items if overlap(item.reach, rect)]
        throwing = [item for item in near if not isinstance(item.what, CardShown)]
        thrown = casters([(item.name, item.solid) for item in throwing])
        for item in near:
            if isinstance(item.what, CardShown):
                self._paint_faces(canvas, item, stage, casters([]))
        _shade_ground(canvas, stage, throwing)
        for item in ordered([item for item in throwing if overlap(item.box, rect)], stage.eye):
            self._paint_item(canvas, item, stage, thrown)

    def _paint_item(self, canvas: Canvas, item: Item, stage: Stage, thrown: Casters) -> None:
        match item.what:
            case Capsule() as limb:
                _paint_limb(canvas, item, limb, stage)
            case Piece(kind=PartKind.STONE) as stone:
                self._paint_stone(canvas, item, stone, stage)
            case Piece() as piece:
                edge = self._wood if piece.kind is PartKind.ACROBAT else np.array(CARDBOARD_BGR) * 0.8
                shade = stage.shade(item.middle, item.faces[0][0].normal if item.faces else UP)
                paint_hull(canvas, item.pixels, edge * shade * HEADROOM, 0.0 if piece.round else 0.8)
                self._paint_faces(canvas, item, stage, thrown)
            case CardShown():
                pass

    def _paint_faces(self, canvas: Canvas, item: Item, stage: Stage, thrown: Casters) -> None:
        for face, pixels in item.faces:
            middle = face.corners_mm.mean(axis=0)
            across, down = (float(np.linalg.norm(pixels[n] - pixels[0])) for n in (1, 3))
            picture = face.texture.at(max(across / face.texture.width_mm, down / face.texture.height_mm))
            light = stage.bright(middle, face.normal)
            masks = _face_masks(item, face, middle, stage, thrown)
            drawn = lit_unevenly(picture, light, masks) if masks else lit(picture, light)
            for glint in glints(face, stage):
                gleam(drawn, face, glint)
            paint_face(canvas, drawn, pixels)

    def _paint_stone(self, canvas: Canvas, item: Item, stone: Piece, stage: Stage) -> None:
        assert item.placed is not None, f"{stone.name} has no place"
        bgr = np.array(self._stones.of(Colour(stone.id))[::-1], np.float64)
        lamp = stage.light.lamps[0]
        seen = 1.0 - sum(shaded_at(stage.light, item.middle)[:1])
        light = np.array(stage.light.ambient) / stage.reference, seen * np.array(lamp.strength) / stage.reference
        place = np.array(lamp.place_mm)
        paint_stone(canvas, item.pixels, stage.rays, stone, item.placed, stage.eye, place, bgr, light)


def _shade_ground(canvas: Canvas, stage: Stage, throwing: Sequence[Item]) -> None:
    height, width = canvas.pixels.shape[:2]
    pad = BLUR_MARGIN_PX
    for number, lamp in enumerate(stage.light.lamps):
        mask = np.zeros((height + 2 * pad, width + 2 * pad), np.uint8)
        for item in throwing:
            fill(mask, item.shadows[number] - (canvas.left - pad, canvas.top - pad))
        spread = min(max(1.0, lamp.softness_mm * stage.view.camera.fx / 2400), pad / 2)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), spread), np.uint8)[pad:-pad, pad:-pad]
        reached = stage.on_table[canvas.top : canvas.top + height, canvas.left : canvas.left + width]
        if number and stage.light.screen is not None:
            reached = np.where(reached > 0, 255, 0).astype(np.uint8)
        mask = cv2.bitwise_and(mask, reached) if stage.light.screen is None else _times(mask, reached)
        ramp = np.arange(256)[:, None] / 255.0
        least = stage.without(number, np.zeros(3), UP)
        table = np.clip(255 * (1 - ramp * (1 - least)), 0, 255).astype(np.uint8)
        cv2.multiply(canvas.pixels, cv2.LUT(cv2.merge([mask] * 3), table[None]), canvas.pixels, 1 / 255)


def _face_masks(
    item: Item, face: Face, middle: Floats, stage: Stage, thrown: Casters
) -> list[tuple[NDArray[np.uint8], Floats]]:
    """Return for each lamp that shines on a face the part that is hidden, and the factors where it is."""
    masks = []
    if len(thrown.names) < 2 and stage.light.screen is None:
        return []
    shape = (max(8, round(face.texture.height_mm)), max(8, round(face.texture.width_mm)))
    for number, lamp in enumerate(stage.light.lamps):
        place = np.array(lamp.place_mm)
        if (place - middle) @ face.normal <= 1.0:
            continue
        mask = shade_face(thrown, item.name, face.corners_mm, face.normal, place, shape)
        if number == 0 and stage.light.screen is not None:
            mask = _with_screen(mask, face, stage, shape)
        if mask is not None:
            soft = np.asarray(cv2.blur(mask, (3, 3)), np.uint8)
            masks.append((soft, stage.without(number, middle, face.normal)))
    return masks


def _with_screen(
    mask: NDArray[np.uint8] | None, face: Face, stage: Stage, shape: tuple[int, int]
) -> NDArray[np.uint8] | None:
    """Return the part of the first lamp hidden from a face by other things or by the light's screen."""
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 5)), axis=-1).reshape(-1, 2)
    right, down = face.corners_mm[1] - face.corners_mm[0], face.corners_mm[3] - face.corners_mm[0]
    share = screened(stage.light, face.corners_mm[0] + grid @ np.stack([right, down])).reshape(5, 5)
    if share.max() <= 0:
        return mask
    by_screen = np.asarray(cv2.resize((255 * share).astype(np.uint8), shape[::-1], interpolation=cv2.INTER_LINEAR))
    return by_screen.astype(np.uint8) if mask is None else np.maximum(mask, by_screen).astype(np.uint8)


def _times(mask: NDArray[np.uint8], part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.multiply(mask, part, scale=1 / 255), np.uint8)


def _paint_limb(canvas: Canvas, item: Item, limb: Capsule, stage: Stage) -> None:
    view, ends_mm = stage.view, np.stack([limb.start_mm, limb.end_mm])
    lamp = np.array(stage.light.lamps[0].place_mm)
    pixels = view.project([*ends_mm, item.middle, item.middle + (lamp - item.middle) * 0.02])
    near, far = (max(50.0, float(np.linalg.norm(end - stage.eye))) for end in ends_mm)
    radii = (limb.start_radius_mm * view.camera.fx / near, limb.end_radius_mm * view.camera.fx / far)
    way = pixels[3] - pixels[2]
    way /= max(float(np.linalg.norm(way)), 1e-6)
    shaded = shaded_at(stage.light, item.middle)
    full = light_at(stage.light, item.middle, (lamp - item.middle) / np.linalg.norm(lamp - item.middle), shaded)
    colour = np.array(limb.bgr) * HEADROOM
    bright = colour * (full / stage.reference) ** (1 / GAMMA)
    dark = colour * (0.75 * np.array(stage.light.ambient) / stage.reference) ** (1 / GAMMA)
    paint_limb(canvas, pixels[:2], radii, way, bright, dark)
