"""Does what physically stands in the build zone make the task? From poses alone: 3 mm and 2 degrees are right."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pi_app.core.names import BlockPose, Task
from pi_app.core.verdict import Reason
from pi_app.kit.model import Figure, Kit
from pi_app.sim.pieces import Floats, Piece, Placed, vec
from pi_app.vision.reading import PartKind

RIGHT_MM = 3.0
RIGHT_DEG = 2.0
WRONG_WIDTHS = 0.7
LINE_RIGHT_MM = 6.0
LINE_WRONG_MM = 12.0


@dataclass(frozen=True)
class Match:
    """Right or the reasons why not; `doubtful` where a measure lies between what counts as right and as wrong."""

    reasons: tuple[Reason, ...]
    doubtful: bool = False

    @property
    def right(self) -> bool:
        """Whether the structure makes the task."""
        return self.reasons == (Reason.OK,)


@dataclass(frozen=True, eq=False)
class _Block:
    """An acrobat seen from the front: `along` and `up` of its middle, `depth`, its pose (None: tilted or flat)."""

    along: float
    depth: float
    up: float
    pose: BlockPose | None
    bare: bool
    tilt_deg: float
    turn_deg: float


def match_structure(
    task: Task, figure: Figure | None, kit: Kit, places: Mapping[str, Placed], pieces: Mapping[str, Piece]
) -> Match:
    """Return whether the pieces in the build zone (`places`) make an acrobats figure, a tower or a line."""
    blocks = [placed for name, placed in places.items() if pieces[name].kind is PartKind.ACROBAT]
    match task:
        case Task.ACROBATS:
            assert figure is not None, "acrobats need a figure"
            return _match_figure(figure, kit, blocks)
        case Task.TOWER:
            return _match_tower(kit, places, pieces)
        case Task.LINE:
            stones = [placed.at_mm for name, placed in places.items() if pieces[name].kind is PartKind.STONE]
            return _match_line(kit, blocks, stones)
        case _:
            raise ValueError(f"got {task}, wanted acrobats, tower or line")


def _front_deg(rotations: list[Floats]) -> float:
    """Return the turn of the structure's front about z: the median of the picture faces' within 45 degrees of +y."""
    turns = []
    for rotation in rotations:
        normal = rotation[:, 1] if rotation[1, 1] >= 0 else -rotation[:, 1]
        turn = float(np.degrees(np.arctan2(-normal[0], normal[1])))
        if abs(normal[2]) < 0.5 and abs(turn) < 45:
            turns.append(turn)
    return float(np.median(turns)) if turns else 0.0


def _blocks(placed: list[Placed]) -> list[_Block]:
    front = _front_deg([p.rotation for p in placed])
    cos, sin = np.cos(np.deg2rad(front)), np.sin(np.deg2rad(front))
    right, away = np.array([cos, sin, 0.0]), np.array([-sin, cos, 0.0])
    return [_block(p, right, away) for p in placed]


def _block(placed: Placed, right: Floats, away: Floats) -> _Block:
    length, normal = placed.rotation[:, 2], placed.rotation[:, 1]
    facing = abs(float(normal @ away))
    upright, level = abs(float(length[2])), abs(float(length @ right))
    pose = (
        BlockPose.STAND
        if upright > 0.9
        else BlockPose.LIE
        if level > 0.9 or (upright < 0.1 and abs(normal[2]) < 0.1)
        else None
    )
    tilt = float(np.degrees(np.arccos(np.clip(max(upright, float(np.hypot(length[0], length[1]))), -1, 1))))
    turn = float(np.degrees(np.arccos(np.clip(facing, -1, 1))))
    bare = facing < 0.7
    return _Block(
        float(placed.at_mm @ right), float(placed.at_mm @ away), float(placed.at_mm[2]), pose, bare, tilt, turn
    )


def _match_figure(figure: Figure, kit: Kit, placed: list[Placed]) -> Match:
    blocks = _blocks(placed)
    if len(blocks) < len(figure.blocks):
        return Match((Reason.MISSING_PIECE,))
    if len(blocks) > len(figure.blocks):
        return Match((Reason.WRONG_FIGURE,))
    wide, long = kit.acrobat.width_mm, kit.acrobat.length_mm
    wanted = [
        (
            b.pose,
            b.x_mm + (wide if b.pose is BlockPose.STAND else long) / 2,
            b.z_mm + (long if b.pose is BlockPose.STAND else wide) / 2,
        )
        for b in figure.blocks
    ]
    off = _best_fit(wanted, blocks)
    if off > RIGHT_MM and any(block.bare for block in blocks):
        return Match((Reason.BARE_SIDE,))
    if off > RIGHT_MM:
        return Match((Reason.WRONG_FIGURE,), doubtful=off < WRONG_WIDTHS * wide - RIGHT_MM)
    if any(block.bare for block in blocks):
        return Match((Reason.BARE_SIDE,))
    twisted = max(max(block.turn_deg, block.tilt_deg) for block in blocks)
    depth = max(b.depth for b in blocks) - min(b.depth for b in blocks)
    return Match((Reason.OK,), doubtful=twisted > RIGHT_DEG or depth > 2 * RIGHT_MM)


def _best_fit(wanted: list[tuple[BlockPose, float, float]], blocks: list[_Block]) -> float:
    """Return the largest distance of a block from its place in the figure, the figure slid along to fit best."""
    best = float("inf")
    for anchor in blocks:
        for pose, x, z in wanted:
            if anchor.pose is pose and abs(anchor.up - z) < 12.0:
                best = min(best, _off(wanted, blocks, anchor.along - x))
    return best


def _off(wanted: list[tuple[BlockPose, float, float]], blocks: list[_Block], slide: float) -> float:
    left = list(blocks)
    offs = []
    for pose, x, z in wanted:
        alike = [b for b in left if b.pose is pose]
        if not alike:
            return float("inf")
        nearest = min(alike, key=lambda b: float(np.hypot(b.along - slide - x, b.up - z)))
        left.remove(nearest)
        offs.append((nearest.along - slide - x, nearest.up - z))
    errors = np.array(offs)
    return float(np.hypot(errors[:, 0], errors[:, 1]).max())


def _match_tower(kit: Kit, places: Mapping[str, Placed], pieces: Mapping[str, Piece]) -> Match:
    part = {PartKind.ACROBAT: "a", PartKind.TILE: "t"}
    stack = sorted((float(p.at_mm[2]), part[pieces[n].kind], p) for n, p in places.items() if pieces[n].kind in part)
    order = "".join(kind for _, kind, _ in stack)
    if sorted(order) != ["a", "a", "t", "t"]:
        return Match((Reason.MISSING_PIECE if len(order) < 4 else Reason.WRONG_ORDER,))
    if order != "atat" or abs(stack[0][2].rotation[2, 2]) < 0.9:
        return Match((Reason.WRONG_ORDER,))
    floor, second = stack[0][2].at_mm, stack[2][2]
    above = all(float(np.linalg.norm((p.at_mm - floor)[:2])) < 0.6 * kit.tile.size_mm for _, _, p in stack)
    upright = abs(second.rotation[2, 2]) > 0.9 or abs(second.rotation[2, 0]) > 0.9
    stacked = stack[3][0] > kit.acrobat.length_mm + kit.acrobat.thickness_mm
    return Match((Reason.OK,)) if above and upright and stacked else Match((Reason.WRONG_ORDER,))


def _match_line(kit: Kit, placed: list[Placed], stones: list[Floats]) -> Match:
    blocks = sorted(_blocks(placed), key=lambda block: block.along)
    if len(blocks) != 4:
        return Match((Reason.MISSING_PIECE if len(blocks) < 4 else Reason.WRONG_FIGURE,))
    if any(block.pose is not BlockPose.STAND for block in blocks):
        return Match((Reason.WRONG_FIGURE,))
    gaps = [b.along - a.along - kit.acrobat.width_mm for a, b in pairwise(blocks)]
    reasons = [Reason.BARE_SIDE] if any(block.bare for block in blocks) else []
    if max(gaps) > LINE_RIGHT_MM:
        reasons.append(Reason.NOT_ADJACENT)
    if not _stones_on_all(kit, placed, stones):
        reasons.append(Reason.NO_STONE)
    doubtful = LINE_RIGHT_MM < max(gaps) < LINE_WRONG_MM
    return Match(tuple(reasons) or (Reason.OK,), doubtful)


def _stones_on_all(kit: Kit, placed: list[Placed], stones: list[Floats]) -> bool:
    left = list(stones)
    for block in placed:
        top = block.at_mm + vec(0.0, 0.0, kit.acrobat.length_mm / 2)
        on_it = [
            s
            for s in left
            if abs(s[2] - top[2]) < kit.stone.height_mm and np.hypot(*(s - top)[:2]) < kit.acrobat.width_mm * 0.6
        ]
        if len(on_it) != 1:
            return False
        left = [s for s in left if s is not on_it[0]]
    return True
