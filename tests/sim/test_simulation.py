"""The players play: joined to a real session, whose judge is replaced by what the timekeeper tells it."""

from contextlib import closing
from pathlib import Path

import pytest

from pi_app.adapters.buttons_gpio import GpioButtons
from pi_app.core.events import Pressed, StonesSeen, TileOnPad
from pi_app.games.voila import deck_of
from pi_app.kit.art import KitArt
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.sensing.presses import Debouncer
from pi_app.sensing.tiles import TilePad, TilePlaced
from pi_app.session.voila.options import Options
from pi_app.session.voila.sessions import VoilaRunner, start_session
from pi_app.session.voila.view import PublicView, Wait
from pi_app.sim.room import Habits
from pi_app.sim.scene import plain_scene
from pi_app.sim.simulation import SimSettings, Simulation
from pi_app.sim.truth import stones_in_zone

Shown = list[tuple[int, Wait]]


def played(sim: Simulation, runner: VoilaRunner, until_s: float) -> tuple[Shown, PublicView]:
    """Let the table's time pass without pictures: stones are told from the physics."""
    buttons = GpioButtons(sim.buttons.pins, sim.buttons.factory, sim.clock)
    debouncer, pad = Debouncer(), TilePad(sim.pad.tags)
    shown: Shown = []
    while True:
        sim.table.tick()
        presses = [press for edge in buttons.edges() for press in debouncer.feed(edge)]
        for press in presses + debouncer.settle(sim.clock.now_ns()):
            if press.pressed:
                runner.post(Pressed(press.button, press.at_ns))
        for change in [change for read in sim.reader.reads() for change in pad.feed(read)]:
            if isinstance(change, TilePlaced):
                runner.post(TileOnPad(change.tile, change.at_ns))
        if not any(hand.holding for hand in sim.table.hands):
            stones = stones_in_zone(sim.table.places(), sim.table.pieces, sim.table.table)
            runner.post(StonesSeen(**stones, at_ns=sim.clock.now_ns()))
        runner.step()
        view = runner.view()
        number = view.turn.number if view.turn else 0
        if not shown or shown[-1] != (number, view.waits):
            shown.append((number, view.waits))
        for command in sim.look(view):
            runner.command(command)
        if sim.table.time_s > until_s:
            buttons.close()
            return shown, view


@pytest.fixture
def sim(kit: Kit, art: KitArt, mat: Table) -> Simulation:
    habits = Habits(skill=1.0, pace=2.0, passing_arms=0.0)
    return Simulation(kit, art, mat, SimSettings(players=3, seed=7, habits=habits, scene=plain_scene(320, 180)))


def test_players_join_start_and_draw(sim: Simulation, kit: Kit, tmp_path: Path) -> None:
    runner = start_session(tmp_path / "journal.db", sim.clock, deck_of(kit), Options())
    with closing(runner):
        shown, view = played(sim, runner, 7.0)
    assert shown[:3] == [(0, Wait.PLAYERS), (1, Wait.TURN), (1, Wait.FIRST_STONE)]
    assert len(view.seats) == 3
    assert view.turn is not None
    assert [stone.value for stone in view.turn.stones] == [
        stone.value for stone in sim.room.stones[: len(view.turn.stones)]
    ]
    assert view.turn.stones


def test_the_table_is_the_same_for_the_same_seed(kit: Kit, art: KitArt, mat: Table, tmp_path: Path) -> None:
    seen = []
    for name in ("a", "b"):
        habits = Habits(skill=0.7, pace=2.0)
        sim = Simulation(kit, art, mat, SimSettings(seed=9, habits=habits, scene=plain_scene(320, 180)))
        runner = start_session(tmp_path / f"{name}.db", sim.clock, deck_of(kit), Options())
        with closing(runner):
            shown = played(sim, runner, 3.5)[0]
        seen.append((shown, sim.room.stones, sim.table.world.state(sorted(sim.table.pieces))[0].sum()))
    assert seen[0] == seen[1]
