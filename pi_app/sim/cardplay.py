"""Cards in the players' hands: laid in the card zone any way round, held down there for a while, taken away again."""

from collections.abc import Generator

import numpy as np

from pi_app.sim.hands import TICK_S
from pi_app.sim.motion import Mover, leave, point_at, wait
from pi_app.sim.pieces import Floats
from pi_app.sim.shapes import CardShown
from pi_app.sim.table import Script, SimTable

DECK_MM = np.array([-215.0, -290.0])
ASIDE_MM = np.array([-215.0, -410.0])
"""Where cards go that have been played: off the mat, out of the camera's sight."""
SPREAD_MM = (11.0, 72.0)
"""How far from the card zone's middle a card's centre may come to lie."""
APART_MM = 90.0
TRIES = 40


def lay_card(mover: Mover, card: str, *, over: bool = False, held_s: float = 0.0) -> Generator[None, None, str]:
    """Slide a card from the deck into the card zone and return the name under which it lies there.

    It lies clear of other cards as far as there is room, or `over` them; fingers stay on it for `held_s`.
    """
    table = mover.table
    name = f"{card} {table.count()}"
    goal, turn_deg = _place(table, over=over)
    yield from _slide(mover, name, card, (DECK_MM, goal), turn_deg)
    if held_s > 0:
        yield from wait(mover, held_s * mover.pace)
    yield from leave(mover)
    return name


def remove_card(mover: Mover, name: str) -> Script:
    """Take a card off the mat."""
    lying = mover.table.cards[name]
    way = (np.array([lying.x_mm, lying.y_mm]), ASIDE_MM)
    yield from _slide(mover, name, lying.card, way, lying.turn_deg)
    mover.table.cards.pop(name, None)
    yield from leave(mover)


def _place(table: SimTable, *, over: bool) -> tuple[Floats, float]:
    """Return where a card's centre comes to lie, and its turn: mostly along the zone, sometimes just anyhow."""
    random, zone = table.random, table.table.zones.cards
    middle = np.array([(zone.x0 + zone.x1) / 2, (zone.y0 + zone.y1) / 2])
    turn = float(random.choice((0.0, 0.0, 0.0, 90.0, 180.0, 270.0))) + float(random.normal(0, 6))
    if random.random() < 0.15:
        turn = float(random.uniform(0, 360))
    others = [np.array([card.x_mm, card.y_mm]) for card in table.cards.values()]
    if over and others:
        return others[-1] + random.uniform((-8.0, -22.0), (8.0, 22.0)), turn
    places = middle + random.uniform(-1.0, 1.0, (TRIES, 2)) * SPREAD_MM
    apart = [min((float(np.linalg.norm(place - other)) for other in others), default=APART_MM) for place in places]
    return places[int(np.argmax(np.minimum(apart, APART_MM)))], turn


def _slide(mover: Mover, name: str, card: str, way: tuple[Floats, Floats], turn_deg: float) -> Script:
    hand, table, (start, goal) = mover.hand, mover.table, way
    hand.pointing = True
    yield from point_at(mover, (*start, 1.0))
    count = max(1, round(mover.seconds(0.55) / TICK_S))
    for n in range(1, count + 1):
        part = 3 * (n / count) ** 2 - 2 * (n / count) ** 3
        x, y = start + (goal - start) * part
        table.cards[name] = CardShown(card, float(x), float(y), turn_deg)
        hand.tip_mm = np.array([x, y - 20.0, 1.0])
        yield
