"""What is in the box of Festival: names, boards, stacks, and every face of cards and tiles."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pi_app.games.festival.goals import Goal, GoalKind
from pi_app.games.festival.tokens import Of, Token


@dataclass(frozen=True, slots=True)
class Box:
    """The owner's copy; `text` is what it was read from.

    `boards`: each player board's own colour and motif. `copies`: how often each kind of token is in one stack.
    `piles`: on how many piles the objective cards are dealt.
    """

    colours: tuple[str, ...]
    motifs: tuple[str, ...]
    boards: tuple[Token, ...]
    copies: int
    piles: int
    goals: tuple[Goal, ...]
    text: str = ""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Return every kind of token, colour by colour."""
        return tuple(Token(colour, motif) for colour in self.colours for motif in self.motifs)

    @property
    def stack(self) -> tuple[Token, ...]:
        """Return what one full stack holds where it has every kind equally often."""
        return self.tokens * self.copies

    def of_kind(self, kind: GoalKind) -> tuple[Goal, ...]:
        """Return the goals of one kind, in the order of the box."""
        return tuple(goal for goal in self.goals if goal.kind is kind)

    def pile_sizes(self) -> tuple[int, ...]:
        """Return how many objective cards each pile has at the start; the first ones have one more where it must be."""
        cards = len(self.of_kind(GoalKind.OBJECTIVE))
        return tuple(cards // self.piles + (pile < cards % self.piles) for pile in range(self.piles))


def names_of(colours: tuple[str, ...], motifs: tuple[str, ...], of: Of) -> int:
    """Return how many different values there are."""
    return {Of.COLOUR: len(colours), Of.MOTIF: len(motifs), Of.TOKEN: len(colours) * len(motifs)}[of]


def box_faults(box: Box) -> Iterator[str]:
    """Yield what is wrong with a box as a whole, each as `what: got ..., wanted ...`."""
    for what, names in (("colours", box.colours), ("motifs", box.motifs)):
        if len(names) < 2:
            yield f"{what}: got {len(names)}, wanted at least 2"
    if not 2 <= len(box.boards) <= 4:
        yield f"board: got {len(box.boards)}, wanted 2 to 4"
    if twice := _twice(board.colour for board in box.boards):
        yield f"board: got the colour {twice} twice, wanted one board of each colour"
    if twice := _twice(goal.id for goal in box.goals):
        yield f"{twice}: got it twice, wanted every name once"
    yield from _card_faults(box)


def _card_faults(box: Box) -> Iterator[str]:
    if len(box.of_kind(GoalKind.OBJECTIVE)) < box.piles:
        yield f"objective: got {len(box.of_kind(GoalKind.OBJECTIVE))}, wanted one for each of the {box.piles} piles"
    colours = [board.colour for board in box.boards]
    for goal in box.of_kind(GoalKind.STARTING):
        if goal.owner not in colours:
            yield f"{goal.id}: got a starting objective of {goal.owner}, wanted a board's colour: {', '.join(colours)}"
    tiles = Counter(goal.owner for goal in box.of_kind(GoalKind.SPECTATOR))
    for tile, faces in tiles.items():
        if faces > 2:
            yield f"spectator tile {tile}: got {faces} faces, wanted one or two"


def _twice(names: Iterator[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)
