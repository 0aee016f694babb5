"""The upper faces of the two Vowl dice, anywhere on the mat.

A die is a cube on the mat: one place and turn has to explain its upper face and the side faces that are seen, so that a
side face is never taken for the upper one, nor another thing for a die.
"""

from dataclasses import dataclass

import numpy as np

from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.kit.vowl import DiceArt
from pi_app.vision.camera import View
from pi_app.vision.dice_art import DieArt, dice_art, soft_mm
from pi_app.vision.dice_cube import Cube, Eye, cubes_of, eye_of
from pi_app.vision.dice_find import Plane, plane_of, sights_of
from pi_app.vision.light import read_light
from pi_app.vision.pose import Image

LEAST_UPPER, LEAST_WHOLE = 0.76, 0.72
"""How alike a die's upper face, and all that is seen of the die, are to its pictures."""
CLEAR_UPPER, HIDDEN_WHOLE = 0.93, 0.6
"""The same where an upper face is that clear: another die may hide the sides."""
LEAST_OTHER = 0.82
"""A second die of a kind is one that is explained this well."""
LEAST_LEAD = 0.3
"""By how much the upper face is more like its picture than like another: 1 is as much as the pictures differ."""
LEAST_RATIO = 1.6
"""What another picture leaves unexplained of the upper face, as a multiple of what its own leaves."""
MOST_STRANGE = 0.4
"""Two dice and their shadows take up a far smaller part of the mat, with room to search around them."""
APART = 0.8
"""Two dice cannot be nearer, in sizes."""


@dataclass(frozen=True)
class SeenDie:
    """One die: what its upper face says, its middle in mm on the mat, how alike its picture is, and the runner-up's."""

    face: str
    x_mm: float
    y_mm: float
    alike: float
    rival: float


@dataclass(frozen=True)
class DiceReading:
    """The number and the mode die's upper faces; a die that cannot be told is None, with `reason` and `why`.

    Reasons: no_die, two_dice, hidden, doubtful, too_dark, colours_wrong.
    """

    number: SeenDie | None = None
    mode: SeenDie | None = None
    reason: Reason | None = None
    why: str = ""


@dataclass(frozen=True)
class _Untold:
    reason: Reason
    why: str


def read_dice(image: Image, view: View, table: Table, art: DiceArt) -> DiceReading:
    """Return what lies on top of the two dice on the mat of a BGR picture."""
    light = read_light(image, view, table)
    if light.reason is not None:
        return DiceReading(reason=light.reason)
    size = art.dice.size_mm
    plane, eye = plane_of(image, view, table, size, light.paper), eye_of(image, view, size, light.paper)
    if plane.strange.mean() > MOST_STRANGE:
        return DiceReading(reason=Reason.HIDDEN, why="more than two dice hide the mat, or the picture is blurred")
    number, mode = (
        _told(_cubes(plane, eye, die), die, name, size)
        for die, name in zip(dice_art(art, table.mat.paper_srgb, soft_mm(view)), ("number", "mode"), strict=True)
    )
    if isinstance(number, SeenDie) and isinstance(mode, SeenDie):
        if np.hypot(number.x_mm - mode.x_mm, number.y_mm - mode.y_mm) < APART * size:
            return DiceReading(reason=Reason.DOUBTFUL, why="both dice are seen in the same place")
        return DiceReading(number, mode)
    untold = [die for die in (number, mode) if isinstance(die, _Untold)]
    seen_number, seen_mode = (die if isinstance(die, SeenDie) else None for die in (number, mode))
    return DiceReading(seen_number, seen_mode, untold[0].reason, "; ".join(die.why for die in untold))


def _cubes(plane: Plane, eye: Eye, die: DieArt) -> list[Cube]:
    """Return the best places of a die; where it may not stand out is only searched if it is nowhere else."""
    cubes = cubes_of(eye, die, sights_of(plane, die, plane.strange))
    if not cubes or cubes[0].best < LEAST_WHOLE:
        cubes += cubes_of(eye, die, sights_of(plane, die, plane.unknown))
    return sorted(cubes, key=lambda cube: -cube.best)


def _lies(cube: Cube) -> bool:
    """Return whether a die lies there, flat."""
    upper, whole = float(cube.upper.max()), cube.best
    return (upper >= LEAST_UPPER and whole >= LEAST_WHOLE) or (upper >= CLEAR_UPPER and whole >= HIDDEN_WHOLE)


def _told(cubes: list[Cube], die: DieArt, name: str, size_mm: float) -> SeenDie | _Untold:
    """Return the one die of a kind that lies flat, or why it cannot be told."""
    if not cubes or not _lies(cubes[0]):
        return _Untold(Reason.NO_DIE, f"no {name} die is seen flat on the mat")
    best = cubes[0]
    away = [one for one in cubes[1:] if np.hypot(one.x_mm - best.x_mm, one.y_mm - best.y_mm) > APART * size_mm]
    if any(_lies(one) and one.best > LEAST_OTHER for one in away):
        return _Untold(Reason.TWO_DICE, f"more than one {name} die is seen")
    alike = float(best.upper[best.face])
    for face, other in enumerate(best.upper):
        if face != best.face and not _ahead(alike, float(other), float(die.likeness[best.face, face])):
            return _Untold(Reason.DOUBTFUL, f"the {name} die may show {die.names[best.face]} or {die.names[face]}")
    rival = max((float(alike) for face, alike in enumerate(best.upper) if face != best.face), default=0.0)
    return SeenDie(die.names[best.face], best.x_mm, best.y_mm, alike, rival)


def _ahead(alike: float, other: float, likeness: float) -> bool:
    """Return whether a face is clearly the one it is most like; `other` is how alike it is to another of its die."""
    left, left_by_other = 1 - alike**2, 1 - max(other, 0.0) ** 2
    return left_by_other >= LEAST_RATIO * left and alike - other >= LEAST_LEAD * (1 - likeness)
