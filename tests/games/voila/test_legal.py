from typing import get_args

from pi_app.core.names import Colour
from pi_app.games.voila import (
    CardRevealed,
    Event,
    Phase,
    Setup,
    StoneDrawn,
    TaskJudged,
    TimeUp,
    TurnPaused,
    TurnStarted,
    VoilaCalled,
    apply,
    legal,
    new_game,
)
from pi_app.games.voila.legal import TABLE
from tests.games.voila.script import DECK, deck


def test_every_phase_is_in_the_table_and_every_event_somewhere_in_it() -> None:
    assert set(TABLE) == set(Phase)
    assert frozenset().union(*TABLE.values()) == frozenset(get_args(Event))


def test_positions_are_values() -> None:
    setup = Setup(("A", "B"), deck(DECK))
    before = new_game(setup)
    after = apply(before, TurnStarted(5))
    assert before == new_game(setup)
    assert before != after
    assert len({before, after, apply(new_game(setup), TurnStarted(5))}) == 2


def test_only_stones_in_the_bag_are_offered() -> None:
    position = apply(new_game(Setup(("A", "B"), deck("throw*1"))), TurnStarted(0))
    for event in (StoneDrawn(Colour.RED), CardRevealed("throw"), TaskJudged(True)):
        position = apply(position, event)
    for colour in Colour:
        while position.bag[colour]:
            assert colour in legal(position).colours
            position = apply(position, StoneDrawn(colour))
        assert colour not in legal(position).colours
    assert legal(position).events == {VoilaCalled, TimeUp, TurnPaused}
