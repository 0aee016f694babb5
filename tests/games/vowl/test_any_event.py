from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.games.vowl import (
    Corrected,
    DeckRunsOut,
    Ending,
    Event,
    IllegalCorrection,
    IllegalMove,
    Phase,
    PlayMode,
    Position,
    Rulings,
    Setup,
    Side,
    SolvedCards,
    alternatives,
    apply,
    decisions,
    due,
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
    settle,
    undone,
)
from tests.games.vowl.play import SMALL, Picks, choices, events, picked, setups, walk

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
    if type(event) not in legal(position).events:
        assert isinstance(attempt(apply, position, event), IllegalMove)


@often
@given(setups, choices, st.integers(0, 10**12))
def test_the_record_folds_to_the_live_position_and_offers_what_it_accepts(
    setup: Setup, picks: Picks, at_ns: int
) -> None:
    record, position = walk(setup, picks)
    assert replay(setup, record) == position
    live = new_game(setup)
    for event in record:
        live = apply(live, event)
        assert faults(live) == ()
    offered = list(moves(position, at_ns))
    for event in offered:
        assert faults(apply(position, event)) == ()
    assert {type(event) for event in offered} <= legal(position).events
    assert (outcome(position) is None) == bool(legal(position).events)
    if by_time := due(position):
        apply(position, by_time)


@often
@given(setups, choices)
def test_a_game_never_gets_stuck(setup: Setup, picks: Picks) -> None:
    _, position = walk(setup, picks)
    clock = position.turn.clock if position.turn else None
    at_ns = clock.last_ns if clock else 0
    assert list(moves(position, at_ns)) or outcome(position)


def correct(setup: Setup, record: list[Event], how: int, where: int, event: Event) -> Corrected:
    index = where % max(len(record), 1)
    ways: tuple[Callable[[], Corrected], ...] = (
        lambda: replaced(setup, record, index, event),
        lambda: inserted(setup, record, index, event),
        lambda: removed(setup, record, index),
        lambda: undone(setup, record),
    )
    return ways[how]()


corrections = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 90), events), min_size=1, max_size=4)


@often
@given(setups, choices, corrections, choices)
def test_a_corrected_game_is_sound_and_goes_on(
    setup: Setup, picks: Picks, mends: list[tuple[int, int, Event]], more: Picks
) -> None:
    record, position = walk(setup, picks)
    for how, where, event in mends:
        try:
            corrected = correct(setup, record, how, where, event)
        except IllegalCorrection:
            continue
        record, position = list(corrected.events), corrected.position
        assert faults(position) == ()
        assert replay(setup, record) == position
    for pick, gap_ns in more[:20]:
        if may := list(moves(position, gap_ns)):
            position = apply(position, may[pick % len(may)])
            assert faults(position) == ()


@often
@given(setups, choices, st.integers(0, 90), st.integers(0, 90))
def test_a_mistake_corrected_back_leaves_no_trace(setup: Setup, picks: Picks, where: int, pick: int) -> None:
    record, position = walk(setup, picks)
    assert [decision.event for decision in decisions(setup, record)] == record
    if not record:
        return
    index = where % len(record)
    offered = alternatives(setup, record, index)
    for event in offered[pick % max(len(offered), 1) :][:1]:
        wrong = replaced(setup, record, index, event)
        assert faults(wrong.position) == ()
        assert replaced(setup, wrong.events, index, record[index]) == Corrected(tuple(record), position)


def test_random_games_get_about() -> None:
    phases, modes, endings, reshuffled = set(), set(), set(), 0
    for seed in range(20):
        runs_out = Rulings(deck_runs_out=tuple(DeckRunsOut)[seed % 2], solved_cards=SolvedCards.OUT_OF_GAME)
        setup = Setup(tuple("ABCDE"[: 2 + seed % 4]), Side.GREEN, SMALL[seed // 4 % len(SMALL)], runs_out)
        position = new_game(setup)
        for event in walk(setup, picked(2 * seed, 150))[0]:
            position = apply(position, event)
            phases.add(phase(position))
            modes |= {position.turn.mode} if position.turn else set()
            reshuffled += any(position.reshuffles)
        if end := outcome(position):
            endings.add(end.ending)
    assert phases == set(Phase)
    assert modes == set(PlayMode)
    assert endings == set(Ending)
    assert reshuffled
