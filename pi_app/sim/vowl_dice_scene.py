"""Where dice lie on a simulated Vowl table, and the camera and light that see them."""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from pi_app.kit.table import Table
from pi_app.kit.vowl import Dice
from pi_app.sim.lights import RoomLight, in_light
from pi_app.sim.pieces import Floats, Placed, turn_x, turn_y, turn_z
from pi_app.sim.scene import Lamp, Light, Scene, random_scene
from pi_app.vision.camera import View, look_at

APART = 1.5
"""Centres are at least so many sizes apart, so that upright dice never meet."""


class Lay(StrEnum):
    """How the two dice lie: as they should, or one of the ways that do not count."""

    BOTH = "both"
    NEAR = "near"
    MARKER = "marker"
    NONE = "none"
    ONE = "one"
    EDGE = "edge"
    OFF = "off"
    STACKED = "stacked"
    SAME = "same"
    STRANGER = "stranger"
    HIDDEN = "hidden"


GOOD = (Lay.BOTH, Lay.NEAR, Lay.MARKER)
READABLE = (*GOOD, Lay.HIDDEN)
"""Both dice lie flat on the mat: a reading has to be right, though a hidden face may not be told."""


@dataclass(frozen=True, eq=False)
class DieShown:
    """A die: which one, the faces on its sides +x, -x, +y, -y, +z, -z with their quarter turns, and its place.

    `bare` tells of a block in the die's colour that carries no faces.
    """

    die: str
    faces: tuple[tuple[str, int], ...]
    placed: Placed
    bare: bool = False

    @property
    def top(self) -> str:
        """Return what the face on +z says."""
        return self.faces[4][0]


def dice_scene(seed: int) -> Scene:
    """Return a camera across the mat, lower or higher, in some light; the same seed gives the same scene."""
    random = np.random.default_rng((seed, 41))
    scene = random_scene(seed)
    camera = scene.view.camera
    distance = camera.fx / camera.width * float(random.uniform(545.0, 640.0))
    rise, aside = np.deg2rad(random.uniform(30.0, 52.0)), np.deg2rad(random.uniform(-14.0, 14.0))
    target = np.array([random.uniform(-15, 15), random.uniform(-15, 15), 5.0])
    away = np.array([np.sin(aside) * np.cos(rise), np.cos(aside) * np.cos(rise), np.sin(rise)])
    pose = look_at(target + distance * away, target, float(random.uniform(-4.0, 4.0)))
    scene = replace(
        scene, view=View(camera, pose), blur_px=float(random.uniform(0.4, 1.1)), light=_raking(scene.light, random)
    )
    kinds = list(RoomLight)
    kind = kinds[int(random.integers(len(kinds)))] if random.random() < 0.6 else RoomLight.PLAIN
    return in_light(scene, kind, random)


def lay_dice(dice: Dice, table: Table, lay: Lay, random: np.random.Generator) -> tuple[DieShown, ...]:
    """Return the dice as they lie."""
    first, second = _places(dice.size_mm, table, lay, random)
    names = ("number", "mode") if random.random() < 0.5 else ("mode", "number")
    one, two = _thrown(dice, names[0], first, random), _thrown(dice, names[1], second, random)
    size = dice.size_mm
    match lay:
        case Lay.NONE:
            return ()
        case Lay.ONE:
            return (one,)
        case Lay.EDGE:
            return (one, replace(two, placed=_on_edge(two.placed, size, random)))
        case Lay.OFF:
            return (one, replace(two, placed=_off(two.placed, table, size, random)))
        case Lay.STACKED:
            shift = [*random.uniform(-0.25, 0.25, 2) * size, size]
            return (one, replace(two, placed=one.placed.shifted(shift)))
        case Lay.SAME:
            return (one, _thrown(dice, names[0], second, random))
        case Lay.STRANGER:
            return (one, replace(two, bare=True))
        case _:
            return (one, two)


def _thrown(dice: Dice, die: str, at: Floats, random: np.random.Generator) -> DieShown:
    """Return a die with its six faces on sides by chance, as another kit's may be; turned by chance."""
    names = [str(face) for face in (dice.number.faces if die == "number" else dice.mode.faces)]
    faces = tuple((names[int(n)], int(random.integers(4))) for n in random.permutation(len(names)))
    middle = np.array([*at, dice.size_mm / 2])
    return DieShown(die, faces, Placed(middle, turn_z(float(random.uniform(0, 360)))))


def _places(size: float, table: Table, lay: Lay, random: np.random.Generator) -> tuple[Floats, Floats]:
    half = np.array([table.mat.width, table.mat.height]) / 2 - size * 0.75
    first = random.uniform(-half, half)
    if lay is Lay.MARKER:
        group = table.markers.mat[0]
        which = int(random.integers(len(group.ids)))
        first = np.array([group.centre_x[which], group.centre_y[which]]) + random.uniform(-8, 8, 2)
    while True:
        second = random.uniform(-half, half)
        if lay in (Lay.NEAR, Lay.SAME) and random.random() < 0.8:
            turn = random.uniform(0, 2 * np.pi)
            second = first + size * random.uniform(APART, 2.6) * np.array([np.cos(turn), np.sin(turn)])
        inside = (np.abs(second) < half).all()
        if inside and np.hypot(*(second - first)) > APART * size:
            return np.clip(first, -half, half), second


def _on_edge(placed: Placed, size: float, random: np.random.Generator) -> Placed:
    """Return a die that leans on something unseen: it stands on an edge, 20 to 70 degrees off level."""
    lean = float(random.uniform(20.0, 70.0))
    turn = (turn_x if random.random() < 0.5 else turn_y)(lean)
    rotation = placed.rotation @ turn
    low = float(np.abs(rotation[2]).sum()) * size / 2
    return Placed(np.array([*placed.at_mm[:2], low]), rotation)


def _off(placed: Placed, table: Table, size: float, random: np.random.Generator) -> Placed:
    side = float(random.choice((-1.0, 1.0)))
    x = side * (table.mat.width / 2 + size * float(random.uniform(0.8, 2.0)))
    return Placed(np.array([x, float(random.uniform(-100, 100)), size / 2]), placed.rotation)


def _raking(light: Light, random: np.random.Generator) -> Light:
    """Return the light with its lamp lower now and then: longer shadows, dark sides."""
    if random.random() < 0.6:
        return light
    x, y, z = light.lamps[0].place_mm
    lamp = Lamp((x, y, z * float(random.uniform(0.45, 0.8))), light.lamps[0].strength, light.lamps[0].softness_mm)
    return replace(light, lamps=(lamp, *light.lamps[1:]))
