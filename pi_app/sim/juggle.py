"""The Juggler: stones from the bag laid on the card, the right ones or not."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np

from pi_app.core.names import Colour, Task
from pi_app.core.verdict import Reason
from pi_app.kit.art import PX_PER_MM
from pi_app.kit.model import StoneCounts
from pi_app.sim.acts import BAG_MM, bag_held, lie_clear
from pi_app.sim.deeds import Deed
from pi_app.sim.motion import Mover, carry_to, leave, let_go, pick_up, take_new
from pi_app.sim.pieces import Floats, Placed, turn_z
from pi_app.sim.shapes import CardShown
from pi_app.sim.table import Script, SimTable
from pi_app.vision.reading import PartKind

MARGIN_MM = 3.0
BESIDE_MM = 9.0


class Slip(StrEnum):
    """What goes wrong."""

    NONE = "none"
    WRONG_COLOUR = "wrong_colour"
    ONE_SHORT = "one_short"
    ONE_MORE = "one_more"
    BESIDE = "beside"


def juggle(
    mover: Mover,
    card: CardShown,
    size_mm: tuple[float, float],
    wanted: StoneCounts,
    slip: Slip,
    note: Callable[[Deed], None] = lambda _: None,
) -> Generator[None, None, Deed]:
    """Lay stones on a card that lies on the mat and draw the hand back; returns the truth as of the last stone laid.

    `note` hears of it at that moment: the device may see it before the hand has left.
    """
    table, from_s = mover.table, mover.table.time_s
    colours = _slipped(table, [colour for colour in Colour for _ in range(wanted.of(colour))], slip)
    laid = Deed(Task.JUGGLER, from_s, from_s, (Reason.WRONG_STONES,))
    for number, colour in enumerate(colours):
        beside = slip is Slip.BESIDE and number == len(colours) - 1
        yield from _lay(mover, card, size_mm, colour, beside=beside)
        right = stones_on(table, card, size_mm) == wanted
        laid = Deed(Task.JUGGLER, from_s, table.time_s, (Reason.OK,) if right else (Reason.WRONG_STONES,))
        if right:
            note(replace(laid, doubtful=number < len(colours) - 1))
    yield from leave(mover)
    if not laid.right:
        note(laid)
    return laid


def clear_card(mover: Mover, card: CardShown, size_mm: tuple[float, float]) -> Script:
    """Put the stones on a card and close beside it back in the bag."""
    reach = (size_mm[0] + 4 * BESIDE_MM, size_mm[1] + 4 * BESIDE_MM)
    names = [name for name, at in _stones(mover.table) if _is_on(card, reach, at)]
    for name in names:
        yield from pick_up(mover, name)
        yield from bag_held(mover)
    if names:
        yield from leave(mover)


def stones_on(table: SimTable, card: CardShown, size_mm: tuple[float, float]) -> StoneCounts:
    """Return the stones whose middles are on a card."""
    lying = [table.pieces[name].id for name, at in _stones(table) if _is_on(card, size_mm, at)]
    return StoneCounts(yellow=lying.count("yellow"), red=lying.count("red"), blue=lying.count("blue"))


def card_size_mm(picture_shape: Sequence[int]) -> tuple[float, float]:
    """Return a card's size from its picture's shape (rows, columns, ...)."""
    return picture_shape[1] / PX_PER_MM, picture_shape[0] / PX_PER_MM


def _slipped(table: SimTable, colours: list[Colour], slip: Slip) -> list[Colour]:
    """Return the colours that are taken, as far as the bag holds them."""
    random, left = table.random, [Colour(table.pieces[name].id) for name in table.bag]
    order = [colours[int(n)] for n in random.permutation(len(colours))]
    spare = [colour for colour in Colour if left.count(colour) > colours.count(colour)]
    match slip:
        case Slip.ONE_SHORT if len(order) > 1:
            return order[:-1]
        case Slip.ONE_MORE if spare:
            return [*order, spare[int(random.integers(len(spare)))]]
        case Slip.WRONG_COLOUR:
            others = [colour for colour in spare if colour is not order[0]]
            return [others[int(random.integers(len(others)))], *order[1:]] if others else order[1:]
        case _:
            return order


def _lay(mover: Mover, card: CardShown, size_mm: tuple[float, float], colour: Colour, *, beside: bool) -> Script:
    table = mover.table
    name = table.draw_stone(colour)
    yield from take_new(mover, name, Placed(BAG_MM.copy(), np.eye(3)))
    turn = turn_z(float(table.random.uniform(0, 90)))
    yield from carry_to(mover, Placed(_free_place(table, card, size_mm, beside=beside), turn))
    yield from let_go(mover)


def _free_place(table: SimTable, card: CardShown, size_mm: tuple[float, float], *, beside: bool) -> Floats:
    stone = table.kit.stone
    half = np.array(size_mm) / 2
    inside = half - stone.diameter_mm / 2 - MARGIN_MM
    out = half[0] + stone.diameter_mm / 2 + BESIDE_MM
    turn = turn_z(card.turn_deg)[:2, :2]

    def one() -> Floats:
        x, y = table.random.uniform(-inside, inside)
        return np.asarray(turn @ ((out if beside else x), y) + (card.x_mm, card.y_mm))

    return np.array([*lie_clear(table, one), stone.height_mm / 2 + 0.4])


def _stones(table: SimTable) -> list[tuple[str, Floats]]:
    return [(n, p.at_mm) for n, p in table.places().items() if table.pieces[n].kind is PartKind.STONE]


def _is_on(card: CardShown, size_mm: tuple[float, float], at_mm: Floats) -> bool:
    local = turn_z(-card.turn_deg)[:2, :2] @ (at_mm[:2] - (card.x_mm, card.y_mm))
    return bool((np.abs(local) <= np.array(size_mm) / 2).all())
