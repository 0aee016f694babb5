"""What can happen at the table, in the rulebook's words. Times are monotonic ns of the moment it was sensed."""

from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.names import Colour


class Judge(StrEnum):
    """Who decided."""

    DEVICE = "device"
    TIMEKEEPER = "timekeeper"


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The active player is ready: the timer runs from `at_ns`."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class StoneDrawn:
    """The active player drew a stone from the bag."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """A card of the draw pile lies open: the camera or a person says which.

    `at_ns` is when it came to lie there, where that was sensed: claims pressed from then on count although the card
    was read later, at `read_ns`, from which the time to lay the tile runs for them. Without `at_ns` claims count from
    this event on.
    """

    card_id: str
    at_ns: int | None = None
    read_ns: int | None = None


@dataclass(frozen=True, slots=True)
class TaskJudged:
    """The open task (any but Find) was judged; after a failure the player may try again until time is up."""

    passed: bool
    by: Judge = Judge.DEVICE


@dataclass(frozen=True, slots=True)
class ClaimPressed:
    """A seat pressed its buzzer to claim the open Find card.

    While a card is awaited the press is kept: it counts if the card turns out to be Find and lay open by then.
    """

    seat: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class TileLaid:
    """An object tile was laid on the claim pad; None is a tile nobody knows.

    It counts for whoever holds the claim at that moment; refused (it does not count) while nobody does. A tile that was
    laid after an early press, but before the card was read, may be told again with its own time once it is.
    """

    tile_id: str | None
    at_ns: int


@dataclass(frozen=True, slots=True)
class ClaimExpired:
    """The holder of the claim laid no tile in time."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class FindJudged:
    """The timekeeper says who found the object; None: nobody did, the card is discarded."""

    winner: int | None
    by: Judge = Judge.TIMEKEEPER


@dataclass(frozen=True, slots=True)
class VoilaCalled:
    """The active player ended the turn."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The last grain has dropped: "Stop!". `at_ns` is at or after the deadline."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class BonusCardRead:
    """`seat` took this card from the draw pile for two yellow stones."""

    card_id: str
    seat: int


@dataclass(frozen=True, slots=True)
class TurnPaused:
    """The timer was stopped by agreement, or by a power cut at `at_ns`."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class TurnResumed:
    """The timer goes on with the time that was left; `at_ns` may be of another run of the clock (after a reboot)."""

    at_ns: int


Event = (
    TurnStarted
    | StoneDrawn
    | CardRevealed
    | TaskJudged
    | ClaimPressed
    | TileLaid
    | ClaimExpired
    | FindJudged
    | VoilaCalled
    | TimeUp
    | BonusCardRead
    | TurnPaused
    | TurnResumed
)
