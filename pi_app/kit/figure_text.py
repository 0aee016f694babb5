"""Figures as text a person can draw: an ASCII elevation, as the active player sees it.

    .....FFFFFF.....    Each block is a rectangle of one letter or digit, no two blocks of a figure with the same one.
    .....FFFFFF.....    A column is a sixth of an acrobat's width, a row a third of it: an acrobat with length twice its
    AAAAAABBBBBBCCCC    width stands on 6 x 6 characters and lies on 12 x 3. Dots and spaces are empty.

Blocks rest on what is below them, or on the table under the last row; neighbours without a dot between them touch.
Where that is not exact enough a line below the drawing says it in mm from the figure's left end and from the table:

    x: B 34.5, C 69
    z: F 60
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits

from pi_app.core.errors import UserError
from pi_app.core.names import BlockPose
from pi_app.kit.model import Acrobat, Figure, FigureBlock

COLUMNS, ROWS = 6, 3
"""Characters to an acrobat's width, across and up."""
LETTERS = ascii_uppercase + digits + ascii_lowercase
EMPTY = " ."
EXACT_MM = 0.05
MAX_ROWS, MAX_COLUMNS, MAX_BLOCKS = 200, 400, 16
SLACK = 0.34
"""A drawn block may be so much of an acrobat's width larger or smaller than it is."""
_NOTE = re.compile(r"\s*([xz]):(.*)", re.DOTALL)
_ENTRY = re.compile(r"\s*(\w)\s+(-?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True)
class _Drawn:
    """One letter's rectangle: columns and rows counted from the left and from the table, ends outside."""

    letter: str
    left: int
    right: int
    low: int
    high: int
    line: int
    """The line of the text, from 1, of its upper edge."""

    def over(self, other: _Drawn) -> bool:
        """Whether it is drawn directly on top of another."""
        return self.low == other.high and self.left < other.right and other.left < self.right

    def beside(self, other: _Drawn) -> bool:
        """Whether it is drawn directly to the right of another."""
        return self.left == other.right and self.low < other.high and other.low < self.high


def parse_figure(name: str, text: str, acrobat: Acrobat) -> Figure:
    """Return the figure that a drawing shows, blocks in the letters' order; UserError names line and column."""
    picture, notes = _split(name, text)
    blocks = _blocks(name, picture)
    poses = {block.letter: _pose(name, block, acrobat) for block in blocks}
    places = _places(blocks, poses, _notes(name, notes, poses), acrobat)
    left = min(x for x, _ in places.values())
    drawn = [
        FigureBlock(pose=poses[letter], x_mm=round(places[letter][0] - left, 3), z_mm=round(places[letter][1], 3))
        for letter in sorted(places, key=LETTERS.index)
    ]
    return Figure(id=name, blocks=tuple(drawn))


def format_figure(figure: Figure, acrobat: Acrobat) -> str:
    """Return the drawing of a figure; `parse_figure` reads it back, the leftmost block at x = 0.

    UserError where blocks overlap, so that they cannot be drawn.
    """
    left = min(block.x_mm for block in figure.blocks)
    boxes = [_box(block, left, acrobat) for block in figure.blocks]
    rows, columns = max(box[3] for box in boxes), max(box[1] for box in boxes)
    canvas = [["."] * columns for _ in range(rows)]
    for letter, (x0, x1, z0, z1) in zip(LETTERS, boxes, strict=False):
        for row in range(z0, z1):
            if any(cell != "." for cell in canvas[row][x0:x1]):
                raise UserError(
                    f"{figure.id}: block {letter}: got it in the place of another, wanted a place of its own"
                )
            canvas[row][x0:x1] = letter * (x1 - x0)
    lines = ["".join(row).rstrip(".") or "." for row in reversed(canvas)]
    return "\n".join(lines + _exact(figure, "\n".join(lines), left, acrobat)) + "\n"


def _box(block: FigureBlock, left_mm: float, acrobat: Acrobat) -> tuple[int, int, int, int]:
    """Return the first and the last column and row of a block, ends outside."""
    wide, high = _size(block.pose, acrobat)
    column, row = acrobat.width_mm / COLUMNS, acrobat.width_mm / ROWS
    x, z = block.x_mm - left_mm, block.z_mm
    return round(x / column), round((x + wide) / column), round(z / row), round((z + high) / row)


def _exact(figure: Figure, drawing: str, left_mm: float, acrobat: Acrobat) -> list[str]:
    """Return the notes for blocks that the drawing alone would put elsewhere, heights after the places they rest on."""
    lines: list[str] = []
    for axis in ("x", "z"):
        read = parse_figure(figure.id, "\n".join([drawing, *lines]), acrobat)
        shift = _shift(figure, read, left_mm) if axis == "x" else 0.0
        noted = [
            f"{letter} {_wanted(block, axis, left_mm):g}"
            for letter, block, got in zip(LETTERS, figure.blocks, read.blocks, strict=False)
            if abs(_wanted(block, axis, left_mm) - _wanted(got, axis, shift)) > EXACT_MM
        ]
        lines += [f"{axis}: {', '.join(noted)}"] if noted else []
    return lines


def _shift(figure: Figure, read: Figure, left_mm: float) -> float:
    """Return where the read figure has what is the figure's left end: its leftmost block is the same or another."""
    first = min(range(len(figure.blocks)), key=lambda index: figure.blocks[index].x_mm)
    return read.blocks[first].x_mm - (figure.blocks[first].x_mm - left_mm)


def _wanted(block: FigureBlock, axis: str, left_mm: float) -> float:
    return round(block.x_mm - left_mm if axis == "x" else block.z_mm, 2)


def _size(pose: BlockPose, acrobat: Acrobat) -> tuple[float, float]:
    size = (acrobat.width_mm, acrobat.length_mm)
    return size if pose is BlockPose.STAND else size[::-1]


def _split(name: str, text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return the drawing's lines and the notes' lines with their numbers from 1."""
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1)]
    notes = [(number, line) for number, line in lines if _NOTE.fullmatch(line)]
    first = notes[0][0] if notes else len(lines) + 1
    picture = [(number, line) for number, line in lines if number < first]
    while picture and not picture[0][1]:
        picture.pop(0)
    while picture and not picture[-1][1]:
        picture.pop()
    for number, line in lines:
        if number > first and line and not _NOTE.fullmatch(line):
            raise UserError(
                f"{name}: line {number}: got {line.strip()[:30]!r} after a note, wanted x: or z: and places"
            )
    if not picture:
        raise UserError(f"{name}: line 1: got no drawing, wanted rows of letters, one letter for each block")
    if len(picture) > MAX_ROWS or max(len(line) for _, line in picture) > MAX_COLUMNS:
        raise UserError(
            f"{name}: line {picture[0][0]}: got a drawing of more than {MAX_COLUMNS} x {MAX_ROWS} characters"
        )
    return picture, notes


def _blocks(name: str, picture: list[tuple[int, str]]) -> list[_Drawn]:
    """Return the letters' rectangles; UserError where a character is none or a letter does not make a rectangle."""
    cells: dict[str, list[tuple[int, int]]] = {}
    for height, (number, line) in enumerate(reversed(picture)):
        for column, letter in enumerate(line):
            if letter in EMPTY:
                continue
            if letter not in LETTERS:
                raise UserError(
                    f"{name}: line {number}, column {column + 1}: got {letter!r}, wanted a letter, a digit or ."
                )
            cells.setdefault(letter, []).append((column, height))
    if not cells:
        raise UserError(f"{name}: line {picture[0][0]}: got no block, wanted one letter or digit for each")
    if len(cells) > MAX_BLOCKS:
        raise UserError(f"{name}: line {picture[0][0]}: got {len(cells)} blocks, wanted at most {MAX_BLOCKS}")
    return [_rectangle(name, letter, places, picture) for letter, places in cells.items()]


def _rectangle(name: str, letter: str, cells: list[tuple[int, int]], picture: list[tuple[int, str]]) -> _Drawn:
    left, right = min(c for c, _ in cells), max(c for c, _ in cells) + 1
    low, high = min(r for _, r in cells), max(r for _, r in cells) + 1
    filled = set(cells)
    for row in range(high - 1, low - 1, -1):
        for column in range(left, right):
            if (column, row) not in filled:
                number, line = picture[len(picture) - 1 - row]
                got = line[column] if column < len(line) else " "
                where = f"{name}: line {number}, column {column + 1}"
                raise UserError(f"{where}: got {got!r} within block {letter}, wanted a full rectangle of {letter}")
    return _Drawn(letter, left, right, low, high, picture[len(picture) - high][0])


def _pose(name: str, block: _Drawn, acrobat: Acrobat) -> BlockPose:
    wide = (block.right - block.left) * acrobat.width_mm / COLUMNS
    high = (block.high - block.low) * acrobat.width_mm / ROWS
    slack = SLACK * acrobat.width_mm
    for pose in BlockPose:
        size = _size(pose, acrobat)
        if abs(wide - size[0]) <= slack and abs(high - size[1]) <= slack:
            return pose
    ratio = acrobat.length_mm / acrobat.width_mm
    stands, lies = f"{COLUMNS} x {round(ratio * ROWS)} standing", f"{round(ratio * COLUMNS)} x {ROWS} lying"
    got = f"{block.right - block.left} x {block.high - block.low}"
    where = f"{name}: line {block.line}, column {block.left + 1}"
    raise UserError(f"{where}: got block {block.letter} of {got} characters, wanted {stands} or {lies}")


def _notes(name: str, lines: list[tuple[int, str]], known: dict[str, BlockPose]) -> dict[str, dict[str, float]]:
    """Return the places in mm that are given: by axis and letter."""
    given: dict[str, dict[str, float]] = {"x": {}, "z": {}}
    for number, line in lines:
        match = _NOTE.fullmatch(line)
        assert match is not None, "notes were told by the same pattern"
        start = match.start(2)
        for entry in match[2].split(","):
            where = f"{name}: line {number}, column {start + len(entry) - len(entry.lstrip()) + 1}"
            place = _ENTRY.fullmatch(entry)
            if place is None:
                raise UserError(
                    f"{where}: got {entry.strip()[:30]!r}, wanted a block's letter and a number of mm, as B 34.5"
                )
            if place[1] not in known:
                raise UserError(
                    f"{where}: got {place[1]!r}, wanted one of the drawing's blocks {''.join(sorted(known))}"
                )
            if not -500 <= float(place[2]) <= 1000:
                raise UserError(f"{where}: got {place[2]} mm, wanted at most 1000")
            given[match[1]][place[1]] = float(place[2])
            start += len(entry) + 1
    return given


def _places(
    blocks: list[_Drawn], poses: dict[str, BlockPose], given: dict[str, dict[str, float]], acrobat: Acrobat
) -> dict[str, tuple[float, float]]:
    """Return x, z in mm of each block's lower left corner: what is given, else what it touches, else the grid."""
    size = {letter: _size(pose, acrobat) for letter, pose in poses.items()}
    first = min(block.left for block in blocks)
    xs: dict[str, float] = {}
    for block in sorted(blocks, key=lambda block: block.left):
        touched = [other for other in blocks if block.beside(other)]
        grid = (block.left - first) * acrobat.width_mm / COLUMNS
        beside = max((xs[other.letter] + size[other.letter][0] for other in touched), default=grid)
        xs[block.letter] = given["x"].get(block.letter, beside)
    zs: dict[str, float] = {}
    for block in sorted(blocks, key=lambda block: block.low):
        below = [other for other in blocks if block.over(other)]
        grid = block.low * acrobat.width_mm / ROWS
        rest = max((zs[other.letter] + size[other.letter][1] for other in below), default=grid)
        zs[block.letter] = given["z"].get(block.letter, rest)
    return {letter: (xs[letter], zs[letter]) for letter in xs}
