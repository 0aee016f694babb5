from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.kit.vowl import load_dice_art, load_vowl_kit

KIT = """
[card]
width_mm = 57.0
height_mm = 87.0
thickness_mm = 0.35
letters = [3, 4]
[card.tiers]
green = [72, 158, 84]
yellow = [240, 196, 52]
red = [200, 52, 50]
[dice]
size_mm = 16.0
number_style = "digits"
number_ground = [246, 244, 238]
mode_ground = [34, 46, 96]
[dice.number]
faces = [3, 3, 3, 3, 4, 4]
art = {3 = "a.png", 4 = "a.png"}
[dice.mode]
faces = ["solitaire", "solitaire", "partner", "partner", "head-to-head", "head-to-head"]
art = {solitaire = "a.png", partner = "a.png", head-to-head = "a.png"}
"""


def written(folder: Path, text: str = KIT) -> Path:
    (folder / "kit.toml").write_text(text, "utf-8")
    cv2.imwrite(str(folder / "a.png"), np.zeros((128, 128, 3), np.uint8))
    return folder


def test_a_kit_is_read_with_the_pictures_of_its_dice(tmp_path: Path) -> None:
    kit = load_vowl_kit(written(tmp_path))
    art = load_dice_art(tmp_path, kit)
    assert set(art.number) == {3, 4}
    assert set(art.mode) == {"solitaire", "partner", "head-to-head"}
    assert kit.card.tiers.of("red") == (200, 52, 50)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("16.0", '"x"', "dice.size_mm: got 'x', wanted a number"),
        ("[3, 3, 3, 3, 4, 4]", "[3, 3]", "dice.number.faces: got [3, 3], wanted a list of at least 6"),
        ("{3 =", "{5 =", "dice.number.art.3: missing"),
        ("red =", "pink =", "card.tiers"),
        ('3 = "a.png"', '3 = "none.png"', "dice.number.art.3"),
    ],
)
def test_what_is_wrong_is_named_with_its_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        load_vowl_kit(written(tmp_path, KIT.replace(old, new, 1)))
    assert said in str(caught.value)


def test_another_games_kit_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="card"):
        load_vowl_kit(written(tmp_path, "[acrobat]\nlength_mm = 56.0\n"))
