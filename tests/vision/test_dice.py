from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.verdict import Reason
from pi_app.kit.load import load_table
from pi_app.kit.table import Table
from pi_app.kit.vowl import DiceArt, load_dice_art, load_vowl_kit
from pi_app.sim.scenario import TABLE
from pi_app.sim.scene import Scene, plain_scene
from pi_app.sim.vowl_dice_kit import varied_vowl_kit
from pi_app.sim.vowl_dice_picture import DicePicture
from pi_app.sim.vowl_dice_scene import DieShown, Lay, lay_dice
from pi_app.vision.camera import View, look_at
from pi_app.vision.dice import read_dice
from pi_app.vision.dice_art import dice_art
from pi_app.vision.pose import Image

PLAIN = plain_scene(960, 540)
SCENE: Scene = replace(PLAIN, view=View(PLAIN.view.camera, look_at((20.0, 360.0, 400.0), (0.0, 0.0, 5.0))))
SEED = 7


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE)


@pytest.fixture(scope="module")
def art(tmp_path_factory: pytest.TempPathFactory) -> DiceArt:
    folder: Path = varied_vowl_kit(tmp_path_factory.mktemp("kits") / "dice", np.random.default_rng(SEED))
    return load_dice_art(folder, load_vowl_kit(folder))


@pytest.fixture(scope="module")
def drawer(art: DiceArt, table: Table) -> DicePicture:
    return DicePicture(SCENE, table, art)


def laid(art: DiceArt, table: Table, lay: Lay, seed: int = 3) -> tuple[DieShown, ...]:
    return lay_dice(art.dice, table, lay, np.random.default_rng(seed))


@pytest.mark.parametrize("lay", [Lay.BOTH, Lay.NEAR, Lay.MARKER])
def test_both_upper_faces_and_their_places_are_read(art: DiceArt, table: Table, drawer: DicePicture, lay: Lay) -> None:
    dice = laid(art, table, lay)
    reading = read_dice(drawer.draw(dice), SCENE.view, table, art)
    for die in dice:
        seen = reading.number if die.die == "number" else reading.mode
        assert seen is not None, reading.why
        assert seen.face == die.top
        assert (seen.x_mm, seen.y_mm) == pytest.approx(die.placed.at_mm[:2], abs=1.0)


@pytest.mark.parametrize("lay", [Lay.ONE, Lay.EDGE, Lay.OFF, Lay.STACKED, Lay.STRANGER])
def test_a_die_that_does_not_count_is_not_read(art: DiceArt, table: Table, drawer: DicePicture, lay: Lay) -> None:
    reading = read_dice(drawer.draw(laid(art, table, lay)), SCENE.view, table, art)
    assert reading.number is None or reading.mode is None
    assert reading.reason is Reason.NO_DIE
    assert "is seen flat on the mat" in reading.why


def test_two_dice_of_one_kind_are_named(art: DiceArt, table: Table, drawer: DicePicture) -> None:
    dice = laid(art, table, Lay.SAME)
    reading = read_dice(drawer.draw(dice), SCENE.view, table, art)
    assert f"more than one {dice[0].die} die is seen" in reading.why
    assert reading.reason in (Reason.TWO_DICE, Reason.NO_DIE)


def test_blurred_dice_are_not_read(art: DiceArt, table: Table, drawer: DicePicture) -> None:
    picture: Image = np.asarray(cv2.GaussianBlur(drawer.draw(laid(art, table, Lay.BOTH)), (0, 0), 9.0), np.uint8)
    reading = read_dice(picture, SCENE.view, table, art)
    assert reading.number is None
    assert reading.mode is None
    assert reading.reason in (Reason.HIDDEN, Reason.NO_DIE)


def test_a_dark_picture_is_not_read(art: DiceArt, table: Table) -> None:
    picture = np.full((540, 960, 3), 6, np.uint8)
    assert read_dice(picture, SCENE.view, table, art).reason is Reason.TOO_DARK


def test_faces_are_most_like_themselves_at_no_turn(art: DiceArt, table: Table) -> None:
    for die in dice_art(art, table.mat.paper_srgb, 0.4):
        assert np.allclose(np.diag(die.likeness), 1.0, atol=1e-4)
        assert die.bank.shape[0] == 4 * len(die.names)
        assert (die.likeness - np.eye(len(die.names)) < 0.99).all()


def test_a_mat_that_is_covered_is_hidden(art: DiceArt, table: Table, drawer: DicePicture) -> None:
    picture = drawer.draw(())
    picture[200:420, 200:760] = (60, 90, 160)
    assert read_dice(picture, SCENE.view, table, art).reason is Reason.HIDDEN
