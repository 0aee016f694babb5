"""Strangers' things and resting hands come, are seen, and go again without touching the game."""

from collections.abc import Callable

import numpy as np
import pytest

from pi_app.sim.disorder import Thing, lie_about, rest_hand, stray
from pi_app.sim.motion import Mover
from pi_app.sim.scene import Look
from pi_app.sim.table import Script, SimTable

Lay = Callable[[int, float], Mover]


@pytest.mark.parametrize("thing", list(Thing))
def test_every_thing_lies_on_the_table(thing: Thing) -> None:
    lying = stray(thing, np.array([30.0, -20.0]), 40.0, np.random.default_rng(1))
    assert bool(lying.flat) != bool(lying.limbs)
    for limb in lying.limbs:
        assert min(limb.start_mm[2] - limb.start_radius_mm, limb.end_mm[2] - limb.end_radius_mm) > -4.0
        assert np.abs(limb.start_mm[:2] - (30.0, -20.0)).max() < 80.0


@pytest.mark.parametrize("mess", [lie_about, rest_hand])
def test_it_comes_and_goes(lay: Lay, mess: Callable[[SimTable, Look, float], Script]) -> None:
    table = lay(11, 1.0).table
    before = table.world.state(sorted(table.world.live))[0]
    table.run(mess(table, Look(), 0.2))
    seen = 0
    while not table.idle():
        table.tick()
        seen = max(seen, len(table.strays) + len(table.hands))
    assert seen >= 2
    assert (len(table.strays), len(table.hands)) == (0, 1)
    assert np.abs(table.world.state(sorted(table.world.live))[0] - before).max() < 0.5
