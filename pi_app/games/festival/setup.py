"""What is fixed before the first turn: seats, boards, cards and tiles in play, and rulings."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from pi_app.core.errors import UserError
from pi_app.games.festival.box import Box
from pi_app.games.festival.goals import Goal, GoalBook, GoalKind, goal_book
from pi_app.games.festival.tokens import Token

SEATS = range(2, 5)


class StackContents(StrEnum):
    """What is known of the tokens in a stack before they are seen."""

    EVERY_KIND = "every_kind"
    """Each stack holds every kind equally often."""
    ANY = "any"
    """The box as a whole does; how it is spread over the stacks is unknown."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Every number and every ruling, where the rules at hand are silent or a table may wish otherwise.

    `objectives_to_end`: that many completed objectives of one player announce the end.
    `max_open`: objectives a player may have that are not completed.
    `starting_counts_for_end`, `starting_counts_as_open`: the starting objective is one of them: it lies with the
    others and is told apart nowhere.
    `starting_may_be_discarded`: nothing exempts it.
    `fulfilled_needs_room`: an objective that is already fulfilled also needs a free place when it is taken, as it is
    checked after the action only.
    `turned`: patterns may be turned; one review says so. `starting_turned`: those of starting objectives too; the
    same review may make an exception.
    `mirrored`: patterns may be mirrored; no source allows it.
    `stack_contents`: 64 tokens of 16 kinds in four equal stacks suggest every kind once in each; no source says so.
    `hints`: players are told which token on which cell would complete an open objective.
    """

    objectives_to_end: int = 6
    max_open: int = 6
    starting_counts_for_end: bool = True
    starting_counts_as_open: bool = True
    starting_may_be_discarded: bool = True
    fulfilled_needs_room: bool = True
    turned: bool = True
    starting_turned: bool = True
    mirrored: bool = False
    stack_contents: StackContents = StackContents.EVERY_KIND
    hints: bool = False

    def __post_init__(self) -> None:
        for name, low in (("objectives_to_end", 1), ("max_open", 2)):
            if not low <= getattr(self, name) <= 40:
                raise UserError(f"festival.{name}: got {getattr(self, name)}, wanted {low} to 40")


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays (clockwise; index = seat) with what; `first_seat` begins.

    `boards`: each seat's colour. `starting`: the face each seat chose of its card. `spectators`: the faces that lie
    up. `stacks`, `piles`: tokens and objectives from the top, where their order is known; else empty.
    Stack n lies between seat n and its left neighbour. UserError names what is wrong.
    """

    seats: tuple[str, ...]
    box: Box
    boards: tuple[str, ...]
    starting: tuple[str, ...]
    spectators: tuple[str, ...]
    rules: Rules = Rules()
    first_seat: int = 0
    stacks: tuple[tuple[Token, ...], ...] = ()
    piles: tuple[tuple[str, ...], ...] = ()
    book: GoalBook = field(init=False, compare=False, repr=False)
    pile_sizes: tuple[int, ...] = field(init=False, compare=False, repr=False)
    deck: frozenset[str] = field(init=False, compare=False, repr=False)
    tokens: frozenset[Token] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise UserError(f"festival {fault}")
        starting_turned = self.rules.turned and self.rules.starting_turned
        self._set("book", goal_book(self.box.goals, self.rules.turned, self.rules.mirrored, starting_turned))
        self._set("pile_sizes", self.box.pile_sizes())
        self._set("deck", frozenset(goal.id for goal in self.box.of_kind(GoalKind.OBJECTIVE)))
        self._set("tokens", frozenset(self.box.tokens))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def stack_size(self) -> int:
        """Return how many tokens a full stack holds."""
        return len(self.box.colours) * len(self.box.motifs) * self.box.copies

    def goal(self, goal_id: str) -> Goal:
        """Return the goal of that name; KeyError where the box has none."""
        return self.book.goals[goal_id]

    def own(self, seat: int) -> Token:
        """Return colour and motif of a seat's board."""
        return next(board for board in self.box.boards if board.colour == self.boards[seat])

    def stacks_of(self, seat: int) -> tuple[int, ...]:
        """Return the stacks at a seat's left and right."""
        return seat, (seat - 1) % len(self.seats)


def default_starting(box: Box, boards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first face of each board's starting objective; UserError where a board has none."""
    faces = {goal.owner: goal.id for goal in reversed(box.of_kind(GoalKind.STARTING))}
    if lacking := [board for board in boards if board not in faces]:
        raise UserError(f"festival board {lacking[0]}: got no starting objective, wanted one in the box")
    return tuple(faces[board] for board in boards)


def _faults(setup: Setup) -> Iterator[str]:
    seats, box = len(setup.seats), setup.box
    if seats not in SEATS:
        yield f"seats: got {seats}, wanted {SEATS.start} to {SEATS.stop - 1}"
    if setup.first_seat not in range(seats):
        yield f"first seat: got {setup.first_seat}, wanted 0 to {seats - 1}"
    known = [board.colour for board in box.boards]
    if len(setup.boards) != seats or len(set(setup.boards)) != seats or not set(setup.boards) <= set(known):
        yield f"boards: got {_list(setup.boards)}, wanted {seats} different ones of {_list(known)}"
    owners = {goal.id: goal.owner for goal in box.of_kind(GoalKind.STARTING)}
    if tuple(owners.get(face) for face in setup.starting) != setup.boards:
        yield f"starting objectives: got {_list(setup.starting)}, wanted one face of each of {_list(setup.boards)}"
    tiles = {goal.id: goal.owner for goal in box.of_kind(GoalKind.SPECTATOR)}
    up = [tiles.get(face) for face in setup.spectators]
    if None in up or len(set(up)) < len(up):
        yield f"spectators: got {_list(setup.spectators)}, wanted at most one face of each tile"
    yield from _order_faults(setup)


def _order_faults(setup: Setup) -> Iterator[str]:
    box, seats = setup.box, len(setup.seats)
    if setup.stacks:
        if [len(stack) for stack in setup.stacks] != [setup.stack_size] * seats:
            yield f"stacks: got {[len(s) for s in setup.stacks]} tokens, wanted {seats} stacks of {setup.stack_size}"
        if too_many := Counter(t for s in setup.stacks for t in s) - Counter(box.tokens * box.copies * len(box.boards)):
            yield f"stacks: got {_list(map(str, too_many))} too often, wanted what the box has"
        if setup.rules.stack_contents is StackContents.EVERY_KIND and any(
            Counter(stack) != Counter(box.stack) for stack in setup.stacks
        ):
            yield "stacks: got uneven ones, wanted every kind equally often in each"
    if setup.piles:
        if tuple(map(len, setup.piles)) != box.pile_sizes():
            yield f"piles: got {[len(p) for p in setup.piles]} cards, wanted {list(box.pile_sizes())}"
        cards = sorted(card for pile in setup.piles for card in pile)
        if cards != sorted(goal.id for goal in box.of_kind(GoalKind.OBJECTIVE)):
            yield "piles: got other cards, wanted every objective of the box once"


def _list(names: Iterable[object]) -> str:
    return ", ".join(map(str, names)) or "none"
