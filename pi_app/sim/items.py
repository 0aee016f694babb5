"""What is drawn, thing by thing: where it lies in the picture, what it may hide, where its shadows fall."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pi_app.sim.pieces import Floats, Piece, Placed, turn_z
from pi_app.sim.shadow import landing
from pi_app.sim.shapes import CARD_GLOSS, Capsule, CardShown, Face, faces_of, nearer, planes_of, rim_mm
from pi_app.sim.stage import UP, Stage
from pi_app.sim.textures import Textures
from pi_app.vision.reading import PartKind

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom lie outside."""

Thing = Piece | Capsule | CardShown
SHADOW_MARGIN_PX = 14
BEFORE_EYE_MM = 120.0
"""Shadows are drawn no nearer to the camera than so far before it, on its side of the table."""
_NO_PLANES = np.zeros((0, 4))


@dataclass(eq=False)
class Item:
    """One solid as drawn: `solid` and `planes` for order and shadows; `pixels` of the solid, `shadows` by lamp."""

    name: str
    what: Thing
    placed: Placed | None
    solid: Floats
    planes: Floats
    pixels: Floats
    faces: list[tuple[Face, Floats]]
    shadows: list[Floats]
    middle: Floats

    @cached_property
    def box(self) -> Rect:
        """The pixels it may cover."""
        return _bounds(self.pixels, 2)

    @cached_property
    def reach(self) -> Rect:
        """The pixels it may change, with its shadows on the mat."""
        return _bounds(np.concatenate([self.pixels, *self.shadows]), SHADOW_MARGIN_PX)


def make_item(name: str, what: Thing, placed: Placed | None, stage: Stage, textures: Textures) -> Item:
    """Return a thing as it is to be drawn; pieces need a place."""
    faces: list[Face] = []
    planes = _NO_PLANES
    match what:
        case Capsule():
            solid = _limb_points(what)
        case CardShown():
            faces = [_card_face(what, textures)]
            solid = faces[0].corners_mm
        case Piece():
            assert placed is not None, f"piece {name} has no place"
            corners = 12 if what.kind is PartKind.STONE else 28
            solid = rim_mm(what, placed, corners) if what.round else placed.corners_mm(what)
            planes = planes_of(what, placed)
            if what.kind is not PartKind.STONE:
                faces = faces_of(what, placed, stage.eye, textures)
    pixels = stage.view.project(np.concatenate([solid, *(face.corners_mm for face in faces)]))
    count = len(solid)
    pairs = [(face, pixels[count + 4 * n : count + 4 * n + 4]) for n, face in enumerate(faces)]
    shadows = [] if isinstance(what, CardShown) else _ground_shadows(solid, stage)
    return Item(name, what, placed, solid, planes, pixels[:count], pairs, shadows, solid.mean(axis=0))


def _ground_shadows(solid: Floats, stage: Stage) -> list[Floats]:
    lamps = [np.array(lamp.place_mm) for lamp in stage.light.lamps]
    landed = [landing(solid, lamp, np.zeros(3), UP)[0] for lamp in lamps]
    before = stage.eye[1] - BEFORE_EYE_MM
    for points in landed:
        points[:, 1] = np.minimum(points[:, 1], before)
    pixels = stage.view.project(np.concatenate(landed))
    return list(np.split(pixels, len(lamps)))


def _card_face(card: CardShown, textures: Textures) -> Face:
    picture = textures.card(card.card)
    half = np.array([picture.width_mm, picture.height_mm]) / 2
    flat = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * (*half, 0)
    corners = np.array([card.x_mm, card.y_mm, 0.3]) + flat @ turn_z(card.turn_deg).T
    return Face(corners, UP, picture, CARD_GLOSS)


def ordered(items: Sequence[Item], eye_mm: Floats) -> list[Item]:
    """Return items so that what may hide another comes after it."""
    far_first = sorted(items, key=lambda item: -float(np.linalg.norm(item.middle - eye_mm)))
    after: dict[int, set[int]] = {n: set() for n in range(len(far_first))}
    for i, first in enumerate(far_first):
        for j in range(i + 1, len(far_first)):
            second = far_first[j]
            if not overlap(first.box, second.box):
                continue
            order = nearer((first.solid, first.planes), (second.solid, second.planes), eye_mm)
            if order > 0:
                after[i].add(j)
            elif order < 0 or not (len(first.planes) or len(second.planes)):
                after[j].add(i)
    ordered: list[Item] = []
    left = list(range(len(far_first)))
    while left:
        chosen = next((n for n in left if not after[n].intersection(left)), left[0])
        left.remove(chosen)
        ordered.append(far_first[chosen])
    return ordered


def _limb_points(limb: Capsule) -> Floats:
    ball = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1],
                     *(np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.577)])  # fmt: skip
    return np.concatenate([limb.start_mm + ball * limb.start_radius_mm, limb.end_mm + ball * limb.end_radius_mm])


def same(item: Item, what: Piece | Capsule | CardShown, placed: Placed | None) -> bool:
    """Return whether a thing would be drawn as it was."""
    match what:
        case Capsule():
            old = item.what
            return isinstance(old, Capsule) and bool(
                np.abs(old.start_mm - what.start_mm).max() < 0.02 and np.abs(old.end_mm - what.end_mm).max() < 0.02
            )
        case CardShown():
            return item.what == what
        case Piece():
            return bool(
                placed is not None
                and item.placed is not None
                and np.abs(item.placed.at_mm - placed.at_mm).max() < 0.02
                and np.abs(item.placed.rotation - placed.rotation).max() < 5e-4
            )


def _bounds(pixels: Floats, margin: int) -> Rect:
    low = np.clip(np.floor(pixels.min(axis=0)) - margin, -8000, 8000)
    high = np.clip(np.ceil(pixels.max(axis=0)) + margin + 1, -8000, 8000)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def overlap(a: Rect, b: Rect) -> bool:
    """Return whether two rectangles share a pixel."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def joined(rects: Sequence[Rect], shape: Sequence[int]) -> list[Rect]:
    """Return rectangles inside the picture that cover all given ones, overlapping ones made one."""
    found: list[Rect] = []
    for rect in rects:
        new = (max(rect[0], 0), max(rect[1], 0), min(rect[2], shape[1]), min(rect[3], shape[0]))
        if new[0] >= new[2] or new[1] >= new[3]:
            continue
        while (hit := next((old for old in found if overlap(old, new)), None)) is not None:
            found.remove(hit)
            new = (min(hit[0], new[0]), min(hit[1], new[1]), max(hit[2], new[2]), max(hit[3], new[3]))
        found.append(new)
    return found
