"""The session's states and what each makes of every input: one table, and a pair that is not in it is refused."""

from dataclasses import dataclass
from enum import StrEnum, auto

from pi_app.core.events import (
    CardsSeen,
    PartFault,
    Pressed,
    Restarted,
    StonesSeen,
    Tick,
    TileOnPad,
    VerdictGiven,
    VoilaSensed,
)
from pi_app.session.commands import Commanded, NameSeat, Press, Start, Undo
from pi_app.session.flow import Refused
from pi_app.session.voila.commands import (
    WORDS,
    Approve,
    CallVoila,
    ContinueTurn,
    Correct,
    LayTile,
    Pause,
    Reject,
    ReplayTurn,
    TellCard,
    TellFinder,
    TellStone,
)


class Phase(StrEnum):
    """What is going on at the table."""

    JOINING = "joining"
    """Players press their buzzers in seat order."""
    READY = "ready"
    """The active player's press starts the turn."""
    RUNNING = "running"
    """Between actions, or a card is owed."""
    TASK = "task"
    """A task that the timekeeper decides is open."""
    CLAIM = "claim"
    """A Find card may be claimed."""
    JUDGING = "judging"
    """The camera watches the open task."""
    PENDING = "pending"
    """A verdict waits for the timekeeper."""
    BONUS = "bonus"
    """Bonus cards are taken one by one."""
    PAUSED = "paused"
    """The timer stands."""
    RESUME = "resume"
    """After a power cut the running turn is offered to be replayed or continued."""
    OVER = "over"
    """The game is over."""


class Do(StrEnum):
    """What is done with an input."""

    IGNORE = auto()
    JOIN = auto()
    LEAVE = auto()
    NAME = auto()
    START = auto()
    PRESS = auto()
    KEEP_VOILA = auto()
    CALL_VOILA = auto()
    STONES = auto()
    STONE = auto()
    CARDS = auto()
    CARD = auto()
    SAME_CARD = auto()
    TILE = auto()
    STRAY_TILE = auto()
    FINDER = auto()
    VERDICT = auto()
    JUDGE = auto()
    OVERRULE = auto()
    PAUSE = auto()
    RESUME = auto()
    REPLAY = auto()
    UNDO = auto()
    CORRECT = auto()
    TIME = auto()
    FAULT = auto()
    RESTART = auto()


Taken = VoilaSensed | Commanded

_SENSED: dict[type, Do] = {
    **dict.fromkeys(VoilaSensed.__args__, Do.IGNORE),
    StonesSeen: Do.STONES,
    CardsSeen: Do.CARDS,
    Tick: Do.TIME,
    PartFault: Do.FAULT,
    Restarted: Do.RESTART,
}
_GAME: dict[type, Do] = {**_SENSED, Undo: Do.UNDO, Correct: Do.CORRECT, NameSeat: Do.NAME}
_TURN: dict[type, Do] = {**_GAME, Pause: Do.PAUSE, TileOnPad: Do.STRAY_TILE}
_TASK: dict[type, Do] = {
    **_TURN,
    Pressed: Do.KEEP_VOILA,
    Press: Do.KEEP_VOILA,
    CallVoila: Do.KEEP_VOILA,
    Approve: Do.JUDGE,
    Reject: Do.JUDGE,
    TellCard: Do.SAME_CARD,
}

TABLE: dict[Phase, dict[type, Do]] = {
    Phase.JOINING: {
        **_SENSED,
        Pressed: Do.JOIN,
        Press: Do.JOIN,
        NameSeat: Do.NAME,
        Start: Do.START,
        Undo: Do.LEAVE,
    },
    Phase.READY: {**_GAME, Pressed: Do.PRESS, Press: Do.PRESS},
    Phase.RUNNING: {
        **_TURN,
        Pressed: Do.PRESS,
        Press: Do.PRESS,
        CallVoila: Do.CALL_VOILA,
        TellStone: Do.STONE,
        TellCard: Do.CARD,
        Approve: Do.OVERRULE,
        Reject: Do.OVERRULE,
    },
    Phase.TASK: _TASK,
    Phase.CLAIM: {
        **_TURN,
        Pressed: Do.PRESS,
        Press: Do.PRESS,
        TileOnPad: Do.TILE,
        LayTile: Do.TILE,
        TellFinder: Do.FINDER,
        TellCard: Do.SAME_CARD,
    },
    Phase.JUDGING: {**_TASK, VerdictGiven: Do.VERDICT},
    Phase.PENDING: _TASK,
    Phase.BONUS: {**_GAME, Press: Do.IGNORE, TellCard: Do.CARD},
    Phase.PAUSED: {**_GAME, Press: Do.IGNORE, ContinueTurn: Do.RESUME, ReplayTurn: Do.REPLAY},
    Phase.RESUME: {**_GAME, Press: Do.IGNORE, ContinueTurn: Do.RESUME, ReplayTurn: Do.REPLAY},
    Phase.OVER: {**_GAME, Press: Do.IGNORE},
}


@dataclass(eq=False)
class Unexpected(Refused):
    """An input that has no place in the phase; names both and what is possible instead."""

    phase: Phase
    taken: Taken

    def __str__(self) -> str:
        possible = sorted(WORDS[kind] for kind in TABLE[self.phase] if kind not in _SENSED)
        taken = kind_of(self.taken)
        got = WORDS.get(taken, taken.__name__)
        return f"{got}: not while {self.phase}; wanted {', '.join(possible) or 'no command'}"


def kind_of(taken: Taken) -> type:
    """Return what the table lists an input under: the command's kind, or the sensed input's."""
    return type(taken.command) if isinstance(taken, Commanded) else type(taken)


def doing(phase: Phase, taken: Taken) -> Do:
    """Return what is done with the input in that phase; Unexpected for a pair that is not in the table."""
    found = TABLE[phase].get(kind_of(taken))
    if found is None:
        raise Unexpected(phase, taken)
    return found
