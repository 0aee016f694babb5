import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.judging.case import load_case
from pi_app.judging.judge import judge_case
from pi_app.kit.load import load_table
from pi_app.kit.vowl import load_dice_art, load_vowl_kit
from pi_app.measure.confusion import agreement, pairs_of
from pi_app.sim.scenario import TABLE, Written, write_case
from pi_app.sim.vowl_dice_cases import dice_case, dice_kit_at
from pi_app.sim.vowl_dice_kit import MODES, NUMBERS, varied_vowl_kit
from pi_app.sim.vowl_dice_scene import READABLE, Lay, dice_scene, lay_dice


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return varied_vowl_kit(tmp_path_factory.mktemp("kits") / "dice", np.random.default_rng((5, 3)))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, kit: Path) -> Written:
    """A scene whose dice lie as they should."""
    root = tmp_path_factory.mktemp("scenes")
    (root / "table.toml").write_bytes(TABLE.read_bytes())
    (root / "kits").symlink_to(kit.parent)
    case = dice_case(dice_kit_at(kit), load_table(TABLE), 6, Lay.BOTH)
    (root / "cases").mkdir()
    truth = write_case(root / "cases" / "one", case)
    assert truth is not None
    return Written(root / "cases" / "one", truth)


def test_a_kit_has_a_picture_of_every_face_and_is_kept(kit: Path) -> None:
    art = load_dice_art(kit, load_vowl_kit(kit))
    assert tuple(art.number) == NUMBERS
    assert tuple(art.mode) == MODES
    before = (kit / "kit.toml").read_bytes()
    assert varied_vowl_kit(kit, np.random.default_rng(6)) == kit
    assert (kit / "kit.toml").read_bytes() == before


@pytest.mark.parametrize("lay", list(Lay))
def test_dice_lie_as_asked(kit: Path, lay: Lay) -> None:
    dice_of, table = load_vowl_kit(kit).dice, load_table(TABLE)
    for seed in range(20):
        dice = lay_dice(dice_of, table, lay, np.random.default_rng(seed))
        level = [die for die in dice if np.isclose(die.placed.rotation[2, 2], 1.0)]
        on_mat = [die for die in level if np.isclose(die.placed.at_mm[2], dice_of.size_mm / 2)]
        inside = [die for die in on_mat if abs(die.placed.at_mm[0]) < table.mat.width / 2]
        kinds = {die.die for die in inside if not die.bare}
        assert (kinds == {"number", "mode"}) is (lay in READABLE)


def test_the_same_seed_gives_the_same_scene() -> None:
    assert dice_scene(4).white_balance == dice_scene(4).white_balance
    assert dice_scene(4).view.camera == dice_scene(4).view.camera


def test_a_written_scene_is_judged_as_its_truth_says(written: Written) -> None:
    truth = json.loads((written.folder / "truth.json").read_text("utf-8"))
    answer = judge_case(load_case(written.folder))
    assert agreement("dice", truth, answer) is True
    assert pairs_of("dice", truth, answer) == [(f"{truth['number']} {truth['mode']}",) * 2]


def test_a_picture_without_the_mat_is_not_judged(written: Written, tmp_path: Path) -> None:
    case = load_case(written.folder)
    name = case.entry.images[0]
    (tmp_path / "case.toml").write_bytes((written.folder / "case.toml").read_bytes())
    cv2.imwrite(str(tmp_path / name), np.full((case.camera.height, case.camera.width, 3), 90, np.uint8))
    (tmp_path / "table.toml").write_bytes(TABLE.read_bytes())
    (tmp_path / "kits").symlink_to(case.kit_folder.parent)
    answer = judge_case(load_case(tmp_path))
    assert answer["reasons"] == ["no_mat"]
    assert agreement("dice", written.truth, answer) is None


def test_an_answer_about_dice_that_do_not_count_is_wrong() -> None:
    nothing = {"number": None, "mode": None}
    assert agreement("dice", nothing, {"outcome": "unsure"}) is True
    assert agreement("dice", nothing, {"number": 3, "mode": "partner"}) is False
    assert agreement("dice", {"number": 4, "mode": "partner"}, {"number": 3, "mode": "partner"}) is False
