"""`umpire kit check` on kits of all three games."""

import shutil
from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.kit.check_any import check_any_kit
from pi_app.kit.load import load_table
from pi_app.kit.table import Table

TABLE = Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml"


@pytest.fixture
def table() -> Table:
    return load_table(TABLE)


@pytest.mark.parametrize("name", ["A", "festival-A", "vowl-A"])
def test_a_good_kit_of_any_game_has_no_faults(bench: Path, table: Table, name: str) -> None:
    assert check_any_kit(bench / "kits" / name, table) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "key"),
    [
        ("festival-A", "diameter_mm = 38.0", 'diameter_mm = "wide"', "token.diameter_mm"),
        ("vowl-A", "size_mm = 16.0", 'size_mm = "wide"', "dice.size_mm"),
        ("A", "diameter_mm", "diameter_m", "stone.diameter_mm"),
    ],
)
def test_a_broken_kit_is_named_by_its_own_games_keys(
    bench: Path, table: Table, tmp_path: Path, name: str, old: str, new: str, key: str
) -> None:
    folder = shutil.copytree(bench / "kits" / name, tmp_path / name)
    text = (folder / "kit.toml").read_text("utf-8")
    assert old in text
    (folder / "kit.toml").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(UserError, match=key):
        check_any_kit(folder, table)


def test_a_folder_without_a_kit_is_named(table: Table, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"kit\.toml"):
        check_any_kit(tmp_path, table)
