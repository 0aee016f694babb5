"""Players that play on alone, greedy and simple, and games of theirs.

`python -m pi_app.games.festival.bots --games 1000` plays games with following seeds and prints what they came to.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from pi_app.games.festival.apply import apply
from pi_app.games.festival.box import Box
from pi_app.games.festival.events import Action, ObjectiveTaken, TokenPlaced, TurnPassed
from pi_app.games.festival.goals import Gap, GoalKind, Way
from pi_app.games.festival.legal import discardable, has_room, moves, objectives, tops
from pi_app.games.festival.model import Position, new_game
from pi_app.games.festival.sample import sample_box
from pi_app.games.festival.score import outcome
from pi_app.games.festival.setup import Rules, Setup
from pi_app.games.festival.tokens import CELLS, Token

KEPT_OPEN = 4
"""A bot takes objectives until it has so many open, and any that is nearly met."""
NEAR = 1
OWN_WEIGHT = 0.8
"""What a point of the board's own colour or motif counts beside one of an objective: it may be covered again."""

KEPT_WEIGHT = 0.25
"""What covering a token that an open objective builds on costs, by that objective's points."""
WAYS = 4
"""So many of an objective's shortest ways are looked at."""


def deal(box: Box, seats: int, random: Random, rules: Rules | None = None) -> Setup:
    """Return a shuffled game: boards, faces, stacks and piles in a known order, the first player drawn."""
    boards = tuple(board.colour for board in random.sample(box.boards, seats))
    faces = {board: [g.id for g in box.of_kind(GoalKind.STARTING) if g.owner == board] for board in boards}
    tiles: dict[str, list[str]] = {}
    for goal in box.of_kind(GoalKind.SPECTATOR):
        tiles.setdefault(goal.owner, []).append(goal.id)
    cards = iter(random.sample([g.id for g in box.of_kind(GoalKind.OBJECTIVE)], sum(box.pile_sizes())))
    return Setup(
        seats=tuple(f"bot {seat + 1}" for seat in range(seats)),
        box=box,
        boards=boards,
        starting=tuple(random.choice(faces[board]) for board in boards),
        spectators=tuple(random.choice(sides) for sides in tiles.values()),
        rules=rules or Rules(),
        first_seat=random.randrange(seats),
        stacks=tuple(tuple(random.sample(box.stack, len(box.stack))) for _ in boards),
        piles=tuple(tuple(next(cards) for _ in range(size)) for size in box.pile_sizes()),
    )


class Bot:
    """Takes what brings objectives of many points nearer; `random` breaks ties and errs in `errs` of its turns."""

    def __init__(self, random: Random, errs: float = 0.05) -> None:
        self.random = random
        self.errs = errs

    def choose(self, position: Position) -> Action:
        """Return the active seat's action; the game is not over."""
        if self.random.random() < self.errs:
            return self.random.choice(list(moves(position)))
        taking, placing = self._best_taking(position), self._best_placing(position)
        if taking and (placing is None or self._wants(position, taking)):
            return taking
        return placing or TurnPassed(position.active)

    def _wants(self, position: Position, taking: ObjectiveTaken) -> bool:
        few = len(position.players[position.active].open) < KEPT_OPEN
        return few or position.setup.book.missing(taking.card_id, position.skies[position.active]) <= NEAR

    def _best_taking(self, position: Position) -> ObjectiveTaken | None:
        seat = position.active
        sky, book = position.skies[seat], position.setup.book
        costs = book.costs(sky)

        def worth(card_id: str) -> float:
            return book.goals[card_id].points / (1 + book.missing(card_id, sky, costs))

        found = [(worth(card), pile, card) for pile in range(len(position.gone)) for card in objectives(position, pile)]
        if not found:
            return None
        _, pile, card = max(found)
        if has_room(position, seat, card):
            return ObjectiveTaken(seat, pile, card)
        given = min(discardable(position, seat), key=worth, default=None)
        return None if given is None else ObjectiveTaken(seat, pile, card, given)

    def _best_placing(self, position: Position) -> TokenPlaced | None:
        seat = position.active
        view = _view(position, seat)
        found = [
            (view.gain(token, cell), self.random.random(), stack, token, cell)
            for stack in position.setup.stacks_of(seat)
            for token in tops(position, stack)
            for cell in range(CELLS)
        ]
        if not found:
            return None
        _, _, stack, token, cell = max(found)
        return TokenPlaced(seat, stack, token, cell)


@dataclass(slots=True)
class _View:
    """What a bot sees of its cells: what its objectives lack there, each with its worth, and what covering costs."""

    own: Token
    levels: list[int]
    gaps: list[list[tuple[Gap, float]]]
    covering: list[float]

    def gain(self, token: Token, cell: int) -> float:
        """Return what placing a token there is worth."""
        gain = _own_points(self.own, token, self.levels[cell] + 1) - self.covering[cell]
        for gap, worth in self.gaps[cell]:
            if gap.tokens > 1 or gap.need.accepts(token):
                gain += worth
        return gain


def _view(position: Position, seat: int) -> _View:
    book, sky, own = position.setup.book, position.skies[seat], position.setup.own(seat)
    costs = book.costs(sky)
    covering = [_own_points(own, pile[-1], len(pile)) if pile else 0.0 for pile in sky]
    view = _View(own, [len(pile) for pile in sky], [[] for _ in sky], covering)
    for goal in position.players[seat].open:
        if ways := book.shortest(goal, costs, WAYS):
            _wish(view, ways, book.goals[goal].points)
    return view


def _wish(view: _View, ways: list[Way], points: int) -> None:
    for way in ways:
        worth = points / sum(gap.tokens for gap in way.gaps) ** 2
        for gap in way.gaps:
            view.gaps[gap.cell].append((gap, worth))
    for cell in frozenset.intersection(*(way.kept for way in ways)):
        view.covering[cell] += points * KEPT_WEIGHT


def _own_points(own: Token, token: Token, level: int) -> float:
    return OWN_WEIGHT * level * ((token.colour == own.colour) + (token.motif == own.motif))


def play(setup: Setup, random: Random) -> Iterator[tuple[Action, Position]]:
    """Yield every action of a game of bots and the position after it, to the end."""
    position, bot = new_game(setup), Bot(random)
    while not position.over:
        action = bot.choose(position)
        position = apply(position, action)
        yield action, position


def main(arguments: list[str]) -> None:
    """Play games of two, three and four bots in turn and print what they came to."""
    parser = argparse.ArgumentParser(description="Games of Festival that bots play alone.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    turns, points, ended, begun_s = 0, list[int](), Counter[str](), time.process_time()
    for game in range(options.games):
        random = Random(options.seed + game)  # noqa: S311 - a game
        position = new_game(setup := deal(sample_box(), 2 + game % 3, random))
        for _, position in play(setup, random):  # noqa: B007 - the last one counts
            turns += 1
        end = outcome(position)
        assert end is not None
        points += [score.points for score in end.standings]
        ended["empty stack" if not all(map(position.left, range(len(setup.seats)))) else "objectives"] += 1
    spent_s = time.process_time() - begun_s
    lines = f"{options.games} games, {turns} turns in {spent_s:.1f} s of processor time; ended by {dict(ended)}"
    sys.stdout.write(f"{lines}; points {min(points)} to {max(points)}, mean {sum(points) / len(points):.1f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
