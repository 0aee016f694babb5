"""The only place where parts meet: real or simulated, they come together here and nowhere else."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from pi_app import __version__
from pi_app.config import Config, load_config
from pi_app.core.errors import UserError
from pi_app.core.names import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pi_app.adapters.display_luma import LumaScreen
    from pi_app.adapters.sound import SignalPlayer
    from pi_app.core.clock import ManualClock
    from pi_app.core.device import CameraPart
    from pi_app.core.observations import Frame
    from pi_app.core.ports import Clock
    from pi_app.judging.worker import Recogniser
    from pi_app.kit.art import KitArt
    from pi_app.kit.model import Kit
    from pi_app.kit.table import Table
    from pi_app.play.eyes import Eyes
    from pi_app.play.game import Game, Tap
    from pi_app.play.witness import Witness
    from pi_app.session.voila.sessions import VoilaRunner
    from pi_app.session.voila.state import State
    from pi_app.session.voila.view import PublicView
    from pi_app.sim.faults import Mischief, PlannedFault
    from pi_app.sim.simulation import SimSettings, Simulation
    from pi_app.vision.camera import Camera

OWN_TABLE = Path(__file__).parent / "kit" / "table.toml"


@dataclass(frozen=True)
class Set:
    """What lies on the table: the kit, where it came from, and the mat."""

    kit: Kit
    kit_folder: Path
    table: Table
    table_path: Path
    mode: Mode
    config: Config = field(default_factory=Config)

    @cached_property
    def art(self) -> KitArt:
        """The kit's pictures, read once; UserError where one is broken."""
        from pi_app.kit.art import load_art

        return load_art(self.kit_folder, self.kit)


def open_set(kit_folder: Path | None, table_path: Path | None, mode: Mode, config: Path | None = None) -> Set:
    """Return the owner's kit and mat; without a folder the sample kit, drawn once and kept in the user's cache."""
    from pi_app.kit.load import load_kit, load_table

    folder = kit_folder or sample_kit_folder()
    path = table_path or OWN_TABLE
    return Set(load_kit(folder), folder, load_table(path), path, mode, load_config(config))


def sample_kit_folder() -> Path:
    """Return the folder of the sample kit, drawing it where it is missing."""
    from platformdirs import user_cache_path

    from pi_app.kit.sample import ensure_sample_kit

    return ensure_sample_kit(user_cache_path("table-umpire") / f"sample-kit-{__version__}")


def new_journal(game: str) -> Path:
    """Return where the journal of a game that begins now belongs, in the user's state folder."""
    from platformdirs import user_state_path

    started = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return user_state_path("table-umpire") / "sessions" / f"{game}-{started}.db"


@dataclass(frozen=True)
class SimulatedGame:
    """A simulated evening joined with the program; `frames` is what the camera delivers, None where it is late."""

    game: Game[State, PublicView]
    frames: Iterator[Frame | None]
    sim: Simulation
    witness: Witness
    screen: LumaScreen
    player: SignalPlayer
    mischief: Mischief
    close: Callable[[], None]


def simulated_game(
    lying: Set, settings: SimSettings, journal: Path, record: Path | None, faults: tuple[PlannedFault, ...] = ()
) -> SimulatedGame:
    """Build a game on the simulated table; with `record` the journal, too, is in that folder.

    The recogniser runs inline, so that the same seed gives the same game on any machine.
    """
    from pi_app.adapters.buttons_gpio import GpioButtons
    from pi_app.adapters.display_luma import LumaScreen
    from pi_app.adapters.sound import SignalPlayer
    from pi_app.games.voila import deck_of
    from pi_app.play.game import Game, Tap
    from pi_app.play.recording import Recorder
    from pi_app.play.senses import Pad, Senses
    from pi_app.play.witness import Witness
    from pi_app.sensing.tiles import TilePad
    from pi_app.session.voila.sessions import start_session
    from pi_app.sim.devices import oled_opener
    from pi_app.sim.faults import Mischief, Parts, SimBus, SimWall
    from pi_app.sim.simulation import Simulation
    from pi_app.sim.sound import SimSpeaker

    sim = Simulation(lying.kit, lying.art, lying.table, settings)
    camera = settings.scene.view.camera
    recorder = Recorder(record, camera, lying.mode, lying.kit_folder, lying.table_path) if record else None
    where = recorder.journal if recorder else journal
    wall, bus = SimWall(sim.clock), SimBus(oled_opener(journal.parent / "oled"))
    runner = start_session(where, sim.clock, deck_of(lying.kit), lying.config.session, lying.config.voila, wall)
    witness, tap = Witness(sim), Tap()
    recogniser = _inline(lying, camera)
    eyes = _eyes(lying, camera, tap, runner, recorder.noting(recogniser) if recorder else recogniser)
    if recorder:
        recorder.listen(eyes)
        tap.add(recorder.seen.take)
    tap.add(witness.take)
    buttons = GpioButtons(sim.buttons.pins, sim.buttons.factory, sim.clock)
    pad = Pad(sim.reader, TilePad(sim.pad.tags, empty_polls=1))
    senses = Senses(tap.post, runner.sensed_until, (buttons,), pad, sim.reader)
    screen = LumaScreen(bus.open, sim.clock)
    speaker = SimSpeaker(sim.clock)
    player = SignalPlayer(speaker.open, sim.clock)
    runner.on_effect(player.carry_out)
    frames = recorder.through(sim.camera.beats()) if recorder else sim.camera.beats()

    def close() -> None:
        runner.close()
        screen.close()
        player.close()
        buttons.close()
        if recorder:
            recorder.close()

    mischief = Mischief(faults, Parts(sim.camera, sim.buttons, sim.reader, bus, wall))
    game = Game(runner, eyes, senses, sim.clock)
    return SimulatedGame(game, frames, sim, witness, screen, player, mischief, close)


@dataclass(frozen=True)
class VideoGame:
    """A game whose pictures come from a file; `clock` follows their sensor times."""

    game: Game[State, PublicView]
    runner: VoilaRunner
    clock: ManualClock

    def beat(self, frame: Frame) -> PublicView:
        """Take one picture."""
        return self.game.beat(frame)


def video_game(lying: Set, camera: Camera, journal: Path, first_ns: int) -> VideoGame:
    """Build a game over a video; nobody presses but the keyboard."""
    from pi_app.core.clock import ManualClock
    from pi_app.play.game import Game, Tap
    from pi_app.play.senses import Senses

    clock, tap = ManualClock(first_ns, boot=f"video-{uuid4()}"), Tap()
    runner = session_at(journal, clock, lying)
    eyes = _eyes(lying, camera, tap, runner, _inline(lying, camera))
    return VideoGame(Game(runner, eyes, Senses(tap.post), clock), runner, clock)


@contextmanager
def following_frames(part: CameraPart, wait_s: float = 5.0) -> Iterator[Callable[[], Frame]]:
    """Open a camera and yield what returns its next picture; UserError where none comes."""
    from pi_app.core.observations import Frame
    from pi_app.wiring_parts import open_camera

    thread = open_camera(part)

    def following() -> Frame:
        taken = thread.take(wait_s)
        if isinstance(taken, Frame):
            return taken
        raise UserError(taken.why if taken else f"camera {part.device}: no picture in {wait_s:g} s")

    try:
        yield following
    finally:
        thread.close()


def session_at(journal: Path, clock: Clock, lying: Set) -> VoilaRunner:
    """Go on with the session of a journal that exists, or begin one."""
    from pi_app.games.voila import deck_of
    from pi_app.session.voila.sessions import resume_session, start_session

    if journal.exists():
        return resume_session(journal, clock)
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"{journal}: cannot be written: {error.strerror or error}; choose another with --journal"
        ) from None
    return start_session(journal, clock, deck_of(lying.kit), lying.config.session, lying.config.voila)


def _inline(lying: Set, camera: Camera) -> Recogniser:
    from pi_app.judging.worker import InlineRecogniser, TableReader

    return InlineRecogniser(TableReader(camera, lying.table, lying.kit, lying.art))


def _eyes(lying: Set, camera: Camera, tap: Tap, runner: VoilaRunner, recogniser: Recogniser) -> Eyes:
    from pi_app.judging.sight import table_sight
    from pi_app.play.eyes import Eyes

    sight = table_sight(lying.table, lying.kit, camera, recogniser)
    eyes = Eyes(sight, lying.kit, lying.mode, tap.post, runner.standing)
    tap.add(runner.post)
    runner.on_effect(eyes.carry_out)
    return eyes
