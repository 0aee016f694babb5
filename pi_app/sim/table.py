"""The simulated table: pieces, cards, hands and time together. Everything that happens is a script of timed actions.

A script is a generator that yields once each TICK_S; `run` adds one, `tick` lets all of them act, moves physics on and
samples the truth. Nothing here knows the device; the device sees only pictures (pi_app.sim.parts).
"""

from collections.abc import Generator

import numpy as np

from pi_app.core.clock import ManualClock
from pi_app.core.names import Colour
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.sim.hands import TICK_S, Hand
from pi_app.sim.pieces import BAG, Piece, Placed, acrobat_name, pieces_of, stone_name, tile_name, turn_y, turn_z
from pi_app.sim.shapes import Capsule, CardShown, Snapshot, Stray
from pi_app.sim.truth import TruthKeeper
from pi_app.sim.world import World
from pi_app.vision.reading import PartKind

Script = Generator[None, None, None]
"""Yields once each tick."""

FAR_MM = 3000.0
OVERVIEW = "overview"


class SimTable:
    """All that lies and moves on the table; `time_s` runs from 0."""

    def __init__(self, kit: Kit, table: Table, seed: int, clock: ManualClock | None = None) -> None:
        self.kit, self.table = kit, table
        self.clock = clock or ManualClock()
        self.start_ns = self.clock.now_ns()
        self.random = np.random.default_rng((seed, 11))
        self.pieces: dict[str, Piece] = {piece.name: piece for piece in pieces_of(kit)}
        self.world = World(list(self.pieces.values()))
        self.truth = TruthKeeper(kit, table, self.pieces)
        self.hands: list[Hand] = []
        self.cards: dict[str, CardShown] = {}
        self.strays: list[Stray] = []
        self.bag: list[str] = [stone_name(colour, n) for colour, count in BAG.items() for n in range(count)]
        self.homes = self._homes()
        self._scripts: list[Generator[None, None, object]] = []
        self._ticks, self._count = 0, 0
        for name, placed in self.homes.items():
            if self.pieces[name].kind is PartKind.ACROBAT:
                self.world.put(name, placed)
            else:
                self.world.park(name, placed)

    @property
    def time_s(self) -> float:
        """Seconds since the table was laid."""
        return self._ticks * TICK_S

    def count(self) -> int:
        """Return a number that was not given before."""
        self._count += 1
        return self._count

    def run(self, script: Generator[None, None, object]) -> None:
        """Start a script; it acts from the next tick on."""
        self._scripts.append(script)

    def idle(self) -> bool:
        """Return whether every script has ended."""
        return not self._scripts

    def tick(self) -> None:
        """Let TICK_S pass."""
        self._scripts = [script for script in self._scripts if _goes_on(script)]
        self.world.advance(TICK_S)
        self._ticks += 1
        self.clock.ns = max(self.clock.ns, self.start_ns + round(self.time_s * 1e9))
        in_play = {name: self.world.at(name) for name in sorted(self.world.live)}
        self.truth.sample(self.time_s, in_play, self.limbs(), self.world.carried())

    def advance_to(self, time_s: float) -> None:
        """Let time pass up to a moment."""
        while self.time_s + TICK_S / 2 < time_s:
            self.tick()

    def places(self) -> dict[str, Placed]:
        """Return where the pieces are that are on the table or in a hand."""
        held = {hand.holding for hand in self.hands}
        names = [n for n in self.pieces if n in self.world.live or n in self.homes or n in held]
        places = {name: self.world.at(name) for name in names}
        return {name: placed for name, placed in places.items() if abs(placed.at_mm[0]) < FAR_MM}

    def limbs(self) -> tuple[Capsule, ...]:
        """Return all hands' parts."""
        return tuple(limb for hand in self.hands for limb in hand.limbs())

    def snapshot(self) -> Snapshot:
        """Return what there is to see now."""
        flat = [card for stray in self.strays for card in stray.flat]
        high = [limb for stray in self.strays for limb in stray.limbs]
        return Snapshot(self.places(), (*self.limbs(), *high), (*self.cards.values(), *flat))

    def draw_stone(self, wanted: Colour | None = None) -> str:
        """Take a stone out of the bag at random, or one of a colour, and return its name."""
        choices = [name for name in self.bag if wanted is None or self.pieces[name].id == wanted]
        name = choices[int(self.random.integers(len(choices)))]
        self.bag.remove(name)
        return name

    def bag_stone(self, name: str) -> None:
        """Put a stone back in the bag."""
        self.world.park(name, Placed(np.array([FAR_MM + 2000.0, 0.0, 0.0]), np.eye(3)))
        if name not in self.bag:
            self.bag.append(name)

    def _homes(self) -> dict[str, Placed]:
        """Return where acrobats and tiles lie unused: beside the mat, acrobats on their long narrow side."""
        homes: dict[str, Placed] = {}
        block, tile = self.kit.acrobat, self.kit.tile
        for n, piece in enumerate(self.kit.acrobat.piece):
            x = (n % 3 - 1) * (block.length_mm + 16.0) + self.random.uniform(-4, 4)
            y = -self.table.mat.height / 2 - 40.0 - 45.0 * (n // 3)
            rotation = turn_z(float(self.random.uniform(-12, 12))) @ turn_y(
                90.0 if self.random.random() < 0.5 else -90.0
            )
            homes[acrobat_name(piece.id)] = Placed(np.array([x, y, block.width_mm / 2]), rotation)
        over = self.kit.overview
        beside = np.array([-(self.table.mat.width + over.width_mm) / 2 - 70.0, -200.0, over.thickness_mm / 2])
        homes[OVERVIEW] = Placed(beside, turn_z(8.0))
        for n, place in enumerate(self._tile_places(len(self.kit.tile.piece))):
            turn = turn_z(float(self.random.uniform(0, 360)))
            homes[tile_name(self.kit.tile.piece[n].id)] = Placed(np.array([*place, tile.thickness_mm / 2]), turn)
        return homes

    def _tile_places(self, count: int) -> list[tuple[float, float]]:
        half, step = self.table.mat.width / 2 + 50.0, self.kit.tile.size_mm + 18.0
        sides = [(side * half, -90.0 + step * row) for row in range((count + 1) // 2) for side in (-1.0, 1.0)]
        return [
            (x + float(self.random.uniform(-6, 6)), y + float(self.random.uniform(-5, 5))) for x, y in sides[:count]
        ]


def _goes_on(script: Generator[None, None, object]) -> bool:
    try:
        next(script)
    except StopIteration:
        return False
    return True
