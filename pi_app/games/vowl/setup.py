"""What is fixed before the first turn: seats, board side, rulings, and what the owner's box holds."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from pi_app.core.errors import UserError

NS = 1_000_000_000
SEATS = range(2, 6)
SELECTION_EXTRA = 3
"""Green cards beyond the number rolled, in partner and selection mode (rulebook, "Partner", "2 Player Variant")."""
SELECTION_DISCARDS = 3
SOLITAIRE_WITHIN = 2
"""Spaces to the own victory token within which the roller must play solitaire (rulebook, "Solve Cards")."""
MOST_CARDS = 1000

Counts = tuple[int, int, int]
"""Cards by deck: green, yellow, red."""


class Deck(StrEnum):
    """The three decks."""

    GREEN = "green"
    """Basic cards."""
    YELLOW = "yellow"
    """Advanced cards."""
    RED = "red"
    """Expert cards."""


DECKS = tuple(Deck)


class Face(StrEnum):
    """What the mode die shows."""

    SOLITAIRE = "solitaire"
    OWLS = "owls"
    """The "+3 owls": partner, with two players selection."""
    HEAD_TO_HEAD = "head_to_head"


class Side(StrEnum):
    """The sides of the scoring board."""

    GREEN = "green"
    RED = "red"


class Timer(StrEnum):
    """The two sand timers."""

    GREEN = "green"
    RED = "red"


class DeckRunsOut(StrEnum):
    """A deck holds fewer cards than are to be drawn."""

    RESHUFFLE = "reshuffle"
    """Its discard pile is shuffled into a new deck; only where even that lacks, fewer cards are drawn."""
    FEWER = "fewer"
    """Fewer cards are drawn; nothing is shuffled."""


class SolvedCards(StrEnum):
    """Where solved cards go at the end of the turn."""

    DISCARD = "discard"
    OUT_OF_GAME = "out_of_game"


class UnsolvedCards(StrEnum):
    """Where the other cards of a pile go at the end of the turn."""

    DISCARD = "discard"
    UNDER_DECK = "under_deck"


class MetByOther(StrEnum):
    """Another player's reward moves a victory token down until it meets its owner's scoring token."""

    WINS = "wins"
    """The owner wins at once."""
    NEEDS_SUCCESS = "needs_success"
    """The owner wins with the next success of their own."""


class BothMeet(StrEnum):
    """One reward makes two players' tokens meet."""

    SCORER = "scorer"
    """Whoever succeeded wins."""
    SHARED = "shared"
    """Both win."""


class TieCardUnsolved(StrEnum):
    """Neither player knows the card of the sudden death."""

    ANOTHER = "another"
    """Another card is drawn."""
    NOBODY = "nobody"
    """Nobody scores."""


def _check_counts(what: str, counts: Counts, fewest: int, most: int) -> None:
    if len(counts) != len(DECKS) or any(count not in range(fewest, most + 1) for count in counts):
        raise UserError(f"{what}: got {counts}, wanted {len(DECKS)} counts from {fewest} to {most}")


def _check_letters(letters: tuple[tuple[int, int], ...], alphabet: str) -> None:
    if len(letters) != len(DECKS) or any(not 1 <= fewest <= most <= 12 for fewest, most in letters):
        raise UserError(f"vowl letters: got {letters}, wanted fewest and most, 1 to 12, for each of {len(DECKS)} decks")
    if not alphabet.isascii() or not alphabet.isupper() or not alphabet.isalpha() or set(alphabet) & set("AEIOU"):
        raise UserError(f"vowl alphabet: got {alphabet!r}, wanted capital letters without A E I O U")


@dataclass(frozen=True, slots=True)
class Rulings:
    """Every number and every ruling where the rulebook is silent or a table may wish otherwise.

    `green_timer_s`, `red_timer_s`: what the sand timers take (rulebook: 25 and 15). Either may be flipped in any turn.
    `deck_runs_out`: shuffled anew by default, as almost every card game has it; 400 cards else end the game.
    `solved_cards`: discarded by default, for nothing in the rulebook counts solved cards after the turn.
    `unsolved_cards`: discarded by default, for passed ones have been seen; under the deck they would come back known.
    `met_by_other`: wins at once by default: "the first player to have their scoring token meet" names no mover.
    `both_meet`: the scorer by default: a reward is the scorer's act, and their own tokens are named first in it.
    `tie_card_unsolved`: another card by default, for the rulebook wants a winner of the tie.
    `words_may_repeat`: yes by default: the rulebook only asks for a word that fits the card.
    `challenge_stops_timer`: yes by default: the players' dispute is not the solver's delay. An answer found wrong is
    taken back by a correction and costs nothing more.
    """

    green_timer_s: float = 25.0
    red_timer_s: float = 15.0
    deck_runs_out: DeckRunsOut = DeckRunsOut.RESHUFFLE
    solved_cards: SolvedCards = SolvedCards.DISCARD
    unsolved_cards: UnsolvedCards = UnsolvedCards.DISCARD
    met_by_other: MetByOther = MetByOther.WINS
    both_meet: BothMeet = BothMeet.SCORER
    tie_card_unsolved: TieCardUnsolved = TieCardUnsolved.ANOTHER
    words_may_repeat: bool = True
    challenge_stops_timer: bool = True

    def __post_init__(self) -> None:
        for name in ("green_timer_s", "red_timer_s"):
            value = getattr(self, name)
            if not 0 < value <= 3600:
                raise UserError(f"vowl.{name}: got {value}, wanted more than 0 and at most 3600 seconds")

    def timer_ns(self, timer: Timer) -> int:
        """Return how long a sand timer runs, in nanoseconds."""
        return round((self.green_timer_s if timer is Timer.GREEN else self.red_timer_s) * NS)


@dataclass(frozen=True, slots=True)
class Tier:
    """The cards a scoring token draws from space `first` on, up to the next tier; by deck."""

    first: int
    cards: Counts


@dataclass(frozen=True, slots=True)
class Board:
    """One side of the scoring board: its star's space and its tiers, in the order of their spaces."""

    side: Side
    last: int
    tiers: tuple[Tier, ...]

    def __post_init__(self) -> None:
        firsts = [tier.first for tier in self.tiers]
        if not 1 <= self.last <= 100:
            raise UserError(f"vowl board {self.side}: got last space {self.last}, wanted 1 to 100")
        if firsts != sorted(set(firsts)) or any(first not in range(1, self.last + 1) for first in firsts):
            raise UserError(f"vowl board {self.side}: got tiers from {firsts}, wanted rising spaces 1 to {self.last}")
        for tier in self.tiers:
            _check_counts(f"vowl board {self.side}, tier from {tier.first}", tier.cards, 0, 20)

    def tier_cards(self, space: int) -> Counts:
        """Return the cards drawn for a scoring token on that space; none on 0."""
        return next((tier.cards for tier in reversed(self.tiers) if tier.first <= space), (0, 0, 0))


ASSUMED_TIERS = (
    Board(Side.GREEN, 10, (Tier(1, (1, 0, 0)), Tier(4, (0, 1, 0)), Tier(7, (0, 1, 1)))),
    Board(Side.RED, 15, (Tier(1, (1, 0, 0)), Tier(5, (0, 1, 0)), Tier(8, (0, 2, 0)), Tier(11, (0, 1, 1)))),
)
"""Last spaces, none on 0, yellow and red on 11 are the rulebook's; the rest is assumed: check with your board."""


class Unchecked(StrEnum):
    """What no rulebook tells of the box: assumed until the owner has checked it with their board."""

    TIERS = "tiers"
    NUMBER_DIE = "number_die"
    """From one review."""
    MODE_DIE = "mode_die"
    LETTERS = "letters"
    """From one review, not by deck."""
    ALPHABET = "alphabet"


@dataclass(frozen=True, slots=True)
class Box:
    """What the owner's copy holds; `checked` names the assumed values its owner has confirmed.

    `cards`: cards by deck. `number_die`, `mode_die`: their faces. `letters`: fewest and most on a card, by deck.
    `alphabet`: letters that cards may show (no vowels; Y neither counts as one nor is known to be printed).
    """

    cards: Counts = (210, 130, 60)
    boards: tuple[Board, ...] = ASSUMED_TIERS
    number_die: tuple[int, ...] = (3, 3, 3, 3, 4, 4)
    mode_die: tuple[Face, ...] = (Face.SOLITAIRE, Face.SOLITAIRE, Face.OWLS, Face.OWLS, *(Face.HEAD_TO_HEAD,) * 2)
    letters: tuple[tuple[int, int], ...] = ((3, 4), (3, 4), (3, 4))
    alphabet: str = "BCDFGHJKLMNPQRSTVWXZ"
    checked: tuple[Unchecked, ...] = ()

    def __post_init__(self) -> None:
        _check_counts("vowl cards", self.cards, 0, MOST_CARDS)
        if not self.cards[0]:
            raise UserError("vowl cards: got no green cards, wanted at least one")
        if sorted(board.side for board in self.boards) != sorted(Side):
            raise UserError(f"vowl boards: got {len(self.boards)}, wanted one for each side: {' and '.join(Side)}")
        if not self.number_die or any(number not in range(1, 21) for number in self.number_die):
            raise UserError(f"vowl number_die: got {self.number_die}, wanted faces from 1 to 20")
        if not self.mode_die:
            raise UserError("vowl mode_die: got no faces, wanted at least one")
        _check_letters(self.letters, self.alphabet)

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """Return which assumed values still wait for "check with your board"."""
        return tuple(name for name in Unchecked if name not in self.checked)

    def board(self, side: Side) -> Board:
        """Return that side of the scoring board."""
        return next(board for board in self.boards if board.side is side)


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays (clockwise; index = seat), on which side of the board, under which rulings, out of which box.

    Turns go clockwise from `first_seat`. UserError names what is wrong with it.
    """

    seats: tuple[str, ...]
    side: Side = Side.GREEN
    box: Box = field(default_factory=Box)
    rulings: Rulings = Rulings()
    first_seat: int = 0

    def __post_init__(self) -> None:
        if len(self.seats) not in SEATS:
            raise UserError(f"vowl seats: got {len(self.seats)}, wanted {SEATS.start} to {SEATS.stop - 1}")
        if self.first_seat not in range(len(self.seats)):
            raise UserError(f"vowl first seat: got {self.first_seat}, wanted 0 to {len(self.seats) - 1}")

    @property
    def board(self) -> Board:
        """Return the side of the board that lies up."""
        return self.box.board(self.side)

    def seat_of_turn(self, number: int) -> int:
        """Return whose turn has that number, counted from 0."""
        return (self.first_seat + number) % len(self.seats)

    def neighbours(self, seat: int) -> tuple[int, ...]:
        """Return the seats to the left and to the right."""
        seats = len(self.seats)
        return tuple(sorted({(seat + 1) % seats, (seat - 1) % seats}))

    def others(self, seat: int) -> tuple[int, ...]:
        """Return every other seat."""
        return tuple(other for other in range(len(self.seats)) if other != seat)


def starting_seat(full_names: Iterable[str]) -> int:
    """Return whose full name comes first alphabetically (rulebook, "Setup"); of equal names the lower seat."""
    names = [name.casefold() for name in full_names]
    return names.index(min(names))
