"""What a correction of the roll asks for, and what a correction refuses."""

import pytest

from pi_app.games.vowl import (
    CardsDiscarded,
    CardSolved,
    DiceRolled,
    Event,
    Face,
    IllegalCorrection,
    PileLaid,
    PlayerChosen,
    PointsTaken,
    Reward,
    SandRanOut,
    Setup,
    TimerFlipped,
    alternatives,
    inserted,
    new_game,
    prepared_anew,
    removed,
    replaced,
    replay,
    turn_replayed,
    undone,
)
from tests.games.vowl.play import SECOND as S
from tests.games.vowl.play import after, solved

THREE = Setup(("A", "B", "C"))
SOLO: list[Event] = [DiceRolled(3, Face.SOLITAIRE), PileLaid(0)]
DUEL: list[Event] = [DiceRolled(3, Face.HEAD_TO_HEAD), PlayerChosen(2), PileLaid(0), PileLaid(2)]
PARTNER: list[Event] = [DiceRolled(3, Face.OWLS), PlayerChosen(1), PileLaid(0)]
PLAYED: list[Event] = [TimerFlipped(0), *solved(0, 2), SandRanOut(25 * S), DiceRolled(4, Face.SOLITAIRE), PileLaid(1)]


@pytest.mark.parametrize(("face", "lacks"), [(Face.HEAD_TO_HEAD, "a player was chosen"), (Face.OWLS, "a player")])
def test_a_roll_of_another_mode_is_refused_where_the_record_lacks_what_it_asks_for(face: Face, lacks: str) -> None:
    with pytest.raises(IllegalCorrection, match=f"event 0 .DiceRolled.: got it before {lacks}"):
        replaced(THREE, [*SOLO, *PLAYED], 0, DiceRolled(3, face))
    assert alternatives(THREE, [*SOLO, *PLAYED], 0) == (DiceRolled(4, Face.SOLITAIRE),)
    assert replaced(THREE, SOLO, 0, DiceRolled(3, face)).position.turn is not None


@pytest.mark.parametrize("wrong", [SOLO, DUEL, PARTNER])
@pytest.mark.parametrize("right", [SOLO, DUEL, PARTNER])
def test_a_turn_prepared_anew_is_as_if_recorded_so_at_first(wrong: list[Event], right: list[Event]) -> None:
    corrected = prepared_anew(THREE, [*wrong, *PLAYED], 0, right)
    assert list(corrected.events) == [*right, *PLAYED]
    assert corrected.position == replay(THREE, [*right, *PLAYED])
    if right is DUEL:
        assert corrected.position.owed == (0,)


def test_in_two_player_games_the_selection_comes_with_the_roll() -> None:
    two = Setup(("A", "B"))
    right: list[Event] = [DiceRolled(4, Face.OWLS), CardsDiscarded(), PileLaid(0)]
    corrected = prepared_anew(two, [*SOLO, TimerFlipped(0)], 0, right)
    assert corrected.position == after(new_game(two), *right, TimerFlipped(0))


@pytest.mark.parametrize(
    ("index", "preparation", "fault"),
    [
        (0, [DUEL[0], PlayerChosen(1)], "got it before all piles were laid"),
        (0, [DUEL[0], PlayerChosen(1), PlayerChosen(2)], r"event 2 \(PlayerChosen\): got it after seat 1 was chosen"),
        (0, [], "got 0 events in its place, wanted a roll"),
        (1, SOLO, "got 2 events in its place, wanted a roll"),
        (0, [PileLaid(0)], "got it in place of DiceRolled"),
        (0, [DiceRolled(9, Face.OWLS)], "got a 9, wanted a face of the number die"),
    ],
)
def test_a_preparation_must_be_a_whole_one(index: int, preparation: list[Event], fault: str) -> None:
    with pytest.raises(IllegalCorrection, match=fault):
        prepared_anew(THREE, [*SOLO, *PLAYED], index, preparation)


def test_a_turn_is_replayed_from_its_roll() -> None:
    running: list[Event] = [*SOLO, *PLAYED, TimerFlipped(30 * S), *solved(1, 1, 31)]
    assert list(turn_replayed(THREE, running).events) == [*SOLO, *PLAYED[:-2]]
    with pytest.raises(IllegalCorrection, match="got no turn running"):
        turn_replayed(THREE, running[:-5])


def test_an_answer_missed_is_put_in_where_it_was_given() -> None:
    record: list[Event] = [*SOLO, TimerFlipped(0), *solved(0, 3, 20)[:-1], SandRanOut(25 * S)]
    assert replay(THREE, record).owed == ()
    mended = inserted(THREE, record, len(record) - 1, CardSolved(0, 25 * S))
    assert mended.position.owed == (0,)
    with pytest.raises(IllegalCorrection, match="25000000001 ns"):
        inserted(THREE, record, len(record) - 1, CardSolved(0, 25 * S + 1))


def test_only_what_the_table_can_take_back_is_removed() -> None:
    record: list[Event] = [*SOLO, TimerFlipped(0), *solved(0, 3), PointsTaken(0, Reward.TWO)]
    with pytest.raises(IllegalCorrection, match="got it removed from the middle"):
        removed(THREE, record, 1)
    assert undone(THREE, record).position.owed == (0,)
    with pytest.raises(IllegalCorrection, match="got event -1, wanted one of 0"):
        undone(THREE, [])
