"""Parts of the simulated table that fail in a game: it goes on, the fault is said once, and the score is right.

Most faults need no pictures: there the stones are told from the physics and the timekeeper decides the tasks.
"""

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pi_app.adapters.buttons_gpio import GpioButtons
from pi_app.adapters.display_luma import LumaScreen
from pi_app.core.errors import UserError
from pi_app.core.events import PartFault, Sensed, StonesSeen
from pi_app.games.voila import deck_of
from pi_app.kit.art import KitArt
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.play.senses import Pad, Senses
from pi_app.sensing.tiles import TilePad
from pi_app.session.flow import Audience
from pi_app.session.journal import Record
from pi_app.session.voila.options import Options
from pi_app.session.voila.sessions import read_session, start_session
from pi_app.session.voila.view import PublicView
from pi_app.sim.devices import oled_opener
from pi_app.sim.faults import KINDS, Mischief, Parts, SimBus, SimWall, parse_faults
from pi_app.sim.room import Habits
from pi_app.sim.scene import plain_scene
from pi_app.sim.simulation import SimSettings, Simulation
from pi_app.sim.truth import stones_in_zone
from pi_app.ui.screens import screen

PLAYED_S = 15.2
STEP_TICKS = 4


@dataclass
class Evening:
    """What a game without pictures showed."""

    view: PublicView
    records: list[Record]
    said: list[tuple[str, str | None]] = field(default_factory=list)
    shown: int = 0
    stones: tuple[str, ...] = ()

    def told(self, part: str) -> list[str | None]:
        return [why for name, why in self.said if name == part]


def evening(faults: str, kit: Kit, art: KitArt, mat: Table, folder: Path) -> Evening:
    """Play for PLAYED_S of the table's time."""
    habits = Habits(skill=1.0, pace=2.0, passing_arms=0.0)
    settings = SimSettings(3, 7, habits, plain_scene(320, 180), reads_cards=False)
    sim = Simulation(kit, art, mat, settings)
    said: list[tuple[str, str | None]] = []
    with ExitStack() as stack:
        wall, bus = SimWall(sim.clock), SimBus(oled_opener(folder / "oled", keep_all=True))
        runner = start_session(folder / "a.db", sim.clock, deck_of(kit), Options(camera_tasks=()), wall=wall)
        stack.callback(runner.close)
        buttons = GpioButtons(sim.buttons.pins, sim.buttons.factory, sim.clock)
        stack.callback(buttons.close)

        def post(sensed: Sensed) -> None:
            if isinstance(sensed, PartFault) and (sensed.fault or sensed.part in dict(said)):
                said.append((sensed.part, sensed.fault))
            runner.post(sensed)

        pad = Pad(sim.reader, TilePad(sim.pad.tags, empty_polls=1))
        senses = Senses(post, runner.sensed_until, (buttons,), pad, sim.reader)
        oled = LumaScreen(bus.open, sim.clock, lambda why: said.append(("display", why)))
        stack.callback(oled.close)
        mischief = Mischief(parse_faults(faults), Parts(sim.camera, sim.buttons, sim.reader, bus, wall))
        while sim.table.time_s < PLAYED_S:
            for _ in range(STEP_TICKS):
                sim.table.tick()
            mischief.pass_time(sim.table.time_s)
            senses.poll(sim.clock.now_ns())
            if not any(hand.holding for hand in sim.table.hands):
                stones = stones_in_zone(sim.table.places(), sim.table.pieces, sim.table.table)
                runner.post(StonesSeen(**stones, at_ns=sim.clock.now_ns()))
            runner.step()
            oled.show(screen(runner.view(Audience.TABLE)))
            oled.step()
            for command in sim.look(runner.view()):
                runner.command(command)
        view, drawn = runner.view(), tuple(stone.value for stone in sim.room.stones)
    shown = len(list((folder / "oled").glob("*.png")))
    return Evening(view, read_session(folder / "a.db"), said, shown, drawn)


@pytest.fixture(scope="module")
def calm(kit: Kit, art: KitArt, mat: Table, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """The same evening with nothing wrong."""
    return evening("", kit, art, mat, tmp_path_factory.mktemp("calm"))


def points(view: PublicView) -> list[tuple[int, int]]:
    return [(seat.points, seat.at_stake) for seat in view.seats]


def test_nothing_is_said_while_nothing_is_wrong(calm: Evening) -> None:
    assert calm.said == []
    assert calm.view.turn is not None
    assert calm.view.turn.stones


CUT, SILENT, DEAD = "the cable is out", "the reader board has fallen silent", "the reader does not answer its board"
STUCK, NO_BUS = "down for 10 s: stuck, or something lies on it", "[Errno 121] Remote I/O error"


def test_parts_that_fail_are_said_once_each_and_so_is_their_return(
    calm: Evening, kit: Kit, art: KitArt, mat: Table, tmp_path: Path
) -> None:
    """GPIO, OLED-1, SER-2."""
    reader = "reader.dead@1+1.5,serial.cut@4+2,serial.hang@8+4"
    others = "oled.missing@0+3,oled.missing@9+2,button.stuck@3+12"
    played = evening(f"{reader},{others}", kit, art, mat, tmp_path)
    assert played.told("reader") == [DEAD, None, CUT, None, SILENT, None]
    assert played.told("display") == [NO_BUS, None, NO_BUS, None]
    assert played.told("button 2") == [STUCK, None]
    assert {name for name, _ in played.said} == {"reader", "display", "button 2"}
    assert points(played.view) == points(calm.view)
    assert played.stones == calm.stones
    assert 0 < played.shown < calm.shown


def test_what_the_device_bears_is_not_even_said(
    calm: Evening, kit: Kit, art: KitArt, mat: Table, tmp_path: Path
) -> None:
    """GPIO-1, SER-3, OPS-1: worn contacts, spikes, a reader that misses, noise, and a wall clock that steps."""
    borne = "button.bounce@0,button.spike@4,serial.noise@4,reader.flicker@0,clock.step@4+4"
    played = evening(borne, kit, art, mat, tmp_path)
    assert played.said == []
    assert [one.events for one in played.records] == [one.events for one in calm.records]
    walls = [one.wall for one in played.records]
    assert walls != sorted(walls)


def test_every_fault_can_be_planned() -> None:
    plan = parse_faults(",".join(f"{name}@{at}" for at, name in enumerate(KINDS)))
    assert [(fault.name, fault.at_s) for fault in plan] == [(name, float(at)) for at, name in enumerate(KINDS)]
    assert parse_faults("serial.cut@45+2.5")[0].for_s == 2.5
    assert parse_faults("") == ()


@pytest.mark.parametrize("text", ["camera", "camera.explode", "oled.missing@x", "oled.missing@5+", "serial.cut@99999"])
def test_what_is_no_fault_is_named(text: str) -> None:
    with pytest.raises(UserError, match="--faults: got"):
        parse_faults(text)
