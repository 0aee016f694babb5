"""What lies about that is none of the game's, and hands that rest on the table: drawn, but in nobody's way."""

from collections.abc import Callable
from enum import StrEnum
from itertools import pairwise

import numpy as np

from pi_app.kit.table import Table
from pi_app.sim.hands import TICK_S, Hand
from pi_app.sim.motion import Mover, reach, rest_mm
from pi_app.sim.pieces import Floats, turn_z, vec
from pi_app.sim.scene import Bgr, Look
from pi_app.sim.shapes import Capsule, CardShown, Stray
from pi_app.sim.table import Script, SimTable
from pi_app.sim.textures import PHONE

STAYS_S = (6.0, 25.0)
STEEL: Bgr = (150.0, 152.0, 150.0)
CUPS: tuple[Bgr, ...] = ((225.0, 228.0, 230.0), (60.0, 60.0, 170.0), (150.0, 90.0, 40.0))
PENCILS: tuple[Bgr, ...] = ((40.0, 190.0, 235.0), (60.0, 60.0, 190.0), (150.0, 80.0, 40.0))
COFFEE: Bgr = (24.0, 36.0, 60.0)


class Thing(StrEnum):
    """Everyday things."""

    PHONE = "phone"
    CUP = "cup"
    KEYS = "keys"
    PENCIL = "pencil"
    RING = "ring"


def stray(thing: Thing, at_mm: Floats, turn_deg: float, random: np.random.Generator) -> Stray:
    """Return a thing at a place (x, y) of the mat, turned anticlockwise from above."""
    x, y = float(at_mm[0]), float(at_mm[1])
    match thing:
        case Thing.PHONE:
            return Stray(flat=(CardShown(PHONE, x, y, turn_deg),))
        case Thing.CUP:
            return Stray(limbs=_cup(vec(x, y, 0.0), CUPS[int(random.integers(len(CUPS)))]))
        case Thing.KEYS:
            return Stray(limbs=_keys(vec(x, y, 0.0), turn_deg))
        case Thing.PENCIL:
            return Stray(limbs=_pencil(vec(x, y, 0.0), turn_deg, PENCILS[int(random.integers(len(PENCILS)))]))
        case Thing.RING:
            return Stray(limbs=_circle(vec(x, y, 1.4), 9.5, 1.4, (70.0, 175.0, 215.0)))


def lie_about(table: SimTable, look: Look, at_s: float) -> Script:
    """Bring some thing after a while, let it lie in one of the zones, take it away again."""
    random = table.random
    thing = list(Thing)[int(random.integers(len(Thing)))]
    place = PLACES[int(random.integers(len(PLACES)))](table.table, random)
    lying = stray(thing, place, float(random.uniform(0, 360)), random)
    stays_s = float(random.uniform(*STAYS_S))
    yield from _sleep(at_s)
    hand, mover = _helper(table, look)
    yield from reach(mover, (*place, 30.0), 0.8)
    table.strays.append(lying)
    yield from _go(table, hand, mover)
    yield from _sleep(stays_s)
    hand, mover = _helper(table, look)
    yield from reach(mover, (*place, 30.0), 0.8)
    table.strays.remove(lying)
    yield from _go(table, hand, mover)


def rest_hand(table: SimTable, look: Look, at_s: float) -> Script:
    """Let somebody's hand lie on the table for long, at the edge of a zone."""
    random = table.random
    stays_s = float(random.uniform(8.0, 30.0))
    yield from _sleep(at_s)
    hand, mover = _helper(table, look)
    side = 1.0 if hand.shoulder_mm[0] > 0 else -1.0
    place = np.array([side * float(random.uniform(104, 185)), float(random.uniform(-110, 60)), 1.0])
    yield from reach(mover, place + vec(0.0, 0.0, 50.0), 0.7)
    yield from reach(mover, place, 0.25)
    yield from _sleep(stays_s)
    yield from _go(table, hand, mover)


def _helper(table: SimTable, look: Look) -> tuple[Hand, Mover]:
    """Bring in another player's hand from a side."""
    side = float(table.random.choice((-1.0, 1.0)))
    hand = Hand(np.array([side * 640.0, -120.0, 260.0]), np.zeros(3), look=look)
    hand.tip_mm = rest_mm(hand)
    table.hands.append(hand)
    return hand, Mover(table, hand)


def _go(table: SimTable, hand: Hand, mover: Mover) -> Script:
    yield from reach(mover, hand.tip_mm + vec(0.0, 0.0, 60.0), 0.25)
    yield from reach(mover, rest_mm(hand), 0.6)
    table.hands.remove(hand)


def _sleep(seconds: float) -> Script:
    for _ in range(round(seconds / TICK_S)):
        yield


def _in_stones(table: Table, random: np.random.Generator) -> Floats:
    zone = table.zones.stones
    return np.array([(zone.x0 + zone.x1) / 2, zone.y0 + 28.0]) + random.uniform(-8, 8, 2)


def _in_cards(table: Table, random: np.random.Generator) -> Floats:
    zone = table.zones.cards
    return np.array([(zone.x0 + zone.x1) / 2, zone.y1 - 26.0]) + random.uniform(-8, 8, 2)


def _behind_structure(table: Table, random: np.random.Generator) -> Floats:
    zone = table.zones.build
    return np.array([float(random.choice((zone.x0 + 18, zone.x1 - 18))), zone.y0 + 12.0]) + random.uniform(-8, 8, 2)


def _beside_mat(table: Table, random: np.random.Generator) -> Floats:
    return np.array(
        [float(random.choice((-1.0, 1.0))) * (table.mat.width / 2 + 110.0), float(random.uniform(-60, 120))]
    )


PLACES: tuple[Callable[[Table, np.random.Generator], Floats], ...] = (
    _in_stones, _in_cards, _behind_structure, _behind_structure, _beside_mat,
)  # fmt: skip


def _cup(at_mm: Floats, bgr: Bgr) -> tuple[Capsule, ...]:
    """Return a cup with its handle, what is in it seen from above."""
    body = Capsule(at_mm + vec(0, 0, 34.0), at_mm + vec(0, 0, 52.0), 32.0, 38.0, bgr)
    drink = Capsule(at_mm + vec(-1.0, 0, 76.0), at_mm + vec(1.0, 0, 76.0), 15.0, 15.0, COFFEE)
    ear = _circle(at_mm + vec(47.0, 0, 46.0), 15.0, 5.0, bgr, upright=True)
    return (body, drink, *ear)


def _keys(at_mm: Floats, turn_deg: float) -> tuple[Capsule, ...]:
    blades = []
    for fan in (-35.0, 0.0, 40.0):
        way = turn_z(turn_deg + fan) @ vec(1.0, 0.0, 0.0)
        root = at_mm + way * 16.0 + vec(0, 0, 2.5)
        blades += [
            Capsule(root, root + way * 12, 6.0, 6.0, STEEL),
            Capsule(root + way * 14, root + way * 40, 3.0, 2.5, STEEL),
        ]
    return (*_circle(at_mm + vec(0, 0, 2.0), 13.0, 1.3, STEEL), *blades)


def _pencil(at_mm: Floats, turn_deg: float, bgr: Bgr) -> tuple[Capsule, ...]:
    way = turn_z(turn_deg) @ vec(1.0, 0.0, 0.0)
    middle = at_mm + vec(0, 0, 3.6)
    shaft = Capsule(middle - way * 40, middle + way * 34, 3.6, 3.6, bgr)
    return (shaft, Capsule(middle + way * 38, middle + way * 46, 3.0, 0.8, (120.0, 170.0, 215.0)))


def _circle(
    at_mm: Floats, radius_mm: float, thick_mm: float, bgr: Bgr, *, upright: bool = False
) -> tuple[Capsule, ...]:
    turn = np.linspace(0, 2 * np.pi, 11)
    ring = np.stack(
        [np.cos(turn), np.zeros(11) if upright else np.sin(turn), np.sin(turn) if upright else np.zeros(11)], axis=1
    )
    points = at_mm + radius_mm * ring
    return tuple(Capsule(a, b, thick_mm, thick_mm, bgr) for a, b in pairwise(points))
