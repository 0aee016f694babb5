"""The session's state: an immutable value, the fold of its events."""

from dataclasses import dataclass, field

from pi_app.core.names import Colour, Task
from pi_app.core.verdict import Verdict
from pi_app.games import voila
from pi_app.games.voila import CardKind, Position, Settings, Setup
from pi_app.session.events import By
from pi_app.session.seats import Joined, seat_at
from pi_app.session.voila.events import Note
from pi_app.session.voila.options import Options
from pi_app.session.voila.phases import Phase

Counts = tuple[int, int, int]
"""Stones of each colour, in the order of Colour: yellow, red, blue."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A decision that stands; `turn` counts from 0, `seat` is whose turn or bonus card it was."""

    number: int
    move: voila.Event
    by: By
    turn: int
    seat: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What the camera watches for."""

    task: Task
    card: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class Last:
    """The last task that was judged or claimed.

    `number` counts the camera's verdicts (0: the camera gave none); `passed` is None while nothing counts yet;
    `winner` is the seat that found an object; `decision` is the number under which it was decided.
    """

    task: Task
    card: str
    number: int = 0
    verdict: Verdict | None = None
    waits: bool = False
    passed: bool | None = None
    by: By | None = None
    winner: int | None = None
    decision: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """Everything the session knows.

    `voila_ns`: Voilà! was called while a task waits for its verdict. `cards_seen` lie in the card zone, `cards_old` of
    them have been counted; `card_told` was counted by a person's word and has not been seen yet.
    """

    options: Options = field(default_factory=Options)
    settings: Settings = field(default_factory=Settings)
    deck: tuple[CardKind, ...] = ()
    joined: tuple[Joined, ...] = ()
    position: Position | None = None
    log: tuple[LogEntry, ...] = ()
    decided: int = 0
    verdicts: int = 0
    asked: Asked | None = None
    last: Last | None = None
    voila_ns: int | None = None
    stones_seen: Counts = (0, 0, 0)
    stones_other: Counts = (0, 0, 0)
    cards_seen: tuple[str, ...] = ()
    cards_old: tuple[str, ...] = ()
    card_told: str | None = None
    faults: tuple[tuple[str, str], ...] = ()
    note: Note | None = None
    turn_offered: bool = False

    @property
    def moves(self) -> tuple[voila.Event, ...]:
        """Return the game's record."""
        return tuple(entry.move for entry in self.log)

    @property
    def game(self) -> Position:
        """Return the position of the game that has begun; ValueError before it has."""
        if self.position is None:
            raise ValueError("no game has begun")
        return self.position

    def seat_of(self, button: int) -> int | None:
        """Return the seat that joined with this button."""
        return seat_at(self.joined, button)

    @property
    def waits_for_timekeeper(self) -> bool:
        """Return whether the open card's verdict waits for the timekeeper."""
        kind = self.position.open_kind if self.position else None
        return bool(kind and self.last and self.last.waits and self.last.card == kind.id)


def setup_of(state: State, first_seat: int) -> Setup:
    """Return the game's setup for the seats that joined; UserError where they are too few or too many."""
    return Setup(tuple(joined.name for joined in state.joined), state.deck, state.settings, first_seat)


def drawn_counts(state: State) -> Counts:
    """Return the stones drawn in the running turn."""
    stones = state.position.turn.stones if state.position and state.position.turn else ()
    return stones.count(Colour.YELLOW), stones.count(Colour.RED), stones.count(Colour.BLUE)


def phase_of(state: State) -> Phase:
    """Return what is going on at the table."""
    if state.position is None:
        return Phase.JOINING
    if state.turn_offered:
        return Phase.RESUME
    match voila.phase(state.position):
        case voila.Phase.TASK:
            return _task_phase(state)
        case voila.Phase.CHOICE | voila.Phase.CARD:
            return Phase.RUNNING
        case voila.Phase.FIND | voila.Phase.LAST_CLAIMS:
            return Phase.CLAIM
        case other:
            return Phase(other.value)


def _task_phase(state: State) -> Phase:
    if state.waits_for_timekeeper:
        return Phase.PENDING
    kind = state.game.open_kind
    return Phase.JUDGING if kind and kind.task in state.options.camera_tasks else Phase.TASK
