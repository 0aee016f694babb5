"""Is a kit that loads also sensible? Findings for its owner; none of them keeps the kit from being used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.names import BlockPose, Colour, Task
from pi_app.kit.model import Acrobat, Figure, FigureBlock, Kit

DECK = 80
"""Cards of a deck (rulebook, "Components")."""
BAG = {Colour.YELLOW: 12, Colour.RED: 8, Colour.BLUE: 5}
"""Stones of a bag (rulebook, "Components")."""
ACROBATS = 6
OBJECTS = 10
TOUCH_MM = 1.0
"""Faces closer than this count as touching, blocks that share less than this as not overlapping."""


class Grade(StrEnum):
    """How much a finding matters: an error cannot be played, a warning is for the owner to look at."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: where in kit.toml, and what was got and wanted."""

    grade: Grade
    key: str
    text: str

    def __str__(self) -> str:
        return f"{self.grade}: {self.key}: {self.text}"


def check_kit(kit: Kit) -> list[Finding]:
    """Return what is odd about the deck, the parts and the figures; an empty list is a clean kit."""
    return [*_parts(kit), *_deck(kit), *_jugglers(kit), *_figures(kit)]


def check_figure(figure: Figure, acrobat: Acrobat, key: str) -> list[Finding]:
    """Return why a figure cannot be built from this kit's acrobats, block by block."""
    blocks = [_Block.of(block, acrobat) for block in figure.blocks]
    findings = []
    if len(blocks) > len(acrobat.piece):
        text = f"{figure.id!r} uses {len(blocks)} acrobats, wanted at most the {len(acrobat.piece)} there are"
        findings.append(Finding(Grade.ERROR, f"{key}.blocks", text))
    for index, block in enumerate(blocks):
        at = f"{key}.blocks[{index}]"
        for other, below in enumerate(blocks[:index]):
            if block.overlaps(below):
                findings.append(Finding(Grade.ERROR, at, f"{figure.id!r} has it in the place of block {other}"))
    return findings or list(_unsteady(figure, blocks, key))


@dataclass(frozen=True, slots=True)
class _Block:
    x0: float
    x1: float
    z0: float
    z1: float

    @classmethod
    def of(cls, block: FigureBlock, acrobat: Acrobat) -> _Block:
        wide, high = acrobat.width_mm, acrobat.length_mm
        if block.pose is BlockPose.LIE:
            wide, high = high, wide
        return cls(block.x_mm, block.x_mm + wide, block.z_mm, block.z_mm + high)

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    def overlaps(self, other: _Block) -> bool:
        across = min(self.x1, other.x1) - max(self.x0, other.x0)
        up = min(self.z1, other.z1) - max(self.z0, other.z0)
        return across > TOUCH_MM and up > TOUCH_MM

    def contact(self, below: _Block) -> tuple[float, float] | None:
        """Return the stretch of x on which this block stands on another."""
        x0, x1 = max(self.x0, below.x0), min(self.x1, below.x1)
        return (x0, x1) if abs(self.z0 - below.z1) <= TOUCH_MM and x1 - x0 > TOUCH_MM else None


def _unsteady(figure: Figure, blocks: list[_Block], key: str) -> Iterator[Finding]:
    """Find blocks without support or whose weight, with what stands on them, hangs beside it.

    Each block's weight and what it carries is passed down to the supports nearest to its centre, by the lever law;
    a figure that is steady only through another share of the load is reported though it may stand.
    """
    weight = [1.0] * len(blocks)
    moment = [block.middle for block in blocks]
    for index in sorted(range(len(blocks)), key=lambda i: -blocks[i].z0):
        block, at = blocks[index], f"{key}.blocks[{index}]"
        if abs(block.z0) <= TOUCH_MM:
            supports = {-1: (block.x0, block.x1)}
        else:
            contacts = {other: block.contact(below) for other, below in enumerate(blocks)}
            supports = {other: contact for other, contact in contacts.items() if contact}
        if not supports:
            yield Finding(Grade.ERROR, at, f"{figure.id!r} has nothing under it at z_mm = {block.z0:g}")
            continue
        shares = _shares(moment[index] / weight[index], supports)
        if shares is None:
            yield Finding(Grade.ERROR, at, f"{figure.id!r} cannot stand: its load hangs beside what is under it")
            continue
        for support, part, x in shares:
            if support >= 0:
                weight[support] += part * weight[index]
                moment[support] += part * weight[index] * x


def _shares(x: float, supports: dict[int, tuple[float, float]]) -> list[tuple[int, float, float]] | None:
    """Return support, part of the load and where it presses, or None where the load at x is not between supports."""
    for support, (x0, x1) in supports.items():
        if x0 <= x <= x1:
            return [(support, 1.0, x)]
    left = max(((x1, support) for support, (_, x1) in supports.items() if x1 < x), default=None)
    right = min(((x0, support) for support, (x0, _) in supports.items() if x0 > x), default=None)
    if left is None or right is None:
        return None
    part = (x - left[0]) / (right[0] - left[0])
    return [(left[1], 1 - part, left[0]), (right[1], part, right[0])]


def _figures(kit: Kit) -> Iterator[Finding]:
    used = {card.figure for card in kit.card if card.task is Task.ACROBATS}
    for index, figure in enumerate(kit.figure):
        key = f"figure[{index}]"
        yield from check_figure(figure, kit.acrobat, key)
        if len(figure.blocks) < len(kit.acrobat.piece):
            text = f"{figure.id!r} uses {len(figure.blocks)} acrobats, the rulebook uses all {len(kit.acrobat.piece)}"
            yield Finding(Grade.WARNING, f"{key}.blocks", text)
        if figure.id not in used:
            yield Finding(Grade.WARNING, key, f"{figure.id!r} is on no card")


def _deck(kit: Kit) -> Iterator[Finding]:
    total = sum(card.count for card in kit.card)
    if total != DECK:
        yield Finding(Grade.WARNING, "card.count", f"got {total} cards in all, the rulebook has {DECK}")
    tasks = Counter(card.task for card in kit.card if card.count)
    for task in Task:
        if not tasks[task]:
            yield Finding(Grade.WARNING, "card.task", f"got no {task} card, the rulebook has some")


def _parts(kit: Kit) -> Iterator[Finding]:
    for key, got, wanted, what in (
        ("acrobat.piece", len(kit.acrobat.piece), ACROBATS, "acrobats"),
        ("tile.piece", len(kit.tile.piece), OBJECTS, "object tiles"),
    ):
        if got != wanted:
            yield Finding(Grade.WARNING, key, f"got {got} {what}, the rulebook has {wanted}")


def _jugglers(kit: Kit) -> Iterator[Finding]:
    for index, card in enumerate(kit.card):
        if card.task is not Task.JUGGLER or card.stones is None:
            continue
        wanted = {colour: card.stones.of(colour) for colour in Colour}
        if not any(wanted.values()):
            yield Finding(Grade.ERROR, f"card[{index}].stones", f"{card.id!r} asks for no stone")
        for colour, count in wanted.items():
            if count > BAG[colour]:
                text = f"{card.id!r} asks for {count} {colour} stones, the bag has {BAG[colour]}"
                yield Finding(Grade.ERROR, f"card[{index}].stones.{colour}", text)
