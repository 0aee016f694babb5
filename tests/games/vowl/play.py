"""Games at random: setups, walks through what is legal, and events that need not make sense."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from pi_app.games.vowl import (
    Board,
    BothMeet,
    Box,
    CardSolved,
    CardTurned,
    Deck,
    DeckRunsOut,
    DiceRolled,
    Event,
    Face,
    MetByOther,
    PileLaid,
    Placement,
    PlayerChosen,
    PlayMode,
    Position,
    Rulings,
    SandRanOut,
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
)

SECOND = 1_000_000_000
SHORT = tuple(Board(side, 4, (Tier(1, (0, 1, 0)), Tier(3, (1, 0, 1)))) for side in Side)
SMALL = (Box(cards=(4, 1, 0)), Box(cards=(9, 3, 1), boards=SHORT), Box(cards=(1, 0, 0)), Box())

rulings = st.builds(
    Rulings,
    green_timer_s=st.sampled_from((3.0, 25.0)),
    deck_runs_out=st.sampled_from(DeckRunsOut),
    solved_cards=st.sampled_from(SolvedCards),
    unsolved_cards=st.sampled_from(UnsolvedCards),
    met_by_other=st.sampled_from(MetByOther),
    both_meet=st.sampled_from(BothMeet),
    tie_card_unsolved=st.sampled_from(TieCardUnsolved),
    words_may_repeat=st.booleans(),
    challenge_stops_timer=st.booleans(),
)
setups = st.builds(
    lambda seats, side, box, rules, first: Setup(tuple("ABCDE"[:seats]), side, box, rules, first % seats),
    st.integers(2, 5),
    st.sampled_from(Side),
    st.sampled_from(SMALL),
    rulings,
    st.integers(0, 4),
)
Picks = list[tuple[int, int]]


def picked(seed: int, number: int) -> Picks:
    """Return choices for a walk, each with the time before it: a second at most, in half the games a ninth of it."""
    draw = Random(seed)
    return [(draw.randrange(600), draw.randrange(SECOND if seed % 2 else SECOND // 9)) for _ in range(number)]


choices = st.builds(picked, st.integers(0, 2**32), st.integers(0, 12) | st.integers(20, 60))
seats = st.integers(-1, 5)
times = st.integers(-5 * SECOND, 200 * SECOND)
PLAIN: tuple[type[Event], ...] = tuple(kind for kind in Event.__args__ if kind not in (DiceRolled, CardTurned))
events: st.SearchStrategy[Event] = st.one_of(
    *(st.from_type(kind) for kind in PLAIN),
    st.builds(DiceRolled, st.integers(2, 5), st.sampled_from(Face)),
    st.builds(PlayerChosen, seats),
    st.builds(PileLaid, seats, st.sampled_from(Placement)),
    st.builds(CardTurned, seats, st.sampled_from(Deck), times, st.sampled_from((None, "SVR", "SAVR", "", "SVRYSVRY"))),
)


def walk(setup: Setup, picks: Picks) -> tuple[list[Event], Position]:
    """Return the record and position of a game in which every event is one that may come.

    Nine of ten times what ends or stops the timer is left out, so that some piles get solved; of the head-to-heads
    that stand equal more are timed out, so that sudden death comes about.
    """
    position, record, now_ns = new_game(setup), list[Event](), 0
    for pick, gap_ns in picks:
        may = list(moves(position, now_ns + gap_ns))
        if not may:
            break
        among = _steered(position, may, pick)
        event = among[pick % len(among)]
        now_ns = max(now_ns + gap_ns, getattr(event, "at_ns", 0))
        position = apply(position, event)
        record.append(event)
    return record, position


def _steered(position: Position, may: list[Event], pick: int) -> list[Event]:
    turn = position.turn
    sand: list[Event] = [event for event in may if isinstance(event, SandRanOut)]
    if sand and turn and turn.mode is PlayMode.HEAD_TO_HEAD and pick % 4 == 0:
        first, second = (pile.solved for pile in turn.piles)
        return sand if first == second else may
    goes_on: list[Event] = [event for event in may if not isinstance(event, SandRanOut | TimerStopped)]
    return goes_on if goes_on and pick % 10 else may


def after(position: Position, *more: Event) -> Position:
    """Return the position some legal events later."""
    for event in more:
        position = apply(position, event)
    return position


def standing(setup: Setup, scoring: Iterable[int], victory: Iterable[int]) -> Position:
    """Return a game before its first turn, with the tokens elsewhere."""
    return replace(new_game(setup), scoring=tuple(scoring), victory=tuple(victory))


def solved(seat: int, number: int, at_s: float = 1) -> list[Event]:
    """Return green cards turned and solved, all at one moment."""
    at_ns = round(at_s * SECOND)
    return [e for _ in range(number) for e in (CardTurned(seat, Deck.GREEN, at_ns, "SVR"), CardSolved(seat, at_ns))]
