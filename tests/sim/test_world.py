from collections.abc import Callable

import numpy as np
import pytest

from pi_app.core.names import Task
from pi_app.kit.model import Kit
from pi_app.sim.acts import Built, build_at_once
from pi_app.sim.motion import Mover
from pi_app.sim.pieces import Floats, Placed, acrobat_name, pieces_of, turn_x, turn_y, vec
from pi_app.sim.plans import Plan, steps_of
from pi_app.sim.world import STEP_S, World

Lay = Callable[[int, float], Mover]


def built_pyramid(mover: Mover) -> list[str]:
    plan, built = Plan(Task.ACROBATS, mover.table.kit.figure_named("pyramid"), spread_mm=0.2), Built()
    build_at_once(mover, plan, steps_of(plan, mover.table), built)
    return built.names


def places(world: World, names: list[str]) -> Floats:
    return np.stack([world.at(name).at_mm for name in names])


def test_a_pyramid_stands_for_five_seconds(lay: Lay) -> None:
    mover = lay(1, 1.0)
    names = built_pyramid(mover)
    before = places(mover.table.world, names)
    mover.table.world.advance(5.0)
    assert np.linalg.norm(places(mover.table.world, names) - before, axis=1).max() < 0.3


def test_a_knocked_pyramid_falls(lay: Lay) -> None:
    mover = lay(1, 1.0)
    names = built_pyramid(mover)
    before = places(mover.table.world, names)
    mover.table.world.knock((5.0, 34.0))
    mover.table.world.advance(1.5)
    assert np.linalg.norm(places(mover.table.world, names) - before, axis=1).max() > 15.0


def test_a_gentle_knock_leaves_it_standing(lay: Lay) -> None:
    mover = lay(1, 1.0)
    names = built_pyramid(mover)
    before = places(mover.table.world, names)
    mover.table.world.knock((1.5, 1.5))
    mover.table.world.advance(1.0)
    assert np.linalg.norm(places(mover.table.world, names) - before, axis=1).max() < 1.0


@pytest.fixture
def world(kit: Kit) -> World:
    return World(pieces_of(kit))


def test_a_carried_piece_follows_the_hand_and_falls_when_released(world: World, kit: Kit) -> None:
    name, target = acrobat_name(0), Placed(vec(30, 20, 120), turn_y(90.0))
    world.put(name, Placed(vec(0, 0, 60), np.eye(3)))
    for _ in range(100):
        world.carry(name, target)
        world.advance(STEP_S)
    held = world.at(name)
    assert np.linalg.norm(held.at_mm - target.at_mm) < 0.5
    assert np.abs(held.rotation - target.rotation).max() < 0.01
    world.release(name)
    world.advance(0.5)
    assert world.at(name).at_mm[2] < kit.acrobat.width_mm


def test_a_parked_piece_neither_falls_nor_is_in_the_way(world: World) -> None:
    world.park(acrobat_name(0), Placed(vec(0, 0, 200), np.eye(3)))
    world.put(acrobat_name(1), Placed(vec(0, 0, 300), np.eye(3)))
    world.advance(0.5)
    assert world.at(acrobat_name(0)).at_mm[2] == pytest.approx(200.0)
    assert world.at(acrobat_name(1)).at_mm[2] < 60.0
    assert world.touching() == {frozenset({"table", acrobat_name(1)})}


def test_a_fingertip_pushes_a_standing_piece_over(world: World, kit: Kit) -> None:
    world.put(acrobat_name(0), Placed(vec(0, 0, kit.acrobat.length_mm / 2), np.eye(3)))
    for y in np.linspace(-30, 15, 200):
        world.finger(0, vec(0, float(y), kit.acrobat.length_mm - 5))
        world.advance(STEP_S)
    world.finger(0, None)
    world.advance(0.5)
    assert abs(world.at(acrobat_name(0)).rotation[2, 2]) < 0.1


def test_a_block_on_its_edge_falls_flat(world: World, kit: Kit) -> None:
    world.put(acrobat_name(0), Placed(vec(0, 0, 40), turn_x(30.0)))
    world.advance(1.0)
    assert abs(world.at(acrobat_name(0)).rotation[2, 1]) == pytest.approx(1.0, abs=0.01)
    assert world.at(acrobat_name(0)).at_mm[2] == pytest.approx(kit.acrobat.thickness_mm / 2, abs=0.3)
