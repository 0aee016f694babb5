"""Perft: how many sequences of events there are from the start of small games, and how many different tables.

Every event takes one second, but time is up exactly when it is due. Stops of the timer, which change no outcome, are
left out. A *table* is what people around it can tell apart: no times, no names of what is waited for.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pi_app.games.vowl import (
    Board,
    BothMeet,
    Box,
    DeckRunsOut,
    Face,
    MetByOther,
    Pile,
    Position,
    Rulings,
    Setup,
    Side,
    SolvedCards,
    TieCardUnsolved,
    Tier,
    TimerStopped,
    UnsolvedCards,
    apply,
    moves,
    new_game,
    outcome,
)

SECOND = 1_000_000_000
PLAIN = Rulings()
TIERS = (Tier(1, (0, 1, 0)), Tier(3, (1, 0, 1)))


@dataclass(frozen=True, slots=True)
class Game:
    """A small game: where the tokens stand at first, who takes points first of all, and how far it is counted."""

    setup: Setup
    scoring: tuple[int, ...]
    victory: tuple[int, ...]
    owed: tuple[int, ...]
    depth: int


def _game(
    faces: tuple[Face, ...],
    scoring: tuple[int, ...],
    victory: tuple[int, ...],
    depth: int,
    rulings: Rulings = PLAIN,
    *,
    cards: tuple[int, int, int] = (9, 2, 1),
    numbers: tuple[int, ...] = (1,),
    owed: tuple[int, ...] = (),
) -> Game:
    boards = tuple(Board(side, 5, TIERS) for side in Side)
    box = Box(cards=cards, boards=boards, number_die=numbers, mode_die=faces)
    short = replace(rulings, green_timer_s=8.0, red_timer_s=3.0)
    return Game(Setup(tuple("ABCDE"[: len(scoring)]), box=box, rulings=short), scoring, victory, owed, depth)


SOLO, OWLS, DUEL = (Face.SOLITAIRE,), (Face.OWLS,), (Face.HEAD_TO_HEAD,)
OTHERWISE = Rulings(
    deck_runs_out=DeckRunsOut.FEWER,
    solved_cards=SolvedCards.OUT_OF_GAME,
    unsolved_cards=UnsolvedCards.UNDER_DECK,
    tie_card_unsolved=TieCardUnsolved.NOBODY,
)
GAMES: dict[str, Game] = {
    "solitaire": _game(SOLO, (0, 0), (5, 5), 8, numbers=(1, 2)),
    "solitaire_tiers": _game(SOLO, (3, 1), (5, 5), 9),
    "all_modes": _game(tuple(Face), (2, 2, 0), (5, 4, 5), 6, numbers=(2,)),
    "partner_of_four": _game(OWLS, (0, 1, 0, 0), (5, 5, 5, 5), 8),
    "selection": _game(OWLS, (1, 0), (5, 5), 9, numbers=(1, 3)),
    "selection_few_cards": _game(OWLS, (0, 0), (5, 5), 11, cards=(2, 0, 0)),
    "duel": _game(DUEL, (0, 1), (5, 5), 8),
    "duel_of_three": _game(DUEL, (0, 0, 3), (5, 5, 5), 7),
    "duel_tied_without_red": _game(DUEL, (0, 0), (5, 5), 8, cards=(2, 1, 0)),
    "duel_tied_to_nobody": _game(DUEL, (0, 0), (5, 5), 8, rulings=OTHERWISE),
    "cards_run_out": _game(SOLO, (0, 1), (5, 5), 12, cards=(2, 0, 0), rulings=OTHERWISE),
    "reshuffle": _game(SOLO, (0, 1), (5, 5), 10, cards=(2, 0, 0)),
    "partner_few_cards": _game(OWLS, (1, 3, 0), (5, 5, 5), 11, cards=(2, 0, 0)),
    "meets": _game(SOLO, (2, 3, 0), (5, 4, 5), 4, owed=(0, 1)),
    "meets_both": _game(SOLO, (3, 3, 0), (5, 4, 5), 3, owed=(0, 1)),
    "meets_both_shared": _game(SOLO, (3, 3, 0), (5, 4, 5), 3, Rulings(both_meet=BothMeet.SHARED), owed=(0, 1)),
    "meets_later": _game(SOLO, (2, 3, 0), (5, 4, 1), 4, Rulings(met_by_other=MetByOther.NEEDS_SUCCESS), owed=(0, 1)),
}
"""The games that are counted."""

Walk = tuple[Position, int]


def opening(game: Game) -> Position:
    """Return the position the counting starts from."""
    return replace(new_game(game.setup), scoring=game.scoring, victory=game.victory, owed=game.owed)


def steps(walk: Walk) -> Iterator[Walk]:
    """Yield every next position and its time."""
    position, now_ns = walk
    for event in moves(position, now_ns + SECOND):
        if not isinstance(event, TimerStopped):
            yield apply(position, event), getattr(event, "at_ns", now_ns + SECOND)


def levels(game: Game, depth: int) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield for each depth from 0 the number of sequences and the tables they lead to."""
    level: Counter[Walk] = Counter({(opening(game), 0): 1})
    for _ in range(depth + 1):
        yield level.total(), frozenset(table(position) for position, _ in level)
        following: Counter[Walk] = Counter()
        for walk, sequences in level.items():
            for step in steps(walk):
                following[step] += sequences
        level = following


def table(position: Position) -> str:
    """Return what people at the table can tell apart."""
    end, turn = outcome(position), position.turn
    parts = [
        f"turn {position.turns_ended} {'running' if turn else 'waiting'}",
        f"decks {position.deck} discards {position.discard} out {position.out} shuffled {position.reshuffles}",
        f"scoring {position.scoring} victory {position.victory} owed {position.owed}",
        f"winners {end.winners if end else ()}",
    ]
    if turn:
        parts += [
            f"rolled {turn.rolled} {turn.mode} other {turn.other} hand {turn.selected or 0}",
            " ".join(_pile(pile) for pile in sorted(turn.piles, key=lambda pile: pile.seat)),
            f"timer {turn.clock is not None} tied {turn.tied} {turn.tie_card.deck if turn.tie_card else ''}",
        ]
    return " | ".join(parts)


def _pile(pile: Pile) -> str:
    down = [group for group in pile.left if any(group)]
    return f"{pile.seat}: {down} {[f'{card.deck}:{card.state}' for card in pile.cards]}"
