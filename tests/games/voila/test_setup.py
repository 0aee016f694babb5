from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.core.names import Task
from pi_app.games.voila import CardKind, Settings, Setup, deck_of, new_game
from pi_app.kit.load import load_kit
from pi_app.kit.model import Kit
from tests.games.voila.script import DECK, deck

KIT = {
    "acrobat": {
        "length_mm": 60,
        "width_mm": 30,
        "thickness_mm": 15,
        "piece": [{"id": 0, "front": "f.png", "back": "b.png"}],
    },
    "tile": {"shape": "round", "size_mm": 50, "thickness_mm": 2, "piece": [{"id": "key", "art": "k.png"}]},
    "overview": {"width_mm": 100, "height_mm": 100, "thickness_mm": 2, "art": "o.png"},
    "stone": {
        "shape": "dome",
        "diameter_mm": 16,
        "height_mm": 8,
        "finish": "glossy",
        "colours": {"yellow": [250, 200, 0], "red": [200, 0, 0], "blue": [0, 0, 200]},
    },
    "card": [
        {"id": "find_key", "task": "find", "art": "c.png", "count": 4, "object": "key"},
        {"id": "mirror", "task": "tower", "art": "c.png", "count": 0},
        {"id": "two", "task": "juggler", "art": "c.png", "count": 2, "stones": {"yellow": 2, "blue": 1}},
    ],
}


def test_deck_of_a_kit() -> None:
    assert deck_of(Kit.model_validate(KIT)) == (
        CardKind("find_key", Task.FIND, 1, 4, object="key"),
        CardKind("two", Task.JUGGLER, 3, 2, stones=(2, 0, 1)),
    )


def test_decks_of_the_recorded_kits_hold_80_cards(bench: Path) -> None:
    for name in ("A", "B"):
        setup = Setup(("Ann", "Ben"), deck_of(load_kit(bench / "kits" / name)))
        assert sum(new_game(setup).pile) == 80


def test_the_scenarios_deck_holds_80_cards() -> None:
    assert sum(kind.count for kind in deck(DECK)) == 80


@pytest.mark.parametrize(
    ("seats", "cards", "first", "fault"),
    [
        (("A",), "throw", 0, "voila seats: got 1, wanted 2 to 6"),
        (tuple("ABCDEFG"), "throw", 0, "voila seats: got 7, wanted 2 to 6"),
        (("A", "B"), "throw", 2, "voila first seat: got 2, wanted 0 to 1"),
        (("A", "B"), "throw", -1, "voila first seat: got -1, wanted 0 to 1"),
        (("A", "B"), "", 0, "voila deck: got no cards, wanted at least one"),
        (("A", "B"), "throw*2 throw*3", 0, "voila deck: got card 'throw' twice, wanted every kind once"),
    ],
)
def test_a_setup_that_cannot_be_played(seats: tuple[str, ...], cards: str, first: int, fault: str) -> None:
    with pytest.raises(UserError) as error:
        Setup(seats, deck(cards), first_seat=first)
    assert str(error.value) == fault


def test_a_kind_without_cards() -> None:
    with pytest.raises(UserError, match="voila deck: got 0 cards 'throw', wanted at least one"):
        Setup(("A", "B"), (CardKind("throw", Task.THROW, 1, 0),))


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: Settings(turn_s=0), "voila.turn_s: got 0, wanted more than 0 and at most 3600 seconds"),
        (lambda: Settings(turn_s=float("nan")), "voila.turn_s: got nan, wanted more than 0 and at most 3600 seconds"),
        (lambda: Settings(claim_hold_s=-1), "voila.claim_hold_s: got -1, wanted more than 0 and at most 3600 seconds"),
        (lambda: Settings(turns_each=0), "voila.turns_each: got 0, wanted 1 to 20"),
    ],
)
def test_settings_that_cannot_be(make: type[Settings], fault: str) -> None:
    with pytest.raises(UserError) as error:
        make()
    assert str(error.value) == fault
