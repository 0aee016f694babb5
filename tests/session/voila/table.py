"""A table to play on in tests: a session on a clock that is set by hand."""

from collections.abc import Callable
from pathlib import Path

from pi_app.core.clock import ManualClock
from pi_app.core.effects import AskCamera, Effect
from pi_app.core.events import CardsSeen, Pressed, StonesSeen, TileOnPad, VerdictGiven
from pi_app.core.names import Task
from pi_app.core.verdict import Outcome, Reason, Verdict, unsure
from pi_app.games.voila import CardKind, Settings
from pi_app.sensing.presses import ORDER_NS
from pi_app.session.voila.commands import Command, parse_command
from pi_app.session.voila.options import Options
from pi_app.session.voila.phases import Phase
from pi_app.session.voila.sessions import VoilaRunner, start_session
from pi_app.session.voila.show import public_view
from pi_app.session.voila.state import State
from pi_app.session.voila.view import PublicView

S = 1_000_000_000
MS = 1_000_000

DECK = (
    CardKind("throw", Task.THROW, 1, 12),
    CardKind("find-cat", Task.FIND, 1, 10, object="cat"),
    CardKind("find-dog", Task.FIND, 1, 10, object="dog"),
    CardKind("pyramid", Task.ACROBATS, 2, 14, figure="pyramid"),
    CardKind("tower", Task.TOWER, 2, 12),
    CardKind("tunnel", Task.TUNNEL, 3, 6),
    CardKind("line", Task.LINE, 3, 8),
    CardKind("juggler", Task.JUGGLER, 3, 8, stones=(1, 1, 1)),
)


_open: list[VoilaRunner] = []


def close_tables() -> None:
    """Close the journals of all tables that were made."""
    while _open:
        _open.pop().close()


def passed(from_ns: int, to_ns: int | None = None) -> Verdict:
    """A structure that stood two seconds from `from_ns` on."""
    end_ns = from_ns + 2 * S if to_ns is None else to_ns
    return Verdict(Outcome.PASS, (Reason.OK,), 0.9, from_ns, end_ns, end_ns - from_ns)


def failed(*reasons: Reason) -> Verdict:
    return Verdict(Outcome.FAIL, reasons or (Reason.FELL,), 0.9, stood_for_ns=S)


def doubtful() -> Verdict:
    return unsure(Reason.HIDDEN)


class TestTable:
    """Players, timekeeper and camera at one session; every act happens `pace_s` after the one before."""

    __test__ = False

    def __init__(self, runner: VoilaRunner, clock: ManualClock, pace_s: float = 0.5) -> None:
        self.runner = runner
        self.clock = clock
        self.pace_s = pace_s
        self.effects: list[Effect] = []
        self.stones = [0, 0, 0]
        runner.on_effect(self.effects.append)
        _open.append(runner)

    @property
    def view(self) -> PublicView:
        return self.runner.view()

    @staticmethod
    def view_of(state: State) -> PublicView:
        return public_view(state, 0)

    def phase(self) -> Phase:
        return self.view.phase

    def wait(self, seconds: float) -> "TestTable":
        self.clock.advance_s(seconds)
        self.runner.step()
        return self

    def press(self, button: int, at_ns: int | None = None) -> "TestTable":
        self._pace()
        self.runner.post(Pressed(button, self.clock.now_ns() if at_ns is None else at_ns))
        return self._settled()

    def say(self, command: Command | str) -> "TestTable":
        self._pace()
        self.runner.command(parse_command(command) if isinstance(command, str) else command)
        return self._settled()

    def lay(self, tile: str | None) -> "TestTable":
        self._pace()
        self.runner.post(TileOnPad(tile, self.clock.now_ns()))
        return self._settled()

    def stone(self, colour: str) -> "TestTable":
        """Put one more stone into the stone zone."""
        self.stones[["yellow", "red", "blue"].index(colour)] += 1
        return self.zone(*self.stones)

    def zone(self, yellow: int, red: int, blue: int) -> "TestTable":
        self._pace()
        self.stones = [yellow, red, blue]
        self.runner.post(StonesSeen(yellow, red, blue, self.clock.now_ns()))
        return self._settled()

    def card(self, card: str) -> "TestTable":
        """Lay a card into the card zone, in the place of those that lie there."""
        return self.cards().cards(card)

    def cards(self, *cards: str, unknown: int = 0) -> "TestTable":
        self._pace()
        self.runner.post(CardsSeen(cards, unknown, self.clock.now_ns()))
        return self._settled()

    def verdict(self, make: Callable[[int], Verdict] | Verdict) -> "TestTable":
        """Answer the camera's question; a callable gets the time 2 s ago."""
        asked = self.asked()
        self.clock.advance_s(2.5)
        given = make(self.clock.now_ns() - 2 * S) if callable(make) else make
        self.runner.post(VerdictGiven(asked.task, given, asked.at_ns, self.clock.now_ns()))
        return self._settled()

    def asked(self) -> AskCamera:
        return [effect for effect in self.effects if isinstance(effect, AskCamera)][-1]

    def _pace(self) -> None:
        self.clock.advance_s(self.pace_s)

    def _settled(self) -> "TestTable":
        self.runner.step()
        self.clock.advance_s(ORDER_NS / 1e9)
        self.runner.step()
        return self


def new_table(
    path: Path, players: int = 2, options: Options | None = None, settings: Settings | None = None
) -> TestTable:
    """Return a table where nobody has joined; `players` sit at buttons 1, 2, ..."""
    clock = ManualClock(ns=100 * S, boot="first")
    runner = start_session(path / "game.journal", clock, DECK, options, settings, wall=lambda: "noon")
    table = TestTable(runner, clock)
    for button in range(1, players + 1):
        table.press(button)
    return table


def started(
    path: Path, players: int = 2, options: Options | None = None, settings: Settings | None = None
) -> TestTable:
    """Return a table at which the first turn is about to begin."""
    return new_table(path, players, options, settings).say("start")
