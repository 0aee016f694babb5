from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.kit.festival import FestivalKit, load_festival_art, load_festival_kit
from pi_app.kit.festival_check import check_festival
from pi_app.kit.festival_sample import Design, festival_kit, festival_toml
from pi_app.kit.load import load_toml
from tests.festival_kit import table

GOOD = festival_toml(festival_kit(Design()))


def loaded(folder: Path, text: str) -> FestivalKit:
    (folder / "kit.toml").write_text(text, "utf-8")
    return load_toml(folder / "kit.toml", FestivalKit)


def test_a_kit_is_written_as_it_is_read(tmp_path: Path) -> None:
    assert loaded(tmp_path, GOOD) == festival_kit(Design())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("diameter_mm = 38.0", "diameter_mm = -1.0", "token.diameter_mm: got -1.0, wanted more than 0.5"),
        ("thickness_mm = 4.0", "", "token.thickness_mm: missing"),
        ("green = [54, 214, 92]", "green = [54, 300, 92]", "token.colours.green[1]: got 300, wanted at most 255"),
        ('colour = "green"', 'colour = "grey"', "piece[0].colour: got 'grey', wanted one of green, blue, red, yellow"),
        ('motif = "star"', 'motif = "rose"', "piece[1]: got green rose twice, wanted every kind once"),
        ('art = "art/board.png"', 'art = "../b.png"', "board.art: got '../b.png', wanted a path inside the folder"),
        ("[board]", "[board]\nfold = 1", "board.fold: got 1, but there is no such key"),
    ],
)
def test_a_broken_kit_names_key_value_and_what_was_wanted(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as raised:
        loaded(tmp_path, GOOD.replace(old, new, 1))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "kit.toml").write_text(GOOD, "utf-8")
    with pytest.raises(UserError, match=r"board.art: got 'art/board.png', wanted a picture that exists"):
        load_festival_kit(tmp_path)
    with pytest.raises(UserError, match=r"piece\[0\].art"):
        load_festival_art(tmp_path, festival_kit(Design()))


def test_the_sample_kit_is_clean_and_odd_ones_are_found() -> None:
    assert check_festival(festival_kit(Design()), table()) == []
    odd = Design(motifs=("rose", "star"), diameter_mm=47.0, colours=(("a", (255, 0, 0)), ("b", (250, 20, 10))))
    assert [finding.key for finding in check_festival(festival_kit(odd), table())] == [
        "token.colours",
        "piece.motif",
        "token.diameter_mm",
        "token.colours.b",
    ]
