"""A whole simulated evening in one object: table, camera, buzzers, pad, players and timekeeper, from one seed.

To play a game, join it to the program like this, in one thread:

    sim = Simulation(kit, art, table, settings)
    for frame in sim.camera:                  # each picture moves the table and sim.clock on
        edges, reads = buttons.edges(), sim.reader.reads()  # buttons: the gpiozero adapter on sim.buttons.factory
        ...                                   # feed edges, reads and frame to sensing, watch and session
        for command in sim.look(view):        # players and timekeeper see the public view and answer
            runner.command(command)

Nothing but the pictures, the pins' edges and the pad's bytes may reach the judge; `compare` is for the report.
"""

from dataclasses import dataclass, field

from pi_app.core.clock import ManualClock
from pi_app.core.names import Mode, Task
from pi_app.core.verdict import Outcome, Verdict
from pi_app.kit.art import KitArt
from pi_app.kit.model import Figure, Kit
from pi_app.kit.table import Table
from pi_app.session.voila.commands import Command
from pi_app.session.voila.view import PublicView, Wait
from pi_app.sim.board import SimBoard, SimReader
from pi_app.sim.deeds import FINISHED_BY_ACT, attempt_of
from pi_app.sim.devices import SimButtons, SimPad
from pi_app.sim.juggle import card_size_mm
from pi_app.sim.keeper import Claimers, SimTimekeeper
from pi_app.sim.parts import SimCamera
from pi_app.sim.picture import TablePicture
from pi_app.sim.player import ActivePlayer
from pi_app.sim.room import Habits, Room, SimDeck
from pi_app.sim.scene import Faults, Scene, plain_scene
from pi_app.sim.table import SimTable
from pi_app.sim.truth import Attempt

START_SLACK_S = 0.10
THROW_FPS = 60.0
"""The camera's rate while a throw is asked for."""


@dataclass(frozen=True)
class SimSettings:
    """What a simulated evening is like; the same settings give the same evening.

    `reads_cards`: the device reads cards itself, and the timekeeper tells one only where that fails.
    """

    players: int = 2
    seed: int = 1
    habits: Habits = field(default_factory=Habits)
    scene: Scene = field(default_factory=plain_scene)
    faults: Faults = field(default_factory=Faults)
    mode: Mode = Mode.BADGE
    fps: float = 30.0
    reads_cards: bool = True


@dataclass(frozen=True)
class Compared:
    """A verdict beside the truth; `agrees` counts unsure as no disagreement, `false_pass` is the worst fault."""

    verdict: Verdict
    truth: Attempt

    @property
    def agrees(self) -> bool:
        """Return whether the verdict is not contradicted."""
        return self.verdict.outcome in (Outcome.UNSURE, self.truth.outcome)

    @property
    def false_pass(self) -> bool:
        """Return whether the device said pass and the physics deny it."""
        return self.verdict.outcome is Outcome.PASS and self.truth.outcome is not Outcome.PASS


class Simulation:
    """The simulated table with everybody around it."""

    def __init__(self, kit: Kit, art: KitArt, table: Table, settings: SimSettings | None = None) -> None:
        self.settings = settings or SimSettings()
        self.clock = ManualClock(1_000_000_000_000)
        self.table = SimTable(kit, table, self.settings.seed, self.clock)
        self.buttons = SimButtons(self.clock)
        self.pad = SimPad(kit)
        self.reader = SimReader(self.clock, SimBoard(self.pad.tag, self.clock.now_ns()))
        deck = SimDeck(kit, self.table.random)
        sizes = {card: card_size_mm(picture.shape) for card, picture in art.cards.items()}
        habits, players = self.settings.habits, self.settings.players
        self.room = Room(self.table, self.buttons, self.pad, deck, habits, players, sizes)
        picture = TablePicture(self.settings.scene, table, kit, art, self.table.pieces.values(), self.settings.mode)
        self.camera = SimCamera(self.table, picture, self.settings.faults, self.settings.fps)
        self._keeper = SimTimekeeper(self.room, reads_cards=self.settings.reads_cards)
        self.table.run(ActivePlayer(self.room).play())
        self.table.run(Claimers(self.room).play())

    def look(self, view: PublicView) -> list[Command]:
        """Show everybody the device's public view; return what the timekeeper tells the device."""
        self.room.view = view
        throwing = view.waits is Wait.TASK and view.task is not None and view.task.task is Task.THROW
        self.camera.rate(max(self.settings.fps, THROW_FPS) if throwing else self.settings.fps)
        return self._keeper.commands()

    def compare(self, task: Task, figure: Figure | None, verdict: Verdict, asked_ns: int, at_ns: int) -> Compared:
        """Return a verdict beside what really happened between the question and the verdict's last picture.

        A start of standing that is up to START_SLACK_S early is right, as where recorded scenes are scored.
        """
        from_s, to_s = self.seconds(asked_ns), self.seconds(at_ns)
        if task in FINISHED_BY_ACT:
            return Compared(verdict, attempt_of(self.room.deeds, task, from_s, to_s))
        return Compared(verdict, self.table.truth.attempt(task, figure, from_s, to_s, START_SLACK_S))

    def seconds(self, at_ns: int) -> float:
        """Return a moment of the clock in the table's seconds."""
        return (at_ns - self.table.start_ns) / 1e9
