"""Reading the card zone: the kit's cards in every turn, covered, two of them, none, and another game's."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.names import Mode
from pi_app.core.verdict import Reason
from pi_app.judging.case import load_case
from pi_app.kit.art import KitArt, load_art
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.model import Kit
from pi_app.kit.sample import write_sample_kit
from pi_app.kit.table import Table
from pi_app.sim.picture import TablePicture
from pi_app.sim.scene import Scene, random_scene
from pi_app.sim.shapes import Capsule, CardShown, Snapshot
from pi_app.vision.camera import View
from pi_app.vision.cards import CardReading, read_card
from pi_app.vision.pose import Image, find_pose
from tests.vision.test_pose import TABLE_FILE

SKIN = (132.0, 165.0, 215.0)


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE_FILE)


@pytest.fixture(scope="module")
def kit_art(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kit, KitArt]:
    folder = tmp_path_factory.mktemp("kit") / "sample"
    write_sample_kit(folder)
    kit = load_kit(folder)
    return kit, load_art(folder, kit)


def drawn(scene: Scene, table: Table, kit_art: tuple[Kit, KitArt], snapshot: Snapshot) -> Image:
    return TablePicture(scene, table, *kit_art, [], Mode.STOCK).draw(snapshot)


def read(
    table: Table, kit_art: tuple[Kit, KitArt], *cards: CardShown, seed: int = 3, limbs: tuple[Capsule, ...] = ()
) -> CardReading:
    scene = random_scene(seed)
    return read_card(drawn(scene, table, kit_art, Snapshot({}, limbs, cards)), scene.view, table, kit_art[1])


@pytest.mark.parametrize(
    ("name", "turn", "seed"),
    [("juggler_yyb", 0.0, 3), ("juggler_yyr", 137.0, 4), ("find_tent", 200.0, 5), ("acrobats_stairs", 285.0, 6)],
)
def test_a_card_is_told_whichever_way_it_lies(
    name: str, turn: float, seed: int, table: Table, kit_art: tuple[Kit, KitArt]
) -> None:
    found = read(table, kit_art, CardShown(name, -138.0, -20.0, turn), seed=seed)
    assert [card.card for card in found.cards] == [name]
    assert found.reason is None
    card = found.cards[0]
    assert np.hypot(card.x_mm + 138.0, card.y_mm + 20.0) < 1.5
    assert abs((card.turn_deg - turn + 180) % 360 - 180) < 1.5
    assert card.second != name
    assert 0 <= card.alike < 0.7


def test_a_finger_over_its_edge_hides_no_card(table: Table, kit_art: tuple[Kit, KitArt]) -> None:
    finger = Capsule(np.array([-260.0, -60.0, 40.0]), np.array([-160.0, -40.0, 9.0]), 10.0, 8.0, SKIN)
    found = read(table, kit_art, CardShown("tower", -140.0, -25.0, 5.0), limbs=(finger,))
    assert [card.card for card in found.cards] == ["tower"]


def test_two_cards_in_order_of_place(table: Table, kit_art: tuple[Kit, KitArt]) -> None:
    shown = (CardShown("line", -140.0, 60.0, 2.0), CardShown("find_tent", -145.0, -45.0, 183.0))
    assert [card.card for card in read(table, kit_art, *shown).cards] == ["find_tent", "line"]


def test_the_upper_of_two_cards_is_told_and_the_lower_never_wrongly(table: Table, kit_art: tuple[Kit, KitArt]) -> None:
    shown = (CardShown("line", -140.0, -10.0, 2.0), CardShown("find_tent", -135.0, -25.0, 8.0))
    names = [card.card for card in read(table, kit_art, *shown).cards]
    assert "find_tent" in names
    assert set(names) <= {"line", "find_tent"}


def test_an_empty_zone_is_no_card(table: Table, kit_art: tuple[Kit, KitArt]) -> None:
    found = read(table, kit_art)
    assert (found.cards, found.reason) == ((), Reason.NO_CARD)


def test_another_games_card_is_unknown(table: Table, kit_art: tuple[Kit, KitArt]) -> None:
    kit, art = kit_art
    strange = np.full_like(art.cards["line"], (150, 60, 30))
    cv2.circle(strange, (240, 340), 150, (240, 240, 240), 30)
    more = replace(art, cards={**art.cards, "strange": np.asarray(strange, np.uint8)})
    scene = random_scene(3)
    image = drawn(scene, table, (kit, more), Snapshot({}, (), (CardShown("strange", -140.0, 0.0, 0.0),)))
    found = read_card(image, scene.view, table, art)
    assert found.cards == ()
    assert found.reason in (Reason.UNKNOWN_CARD, Reason.DOUBTFUL)


def test_a_card_that_the_kit_lacks_is_not_taken_for_its_like(table: Table, kit_art: tuple[Kit, KitArt]) -> None:
    art = kit_art[1]
    fewer = replace(art, cards={name: picture for name, picture in art.cards.items() if name != "juggler_yyr"})
    scene = random_scene(3)
    image = drawn(scene, table, kit_art, Snapshot({}, (), (CardShown("juggler_yyr", -140.0, 0.0, 0.0),)))
    assert read_card(image, scene.view, table, fewer).cards == ()


def test_a_dark_picture_says_so(table: Table, kit_art: tuple[Kit, KitArt]) -> None:
    scene = replace(random_scene(3), exposure=0.004, noise=0.5)
    image = drawn(scene, table, kit_art, Snapshot({}, (), ()))
    assert read_card(image, scene.view, table, kit_art[1]).reason is Reason.TOO_DARK


def test_recorded_cards(bench: Path) -> None:
    wrong = []
    arts: dict[Path, KitArt] = {}
    for folder in sorted((bench / "cases").glob("card-*")):
        case = load_case(folder)
        if case.kit_folder not in arts:
            arts[case.kit_folder] = case.art()
        image = next(iter(case.frames())).image
        pose = find_pose(image, case.camera, case.table).pose
        assert pose is not None
        found = read_card(image, View(case.camera, pose), case.table, arts[case.kit_folder])
        if [card.card for card in found.cards] != [json.loads((folder / "truth.json").read_text())["card"]]:
            wrong.append(folder.name)
    assert wrong == []
