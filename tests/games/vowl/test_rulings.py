"""Passing, stopping the timer, sudden death, and each value of the rulings about cards and words."""

from dataclasses import replace

import pytest

from pi_app.games.vowl import (
    Box,
    CardPassed,
    CardsDiscarded,
    CardSolved,
    CardTakenUp,
    CardTurned,
    Deck,
    DeckRunsOut,
    DiceRolled,
    Ending,
    Event,
    Face,
    IllegalMove,
    Phase,
    PileLaid,
    PlayerChosen,
    PointsTaken,
    Position,
    Puzzle,
    PuzzleState,
    Reward,
    Rulings,
    SandRanOut,
    Setup,
    SolvedCards,
    TieCardGivenUp,
    TieCardSolved,
    TieCardTurned,
    TieCardUnsolved,
    TimerContinued,
    TimerFlipped,
    TimerStopped,
    UnsolvedCards,
    WhyStopped,
    apply,
    due,
    legal,
    new_game,
    outcome,
    phase,
)
from tests.games.vowl.play import SECOND as S
from tests.games.vowl.play import after, solved

THREE = Setup(("A", "B", "C"))


def begun(rulings: Rulings = Rulings(), cards: tuple[int, int, int] = (9, 2, 1)) -> Position:  # noqa: B008 - frozen
    start = new_game(replace(THREE, rulings=rulings, box=Box(cards=cards)))
    return after(start, DiceRolled(3, Face.SOLITAIRE), PileLaid(0), TimerFlipped(0))


def tied(rulings: Rulings = Rulings(), cards: tuple[int, int, int] = (9, 2, 1)) -> Position:  # noqa: B008 - frozen
    start = new_game(replace(THREE, rulings=rulings, box=Box(cards=cards)))
    duel = after(start, DiceRolled(3, Face.HEAD_TO_HEAD), PlayerChosen(2), PileLaid(0), PileLaid(2), TimerFlipped(0))
    return apply(duel, SandRanOut(25 * S))


def test_a_passed_card_is_returned_to_at_any_time_and_must_be_solved() -> None:
    position = after(begun(), CardTurned(0, Deck.GREEN, S, "BHV"), CardPassed(0, 2 * S))
    position = after(position, CardTurned(0, Deck.GREEN, 3 * S, "SVR"), CardPassed(0, 4 * S))
    with pytest.raises(IllegalMove, match=r"got card 2, wanted one of the passed cards: \(0, 1\)"):
        apply(position, CardTakenUp(0, 2, 5 * S))
    position = after(position, CardTakenUp(0, 0, 5 * S), CardSolved(0, 6 * S, "behave"), *solved(0, 1, 7))
    assert position.turn is not None
    assert [card.state for card in position.turn.piles[0].cards] == [
        PuzzleState.SOLVED,
        PuzzleState.PASSED,
        PuzzleState.SOLVED,
    ]
    assert position.owed == ()
    assert after(position, CardTakenUp(0, 1, 8 * S), CardSolved(0, 9 * S)).owed == (0,)
    assert apply(position, SandRanOut(25 * S)).owed == ()


def test_a_stopped_timer_goes_on_with_what_was_left_on_any_clock() -> None:
    stopped = apply(begun(), TimerStopped(10 * S))
    assert (phase(stopped), due(stopped)) == (Phase.PAUSED, None)
    with pytest.raises(IllegalMove, match="got it in phase paused, wanted TimerContinued"):
        apply(stopped, CardTurned(0, Deck.GREEN, 11 * S))
    assert due(apply(stopped, TimerContinued(100 * S))) == SandRanOut(115 * S)
    assert due(apply(stopped, TimerContinued(2 * S))) == SandRanOut(17 * S)


@pytest.mark.parametrize(("stops", "why"), [(True, WhyStopped.CHALLENGE), (False, WhyStopped.POWER_CUT)])
def test_a_challenge_stops_the_timer_only_where_the_rulings_say_so(stops: bool, why: WhyStopped) -> None:
    position = begun(Rulings(challenge_stops_timer=stops))
    assert phase(apply(position, TimerStopped(S, why))) is Phase.PAUSED
    if not stops:
        with pytest.raises(IllegalMove, match="got a challenge, wanted no stop"):
            apply(position, TimerStopped(S, WhyStopped.CHALLENGE))


def test_a_word_may_be_said_again_unless_the_rulings_forbid_it() -> None:
    said: list[Event] = [CardTurned(0, Deck.GREEN, S), CardSolved(0, S, "sever"), CardTurned(0, Deck.GREEN, S)]
    assert after(begun(), *said, CardSolved(0, S, "sever")).turn is not None
    strict = after(begun(Rulings(words_may_repeat=False)), *said)
    assert after(strict, CardSolved(0, S, "savor")).turn is not None
    with pytest.raises(IllegalMove, match="got 'sever' again"):
        apply(strict, CardSolved(0, S, "sever"))


@pytest.mark.parametrize(
    ("rulings", "deck", "discard", "out"),
    [
        (Rulings(), 6, 3, 0),
        (Rulings(solved_cards=SolvedCards.OUT_OF_GAME), 6, 2, 1),
        (Rulings(unsolved_cards=UnsolvedCards.UNDER_DECK), 8, 1, 0),
        (Rulings(solved_cards=SolvedCards.OUT_OF_GAME, unsolved_cards=UnsolvedCards.UNDER_DECK), 8, 0, 1),
    ],
)
def test_where_the_cards_of_a_turn_go(rulings: Rulings, deck: int, discard: int, out: int) -> None:
    ended = after(begun(rulings), *solved(0, 1), CardTurned(0, Deck.GREEN, 2 * S), SandRanOut(25 * S))
    assert (ended.deck[0], ended.discard[0], ended.out[0]) == (deck, discard, out)


@pytest.mark.parametrize(("ruling", "drawn", "shuffled"), [(DeckRunsOut.RESHUFFLE, 3, 1), (DeckRunsOut.FEWER, 1, 0)])
def test_a_deck_that_lacks_cards(ruling: DeckRunsOut, drawn: int, shuffled: int) -> None:
    ended = apply(begun(Rulings(deck_runs_out=ruling), (4, 0, 0)), SandRanOut(25 * S))
    second = after(ended, DiceRolled(3, Face.SOLITAIRE), PileLaid(1))
    assert second.turn is not None
    assert (second.turn.piles[0].face_down, second.reshuffles[0]) == (drawn, shuffled)


def test_without_cards_whoever_is_closest_to_the_own_victory_token_wins() -> None:
    position = begun(Rulings(solved_cards=SolvedCards.OUT_OF_GAME), (3, 0, 0))
    position = after(position, *solved(0, 3))
    assert phase(position) is Phase.SCORE
    position = apply(position, PointsTaken(0, Reward.ONE, 1))
    end = outcome(position)
    assert end is not None
    assert (end.ending, end.winners, legal(position).events) == (Ending.CARDS_RAN_OUT, (0,), frozenset())


def test_another_card_is_drawn_until_somebody_knows_one() -> None:
    first = apply(tied(), TieCardTurned(26 * S, "SVR"))
    assert first.turn is not None
    assert first.turn.tie_card == Puzzle(Deck.RED, "SVR")
    given_up = apply(first, TieCardGivenUp(27 * S))
    assert (phase(given_up), legal(given_up).tie_deck) == (Phase.TIE_DRAW, Deck.RED)
    again = after(given_up, TieCardTurned(28 * S), TieCardSolved(2, 29 * S))
    assert (again.owed, again.reshuffles) == ((2,), (0, 0, 1))


def test_or_nobody_scores() -> None:
    position = after(tied(Rulings(tie_card_unsolved=TieCardUnsolved.NOBODY)), TieCardTurned(26 * S))
    ended = apply(position, TieCardGivenUp(27 * S))
    assert (phase(ended), ended.owed, ended.discard[2]) == (Phase.ROLL, (), 1)


def test_without_a_red_card_the_next_easier_deck_serves_and_without_any_nobody_scores() -> None:
    assert legal(tied(cards=(9, 2, 0))).tie_deck is Deck.YELLOW
    without = tied(cards=(6, 0, 0))
    with pytest.raises(IllegalMove, match="got it with no card left in any deck, wanted TieCardGivenUp"):
        apply(without, TieCardTurned(26 * S))
    assert apply(without, TieCardGivenUp(26 * S)).owed == ()


@pytest.mark.parametrize("letters", ["SAVR", "SV", "svr"])
def test_a_tie_card_that_cannot_be_one_is_named(letters: str) -> None:
    with pytest.raises(IllegalMove, match=f"got letters '{letters}', wanted 3 to 4 of BCDF"):
        apply(tied(), TieCardTurned(26 * S, letters))


SOLO, OWLS, DUEL = (DiceRolled(3, face) for face in (Face.SOLITAIRE, Face.OWLS, Face.HEAD_TO_HEAD))


@pytest.mark.parametrize(
    ("seats", "events", "got", "wanted"),
    [
        (3, [SOLO, PlayerChosen(1)], "it in solitaire mode", "partner or head_to_head mode"),
        (3, [OWLS, PlayerChosen(1), PlayerChosen(2)], "it after seat 1 was chosen", "one player chosen in a turn"),
        (3, [OWLS, CardsDiscarded()], "it in partner mode", "selection mode"),
        (2, [OWLS, CardsDiscarded(), CardsDiscarded()], "it a second time", "cards discarded once in a turn"),
        (2, [OWLS, PileLaid(0)], "it before the opponent's selection", "CardsDiscarded first"),
        (2, [OWLS, TimerFlipped(0)], "it before the opponent's selection", "CardsDiscarded first"),
        (3, [SOLO, PileLaid(1)], "seat 1", "one of seats (0,), whose piles are missing"),
        (3, [SOLO, PileLaid(0), PileLaid(0)], "it with all piles laid", "one pile for each of seats (0,)"),
        (3, [SOLO, TimerFlipped(0)], "it before all piles were laid", "PileLaid first: by seats (0,)"),
        (3, [DUEL, TimerFlipped(0)], "it before a player was chosen", "PlayerChosen first: one of seats (1, 2)"),
        (3, [DUEL, PlayerChosen(0)], "seat 0", "one of seats (1, 2), who may be chosen"),
        (3, [SOLO, PileLaid(0), TimerFlipped(0), CardSolved(0, 1)], "no card face up", "one turned or taken up before"),
        (3, [SOLO, PileLaid(0), TimerFlipped(0), CardPassed(1, 1)], "seat 1", "one of seats (0,), who solve"),
        (3, [SOLO, TieCardTurned(1)], "it in phase prepare", "CardsDiscarded or PileLaid or PlayerChosen or Timer"),
    ],
)
def test_a_refusal_says_what_was_wanted(seats: int, events: list[Event], got: str, wanted: str) -> None:
    position = after(new_game(Setup(tuple("ABC"[:seats]))), *events[:-1])
    with pytest.raises(IllegalMove) as refusal:
        apply(position, events[-1])
    assert refusal.value.got == got
    assert refusal.value.wanted.startswith(wanted)
