"""What can happen at the table, in the rulebook's words. Times are monotonic ns of the moment it was sensed.

`seat` is who acts. In partner mode both partners act on the one pile they share.
"""

from dataclasses import dataclass
from enum import StrEnum

from pi_app.games.vowl.setup import Deck, Face, Timer


class Placement(StrEnum):
    """Where the tier's cards go, as seen from the green cards."""

    ON_TOP = "on_top"
    UNDERNEATH = "underneath"


class Reward(StrEnum):
    """The two ways of taking points."""

    TWO = "two"
    """Two points."""
    ONE = "one"
    """One point; the own and one other player's victory token go down a space."""


class WhyStopped(StrEnum):
    """Why the timer stands."""

    CHALLENGE = "challenge"
    AGREED = "agreed"
    POWER_CUT = "power_cut"


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The active player rolled both dice."""

    number: int
    face: Face


@dataclass(frozen=True, slots=True)
class PlayerChosen:
    """The active player chose a neighbour to partner up with, or anybody to play head-to-head."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """Selection mode: the opponent looked at the green cards, discarded three and shuffled the rest."""


@dataclass(frozen=True, slots=True)
class PileLaid:
    """`seat` drew a pile, face down, with the tier's cards on top of or underneath the green ones."""

    seat: int
    tier_cards: Placement = Placement.UNDERNEATH


@dataclass(frozen=True, slots=True)
class TimerFlipped:
    """The timer runs from `at_ns`."""

    at_ns: int
    timer: Timer = Timer.GREEN


@dataclass(frozen=True, slots=True)
class CardTurned:
    """The top card of `seat`'s pile was laid face up; `letters` is None while nobody could read it."""

    seat: int
    deck: Deck
    at_ns: int
    letters: str | None = None


@dataclass(frozen=True, slots=True)
class CardPassed:
    """The face-up card of `seat`'s pile was set aside, face down."""

    seat: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardTakenUp:
    """A passed card was returned to; `card` is its place among the cards turned from this pile, from 0."""

    seat: int
    card: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardSolved:
    """`seat` solved the face-up card; `word` is the answer that was accepted, where it is known."""

    seat: int
    at_ns: int
    word: str | None = None


@dataclass(frozen=True, slots=True)
class SandRanOut:
    """Time is up. `at_ns` is at or after the deadline; what was solved at or before the deadline counts."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class TimerStopped:
    """The timer was stopped at `at_ns`."""

    at_ns: int
    why: WhyStopped = WhyStopped.AGREED


@dataclass(frozen=True, slots=True)
class TimerContinued:
    """The timer goes on with the time that was left; `at_ns` may be of another run of the clock (after a reboot)."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class TieCardTurned:
    """Sudden death: the top card of the red deck lies face up."""

    at_ns: int
    letters: str | None = None


@dataclass(frozen=True, slots=True)
class TieCardSolved:
    """Sudden death: `seat` was the first to say the answer."""

    seat: int
    at_ns: int
    word: str | None = None


@dataclass(frozen=True, slots=True)
class TieCardGivenUp:
    """Sudden death: neither player knows the card."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class PointsTaken:
    """`seat` took the points of a success; `other` is whose victory token goes down with the own (Reward.ONE only)."""

    seat: int
    reward: Reward
    other: int | None = None


Event = (
    DiceRolled
    | PlayerChosen
    | CardsDiscarded
    | PileLaid
    | TimerFlipped
    | CardTurned
    | CardPassed
    | CardTakenUp
    | CardSolved
    | SandRanOut
    | TimerStopped
    | TimerContinued
    | TieCardTurned
    | TieCardSolved
    | TieCardGivenUp
    | PointsTaken
)
