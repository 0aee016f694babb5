"""The rulebook's sentences, and the rulings where it is silent."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.core.codec import Codec
from pi_app.core.errors import UserError
from pi_app.games.vowl import (
    Board,
    BothMeet,
    Box,
    CardsDiscarded,
    CardSolved,
    CardTurned,
    Deck,
    DiceRolled,
    Ending,
    Event,
    Face,
    IllegalMove,
    MetByOther,
    Phase,
    PileLaid,
    Placement,
    PlayerChosen,
    PlayMode,
    PointsTaken,
    Position,
    Reward,
    Rulings,
    SandRanOut,
    Setup,
    Side,
    TieCardSolved,
    TieCardTurned,
    Tier,
    TimerFlipped,
    Unchecked,
    apply,
    legal,
    new_game,
    outcome,
    phase,
    removed,
    replay,
    starting_seat,
)
from pi_app.session.voila.kinds import ALL
from tests.games.vowl.play import SECOND as S
from tests.games.vowl.play import SMALL, after, events, rulings, solved, standing

THREE = Setup(("A", "B", "C"), Side.RED)
TWO = Setup(("A", "B"), Side.RED)
some = settings(max_examples=60, deadline=None, derandomize=True)


def test_the_example_of_11_points_draws_a_yellow_and_a_red_card_underneath() -> None:
    at_11 = standing(THREE, (11, 0, 0), (15, 15, 15))
    laid = after(at_11, DiceRolled(4, Face.SOLITAIRE), PileLaid(0, Placement.UNDERNEATH))
    assert laid.turn is not None
    assert laid.turn.piles[0].left == ((4, 0, 0), (0, 1, 1))
    assert laid.turn.piles[0].next_decks == (Deck.GREEN,)
    on_top = after(at_11, DiceRolled(4, Face.SOLITAIRE), PileLaid(0, Placement.ON_TOP))
    assert on_top.turn is not None
    assert on_top.turn.piles[0].next_decks == (Deck.YELLOW, Deck.RED)


@pytest.mark.parametrize(("scoring", "mode"), [(12, PlayMode.PARTNER), (13, PlayMode.SOLITAIRE)])
def test_within_two_spaces_the_roller_must_play_solitaire(scoring: int, mode: PlayMode) -> None:
    turn = after(standing(THREE, (scoring, 0, 0), (15, 15, 15)), DiceRolled(3, Face.OWLS)).turn
    assert turn is not None
    assert turn.mode is mode


def test_but_another_player_may_still_choose_them() -> None:
    near = standing(THREE, (0, 14, 0), (15, 15, 15))
    assert legal(after(near, DiceRolled(3, Face.HEAD_TO_HEAD))).choose_from == (1, 2)


def test_a_partner_is_a_neighbour() -> None:
    five = Setup(tuple("ABCDE"))
    assert legal(after(new_game(five), DiceRolled(3, Face.OWLS))).choose_from == (1, 4)


def partners(scoring: tuple[int, int, int]) -> Position:
    start = standing(THREE, scoring, (4, 4, 15))
    position = after(start, DiceRolled(3, Face.OWLS), PlayerChosen(1), PileLaid(0), TimerFlipped(0))
    return after(position, *solved(1, 3), *solved(0, 3))


def test_partners_draw_three_more_and_both_score_the_roller_first() -> None:
    done = partners((0, 0, 0))
    assert done.owed == (0, 1)
    with pytest.raises(IllegalMove, match="got seat 1, wanted seat 0, who takes points first"):
        apply(done, PointsTaken(1, Reward.TWO))
    assert after(done, PointsTaken(0, Reward.TWO), PointsTaken(1, Reward.TWO)).scoring == (2, 2, 0)


def test_the_winner_may_be_found_between_the_two_partners() -> None:
    start = replace(new_game(THREE), scoring=(3, 3, 0), victory=(4, 4, 15), owed=(0, 1))
    won = apply(start, PointsTaken(0, Reward.TWO))
    assert (phase(won), won.winners, won.owed) == (Phase.OVER, (0,), ())
    ending = outcome(won)
    assert ending is not None
    assert ending.ending is Ending.PASSED


@pytest.mark.parametrize(
    ("rulings", "scoring", "winners"),
    [
        (Rulings(), (0, 14, 0), (1,)),
        (Rulings(), (13, 14, 0), (0,)),
        (Rulings(both_meet=BothMeet.SHARED), (13, 14, 0), (0, 1)),
        (Rulings(met_by_other=MetByOther.NEEDS_SUCCESS), (0, 14, 0), ()),
    ],
)
def test_a_victory_token_moved_down_may_meet(
    rulings: Rulings, scoring: tuple[int, int, int], winners: tuple[int, ...]
) -> None:
    start = replace(standing(replace(THREE, rulings=rulings), scoring, (15, 15, 15)), owed=(0,))
    moved = apply(start, PointsTaken(0, Reward.ONE, 1))
    assert moved.victory == (14, 14, 15)
    assert moved.winners == winners


def test_a_victory_token_cannot_leave_the_board() -> None:
    rules = replace(TWO, rulings=Rulings(met_by_other=MetByOther.NEEDS_SUCCESS))
    start = replace(standing(rules, (0, 0), (15, 0)), owed=(0,))
    assert legal(start).targets == ()
    with pytest.raises(IllegalMove, match="above space 0"):
        apply(start, PointsTaken(0, Reward.ONE, 1))


def duel() -> Position:
    rolled = after(new_game(THREE), DiceRolled(3, Face.HEAD_TO_HEAD), PlayerChosen(2), PileLaid(0), PileLaid(2))
    return after(rolled, TimerFlipped(0))


def test_head_to_head_the_first_through_all_cards_wins() -> None:
    assert after(duel(), *solved(0, 2), *solved(2, 3, 2)).owed == (2,)


def test_head_to_head_more_solved_cards_win_when_time_runs_out() -> None:
    assert after(duel(), *solved(0, 2), *solved(2, 1, 2), SandRanOut(25 * S)).owed == (0,)


def test_head_to_head_a_tie_is_decided_by_a_red_card() -> None:
    tied = after(duel(), *solved(0, 1), *solved(2, 1, 2), SandRanOut(25 * S), TieCardTurned(26 * S))
    with pytest.raises(IllegalMove, match="who are tied"):
        apply(tied, TieCardSolved(1, 27 * S))
    won = apply(tied, TieCardSolved(2, 27 * S))
    assert (won.owed, won.discard) == ((2,), (6, 0, 1))


def test_with_two_players_the_opponent_discards_three_of_the_roll_and_three_more() -> None:
    rolled = after(new_game(TWO), DiceRolled(4, Face.OWLS), CardsDiscarded(), PileLaid(0))
    assert rolled.turn is not None
    assert (rolled.turn.mode, rolled.discard) == (PlayMode.SELECTION, (3, 0, 0))
    assert rolled.turn.piles[0].left == ((4, 0, 0), (0, 0, 0))


def test_a_solve_at_the_deadline_counts_and_one_later_does_not() -> None:
    ready = after(new_game(TWO), DiceRolled(3, Face.SOLITAIRE), PileLaid(0), TimerFlipped(0), *solved(0, 2))
    turned = after(ready, CardTurned(0, Deck.GREEN, 24 * S, "SVR"))
    assert after(turned, CardSolved(0, 25 * S)).owed == (0,)
    with pytest.raises(IllegalMove, match="25000000001 ns"):
        apply(turned, CardSolved(0, 25 * S + 1))


@pytest.mark.parametrize("letters", ["SAVR", "SVY", "S1R", "svr", "SV", "SVRTN", ""])
def test_a_card_that_cannot_be_one_is_named(letters: str) -> None:
    ready = after(new_game(TWO), DiceRolled(3, Face.SOLITAIRE), PileLaid(0), TimerFlipped(0))
    with pytest.raises(IllegalMove, match="letters"):
        apply(ready, CardTurned(0, Deck.GREEN, S, letters))


def test_an_answer_taken_back_takes_its_points_with_it() -> None:
    record: list[Event] = [DiceRolled(3, Face.SOLITAIRE), PileLaid(0), TimerFlipped(0), *solved(0, 3)]
    record += [PointsTaken(0, Reward.TWO), DiceRolled(3, Face.SOLITAIRE)]
    assert replay(TWO, record).scoring == (2, 0)
    mended = removed(TWO, record, 4).position
    assert (mended.scoring, mended.active, mended.owed) == ((0, 0), 1, ())


def test_the_first_name_starts() -> None:
    assert starting_seat(("Zoe", "ann B", "Ann A")) == 2


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: Setup(("A",)), "vowl seats: got 1, wanted 2 to 5"),
        (lambda: Setup(("A", "B"), first_seat=2), "vowl first seat: got 2, wanted 0 to 1"),
        (lambda: Rulings(green_timer_s=float("nan")), "vowl.green_timer_s: got nan"),
        (lambda: Box(cards=(0, 1, 1)), "vowl cards: got no green cards"),
        (lambda: Box(alphabet="BCA"), "vowl alphabet: got 'BCA'"),
        (lambda: Box(boards=()), "vowl boards: got 0"),
        (lambda: Box(number_die=(0,)), "vowl number_die"),
        (lambda: Box(letters=((4, 3), (3, 4), (3, 4))), "vowl letters"),
    ],
)
def test_a_setup_that_cannot_be_played(make: Callable[[], object], fault: str) -> None:
    with pytest.raises(UserError, match=fault.replace("(", r"\(")):
        make()


def test_events_fit_the_journal_beside_all_other_kinds() -> None:
    kinds = (*Event.__args__, Rulings, Box)
    assert not {kind.__name__ for kind in kinds} & {kind.__name__ for kind in ALL}
    codec = Codec({kind.__name__: kind for kind in kinds})
    for event in (DiceRolled(3, Face.OWLS), CardTurned(0, Deck.RED, 5), PointsTaken(1, Reward.ONE, 0), PileLaid(2)):
        assert codec.decode(codec.encode(event)) == event


@some
@given(rulings, st.sampled_from(SMALL))
def test_what_is_fixed_before_a_game_fits_the_journal(rules: Rulings, box: Box) -> None:
    kinds = (Rulings, Box, Board, Tier, Setup)
    codec = Codec({kind.__name__: kind for kind in kinds})
    setup = Setup(("A", "B"), Side.RED, replace(box, checked=(Unchecked.TIERS,)), rules, 1)
    assert codec.decode(codec.encode(setup)) == setup


@some
@given(events)
def test_every_event_comes_back_from_the_journal(event: Event) -> None:
    codec = Codec({kind.__name__: kind for kind in Event.__args__})
    assert codec.decode(codec.encode(event)) == event
