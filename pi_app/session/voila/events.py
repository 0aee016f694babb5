"""What the session decided: the events of the journal, beside the game's own."""

from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.names import Task
from pi_app.core.verdict import Verdict
from pi_app.games.voila import CardKind, Settings
from pi_app.games.voila import Event as Move
from pi_app.session.events import By, FaultNoted, GameStarted, SeatJoined, SeatLeft, SeatNamed
from pi_app.session.voila.options import Options


class Note(StrEnum):
    """What the device has to say beside its state; the next event that matters takes it away."""

    ACTION_FIRST = "action_first"
    """Voilà! was pressed while an action is owed."""
    VOILA_KEPT = "voila_kept"
    """Voilà! was pressed while a task waits for its verdict: it counts once the task is passed."""
    VOILA_EARLY = "voila_early"
    """Voilà! was pressed before the task was done: it does not count."""
    STONES_UNCLEAR = "stones_unclear"
    """The stone zone holds other stones than were drawn: one more at a time, or tell which."""
    STONE_EARLY = "stone_early"
    """A stone was drawn before the action was done."""
    CARDS_UNCLEAR = "cards_unclear"
    """The card zone holds more new cards than one, or one that cannot be drawn now: tell which."""
    CARD_UNKNOWN = "card_unknown"
    """A card is owed, and what lies there is none of the kit's."""
    STRAY_TILE = "stray_tile"
    """A tile was laid while nobody holds the claim: it does not count."""
    IMPOSSIBLE = "impossible"
    """The bag lacks the stones for the task: it counts as done, without the card."""
    UNKNOWN_TILE = "unknown_tile"
    """The claim pad reads a tag that is none of the kit's tiles."""


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """The first event of a journal: how the device behaves, the rulings, and the deck of the owner's copy."""

    options: Options
    settings: Settings
    deck: tuple[CardKind, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """The game went on by one move; decisions are numbered from 1 for ever."""

    number: int
    move: Move
    by: By


@dataclass(frozen=True, slots=True)
class Amended:
    """The decision of that number is now `move`, or was none where that is None; the game is folded anew."""

    number: int
    move: Move | None
    by: str


@dataclass(frozen=True, slots=True)
class TurnTakenBack:
    """The running turn is played anew: its decisions, from that number on, are gone."""

    first_number: int
    by: str


@dataclass(frozen=True, slots=True)
class CameraAsked:
    """The camera watches for the open card's task from `at_ns` on."""

    task: Task
    card: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class CameraDropped:
    """The camera's answer is no longer of use."""


@dataclass(frozen=True, slots=True)
class VerdictTold:
    """The camera's verdict on the open card; `waits`: the timekeeper decides."""

    number: int
    task: Task
    card: str
    verdict: Verdict
    waits: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class VoilaKept:
    """The active player called Voilà! while the task waits for its verdict; None: that call is void."""

    at_ns: int | None


@dataclass(frozen=True, slots=True)
class StonesNoted:
    """What lies in the stone zone (yellow, red, blue), and what of it is not of this turn's draw."""

    seen: tuple[int, int, int]
    other: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CardsNoted:
    """What lies in the card zone, and what of it has been counted already."""

    seen: tuple[str, ...]
    old: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """Something to say; None: no longer."""

    note: Note | None


@dataclass(frozen=True, slots=True)
class RestartNoted:
    """The program started again; `turn_offered`: a turn was running in another boot, to be replayed or continued."""

    turn_offered: bool


SessionEvent = (
    SessionOpened
    | SeatJoined
    | SeatLeft
    | SeatNamed
    | GameStarted
    | Decided
    | Amended
    | TurnTakenBack
    | CameraAsked
    | CameraDropped
    | VerdictTold
    | VoilaKept
    | StonesNoted
    | CardsNoted
    | FaultNoted
    | Noted
    | RestartNoted
)
