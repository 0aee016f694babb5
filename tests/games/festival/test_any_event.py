from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.core.codec import Codec
from pi_app.games.festival import (
    Corrected,
    Event,
    IllegalCorrection,
    IllegalMove,
    ObjectiveShown,
    ObjectiveTaken,
    Position,
    Rules,
    Setup,
    StackContents,
    Token,
    TokenPlaced,
    TopShown,
    TurnPassed,
    alternatives,
    apply,
    decisions,
    faults,
    inserted,
    moves,
    new_game,
    outcome,
    placings,
    removed,
    replaced,
    replaced_together,
    replay,
    settle,
    undone,
)
from pi_app.games.festival.bots import deal, play
from pi_app.games.festival.sample import sample_box
from tests.games.festival.small import game, tiny

often = settings(max_examples=25, deadline=None, derandomize=True)
BOX = sample_box()
cards = st.sampled_from(("any", "two-high", "red-start", "nonsense", *[goal.id for goal in BOX.goals[:12]]))
numbers = st.integers(-1, 5)
tokens = st.sampled_from((*BOX.tokens[:6], Token("red", "rose"), Token("pink", "rose")))
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(TopShown, numbers, tokens),
    st.builds(ObjectiveShown, numbers, cards),
    st.builds(TokenPlaced, numbers, numbers, tokens, st.integers(-1, 9)),
    st.builds(ObjectiveTaken, numbers, numbers, cards, st.none() | cards),
    st.builds(TurnPassed, numbers),
)
rules = st.builds(
    Rules,
    objectives_to_end=st.integers(1, 6),
    max_open=st.integers(2, 6),
    starting_counts_for_end=st.booleans(),
    starting_counts_as_open=st.booleans(),
    starting_may_be_discarded=st.booleans(),
    fulfilled_needs_room=st.booleans(),
    turned=st.booleans(),
    mirrored=st.booleans(),
    stack_contents=st.sampled_from(StackContents),
)
TILES = ("full-sky", "heights", "one-colour", "motley-corners")
setups = st.builds(lambda seats, r: game(BOX, seats=seats, rules=r, spectators=TILES), st.integers(2, 4), rules)
picks = st.lists(st.integers(0, 10_000), max_size=25)


def walk(setup: Setup, chosen: list[int]) -> list[Event]:
    position, record = new_game(setup), list[Event]()
    for pick in chosen:
        may = list(moves(position))
        if not may:
            break
        record.append(may[pick % len(may)])
        position = apply(position, record[-1])
    return record


def attempt(take: Callable[[Position, Event], Position], position: Position, event: Event) -> Position | IllegalMove:
    try:
        return take(position, event)
    except IllegalMove as refusal:
        return refusal


@often
@given(setups, picks, events)
def test_any_event_gives_a_sound_position_or_is_refused(setup: Setup, chosen: list[int], event: Event) -> None:
    position = replay(setup, walk(setup, chosen))
    assert faults(position) == ()
    for take in (apply, settle):
        after = attempt(take, position, event)
        if isinstance(after, IllegalMove):
            assert str(after) == f"{type(event).__name__}: got {after.why.got}, wanted {after.why.wanted}"
        else:
            assert faults(after) == ()
            assert take is settle or after == settle(position, event)
    if isinstance(event, TokenPlaced):
        fits = placings(position, event.seat, event.token, event.cell)
        assert not isinstance(fits, tuple) or all(faults(apply(position, fit)) == () for fit in fits)


mends = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 60), events), min_size=1, max_size=4)


def mended(setup: Setup, record: list[Event], how: int, where: int, event: Event) -> Corrected | None:
    index = where % max(1, len(record))
    try:
        if how == 0:
            return replaced(setup, record, index, event)
        if how == 1:
            return inserted(setup, record, index, event)
        return removed(setup, record, index) if how == 2 else undone(setup, record)
    except IllegalCorrection:
        return None


@often
@given(setups, picks, mends, picks)
def test_a_corrected_game_is_sound_and_goes_on(
    setup: Setup, chosen: list[int], wrong: list[tuple[int, int, Event]], more: list[int]
) -> None:
    record = walk(setup, chosen)
    for how, where, event in wrong:
        if corrected := mended(setup, record, how, where, event):
            record = list(corrected.events)
            assert corrected.position == replay(setup, record)
            assert faults(corrected.position) == ()
    position = replay(setup, record)
    for pick in more:
        may = list(moves(position))
        position = apply(position, may[pick % len(may)]) if may else position
    assert faults(position) == ()
    assert [decision.event for decision in decisions(setup, record)] == record


@pytest.mark.parametrize("seed", range(3))
def test_a_mistake_corrected_back_leaves_no_trace(seed: int) -> None:
    random = Random(seed)
    setup = deal(BOX, 2 + seed, random)
    record: list[Event] = [event for event, _ in play(setup, random)]
    position = replay(setup, record)
    for index in random.sample(range(len(record)), 2):
        for event in alternatives(setup, record, index)[:4]:
            wrong = replaced(setup, record, index, event)
            assert faults(wrong.position) == ()
            assert replaced(setup, wrong.events, index, record[index]) == Corrected(tuple(record), position)


ROSE, STAR, BLUE_ROSE, BLUE_STAR = (Token(c, m) for c in ("red", "blue") for m in ("rose", "star"))


def test_a_token_told_wrongly_moves_objective_tile_and_end() -> None:
    record: list[Event] = [
        TokenPlaced(0, 0, ROSE, 0),
        TokenPlaced(1, 1, ROSE, 0),
        TokenPlaced(0, 0, STAR, 1),
        TokenPlaced(1, 1, STAR, 1),
        TokenPlaced(0, 0, BLUE_ROSE, 8),
        TokenPlaced(1, 1, BLUE_ROSE, 8),
    ]
    setup = tiny(objectives_to_end=1)
    ended = replay(setup, record)
    assert (ended.players[0].spectators, ended.players[0].done, ended.surplus) == (("two-reds",), ("red-start",), 2)
    assert outcome(ended) is not None
    swap: dict[int, Event] = {2: TokenPlaced(0, 0, BLUE_ROSE, 1), 4: TokenPlaced(0, 0, STAR, 8)}
    right = replaced_together(setup, record, swap)
    assert right.position.players[0].done == ()
    assert right.position.players[1].spectators == ("two-reds",)
    assert right.position.surplus == 0
    with pytest.raises(IllegalCorrection, match=r"event 4 \(TokenPlaced\): got blue/rose from stack 0"):
        replaced(tiny(), record, 2, swap[2])


def test_a_missed_action_is_put_in_and_a_seat_is_owed_a_turn_taken_out() -> None:
    record: list[Event] = [TokenPlaced(0, 0, ROSE, 0), TokenPlaced(1, 1, ROSE, 0), TokenPlaced(0, 0, STAR, 5)]
    without = removed(tiny(), record, 1)
    assert without.position.active == 1
    assert inserted(tiny(), without.events, 1, record[1]) == Corrected(tuple(record), replay(tiny(), record))
    with pytest.raises(IllegalCorrection, match="got stack 3, wanted 0 to 1"):
        inserted(tiny(), record, 1, TokenPlaced(1, 3, ROSE, 0))
    with pytest.raises(IllegalCorrection, match="got it in place of TokenPlaced, wanted an event of the same kind"):
        replaced(tiny(), record, 0, TopShown(0, ROSE))
    with pytest.raises(IllegalCorrection, match="got event 3, wanted one of 3"):
        removed(tiny(), record, 3)
    with pytest.raises(IllegalCorrection, match="got event -1, wanted one of 0"):
        undone(tiny(), [])


def test_events_are_written_and_read() -> None:
    own = (Token, Rules, *Event.__args__)
    codec = Codec({kind.__name__: kind for kind in own})
    for value in (
        Rules(stack_contents=StackContents.ANY),
        TopShown(1, ROSE),
        ObjectiveShown(0, "pair-red"),
        TokenPlaced(0, 1, ROSE, 8),
        ObjectiveTaken(1, 2, "any", None),
        ObjectiveTaken(1, 2, "any", "two-high"),
        TurnPassed(3),
    ):
        assert codec.decode(codec.encode(value)) == value
