"""The position of a game: an immutable value from which everything else is derived."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from pi_app.games.festival.events import Event
from pi_app.games.festival.setup import Setup, StackContents
from pi_app.games.festival.tokens import EMPTY_SKY, Sky, Token


class Reason(StrEnum):
    """Why an event cannot be. The first group is impossible whatever went before, the second breaks a rule."""

    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_STACK = "no_such_stack"
    NO_SUCH_PILE = "no_such_pile"
    NO_SUCH_CELL = "no_such_cell"
    NO_SUCH_TOKEN = "no_such_token"  # noqa: S105
    NO_SUCH_CARD = "no_such_card"
    STACK_EMPTY = "stack_empty"
    PILE_EMPTY = "pile_empty"
    TOKEN_ELSEWHERE = "token_elsewhere"  # noqa: S105
    CARD_ELSEWHERE = "card_elsewhere"

    OVER = "over"
    NOT_THEIR_TURN = "not_their_turn"
    NOT_THEIR_STACK = "not_their_stack"
    OTHER_ON_TOP = "other_on_top"
    NO_ROOM = "no_room"
    NOT_OPEN = "not_open"
    NEEDLESS_DISCARD = "needless_discard"
    CAN_ACT = "can_act"
    NOTHING_FITS = "nothing_fits"


@dataclass(frozen=True, slots=True)
class Impossible:
    """Why an event cannot be here: what was got, what was wanted."""

    reason: Reason
    got: str
    wanted: str

    def __str__(self) -> str:
        return f"got {self.got}, wanted {self.wanted}"


@dataclass(frozen=True, slots=True)
class Player:
    """Cards and tiles of one seat, each in the order in which it came there; `turns` counts its actions."""

    open: tuple[str, ...]
    done: tuple[str, ...] = ()
    spectators: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A position. By seat: `skies` (whose piles tell every level), `players`; by stack: `taken` tokens in order and
    `tops` that were told; by pile: `gone` cards in order and `shown` cards that were told.

    `free`: spectator tiles nobody has. `surplus`: actions after the end, which count for nobody (only after a
    correction).
    """

    setup: Setup
    skies: tuple[Sky, ...]
    players: tuple[Player, ...]
    taken: tuple[tuple[Token, ...], ...]
    tops: tuple[Token | None, ...]
    gone: tuple[tuple[str, ...], ...]
    shown: tuple[str | None, ...]
    free: tuple[str, ...]
    surplus: int = 0

    @property
    def active(self) -> int:
        """Return whose turn it is: of those with the fewest turns the first from the first player on."""
        seats = len(self.players)
        order = [(self.setup.first_seat + step) % seats for step in range(seats)]
        return min(order, key=lambda seat: self.players[seat].turns)

    @property
    def ending(self) -> bool:
        """Return whether the end is announced: the round is played out."""
        rules = self.setup.rules
        return any(not self.left(stack) for stack in range(len(self.taken))) or any(
            self.counted(player.done, rules.starting_counts_for_end) >= rules.objectives_to_end
            for player in self.players
        )

    @property
    def over(self) -> bool:
        """Return whether the game has ended: announced, and all have had equally many turns."""
        turns = self.players[0].turns
        return all(player.turns == turns for player in self.players) and self.ending

    def left(self, stack: int) -> int:
        """Return how many tokens a stack still has."""
        return self.setup.stack_size - len(self.taken[stack])

    def cards_left(self, pile: int) -> int:
        """Return how many objectives a pile still has."""
        return self.setup.pile_sizes[pile] - len(self.gone[pile])

    def top(self, stack: int) -> Token | None:
        """Return the visible token of a stack; None where it is empty or nobody told."""
        if self.setup.stacks and self.left(stack):
            return self.setup.stacks[stack][len(self.taken[stack])]
        return self.tops[stack]

    def objective(self, pile: int) -> str | None:
        """Return the visible objective of a pile; None where it is empty or nobody told."""
        if self.setup.piles and self.cards_left(pile):
            return self.setup.piles[pile][len(self.gone[pile])]
        return self.shown[pile]

    def tokens_left(self, stack: int) -> Counter[Token]:
        """Return which tokens may still be in a stack, how many of each at most; none in an empty one."""
        if not self.left(stack):
            return Counter()
        if self.setup.stacks:
            return Counter(self.setup.stacks[stack][len(self.taken[stack]) :])
        box = self.setup.box
        if self.setup.rules.stack_contents is StackContents.EVERY_KIND:
            return Counter(box.stack) - Counter(self.taken[stack])
        in_play = Counter(box.stack * len(box.boards))
        return in_play - Counter(token for tokens in self.taken for token in tokens)

    def has_room(self, seat: int) -> bool:
        """Return whether a seat may take an objective without discarding one."""
        rules = self.setup.rules
        return self.counted(self.players[seat].open, rules.starting_counts_as_open) < rules.max_open

    def counted(self, cards: tuple[str, ...], with_starting: bool) -> int:
        """Return how many of a player's cards count, starting objectives only where the settings say so."""
        return len(cards) if with_starting else sum(card in self.setup.deck for card in cards)


@dataclass(eq=False)
class IllegalMove(Exception):  # noqa: N818 - the rules' side of it: a move, not a fault of the program
    """An event the rules do not allow here; the position is unchanged."""

    event: Event
    position: Position = field(repr=False)
    why: Impossible

    def __str__(self) -> str:
        return f"{type(self.event).__name__}: {self.why}"


def new_game(setup: Setup) -> Position:
    """Return the position before the first turn: empty boards, each seat with its starting objective."""
    seats, piles = len(setup.seats), setup.box.piles
    return Position(
        setup=setup,
        skies=(EMPTY_SKY,) * seats,
        players=tuple(Player((face,)) for face in setup.starting),
        taken=((),) * seats,
        tops=(None,) * seats,
        gone=((),) * piles,
        shown=(None,) * piles,
        free=setup.spectators,
    )
