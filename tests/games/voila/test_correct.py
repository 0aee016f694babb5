import pytest

from pi_app.core.names import Colour
from pi_app.games.voila import (
    CardRevealed,
    Decision,
    Event,
    FindJudged,
    IllegalCorrection,
    IllegalMove,
    Judge,
    Setup,
    StoneDrawn,
    TaskJudged,
    TimeUp,
    VoilaCalled,
    alternatives,
    decisions,
    removed,
    replaced,
    replaced_together,
    replay,
    settle,
)
from tests.games.voila.script import deck, parse

SETUP = Setup(("A", "B"), deck("throw*1 tower*1 find_key*1 line*1"))


def record(text: str) -> list[Event]:
    return [parse(line.strip()) for line in text.split(";")]


TWO_CARDS = record("start @0; stone blue; card throw; pass; card tower; pass; voila @9")


def test_cards_taken_for_each_other_are_corrected_together() -> None:
    swap = {2: CardRevealed("tower"), 4: CardRevealed("throw")}
    with pytest.raises(
        IllegalCorrection, match=r"event 4 \(CardRevealed\): got card 'tower', wanted one that is still"
    ):
        replaced(SETUP, TWO_CARDS, 2, swap[2])
    corrected = replaced_together(SETUP, TWO_CARDS, swap)
    assert corrected.position == replay(SETUP, corrected.events)
    assert [card.card_id for card in corrected.position.won[0]] == ["tower", "throw"]


def test_nothing_replaced_is_the_same_record() -> None:
    same = replaced_together(SETUP, TWO_CARDS, {})
    assert (list(same.events), same.position) == (TWO_CARDS, replay(SETUP, TWO_CARDS))


@pytest.mark.parametrize("index", [-1, 7])
def test_there_is_no_such_event(index: int) -> None:
    with pytest.raises(IllegalCorrection, match=f"got event {index}, wanted one of 7"):
        replaced(SETUP, TWO_CARDS, index, VoilaCalled(1))
    with pytest.raises(IllegalCorrection, match=f"got event {index}, wanted one of 7"):
        removed(SETUP, TWO_CARDS, index)


def test_a_record_that_cannot_have_happened_is_named() -> None:
    with pytest.raises(IllegalCorrection) as error:
        replay(SETUP, record("start @0; stone red; card throw; pass; stone red; card throw"))
    assert (error.value.index, error.value.event) == (5, CardRevealed("throw"))
    assert "all 1 of this kind are elsewhere" in error.value.wanted


def test_decisions_belong_to_a_turn_and_a_seat() -> None:
    events = record("start @0; stone yellow; stone yellow; voila @9; bonus throw A; start @10; stone red; stop @55")
    found = list(decisions(SETUP, events))
    assert [(d.turn, d.seat) for d in found] == [(0, 0)] * 5 + [(1, 1)] * 3
    assert found[0].could_be == ()
    assert found[1].could_be == (StoneDrawn(Colour.RED), StoneDrawn(Colour.BLUE))
    assert found[3].could_be == (TimeUp(45 * 10**9),)
    assert found[7].could_be == ()


def test_a_time_out_between_actions_could_be_voila() -> None:
    events = record("start @0; stone yellow; stop @45")
    assert alternatives(SETUP, events, 2) == (VoilaCalled(45 * 10**9),)


def test_a_card_could_only_be_one_that_is_not_elsewhere() -> None:
    assert alternatives(SETUP, TWO_CARDS, 2) == (CardRevealed("find_key"), CardRevealed("line"))
    could_be = next(d for d in decisions(SETUP, TWO_CARDS) if d.index == 2).could_be
    assert CardRevealed("tower") in could_be


def test_a_verdict_could_be_the_other_or_another_finder() -> None:
    assert alternatives(SETUP, TWO_CARDS, 3) == (TaskJudged(False, Judge.TIMEKEEPER),)
    find = record("start @0; stone red; card find_key; press B @2; tile key @3")
    assert alternatives(SETUP, find, 4) == (FindJudged(0), FindJudged(1), FindJudged(None))
    assert isinstance(list(decisions(SETUP, find))[4], Decision)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("start @0; stone red; card throw", "card throw"),
        (
            "start @0; stone blue; card throw; pass; card tower; pass; stone blue; card line; pass; card find_key",
            "card line",
        ),
        ("start @0; stone yellow; stop @45; start @50; card throw", "card throw"),
    ],
)
def test_a_refusal_carries_the_position_as_it_was(text: str, last: str) -> None:
    position = replay(SETUP, record(text))
    with pytest.raises(IllegalMove) as error:
        settle(position, parse(last))
    assert error.value.position is position


def test_a_pause_told_twice_began_once_and_a_resume_alone_changes_nothing() -> None:
    paused = replay(SETUP, record("start @0; stone yellow; pause @5"))
    assert settle(paused, parse("pause @9")) == paused
    running = replay(SETUP, record("start @0; stone yellow"))
    assert settle(running, parse("resume @9")) == running


def test_no_turn_begins_after_the_last() -> None:
    over = replay(SETUP, [event for _ in range(SETUP.turns) for event in record("start @0; stop @45")])
    with pytest.raises(IllegalMove, match="got turn 7, wanted 6 turns"):
        settle(over, parse("start @0"))
