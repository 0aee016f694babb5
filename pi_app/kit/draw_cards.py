"""The sample kit's cards and its Action Overview tile."""

from __future__ import annotations

from collections.abc import Callable

from pi_app.core.names import BlockPose, Colour, Task
from pi_app.kit.draw import Image, Pen, Srgb, arc, rounded, sheet, star
from pi_app.kit.draw_acrobats import PERFORMERS, POSES, WOOD, draw_sticker
from pi_app.kit.draw_objects import OBJECTS
from pi_app.kit.model import POINTS, Card, Figure, Kit

PAPER: Srgb = (253, 248, 234)
INK: Srgb = (44, 38, 44)
SKIN: Srgb = (240, 204, 168)
CARD_MM = (60.0, 86.0)
FRAME: dict[Task, Srgb] = {
    Task.THROW: (214, 116, 36),
    Task.FIND: (34, 104, 150),
    Task.ACROBATS: (176, 40, 70),
    Task.TOWER: (86, 122, 52),
    Task.TUNNEL: (108, 70, 142),
    Task.LINE: (20, 122, 118),
    Task.JUGGLER: (72, 72, 84),
}


def draw_card(card: Card, kit: Kit, px_per_mm: float) -> Image:
    """Return a card's face; the points stand in its upper left corner, as the rulebook has them."""
    width, height = CARD_MM
    frame = FRAME[card.task]
    pen = sheet(width, height, px_per_mm, PAPER)
    pen.polygon(rounded(1.6, 1.6, width - 1.6, height - 1.6, 4.0), PAPER, frame, 1.2)
    for x, y in ((width - 6, 6), (6, height - 6), (width - 6, height - 6)):
        pen.polygon(star(x, y, 2.2), frame)
    pen.circle(9, 9, 6.4, frame)
    pen.text(str(card.points), 9, 9, 6.6, PAPER, 0.19)
    pen.box(9, 70.5, width - 9, 79, frame, round_mm=4.2)
    pen.text(card.task.upper(), width / 2, 74.75, 3.6, PAPER, 0.17)
    _picture(pen.at(width / 2, 42), card, kit)
    return pen.finished()


def draw_overview(kit: Kit, px_per_mm: float) -> Image:
    """Return the Action Overview tile: the seven tasks with their points."""
    width, height = kit.overview.width_mm, kit.overview.height_mm
    pen = sheet(width, height, px_per_mm, (122, 30, 52))
    pen.box(3, 3, width - 3, height - 3, PAPER, (246, 206, 70), 0.8, 3)
    pen.box(width / 2 - 42, 6, width / 2 + 42, 15.4, (122, 30, 52), round_mm=4.6)
    pen.text("ACTION OVERVIEW", width / 2, 10.7, 4.2, PAPER, 0.18)
    cell_x, cell_y = (width - 12) / 4, (height - 23) / 2
    for place, task in enumerate(Task):
        row, column = divmod(place, 4)
        x = 6 + cell_x * (column + 0.5 + 0.5 * row)
        y = 18 + cell_y * (row + 0.5)
        _picture(pen.at(x, y - 2.4, 0.5), _example(task, kit), kit)
        pen.circle(x - 10.5, y + 13.2, 2.7, FRAME[task])
        pen.text(str(POINTS[task]), x - 10.5, y + 13.2, 2.8, PAPER, 0.19)
        pen.text(task.upper(), x + 3, y + 13.2, 2.1, FRAME[task], 0.18)
    return pen.finished()


def draw_figure(pen: Pen, figure: Figure, length_mm: float, width_mm: float) -> None:
    """Draw a figure's front elevation about the pen's origin, as large as 46 x 44 mm allow."""
    sizes = [block_size(block.pose, length_mm, width_mm) for block in figure.blocks]
    right = max(block.x_mm + w for block, (w, _) in zip(figure.blocks, sizes, strict=True))
    left = min(block.x_mm for block in figure.blocks)
    top = max(block.z_mm + h for block, (_, h) in zip(figure.blocks, sizes, strict=True))
    scale = min(46 / (right - left), 44 / top)
    for piece, (block, (w, h)) in enumerate(zip(figure.blocks, sizes, strict=True)):
        x = (block.x_mm + w / 2 - (left + right) / 2) * scale
        y = (top / 2 - block.z_mm - h / 2) * scale
        turn = 0.0 if block.pose is BlockPose.STAND else 90.0
        _acrobat(pen.at(x, y, scale, turn), piece, length_mm, width_mm)


def block_size(pose: BlockPose, length_mm: float, width_mm: float) -> tuple[float, float]:
    """Return a block's width and height in the front elevation."""
    return (width_mm, length_mm) if pose is BlockPose.STAND else (length_mm, width_mm)


def _picture(pen: Pen, card: Card, kit: Kit) -> None:
    match card.task:
        case Task.FIND:
            OBJECTS[card.object or ""](pen.at(0, 0, 1.12))
        case Task.ACROBATS:
            draw_figure(pen, kit.figure_named(card.figure or ""), kit.acrobat.length_mm, kit.acrobat.width_mm)
        case Task.JUGGLER:
            _juggler(pen, card, kit)
        case _:
            _SCENES[card.task](pen, kit)


def _acrobat(pen: Pen, piece: int, length_mm: float, width_mm: float) -> None:
    pen.box(-width_mm / 2, -length_mm / 2, width_mm / 2, length_mm / 2, WOOD, INK, 1.2)
    performer = piece % len(PERFORMERS)
    draw_sticker(pen.at(0, 0, (width_mm - 5) / 22), PERFORMERS[performer], POSES[2 * performer], back=False)


def _block(pen: Pen, x: float, foot: float, width: float = 10.0, height: float = 20.0) -> None:
    pen.box(x - width / 2, foot - height, x + width / 2, foot, WOOD, INK, 0.6, 0.5)
    pen.box(x - width / 2 + 1.4, foot - height + 1.4, x + width / 2 - 1.4, foot - 1.4, (190, 62, 70), round_mm=0.8)
    middle = foot - height / 2
    pen.circle(x, middle - 4.6, 1.7, PAPER)
    pen.line([(x, middle - 1.6), (x, middle + 2)], PAPER, 1.3)
    for hand, foot_x in ((-2.4, -1.6), (2.4, 1.6)):
        pen.line([(x, middle - 1.4), (x + hand, middle - 4)], PAPER, 0.9)
        pen.line([(x, middle + 2), (x + foot_x, middle + 6)], PAPER, 0.9)


def _stone(pen: Pen, x: float, y: float, r: float, colour: Srgb) -> None:
    pen.circle(x, y, r, colour, INK, 0.6)
    pen.ellipse(x - r * 0.32, y - r * 0.38, r * 0.28, r * 0.2, (255, 255, 255))


def _throw(pen: Pen, kit: Kit) -> None:
    _stone(pen, 0, -17, 5.0, kit.stone.colours.of(Colour.RED))
    for way in (-1, 1):
        end = -3 + way * 8
        pen.line([(-9, -3), (-9, end)], FRAME[Task.THROW], 1.6)
        pen.polygon([(-12, end), (-6, end), (-9, end + way * 4)], FRAME[Task.THROW])
    pen.line([(-14, 9.6), (14, 9.6)], INK, 0.5)
    pen.text("10 CM", 7, -3, 4.0, FRAME[Task.THROW], 0.17)
    hand = [*arc(0, 12, 11, 10, 0, 180, 24), (-11, 12)]
    pen.polygon(hand, SKIN, INK, 0.7)
    pen.limb([(10, 14), (14, 9.6)], SKIN, 3.2, INK)
    for x in (-6.2, -1.4, 3.4):
        pen.line([(x, 12.6), (x + 0.6, 16)], INK, 0.5)


def _tower(pen: Pen, kit: Kit) -> None:
    del kit
    for foot in (22.0, -0.8):
        _block(pen, 0, foot)
        pen.box(-11, foot - 22.4, 11, foot - 20.2, (252, 236, 200), INK, 0.6, 0.6)


def _tunnel(pen: Pen, kit: Kit) -> None:
    del kit
    for x, foot in ((-10, 16), (10, 16)):
        _block(pen, x, foot, 8, 17)
    for x, foot in ((-17, 20), (17, 20)):
        _block(pen, x, foot, 9, 20)
    pen.polygon([(-24, 1.4), (-16, -3.6), (16, -3.6), (24, 1.4)], (122, 30, 52), INK, 0.6)
    pen.box(-24, 0.4, 24, 2.4, (252, 236, 200), INK, 0.6)
    _block(pen, 0, -1.4)
    _block(pen, -2.4, 21, 7.4, 14)
    pen.line([(3.4, 18.6), (8, 18.6)], FRAME[Task.TUNNEL], 1.4)
    pen.polygon([(7.4, 16), (7.4, 21.2), (11, 18.6)], FRAME[Task.TUNNEL])


def _line(pen: Pen, kit: Kit) -> None:
    for place, colour in enumerate((Colour.YELLOW, Colour.RED, Colour.YELLOW, Colour.BLUE)):
        x = -15.6 + 10.4 * place
        _block(pen, x, 14)
        pen.ellipse(x, -8.6, 3.9, 2.3, kit.stone.colours.of(colour), INK, 0.5)
        pen.ellipse(x - 1.2, -9.4, 1.1, 0.5, (255, 255, 255))


def _juggler(pen: Pen, card: Card, kit: Kit) -> None:
    stones = [colour for colour in Colour for _ in range(card.stones.of(colour) if card.stones else 0)]
    places = ((-13.0, 5.0), (0.0, -13.0), (13.0, 5.0), (0.0, 14.0), (-15.0, -9.0), (15.0, -9.0))
    for (x, y), colour in zip(places, stones, strict=False):
        _stone(pen, x, y, 7.4, kit.stone.colours.of(colour))


def _example(task: Task, kit: Kit) -> Card:
    return next(card for card in kit.card if card.task is task)


_SCENES: dict[Task, Callable[[Pen, Kit], None]] = {
    Task.THROW: _throw,
    Task.TOWER: _tower,
    Task.TUNNEL: _tunnel,
    Task.LINE: _line,
}
