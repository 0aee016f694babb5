"""A die laid exactly: one place and turn that explains its upper face and the side faces that the camera sees."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.camera import Floats, View
from pi_app.vision.dice_art import BRIGHTEST, SIDE_PX, DieArt, unit
from pi_app.vision.dice_find import Sight
from pi_app.vision.light import TO_LINEAR
from pi_app.vision.pose import Image

Singles = NDArray[np.float32]

FIRST_STEPS, LAST_STEPS = ((1.0, 5.0),), ((0.5, 2.5), (0.25, 1.2))
"""Steps in mm and in degrees."""
TURNS_DEG = (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)
"""A star or a disc looks alike at other turns, too: the sides tell which is right."""
LAID, SETTLED = 6, 3
"""So many places are looked at more closely, and so many of these exactly."""
ROUNDS = 4
SAME, SAME_DEG = 0.15, 12.0
TURNED_AWAY = 0.25
"""A side face whose normal makes a smaller cosine with the line of sight is not looked at."""
OUTWARD = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], np.float64)
"""The upper face's and the four sides' directions in the die's axes."""
CORNERS = np.array([
    [[-1, 1, 1], [1, 1, 1], [1, -1, 1], [-1, -1, 1]], [[1, -1, 1], [1, 1, 1], [1, 1, -1], [1, -1, -1]],
    [[1, 1, 1], [-1, 1, 1], [-1, 1, -1], [1, 1, -1]], [[-1, 1, 1], [-1, -1, 1], [-1, -1, -1], [-1, 1, -1]],
    [[-1, -1, 1], [1, -1, 1], [1, -1, -1], [-1, -1, -1]],
], np.float64)  # fmt: skip
"""Their corners, from each one's top left clockwise as seen from outside."""


@dataclass(frozen=True, eq=False)
class Cube:
    """A die at a place and turn.

    `upper` is how alike its upper face is to each face of the die at its best quarter turn, `sides` the mean of that
    over the side faces seen, and `seen` those sides' part of the die's area in the picture, 0 to 1.
    """

    x_mm: float
    y_mm: float
    turn_deg: float
    upper: Floats
    sides: float
    seen: float

    def score(self, face: int) -> float:
        """Return how well the whole die is explained with a face on top."""
        return (1 - self.seen) * float(self.upper[face]) + self.seen * self.sides

    @property
    def face(self) -> int:
        """Return the face that the upper one is most like."""
        return int(self.upper.argmax())

    @property
    def best(self) -> float:
        """Return the greatest score."""
        return self.score(self.face)


@dataclass(frozen=True, eq=False)
class Eye:
    """A picture in tones, how it was taken, and the die's side: what cubes are compared with."""

    tones: Singles
    view: View
    size_mm: float

    def laid(self, die: DieArt, x_mm: float, y_mm: float, turn_deg: float) -> Cube:
        """Return the die at a place and turn, compared with the picture."""
        quads = _faces(self.view.pose.eye, np.array([x_mm, y_mm]), turn_deg, self.size_mm)
        pixels = self.view.project(quads.reshape(-1, 3)).reshape(-1, 4, 2)
        cuts = np.stack([self._cut(corners) for corners in pixels])
        alike = unit(cuts) @ die.bank.T
        by_face = alike.reshape(len(quads), 4, len(die.names)).max(axis=1)
        areas = np.array([cv2.contourArea(corners.astype(np.float32)) for corners in pixels])
        sides = areas[1:] @ by_face[1:].max(axis=1) / max(float(areas[1:].sum()), 1e-6)
        return Cube(x_mm, y_mm, turn_deg, by_face[0], float(sides), float(areas[1:].sum() / areas.sum()))

    def settled(self, die: DieArt, cube: Cube, steps: tuple[tuple[float, float], ...]) -> Cube:
        """Return a cube laid better, by steps in place and turn."""
        best = cube
        for step_mm, step_deg in steps:
            moves = np.diag([step_mm, step_mm, step_deg])
            for _ in range(ROUNDS):
                near = [
                    self.laid(die, best.x_mm + dx, best.y_mm + dy, best.turn_deg + turn)
                    for dx, dy, turn in np.concatenate([moves, -moves]).tolist()
                ]
                top = max(near, key=lambda one: one.best)
                if top.best <= best.best:
                    break
                best = top
        return best

    def _cut(self, corners_px: Floats) -> Singles:
        """Return a face between its corners in the picture as a square of SIDE_PX."""
        last = SIDE_PX - 0.5
        square = np.array([[-0.5, -0.5], [last, -0.5], [last, last], [-0.5, last]], np.float32)
        stretch = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cut = cv2.warpPerspective(self.tones, stretch, (SIDE_PX, SIDE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cut, np.float32)


def cubes_of(eye: Eye, die: DieArt, sights: Sequence[Sight]) -> list[Cube]:
    """Return the best places of a die, apart from each other, the best first."""
    turned = [(sight, sight.turn_deg + turn) for sight in sights for turn in TURNS_DEG]
    laid = [eye.laid(die, sight.x_mm, sight.y_mm, turn) for sight, turn in turned]
    near = [eye.settled(die, cube, FIRST_STEPS) for cube in _best(laid, LAID, eye.size_mm)]
    return _best(
        [eye.settled(die, cube, LAST_STEPS) for cube in _best(near, SETTLED, eye.size_mm)], SETTLED, eye.size_mm
    )


def _best(cubes: Sequence[Cube], count: int, size_mm: float) -> list[Cube]:
    """Return the best cubes of those that are the same but for a little."""
    kept: list[Cube] = []
    for cube in sorted(cubes, key=lambda one: -one.best):
        if len(kept) < count and not any(_same(cube, other, size_mm) for other in kept):
            kept.append(cube)
    return kept


def _same(one: Cube, other: Cube, size_mm: float) -> bool:
    turned = (one.turn_deg - other.turn_deg + 45) % 90 - 45
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)) < SAME * size_mm and abs(turned) < SAME_DEG


def eye_of(image: Image, view: View, size_mm: float, paper: Floats) -> Eye:
    """Return a BGR picture in roots of reflectance relative to the mat's paper, a little softened."""
    soft = cv2.GaussianBlur(image, (3, 3), 0.7)
    table = np.sqrt(np.clip(TO_LINEAR[:, None] / paper, 0.0, BRIGHTEST)).astype(np.float32)
    return Eye(np.asarray(cv2.LUT(soft, table[None]), np.float32), view, size_mm)


def _faces(eye: Floats, at_mm: Floats, turn_deg: float, size_mm: float) -> Floats:
    """Return the corners of the upper face and of the sides seen, n x 4 x 3, each from its top left clockwise."""
    turn = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(turn), np.sin(turn), 0.0], [-np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]])
    middle, half = np.array([*at_mm, size_mm / 2]), size_mm / 2
    outward = OUTWARD @ spin
    ways = eye - middle - outward * half
    seen = (outward * ways).sum(axis=1) > TURNED_AWAY * np.sqrt((ways * ways).sum(axis=1))
    seen[0] = True
    return np.asarray(middle + CORNERS[seen] @ spin * half)
