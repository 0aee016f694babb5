"""What is fixed before the first turn: seats, rulings and the deck."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.errors import UserError
from pi_app.core.names import Colour, Task
from pi_app.kit.model import Kit, StoneCounts

NS = 1_000_000_000
SEATS = range(2, 7)
BAG = {Colour.YELLOW: 12, Colour.RED: 8, Colour.BLUE: 5}
"""The 25 stones (rulebook, "Components")."""
CARDS_FOR = {Colour.YELLOW: 0, Colour.RED: 1, Colour.BLUE: 2}
"""Cards to draw for one stone (rulebook, "Playing the game")."""
LINE_STONES = 4
"""Stones taken from the bag for The Line."""
YELLOWS_FOR_A_BONUS = 2


class ClaimTie(StrEnum):
    """Who is first of presses that are tied: closer to the first of them than `tie_ms`."""

    EARLIER_EDGE = "earlier_edge"
    """The earlier edge all the same; of the very same nanosecond the active player, then clockwise."""
    FROM_ACTIVE = "from_active"
    """The active player, then clockwise."""
    ACTIVE_LAST = "active_last"
    """The timekeeper (left of the active player), then clockwise, the active player last."""
    FROM_FIRST_SEAT = "from_first_seat"
    """The lower seat number."""


class EverybodyOut(StrEnum):
    """A Find card for which every seat laid a wrong tile or none."""

    DISCARD = "discard"
    """Nobody gets it; the active player's obligation is fulfilled."""
    REOPEN = "reopen"
    """All may claim again until somebody finds the object or time is up."""


class TimeUpInClaim(StrEnum):
    """Time runs out while somebody who pressed in time still has to lay a tile."""

    PLAY_OUT = "play_out"
    """Everyone who pressed by the deadline keeps their chance, in order; nobody else may press any more."""
    CLAIMS_FALL = "claims_fall"
    """The card is discarded at once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every number and every ruling, where the rulebook is silent or a table may wish otherwise.

    `claim_hold_s`: how long the holder of a claim has to lay the tile.
    `tie_ms`: how far apart presses must be for their order to be beyond doubt; closer ones are tied and follow
    `claim_tie`. The kernel stamps edges to well under 0.1 ms.
    `time_up_in_claim`: where claimed cards do not survive a time-out, claims always fall.
    `press_at_deadline_counts`: a Voilà! or claim stamped exactly at the deadline is in time.
    `claimed_cards_survive_timeout`: Find cards won by others stay theirs when the active player's time runs out
    (the active player's own are always lost).
    `won_cards_break_ties`: all cards count for the tie-break however they were won; False leaves out cards claimed
    in other players' turns.
    `line_short_bag_like_juggler`: The Line with fewer than four stones in the bag cannot be completed: the action
    is fulfilled, the card is not received. False: it stays to be done, only time ends it.
    `cards_in_play_stay_at_reshuffle`: cards revealed in the running turn stay on the table when the deck is
    shuffled anew. False: those already performed are noted and shuffled too.
    """

    turn_s: float = 45.0
    turns_each: int = 3
    claim_hold_s: float = 3.0
    press_at_deadline_counts: bool = True
    tie_ms: float = 0.1
    claim_tie: ClaimTie = ClaimTie.EARLIER_EDGE
    everybody_out: EverybodyOut = EverybodyOut.DISCARD
    time_up_in_claim: TimeUpInClaim = TimeUpInClaim.PLAY_OUT
    claimed_cards_survive_timeout: bool = True
    won_cards_break_ties: bool = True
    line_short_bag_like_juggler: bool = True
    cards_in_play_stay_at_reshuffle: bool = True

    def __post_init__(self) -> None:
        for name in ("turn_s", "claim_hold_s"):
            value = getattr(self, name)
            if not 0 < value <= 3600:
                raise UserError(f"voila.{name}: got {value}, wanted more than 0 and at most 3600 seconds")
        if not 0 <= self.tie_ms <= 50:
            raise UserError(f"voila.tie_ms: got {self.tie_ms}, wanted 0 to 50 milliseconds")
        if not 1 <= self.turns_each <= 20:
            raise UserError(f"voila.turns_each: got {self.turns_each}, wanted 1 to 20")

    @property
    def turn_ns(self) -> int:
        """Return the length of a turn in nanoseconds."""
        return round(self.turn_s * NS)

    @property
    def claim_hold_ns(self) -> int:
        """Return how long a claim is held, in nanoseconds."""
        return round(self.claim_hold_s * NS)

    @property
    def tie_ns(self) -> int:
        """Return how close presses are tied, in nanoseconds."""
        return round(self.tie_ms * 1e6)


@dataclass(frozen=True, slots=True)
class CardKind:
    """One kind of card and how many of it the deck holds; `stones` are yellow, red, blue of a Juggler."""

    id: str
    task: Task
    points: int
    count: int
    object: str | None = None
    figure: str | None = None
    stones: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays (clockwise; index = seat), under which settings, with which deck; `first_seat` is active first.

    UserError names what is wrong with it.
    """

    seats: tuple[str, ...]
    deck: tuple[CardKind, ...]
    settings: Settings = Settings()
    first_seat: int = 0

    def __post_init__(self) -> None:
        if len(self.seats) not in SEATS:
            raise UserError(f"voila seats: got {len(self.seats)}, wanted {SEATS.start} to {SEATS.stop - 1}")
        if self.first_seat not in range(len(self.seats)):
            raise UserError(f"voila first seat: got {self.first_seat}, wanted 0 to {len(self.seats) - 1}")
        ids = [kind.id for kind in self.deck]
        if twice := sorted({name for name in ids if ids.count(name) > 1}):
            raise UserError(f"voila deck: got card {twice[0]!r} twice, wanted every kind once")
        if not self.deck:
            raise UserError("voila deck: got no cards, wanted at least one")
        for kind in self.deck:
            if kind.count < 1:
                raise UserError(f"voila deck: got {kind.count} cards {kind.id!r}, wanted at least one")

    @property
    def turns(self) -> int:
        """Return the number of turns of the whole game."""
        return len(self.seats) * self.settings.turns_each

    def seat_of_turn(self, number: int) -> int:
        """Return who is active in the turn of that number, counted from 0."""
        return (self.first_seat + number) % len(self.seats)

    def kind(self, card_id: str) -> CardKind | None:
        """Return the kind of card, None where the deck has no such card."""
        return next((kind for kind in self.deck if kind.id == card_id), None)


def deck_of(kit: Kit) -> tuple[CardKind, ...]:
    """Return the deck of the owner's copy; kinds with count 0 are left out."""
    return tuple(
        CardKind(card.id, card.task, card.points, card.count, card.object, card.figure, _stones(card.stones))
        for card in kit.card
        if card.count
    )


def _stones(counts: StoneCounts | None) -> tuple[int, int, int]:
    return (counts.yellow, counts.red, counts.blue) if counts else (0, 0, 0)


def counts_of(deck: Iterable[CardKind]) -> tuple[int, ...]:
    """Return how many cards of each kind a full deck holds."""
    return tuple(kind.count for kind in deck)
