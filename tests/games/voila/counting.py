"""Perft: how many sequences of events there are from the start of small games, and how many different tables.

Every event takes one second, but a claim runs out and time is up exactly when they are due. A card lies open from the
start of the turn, so that early presses count. Pauses, which change no outcome, are left out.
A *table* is what people around it can tell apart: no times, no names of what is waited for.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from pi_app.games.voila import (
    CardRevealed,
    Event,
    How,
    Position,
    Settings,
    Setup,
    TurnPaused,
    apply,
    moves,
    new_game,
)
from pi_app.games.voila.claims import in_order
from tests.games.voila.script import LETTERS, changed, deck

SECOND = 1_000_000_000


def _game(seats: int, cards: str, **settings: str) -> Setup:
    rules = changed(Settings(), "turns_each", "1")
    for name, value in settings.items():
        rules = changed(rules, name, value)
    return Setup(tuple(LETTERS[:seats]), deck(cards), rules)


GAMES: dict[str, Setup] = {
    "throw": _game(2, "throw*3"),
    "two_kinds": _game(2, "throw*2 tower*1"),
    "find": _game(2, "find_key*2 throw*1"),
    "find_of_three": _game(3, "find_key*3"),
    "find_short_turn": _game(2, "find_key*2", turn_s="5"),
    "find_short_turn_of_three": _game(3, "find_key*2", turn_s="6"),
    "find_reopen_falls": _game(2, "find_key*2", turn_s="6", everybody_out="reopen", time_up_in_claim="claims_fall"),
    "find_lost": _game(2, "find_key*2", claimed_cards_survive_timeout="no"),
    "juggler": _game(2, "juggler_bbbbb*2 line*1"),
    "reshuffle": _game(2, "tower*1 throw*1"),
    "reshuffle_all": _game(2, "tower*1 throw*1", cards_in_play_stay_at_reshuffle="no"),
}
"""The games that are counted; one turn each."""

Walk = tuple[Position, int]


def steps(walk: Walk) -> Iterator[Walk]:
    """Yield every next position and its time."""
    position, now_ns = walk
    for event in moves(position, now_ns + SECOND):
        if isinstance(event, TurnPaused):
            continue
        told = _lies_from_the_start(position, event)
        yield apply(position, told), getattr(event, "at_ns", None) or now_ns + SECOND


def _lies_from_the_start(position: Position, event: Event) -> Event:
    if isinstance(event, CardRevealed) and position.turn:
        return replace(event, at_ns=position.turn.started_ns)
    return event


def levels(setup: Setup, depth: int) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield for each depth from 0 the number of sequences and the tables they lead to."""
    level: Counter[Walk] = Counter({(new_game(setup), 0): 1})
    for _ in range(depth + 1):
        yield level.total(), frozenset(table(position) for position, _ in level)
        following: Counter[Walk] = Counter()
        for walk, sequences in level.items():
            for step in steps(walk):
                following[step] += sequences
        level = following


def table(position: Position) -> str:
    """Return what people at the table can tell apart."""
    turn = position.turn
    ids = [kind.id for kind in position.setup.deck]
    seats = [
        f"{sorted((card.card_id, card.how is How.CLAIM) for card in cards)}"
        f"{noted.points}/{noted.cards}/{noted.claimed}+{owed}"
        for cards, noted, owed in zip(position.won, position.banked, position.bonus_owed, strict=True)
    ]
    parts = [
        f"turn {position.turns_ended} {'running' if turn else 'waiting'}",
        f"pile {dict(zip(ids, position.pile, strict=True))} discard {dict(zip(ids, position.discard, strict=True))}",
        *seats,
    ]
    if turn:
        parts += [
            "stones " + " ".join(turn.stones),
            "cards " + " ".join(f"{c.card_id}:{c.state}:{c.claimed_by}:{c.shuffled}" for c in turn.cards),
            "claims " + " ".join(f"{p.seat}{'x' * (p.out_ns is not None)}" for p in in_order(position, turn)),
            f"stopped {turn.stopped_ns is not None}",
        ]
    return " | ".join(parts)
