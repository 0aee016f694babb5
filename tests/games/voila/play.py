"""Games at random: setups, walks through what is legal, and events that need not make sense."""

from hypothesis import strategies as st

from pi_app.core.names import Colour
from pi_app.games.voila import (
    BonusCardRead,
    CardRevealed,
    ClaimExpired,
    ClaimPressed,
    ClaimTie,
    Event,
    EverybodyOut,
    FindJudged,
    Position,
    Settings,
    Setup,
    StoneDrawn,
    TaskJudged,
    TileLaid,
    TimeUp,
    TimeUpInClaim,
    TurnPaused,
    TurnResumed,
    TurnStarted,
    VoilaCalled,
    apply,
    due,
    legal,
    moves,
    new_game,
)
from tests.games.voila.script import DECK, LETTERS, deck

DECKS = (
    DECK,
    "throw*1",
    "find_key*2 throw*2",
    "juggler_bbbbb*3 line*3 find_ball*1",
    "tower*2 juggler_yrb*1 find_key*3",
)
SECOND = 1_000_000_000

rulings = st.builds(
    Settings,
    turn_s=st.sampled_from((4.0, 45.0)),
    turns_each=st.integers(1, 3),
    claim_hold_s=st.sampled_from((1.0, 3.0, 60.0)),
    press_at_deadline_counts=st.booleans(),
    claim_tie=st.sampled_from(ClaimTie),
    everybody_out=st.sampled_from(EverybodyOut),
    time_up_in_claim=st.sampled_from(TimeUpInClaim),
    claimed_cards_survive_timeout=st.booleans(),
    won_cards_break_ties=st.booleans(),
    line_short_bag_like_juggler=st.booleans(),
    cards_in_play_stay_at_reshuffle=st.booleans(),
)
setups = st.builds(
    lambda seats, text, settings, first: Setup(tuple(LETTERS[:seats]), deck(text), settings, first % seats),
    st.integers(2, 6),
    st.sampled_from(DECKS),
    rulings,
    st.integers(0, 5),
)
choices = st.lists(st.tuples(st.integers(0, 600), st.integers(0, SECOND)), min_size=0, max_size=20) | st.lists(
    st.tuples(st.integers(0, 600), st.integers(0, SECOND)), min_size=40, max_size=70
)

seats = st.integers(-1, 6)
times = st.one_of(st.integers(-5 * SECOND, 200 * SECOND), st.sampled_from((0, 45 * SECOND, 4 * SECOND)))
ids = st.sampled_from(
    ("throw", "tower", "line", "find_key", "find_ball", "juggler_bbbbb", "juggler_yrb", "nonsense", "")
)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(TurnStarted, times),
    st.builds(StoneDrawn, st.sampled_from(Colour)),
    st.builds(CardRevealed, ids, st.none() | times, st.none() | times),
    st.builds(TaskJudged, st.booleans()),
    st.builds(ClaimPressed, seats, times),
    st.builds(TileLaid, st.sampled_from(("key", "ball", "", None)), times),
    st.builds(ClaimExpired, times),
    st.builds(FindJudged, st.none() | seats),
    st.builds(VoilaCalled, times),
    st.builds(TimeUp, times),
    st.builds(BonusCardRead, ids, seats),
    st.builds(TurnPaused, times),
    st.builds(TurnResumed, times),
)


def walk(setup: Setup, picks: list[tuple[int, int]]) -> tuple[list[Event], Position]:
    """Return the record and position of a game in which every event is one that may come.

    Nine of ten times what ends or pauses a turn is left out, so that some turns grow long.
    """
    position, record, now_ns = new_game(setup), list[Event](), 0
    for pick, gap_ns in picks:
        may = list(moves(position, now_ns + gap_ns))
        if not may:
            break
        event = _pick(may, pick)
        now_ns = getattr(event, "at_ns", None) or now_ns + gap_ns
        position = apply(position, event)
        record.append(event)
    return record, position


def _pick(may: list[Event], pick: int) -> Event:
    claimed = any(isinstance(event, ClaimExpired) for event in may)
    ends = (VoilaCalled, TurnPaused) if claimed else (TimeUp, VoilaCalled, TurnPaused)
    goes_on = [event for event in may if not isinstance(event, ends)]
    among = goes_on if goes_on and pick % 10 else may
    return among[pick % len(among)]


def let_time_end(position: Position) -> Position:
    """Return how the game ends when nobody does anything any more but what the game cannot go on without."""
    for _ in range(1000):
        may = legal(position)
        if not may.events:
            return position
        if may.due:
            event: Event = may.due
        elif TurnResumed in may.events:
            event = TurnResumed(0)
        elif BonusCardRead in may.events:
            event = BonusCardRead(may.cards[0], may.seat)
        else:
            event = TurnStarted(0)
        position = apply(position, event)
    raise AssertionError(f"no end: got {due(position)} still due after 1000 events")
