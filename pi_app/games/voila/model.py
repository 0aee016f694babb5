"""The position of a game: an immutable value from which everything else is derived."""

from dataclasses import dataclass, field
from enum import StrEnum

from pi_app.core.names import Colour
from pi_app.games.voila.events import Event
from pi_app.games.voila.setup import BAG, CARDS_FOR, CardKind, Setup, counts_of


class CardState(StrEnum):
    """What became of a card revealed in the running turn."""

    OPEN = "open"
    """Its task is being performed."""
    DONE = "done"
    """Performed, or found by the active player: theirs if they call Voilà! in time."""
    CLAIMED = "claimed"
    """Found by another player."""
    NOT_DONE = "not_done"
    """The play went on without it (only after a correction)."""
    UNCLAIMED = "unclaimed"
    """Nobody found the object."""
    IMPOSSIBLE = "impossible"
    """The bag lacks the stones: the action is fulfilled, the card is not received."""
    SURPLUS = "surplus"
    """Drawn although no stone asked for it (only after a correction): counts for nobody."""


class How(StrEnum):
    """How a card was won."""

    TASK = "task"
    CLAIM = "claim"
    BONUS = "bonus"


@dataclass(frozen=True, slots=True)
class TurnCard:
    """A card revealed in the running turn; `shuffled` once it went back into the pile and is only noted."""

    card_id: str
    state: CardState
    claimed_by: int | None = None
    shuffled: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """One seat's claim; `out_ns` is when it laid a wrong tile or none in time, None while it is still in."""

    seat: int
    at_ns: int
    out_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The running turn.

    `read_ns`: when the open card was read, if that is known. `paused_ns`: since when the timer stands.
    `stopped_ns`: time is up and only claims pressed in time are still played out.
    """

    number: int
    seat: int
    started_ns: int
    deadline_ns: int
    stones: tuple[Colour, ...] = ()
    cards: tuple[TurnCard, ...] = ()
    presses: tuple[Press, ...] = ()
    read_ns: int | None = None
    paused_ns: int | None = None
    stopped_ns: int | None = None

    @property
    def open_card(self) -> TurnCard | None:
        """Return the card whose task is being performed."""
        return self.cards[-1] if self.cards and self.cards[-1].state is CardState.OPEN else None

    @property
    def cards_owed(self) -> int:
        """Return how many cards the drawn stones still ask for."""
        asked = sum(CARDS_FOR[colour] for colour in self.stones)
        return asked - sum(card.state is not CardState.SURPLUS for card in self.cards)


@dataclass(frozen=True, slots=True)
class Won:
    """A card a player has in front of them."""

    card_id: str
    how: How


@dataclass(frozen=True, slots=True)
class Banked:
    """What a player had when the deck was shuffled anew; `claimed` of the `cards` came from others' turns."""

    points: int = 0
    cards: int = 0
    claimed: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A position; `pile` and `discard` count cards by kind in the order of `setup.deck`, the rest is by seat.

    `turns_ended` counts finished turns, `bonus_owed` the cards still to be taken for yellow stones.
    """

    setup: Setup
    pile: tuple[int, ...]
    discard: tuple[int, ...]
    won: tuple[tuple[Won, ...], ...]
    banked: tuple[Banked, ...]
    bonus_owed: tuple[int, ...]
    turns_ended: int = 0
    turn: Turn | None = None
    reshuffles: int = 0

    @property
    def active(self) -> int:
        """Return the seat of the running turn, or of the next; after the last turn the seat it would be."""
        return self.turn.seat if self.turn else self.setup.seat_of_turn(self.turns_ended)

    @property
    def timekeeper(self) -> int:
        """Return the seat to the left of the active player."""
        return (self.active + 1) % len(self.setup.seats)

    @property
    def bag(self) -> dict[Colour, int]:
        """Return the stones in the bag by colour; stones of the running turn are outside."""
        drawn = self.turn.stones if self.turn else ()
        return {colour: count - drawn.count(colour) for colour, count in BAG.items()}

    @property
    def open_kind(self) -> CardKind | None:
        """Return the kind of the card whose task is being performed."""
        card = self.turn.open_card if self.turn else None
        return self.setup.kind(card.card_id) if card else None

    @property
    def shuffleable(self) -> tuple[int, ...]:
        """Return what a reshuffle would put into the pile, by kind."""
        fixed = [
            card.card_id
            for card in (self.turn.cards if self.turn else ())
            if not card.shuffled
            and (self.setup.settings.cards_in_play_stay_at_reshuffle or card.state is CardState.OPEN)
        ]
        return tuple(kind.count - fixed.count(kind.id) for kind in self.setup.deck)


@dataclass(eq=False)
class IllegalMove(Exception):  # noqa: N818 - the rulebook's side of it: a move, not a fault of the program
    """An event the rules do not allow here; the position is unchanged."""

    event: Event
    position: Position = field(repr=False)
    got: str
    wanted: str

    def __str__(self) -> str:
        return f"{type(self.event).__name__}: got {self.got}, wanted {self.wanted}"


def new_game(setup: Setup) -> Position:
    """Return the position before the first turn: all cards in the pile, all stones in the bag."""
    seats = len(setup.seats)
    return Position(
        setup=setup,
        pile=counts_of(setup.deck),
        discard=(0,) * len(setup.deck),
        won=((),) * seats,
        banked=(Banked(),) * seats,
        bonus_owed=(0,) * seats,
    )
