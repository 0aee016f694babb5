"""Games at random: setups, walks through what is legal, and events that need not make sense."""

from hypothesis import strategies as st

from pi_app.games.vowl import (
    BothMeet,
    Box,
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
    Position,
    Rulings,
    SandRanOut,
    Setup,
    Side,
    SolvedCards,
    TieCardUnsolved,
    TimerStopped,
    UnsolvedCards,
    apply,
    moves,
    new_game,
)

SECOND = 1_000_000_000
SMALL = (Box(cards=(4, 1, 0)), Box(cards=(9, 3, 1)), Box(cards=(1, 0, 0)), Box())

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
choices = st.lists(st.tuples(st.integers(0, 600), st.integers(0, SECOND)), max_size=20) | st.lists(
    st.tuples(st.integers(0, 600), st.integers(0, SECOND // 9)), min_size=60, max_size=90
)
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

    Nine of ten times what ends or stops the timer is left out, so that some piles get solved.
    """
    position, record, now_ns = new_game(setup), list[Event](), 0
    for pick, gap_ns in picks:
        may = list(moves(position, now_ns + gap_ns))
        if not may:
            break
        goes_on = [event for event in may if not isinstance(event, SandRanOut | TimerStopped)]
        among = goes_on if goes_on and pick % 10 else may
        event = among[pick % len(among)]
        now_ns = max(now_ns + gap_ns, getattr(event, "at_ns", 0))
        position = apply(position, event)
        record.append(event)
    return record, position
