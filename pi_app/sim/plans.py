"""Structures to build: which piece goes where, lowest first; well, or with a named flaw. mm, mat frame."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pi_app.core.names import BlockPose, Task
from pi_app.kit.model import Figure, FigureBlock, Kit
from pi_app.sim.pieces import Floats, Placed, acrobat_name, tile_name, turn_y, turn_z
from pi_app.sim.table import SimTable


class Flaw(StrEnum):
    """What goes wrong when a structure is built badly; a hand that stays near without touching does no harm."""

    NONE = "none"
    WRONG_POSE = "wrong_pose"
    MIRRORED = "mirrored"
    GAP = "gap"
    MISSING_PIECE = "missing_piece"
    BARE_SIDE = "bare_side"
    WRONG_ORDER = "wrong_order"
    NO_STONE = "no_stone"
    HELD = "held"
    TOO_SHORT = "too_short"
    KNOCKED_OVER = "knocked_over"
    TABLE_KNOCKED = "table_knocked"
    NEVER_LET_GO = "never_let_go"
    HAND_NEAR = "hand_near"


AFTER = (Flaw.HELD, Flaw.TOO_SHORT, Flaw.KNOCKED_OVER, Flaw.TABLE_KNOCKED, Flaw.NEVER_LET_GO, Flaw.HAND_NEAR)
"""Flaws of what happens after building; the structure itself is right."""


@dataclass(frozen=True)
class Plan:
    """One structure to build: where, turned how far, how precisely and with which flaw."""

    task: Task
    figure: Figure | None = None
    x_mm: float = 0.0
    y_mm: float = -10.0
    turn_deg: float = 0.0
    flaw: Flaw = Flaw.NONE
    spread_mm: float = 0.5
    spread_deg: float = 0.3
    flaw_after_s: float = 1.2


@dataclass(frozen=True, eq=False)
class Step:
    """A piece and where it goes."""

    name: str
    target: Placed


def steps_of(plan: Plan, table: SimTable) -> list[Step]:
    """Return the pieces of a plan, lowest first, flaw included."""
    match plan.task:
        case Task.ACROBATS:
            return _figure_steps(plan, table)
        case Task.TOWER:
            return _tower_steps(plan, table)
        case Task.LINE:
            return _line_steps(plan, table)
        case _:
            raise ValueError(f"got {plan.task}, wanted acrobats, tower or line")


def _jitter(table: SimTable, plan: Plan) -> tuple[Floats, float]:
    random = table.random
    off = np.clip(random.normal(0, plan.spread_mm, 2), -2 * plan.spread_mm, 2 * plan.spread_mm)
    return np.array([*off, 0.0]), float(
        np.clip(random.normal(0, plan.spread_deg), -2 * plan.spread_deg, 2 * plan.spread_deg)
    )


def _set(table: SimTable, plan: Plan, along_mm: float, middle_z_mm: float, rotation: Floats) -> Placed:
    """Return a piece's place: `along_mm` from the structure's middle, in the turned structure."""
    off, twist = _jitter(table, plan)
    turn = turn_z(plan.turn_deg)
    at = np.array([plan.x_mm, plan.y_mm, middle_z_mm]) + turn @ (np.array([along_mm, 0.0, 0.0]) + off)
    return Placed(at, turn @ turn_z(twist) @ rotation)


def _facing(table: SimTable, pose: BlockPose) -> Floats:
    """Return a block's turn: head up or down, either picture to the camera, as it happens to be taken."""
    random = table.random
    side = turn_z(180.0 if random.random() < 0.5 else 0.0)
    if pose is BlockPose.STAND:
        return turn_y(180.0 if random.random() < 0.4 else 0.0) @ side
    return turn_y(90.0 if random.random() < 0.5 else -90.0) @ side


def _blocks(plan: Plan, kit: Kit) -> list[FigureBlock]:
    assert plan.figure is not None, "acrobats need a figure"
    blocks = sorted(plan.figure.blocks, key=lambda block: (block.z_mm, block.x_mm))
    if plan.flaw is Flaw.MISSING_PIECE:
        return blocks[:-1]
    if plan.flaw is Flaw.MIRRORED:
        return [_mirrored(block, kit) for block in blocks]
    return blocks


def _mirrored(block: FigureBlock, kit: Kit) -> FigureBlock:
    wide = kit.acrobat.width_mm if block.pose is BlockPose.STAND else kit.acrobat.length_mm
    return FigureBlock(pose=block.pose, x_mm=-block.x_mm - wide, z_mm=block.z_mm)


def _figure_steps(plan: Plan, table: SimTable) -> list[Step]:
    kit = table.kit
    blocks = _blocks(plan, kit)
    wide, long = kit.acrobat.width_mm, kit.acrobat.length_mm
    sizes = [(wide, long) if block.pose is BlockPose.STAND else (long, wide) for block in blocks]
    left = min(block.x_mm for block in blocks)
    right = max(block.x_mm + size[0] for block, size in zip(blocks, sizes, strict=True))
    names = [acrobat_name(piece.id) for piece in kit.acrobat.piece]
    table.random.shuffle(names)
    steps = []
    for n, (block, (width, height)) in enumerate(zip(blocks, sizes, strict=True)):
        along, up, pose = block.x_mm + width / 2 - (left + right) / 2, block.z_mm + height / 2, block.pose
        if n == len(blocks) - 1 and plan.flaw is Flaw.WRONG_POSE:
            pose = BlockPose.LIE if pose is BlockPose.STAND else BlockPose.STAND
            up = block.z_mm + (long if pose is BlockPose.STAND else wide) / 2
        if n == len(blocks) - 1 and plan.flaw is Flaw.GAP:
            along += wide * (0.85 if along <= 0 else -0.85) * (1 if block.z_mm else -1)
        rotation = _facing(table, pose)
        if n == _bare_block(blocks) and plan.flaw is Flaw.BARE_SIDE:
            rotation = turn_z(90.0) @ rotation
        steps.append(Step(names[n], _set(table, plan, along, up, rotation)))
    return steps


def _bare_block(blocks: list[FigureBlock]) -> int:
    """Return the block to turn its bare side: a standing one with nothing on it where there is one, else the last."""
    for n, block in reversed(list(enumerate(blocks))):
        if block.pose is BlockPose.STAND:
            return n
    return len(blocks) - 1


def _tower_steps(plan: Plan, table: SimTable) -> list[Step]:
    kit = table.kit
    names = [acrobat_name(piece.id) for piece in kit.acrobat.piece]
    tiles = [tile_name(piece.id) for piece in kit.tile.piece]
    table.random.shuffle(names)
    table.random.shuffle(tiles)
    order = {"aatt": Flaw.WRONG_ORDER, "ata": Flaw.MISSING_PIECE}
    kinds = next((kinds for kinds, flaw in order.items() if flaw is plan.flaw), "atat")
    level, steps = 0.0, []
    for kind in kinds:
        height = kit.acrobat.length_mm if kind == "a" else kit.tile.thickness_mm
        rotation = _facing(table, BlockPose.STAND) if kind == "a" else turn_z(float(table.random.uniform(0, 90)))
        if kind == "a" and plan.flaw is Flaw.BARE_SIDE and not level:
            rotation = turn_z(90.0) @ rotation
        steps.append(
            Step((names if kind == "a" else tiles).pop(), _set(table, plan, 0.0, level + height / 2, rotation))
        )
        level += height
    return steps


def _line_steps(plan: Plan, table: SimTable) -> list[Step]:
    kit = table.kit
    wide, long = kit.acrobat.width_mm, kit.acrobat.length_mm
    names = [acrobat_name(piece.id) for piece in kit.acrobat.piece]
    table.random.shuffle(names)
    gap, wider = 1.2, (wide * 0.9 if plan.flaw is Flaw.GAP else 0.0)
    steps, alongs = [], []
    for n in range(3 if plan.flaw is Flaw.MISSING_PIECE else 4):
        along = (n - 1.5) * (wide + gap) + (wider if n >= 2 else 0.0) - wider / 2
        rotation = _facing(table, BlockPose.STAND)
        if plan.flaw is Flaw.BARE_SIDE and n == 3:
            along, rotation = along + (kit.acrobat.thickness_mm - wide) / 2, turn_z(90.0) @ rotation
        alongs.append(along)
        steps.append(Step(names[n], _set(table, plan, along, long / 2, rotation)))
    for along in alongs[: 3 if plan.flaw is Flaw.NO_STONE else 4]:
        steps.append(Step(table.draw_stone(), _set(table, plan, along, long + kit.stone.height_mm / 2, np.eye(3))))  # noqa: PERF401
    return steps
