"""The position of a game: an immutable value from which everything else is derived."""

from dataclasses import dataclass, field
from enum import StrEnum

from pi_app.games.vowl.events import Event
from pi_app.games.vowl.setup import SOLITAIRE_WITHIN, Counts, Deck, Setup

NONE: Counts = (0, 0, 0)


class PlayMode(StrEnum):
    """How the turn is played."""

    SOLITAIRE = "solitaire"
    PARTNER = "partner"
    HEAD_TO_HEAD = "head_to_head"
    SELECTION = "selection"


class PuzzleState(StrEnum):
    """What became of a card turned in the running turn."""

    OPEN = "open"
    """It lies face up."""
    PASSED = "passed"
    """It was set aside and must still be solved."""
    SOLVED = "solved"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A card turned in the running turn."""

    deck: Deck
    letters: str | None
    state: PuzzleState = PuzzleState.OPEN
    word: str | None = None


@dataclass(frozen=True, slots=True)
class Pile:
    """A player's cards: `left` are those still face down, by groups from the top, each by deck."""

    seat: int
    left: tuple[Counts, ...]
    cards: tuple[Puzzle, ...] = ()

    @property
    def open_card(self) -> int | None:
        """Return the place of the card that lies face up."""
        return next((place for place, card in enumerate(self.cards) if card.state is PuzzleState.OPEN), None)

    @property
    def solved(self) -> int:
        """Return how many cards are solved."""
        return sum(card.state is PuzzleState.SOLVED for card in self.cards)

    @property
    def face_down(self) -> int:
        """Return how many cards were not turned yet."""
        return sum(sum(group) for group in self.left)

    @property
    def complete(self) -> bool:
        """Return whether all cards are solved; a pile without cards never is."""
        return bool(self.cards) and not self.face_down and self.solved == len(self.cards)

    @property
    def next_decks(self) -> tuple[Deck, ...]:
        """Return the decks of which the top card may be; none where all cards are turned."""
        top = next((group for group in self.left if any(group)), NONE)
        return tuple(deck for deck, count in zip(Deck, top, strict=True) if count)


@dataclass(frozen=True, slots=True)
class Clock:
    """The running timer: `last_ns` is the newest event on it, `paused_ns` since when it stands."""

    started_ns: int
    deadline_ns: int
    last_ns: int
    paused_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The running turn.

    `other`: partner or opponent. `selected`: green cards left for the active player by the opponent's selection.
    `clock`: None before the timer is flipped. `tied`: time is up and sudden death decides; `tie_card` is its card that
    lies face up.
    """

    number: int
    seat: int
    rolled: int
    mode: PlayMode
    other: int | None = None
    selected: int | None = None
    piles: tuple[Pile, ...] = ()
    clock: Clock | None = None
    tied: bool = False
    tie_card: Puzzle | None = None

    @property
    def players(self) -> tuple[int, ...]:
        """Return who solves: the active player and, in partner and head-to-head mode, the other."""
        return (self.seat,) if self.other is None or self.mode is PlayMode.SELECTION else (self.seat, self.other)

    @property
    def owners(self) -> tuple[int, ...]:
        """Return who has a pile of their own."""
        return self.players if self.mode is PlayMode.HEAD_TO_HEAD else (self.seat,)

    def pile_of(self, seat: int) -> Pile | None:
        """Return the pile a seat solves, None where it has none."""
        owner = self.seat if self.mode is PlayMode.PARTNER and seat == self.other else seat
        return next((pile for pile in self.piles if pile.seat == owner), None)


@dataclass(frozen=True, slots=True)
class Position:
    """A position; `deck`, `discard`, `out` (of the game) count cards by deck, `scoring` and `victory` are by seat.

    `scoring` may be one beyond the last space, for a token that surpassed it. `owed` lists who still takes points for
    a success, in order. `winners` is empty until a token has met.
    """

    setup: Setup
    deck: Counts
    discard: Counts
    out: Counts
    scoring: tuple[int, ...]
    victory: tuple[int, ...]
    turns_ended: int = 0
    turn: Turn | None = None
    owed: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    reshuffles: Counts = NONE

    @property
    def active(self) -> int:
        """Return the seat of the running turn, or of the next."""
        return self.turn.seat if self.turn else self.setup.seat_of_turn(self.turns_ended)

    def must_play_solitaire(self, seat: int) -> bool:
        """Return whether the seat's scoring token is within winning distance of its victory token."""
        return self.victory[seat] - self.scoring[seat] <= SOLITAIRE_WITHIN


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
    """Return the position before the first turn: scoring tokens on 0, victory tokens on the star."""
    seats = len(setup.seats)
    return Position(setup, setup.box.cards, NONE, NONE, (0,) * seats, (setup.board.last,) * seats)
