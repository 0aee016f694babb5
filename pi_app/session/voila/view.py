"""The public view: all that a user interface shows, as plain values, so that none needs to know the engine.

Seats count from 0. Times are seconds that were left when the view was taken; nothing in it moves by itself.
"""

from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.names import Colour, Lamp, Task
from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.session.events import By
from pi_app.session.flow import Audience
from pi_app.session.view import ClockView, GameView
from pi_app.session.voila.events import Note
from pi_app.session.voila.phases import Phase

__all__ = [
    "CardView",
    "ClaimPressView",
    "ClaimView",
    "Note",
    "Phase",
    "PublicView",
    "SeatView",
    "TaskView",
    "TurnView",
    "VerdictView",
    "Wait",
]


class Wait(StrEnum):
    """What the device waits for."""

    PLAYERS = "players"
    """Press your buzzer to join; with two or more the first seat presses again to start."""
    TURN = "turn"
    """The active player presses to begin."""
    STONES_BACK = "stones_back"
    """All stones go back into the bag; then the active player presses to begin."""
    FIRST_STONE = "first_stone"
    """Draw a stone."""
    STONE_OR_VOILA = "stone_or_voila"
    """Draw a stone, or call Voilà!"""
    CARD = "card"
    """Draw a card."""
    TASK = "task"
    """Perform the task; the camera watches."""
    TIMEKEEPER = "timekeeper"
    """Perform the task; the timekeeper says whether it was done."""
    APPROVAL = "approval"
    """The timekeeper decides."""
    CLAIMS = "claims"
    """Press when you see the object."""
    TILE = "tile"
    """The holder of the claim lays the tile."""
    BONUS = "bonus"
    """Lay a bonus card in the card zone."""
    CONTINUE = "continue"
    """The timer stands: continue, or play the turn anew."""
    NOTHING = "nothing"
    """The game is over."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat. `at_stake`: points that time-out would take away."""

    seat: int
    name: str
    button: int
    points: int = 0
    cards: int = 0
    at_stake: int = 0
    turns_left: int = 0
    active: bool = False
    timekeeper: bool = False
    winner: bool = False
    lamp: Lamp = Lamp.OFF


@dataclass(frozen=True, slots=True)
class CardView:
    """A card revealed in the running turn; `state` in the rules' words: open, done, claimed ..."""

    card: str
    task: Task
    points: int
    state: str
    claimed_by: int | None = None


@dataclass(frozen=True, slots=True)
class TurnView:
    """The running turn, or the next where `running` is False; `number` counts from 1."""

    number: int
    turns: int
    seat: int
    running: bool
    stones: tuple[Colour, ...] = ()
    cards: tuple[CardView, ...] = ()
    bonus_cards: int = 0


@dataclass(frozen=True, slots=True)
class TaskView:
    """The open card's task; `standing_s`: how long the camera has seen the structure stand, None: not yet."""

    card: str
    task: Task
    points: int
    figure: str | None
    object: str | None
    stones: tuple[int, int, int]
    by_camera: bool
    standing_s: float | None = None


@dataclass(frozen=True, slots=True)
class ClaimPressView:
    """One press in order: `gap_ms` after the earliest; `out`: wrong tile, or none in time; `tied`: placed by rule."""

    seat: int
    gap_ms: float
    out: bool
    holds: bool
    tied: bool = False


@dataclass(frozen=True, slots=True)
class ClaimView:
    """The claims on a Find card; `remaining_s` is the holder's time to lay the tile."""

    order: tuple[ClaimPressView, ...]
    holder: int | None
    remaining_s: float | None


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The last task that was judged.

    `outcome`, `reasons`, `measures` and `stood_for_s` are the camera's (None and empty where it was not asked),
    `number` counts its verdicts. `waits`: the timekeeper has to decide; `passed` is what counts, None while nothing
    does; `by` who decided that. `winner` found the object. `fresh`: nothing was decided since.
    """

    number: int
    task: Task
    card: str
    outcome: Outcome | None
    reasons: tuple[Reason, ...]
    measures: tuple[Measure, ...]
    stood_for_s: float | None
    confidence: float | None
    waits: bool
    passed: bool | None
    by: By | None
    winner: int | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class PublicView(GameView):
    """The state of the table, for one audience.

    `bonus_owed`: cards that `bonus_seat` still takes. `voila_kept`: Voilà! was called and waits for the verdict.
    `reshuffle`: the draw pile is empty, all cards but those in play make a new one before the next is drawn.
    """

    audience: Audience
    phase: Phase
    waits: Wait
    seats: tuple[SeatView, ...]
    clock: ClockView
    turn: TurnView | None = None
    task: TaskView | None = None
    claim: ClaimView | None = None
    verdict: VerdictView | None = None
    bonus_seat: int | None = None
    bonus_owed: int = 0
    reshuffle: bool = False
    voila_kept: bool = False
    note: Note | None = None

    def name(self, seat: int) -> str:
        """Return a seat's name."""
        return self.seats[seat].name
