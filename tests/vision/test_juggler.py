"""Stones on a Juggler card: the card's own circles do not count, nor do stones beside it, and a hand is no stone."""

import json
from pathlib import Path

import numpy as np
import pytest

from pi_app.core.names import Colour, Mode
from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.case import load_case
from pi_app.judging.juggler import judge_juggler
from pi_app.kit.art import KitArt, load_art
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.model import Kit
from pi_app.kit.sample import write_sample_kit
from pi_app.sim.picture import TablePicture
from pi_app.sim.pieces import Piece, Placed
from pi_app.sim.scene import random_scene
from pi_app.sim.shapes import Capsule, CardShown, Snapshot
from pi_app.vision.juggler import JugglerReading, read_juggler
from pi_app.vision.reading import PartKind
from tests.vision.test_pose import TABLE_FILE

Y, R, B = Colour.YELLOW, Colour.RED, Colour.BLUE
X_MM, Y_MM = -140.0, -10.0
APART = ((-15.0, 24.0), (0.0, 26.0), (15.0, -20.0), (-16.0, -8.0))


@pytest.fixture(scope="module")
def kit_art(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kit, KitArt]:
    folder = write_sample_kit(tmp_path_factory.mktemp("kit") / "sample")
    kit = load_kit(folder)
    return kit, load_art(folder, kit)


def read(
    kit_art: tuple[Kit, KitArt], *stones: tuple[Colour, float, float], limbs: tuple[Capsule, ...] = (), seed: int = 3
) -> JugglerReading:
    """Read the card juggler_yyb with stones of a colour at places about its middle."""
    kit, art = kit_art
    table, scene = load_table(TABLE_FILE), random_scene(seed)
    size = (kit.stone.diameter_mm, kit.stone.diameter_mm, kit.stone.height_mm)
    pieces = [Piece(f"{n}", PartKind.STONE, colour, size, round=True) for n, (colour, _, _) in enumerate(stones)]
    places = {
        f"{n}": Placed(np.array([X_MM + x, Y_MM + y, size[2] / 2 + 0.3]), np.eye(3))
        for n, (_, x, y) in enumerate(stones)
    }
    snapshot = Snapshot(places, limbs, (CardShown("juggler_yyb", X_MM, Y_MM, 0.0),))
    image = TablePicture(scene, table, kit, art, pieces, Mode.STOCK).draw(snapshot)
    return read_juggler(image, scene.view, table, kit, art, kit.card_named("juggler_yyb"))


def laid(*colours: Colour) -> list[tuple[Colour, float, float]]:
    return [(colour, *place) for colour, place in zip(colours, APART, strict=False)]


@pytest.mark.parametrize("seed", [3, 5])
def test_the_cards_stones_pass(seed: int, kit_art: tuple[Kit, KitArt]) -> None:
    found = read(kit_art, *laid(Y, Y, B), seed=seed)
    assert (found.outcome, found.counts) == (Outcome.PASS, {Y: 2, R: 0, B: 1})
    assert len(found.places_mm[Y]) == 2


@pytest.mark.parametrize("colours", [(), (Y, B), (Y, Y, R), (Y, Y, B, B)])
def test_other_stones_fail(colours: tuple[Colour, ...], kit_art: tuple[Kit, KitArt]) -> None:
    found = read(kit_art, *laid(*colours))
    assert (found.outcome, found.reasons) == (Outcome.FAIL, (Reason.WRONG_STONES,))
    assert found.counts == {colour: colours.count(colour) for colour in Colour}


def test_a_stone_beside_the_card_does_not_count(kit_art: tuple[Kit, KitArt]) -> None:
    assert read(kit_art, *laid(Y, Y, B), (R, 43.0, 0.0)).outcome is Outcome.PASS
    assert read(kit_art, *laid(Y, Y), (B, 43.0, 0.0)).outcome is not Outcome.PASS


def test_a_hand_over_the_card_never_passes(kit_art: tuple[Kit, KitArt]) -> None:
    arm = Capsule(np.array([-280.0, -20.0, 30.0]), np.array([-135.0, -10.0, 12.0]), 24.0, 22.0, (132.0, 165.0, 215.0))
    assert read(kit_art, *laid(Y, Y, B), limbs=(arm,)).outcome is not Outcome.PASS


def test_recorded_jugglers(bench: Path) -> None:
    wrong = []
    for folder in sorted((bench / "cases").glob("juggler-*")):
        truth, answer = json.loads((folder / "truth.json").read_text()), judge_juggler(load_case(folder))
        if (answer["outcome"], answer.get("stones")) != (truth["outcome"], truth["stones"]):
            wrong.append(folder.name)
    assert wrong == []
