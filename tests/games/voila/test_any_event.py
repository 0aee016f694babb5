from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.games.voila import (
    CardState,
    Corrected,
    Event,
    How,
    IllegalCorrection,
    IllegalMove,
    Phase,
    Position,
    Setup,
    alternatives,
    apply,
    decisions,
    due,
    event_for_press,
    faults,
    inserted,
    legal,
    moves,
    new_game,
    outcome,
    phase,
    removed,
    replaced,
    replay,
    score,
    settle,
    undone,
)
from tests.games.voila.play import DECKS, SECOND, choices, events, let_time_end, setups, walk
from tests.games.voila.script import deck

Picks = list[tuple[int, int]]
often = settings(max_examples=60, deadline=None, derandomize=True)


def attempt(take: Callable[[Position, Event], Position], position: Position, event: Event) -> Position | IllegalMove:
    try:
        return take(position, event)
    except IllegalMove as refusal:
        return refusal


@often
@given(setups, choices, events)
def test_any_event_gives_a_sound_position_or_is_refused(setup: Setup, picks: Picks, event: Event) -> None:
    _, position = walk(setup, picks)
    for take in (apply, settle):
        after = attempt(take, position, event)
        if isinstance(after, IllegalMove):
            assert (after.event, after.position) == (event, position)
            assert str(after) == f"{type(event).__name__}: got {after.got}, wanted {after.wanted}"
        else:
            assert faults(after) == ()
            assert len(score(after)) == len(setup.seats)
            assert hash(after) == hash(settle(position, event))


@often
@given(setups, choices)
def test_the_record_folds_to_the_live_position_and_every_position_is_sound(setup: Setup, picks: Picks) -> None:
    record, position = walk(setup, picks)
    assert replay(setup, record) == position
    live = new_game(setup)
    for event in record:
        live = apply(live, event)
        assert faults(live) == ()
    assert [decision.event for decision in decisions(setup, record)] == record


@often
@given(setups, choices, events)
def test_what_is_not_listed_is_refused(setup: Setup, picks: Picks, event: Event) -> None:
    _, position = walk(setup, picks)
    may = legal(position)
    if type(event) in may.events:
        return
    assert isinstance(attempt(apply, position, event), IllegalMove)


@often
@given(setups, choices, st.integers(0, 10**12))
def test_everything_offered_is_accepted(setup: Setup, picks: Picks, at_ns: int) -> None:
    _, position = walk(setup, picks)
    offered = list(moves(position, at_ns))
    for event in offered:
        assert faults(apply(position, event)) == ()
    for seat in range(len(setup.seats)):
        if meaning := event_for_press(position, seat, at_ns):
            apply(position, meaning)
    if by_time := due(position):
        apply(position, by_time)


@often
@given(setups, choices)
def test_every_game_ends(setup: Setup, picks: Picks) -> None:
    _, position = walk(setup, picks)
    end = outcome(let_time_end(position))
    assert end is not None
    best = end.standings[0]
    assert {s.seat for s in end.standings} == set(range(len(setup.seats)))
    assert end.winners == tuple(
        sorted(s.seat for s in end.standings if (s.points, s.tie_cards) == (best.points, best.tie_cards))
    )
    assert all((s.points, s.tie_cards) <= (best.points, best.tie_cards) for s in end.standings)


def correct(setup: Setup, record: list[Event], how: int, where: int, event: Event) -> Corrected | IllegalCorrection:
    index = where % max(len(record), 1)
    mends: tuple[Callable[[], Corrected], ...] = (
        lambda: replaced(setup, record, index, event),
        lambda: inserted(setup, record, index, event),
        lambda: removed(setup, record, index),
        lambda: undone(setup, record),
    )
    try:
        return mends[how]()
    except IllegalCorrection as refusal:
        return refusal


corrections = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 60), events), min_size=1, max_size=5)


@often
@given(setups, choices, corrections, choices)
def test_a_corrected_game_is_sound_folds_again_and_goes_on_to_an_end(
    setup: Setup, picks: Picks, mends: list[tuple[int, int, Event]], more: Picks
) -> None:
    record, position = walk(setup, picks)
    for how, where, event in mends:
        corrected = correct(setup, record, how, where, event)
        if isinstance(corrected, IllegalCorrection):
            assert corrected.got in str(corrected)
            continue
        record, position = list(corrected.events), corrected.position
        assert replay(setup, record) == position
        assert faults(position) == ()
    assert outcome(let_time_end(go_on(position, more))) is not None


def go_on(position: Position, picks: Picks) -> Position:
    now_ns = position.turn.started_ns if position.turn else 0
    for pick, gap_ns in picks:
        now_ns += gap_ns
        may = list(moves(position, now_ns))
        position = apply(position, may[pick % len(may)]) if may else position
        assert faults(position) == ()
    return position


@settings(max_examples=40, deadline=None, derandomize=True)
@given(setups, choices, st.integers(0, 60), st.integers(0, 60))
def test_a_mistake_corrected_back_leaves_no_trace(setup: Setup, picks: Picks, where: int, pick: int) -> None:
    record, position = walk(setup, picks)
    if not record:
        return
    index = where % len(record)
    offered = alternatives(setup, record, index)
    for event in offered[pick % max(len(offered), 1) :][:1]:
        wrong = replaced(setup, record, index, event)
        assert faults(wrong.position) == ()
        assert wrong.events[index] == event
        right = replaced(setup, wrong.events, index, record[index])
        assert right == Corrected(tuple(record), position)


def test_random_games_get_about() -> None:
    phases, states, hows, stones, reshuffles = set(), set(), set(), 0, 0
    for seed in range(60):
        draw = Random(seed)
        setup = Setup(("A", "B", "C"), deck(DECKS[seed % len(DECKS)]))
        position = new_game(setup)
        for event in walk(setup, [(draw.randrange(600), draw.randrange(SECOND)) for _ in range(150)])[0]:
            position = apply(position, event)
            phases.add(phase(position))
            hows |= {card.how for cards in position.won for card in cards}
            states |= {card.state for card in position.turn.cards} if position.turn else set()
            stones = max(stones, len(position.turn.stones) if position.turn else 0)
            reshuffles = max(reshuffles, position.reshuffles)
    assert phases == set(Phase)
    assert states == set(CardState) - {CardState.NOT_DONE, CardState.SURPLUS}
    assert hows == set(How)
    assert stones > 12
    assert reshuffles > 2
