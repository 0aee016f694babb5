"""A tunnel to build, and whether what physically stands there is one. mm, mat frame.

The tile's own frame: u along its width, n along its height, n towards the camera where the tunnel is not turned.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pi_app.core.names import BlockPose
from pi_app.core.verdict import Reason
from pi_app.kit.model import Kit
from pi_app.sim.built import Match
from pi_app.sim.pieces import Floats, Piece, Placed, acrobat_name, turn_y, turn_z
from pi_app.sim.plans import Plan, Step
from pi_app.sim.table import SimTable
from pi_app.vision.reading import PartKind

OVERVIEW = "overview"
TOUCHES_MM, FREE_MM = 1.0, -3.0
"""A leg that reaches so far under the tile touches it; one that stays so far outside does not."""
FREE_LEG_MM = (5.0, 9.0)
UPRIGHT = 0.985
LEVEL_MM = 1.5


class Lack(StrEnum):
    """What is wrong with a tunnel that is built badly."""

    NONE = "none"
    NOT_TOUCHING = "not_touching"
    NO_FIFTH = "no_fifth"
    NO_LEG = "no_leg"


@dataclass(frozen=True, eq=False)
class Tile:
    """The overview tile from above: its middle 2, its axes u and n as rows 2 x 2, half its sizes along them."""

    middle: Floats
    axes: Floats
    half: Floats

    def local(self, points: Floats) -> Floats:
        """Return points n x 2 of the mat in the tile's axes."""
        return np.asarray((np.asarray(points)[..., :2] - self.middle) @ self.axes.T)

    def on_mat(self, points: Floats) -> Floats:
        """Return points n x 2 of the tile's axes on the mat."""
        return np.asarray(np.asarray(points) @ self.axes + self.middle)


def tile_at(placed: Placed, kit: Kit) -> Tile:
    """Return the overview where it lies; its axes are those nearest to the mat's."""
    across = placed.rotation[:2, 0]
    swapped = abs(across[0]) < abs(across[1])
    u = placed.rotation[:2, 1] if swapped else across
    u = u / np.linalg.norm(u) * (1.0 if u[0] >= 0 else -1.0)
    size = (
        (kit.overview.height_mm, kit.overview.width_mm) if swapped else (kit.overview.width_mm, kit.overview.height_mm)
    )
    return Tile(placed.at_mm[:2].copy(), np.array([u, [-u[1], u[0]]]), np.array(size) / 2)


def tunnel_steps(plan: Plan, table: SimTable, lack: Lack = Lack.NONE) -> list[Step]:
    """Return the pieces of a tunnel, lowest first: four legs, the overview, a fifth acrobat; with a named lack."""
    random, kit = table.random, table.kit
    names = [acrobat_name(piece.id) for piece in kit.acrobat.piece]
    random.shuffle(names)
    half = np.array([kit.overview.width_mm, kit.overview.height_mm]) / 2
    leg_half = np.array([kit.acrobat.width_mm, kit.acrobat.thickness_mm]) / 2
    legs = [_leg(random, corner, half, leg_half, lack) for corner in _corners(random, lack)]
    steps = [Step(names.pop(), _placed(table, plan, leg, 0.0)) for leg in legs]
    deck = Placed(
        np.array([plan.x_mm, plan.y_mm, kit.acrobat.length_mm + kit.overview.thickness_mm / 2]),
        turn_z(plan.turn_deg + (180.0 if random.random() < 0.5 else 0.0)),
    )
    steps.append(Step(OVERVIEW, deck))
    if lack is not Lack.NO_FIFTH:
        middle = random.uniform(-0.16, 0.16, 2) * half + _balance(lack, half)
        steps.append(Step(names.pop(), _placed(table, plan, middle, deck.at_mm[2] + kit.overview.thickness_mm / 2)))
    return steps


def match_tunnel(kit: Kit, places: Mapping[str, Placed], pieces: Mapping[str, Piece]) -> Match:
    """Return whether the pieces at `places` make a tunnel; acrobats that lie are none of its parts."""
    long = kit.acrobat.length_mm
    upright = [(n, p) for n, p in places.items() if pieces[n].kind is PartKind.ACROBAT and _upright(p)]
    deck = places.get(OVERVIEW)
    level = long + kit.overview.thickness_mm / 2
    if deck is None or abs(deck.rotation[2, 2]) < UPRIGHT or abs(float(deck.at_mm[2]) - level) > LEVEL_MM:
        return Match((Reason.MISSING_PIECE,))
    tile = tile_at(deck, kit)
    legs = [p for _, p in upright if abs(float(p.at_mm[2]) - long / 2) < LEVEL_MM]
    high = level + kit.overview.thickness_mm / 2 + long / 2
    fifth = [p for _, p in upright if abs(float(p.at_mm[2]) - high) < LEVEL_MM]
    if len(legs) < 4 or not fifth:
        return Match((Reason.MISSING_PIECE,))
    reach = min(sorted(_reach_mm(tile, leg, kit) for leg in legs))
    doubtful = FREE_MM < reach < TOUCHES_MM
    return Match((Reason.OK,) if reach >= TOUCHES_MM else (Reason.NOT_TOUCHING,), doubtful)


def _upright(placed: Placed) -> bool:
    return abs(float(placed.rotation[2, 2])) > UPRIGHT


def _reach_mm(tile: Tile, leg: Placed, kit: Kit) -> float:
    """Return how far an upright leg reaches inside the tile's edge; negative: so far outside."""
    steps = np.linspace(-0.5, 0.5, 9)
    wide, deep = kit.acrobat.width_mm, kit.acrobat.thickness_mm
    across, along = leg.rotation[:2, 0] * wide, leg.rotation[:2, 1] * deep
    points = np.array([leg.at_mm[:2] + a * across + b * along for a in steps for b in steps])
    return float((tile.half - np.abs(tile.local(points))).min(axis=1).max())


def _corners(random: np.random.Generator, lack: Lack) -> list[tuple[int, int, bool]]:
    """Return the legs' corners by the signs of u and n, and whether this is the leg that stands away."""
    corners = [(a, b) for b in (-1, 1) for a in (-1, 1)]
    odd = int(random.integers(4)) if lack is Lack.NOT_TOUCHING else 0 if lack is Lack.NO_LEG else -1
    if lack is Lack.NO_LEG:
        return [(a, b, False) for a, b in corners[1:]]
    return [(a, b, n == odd) for n, (a, b) in enumerate(corners)]


def _leg(
    random: np.random.Generator, corner: tuple[int, int, bool], half: Floats, leg_half: Floats, lack: Lack
) -> Floats:
    """Return a leg's middle in the tile's frame: near its corner, or just outside the tile's edge."""
    signs = np.array(corner[:2], np.float64)
    inset = leg_half + random.uniform((0.0, -leg_half[1] * 0.4), (12.0, 7.0)) * (0.6 if lack is not Lack.NONE else 1.0)
    at = signs * (half - inset)
    if corner[2]:
        axis = int(random.random() < 0.7)
        at[axis] = signs[axis] * (half[axis] + leg_half[axis] + random.uniform(*FREE_LEG_MM))
    return np.asarray(at)


def _balance(lack: Lack, half: Floats) -> Floats:
    """Return where the fifth acrobat must stand for the tile to lie on three legs."""
    return half * (0.12, 0.12) if lack is Lack.NO_LEG else np.zeros(2)


def _placed(table: SimTable, plan: Plan, middle: Floats, foot_mm: float) -> Placed:
    """Return an upright acrobat in the tile's frame, its pictures towards camera and player."""
    random = table.random
    head = turn_y(180.0) if random.random() < 0.4 else np.eye(3)
    facing = turn_z(180.0 if random.random() < 0.5 else 0.0)
    twist = turn_z(float(np.clip(random.normal(0, 4 * plan.spread_deg), -3.0, 3.0)))
    turn = turn_z(plan.turn_deg)
    at = np.array([plan.x_mm, plan.y_mm, foot_mm + table.kit.acrobat.length_mm / 2])
    return Placed(at + turn @ np.array([*middle, 0.0]), turn @ twist @ head @ facing)


def laid(kit: Kit, tile: Tile, middle: Floats, along: Floats, pose: BlockPose, *, face: float = 1.0) -> Placed:
    """Return an acrobat lying on the mat, its middle and its length's direction in the tile's frame.

    `pose` LIE: on its long narrow side; STAND: flat on a picture. `face` 1 or -1: which way it is turned over.
    """
    way = np.array([*(np.asarray(along) @ tile.axes), 0.0])
    way /= np.linalg.norm(way)
    up = np.array([0.0, 0.0, face])
    flat = pose is BlockPose.STAND
    x, y = (np.cross(up, way), up) if flat else (up, np.cross(way, up))
    high = kit.acrobat.thickness_mm if flat else kit.acrobat.width_mm
    at = np.array([*tile.on_mat(np.asarray(middle)), high / 2])
    return Placed(at, np.column_stack([x, y, way]))
