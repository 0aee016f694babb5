"""Which game a kit is of, told by the tables of its kit.toml, and what looks wrong in it."""

from pathlib import Path

from pi_app.kit.art import load_art
from pi_app.kit.check import Finding, check_kit
from pi_app.kit.festival import load_festival_art, load_festival_kit, load_tray_sheets
from pi_app.kit.festival_check import check_festival
from pi_app.kit.load import load_kit, read_toml
from pi_app.kit.table import Table
from pi_app.kit.vowl import load_dice_art, load_vowl_kit


def check_any_kit(folder: Path, table: Table) -> list[Finding]:
    """Read a kit of any game with all its pictures and return what looks wrong; UserError where it cannot be read."""
    tables = read_toml(folder / "kit.toml")
    if "token" in tables:
        festival = load_festival_kit(folder)
        load_festival_art(folder, festival)
        load_tray_sheets(folder, festival)
        return check_festival(festival, table)
    if "dice" in tables:
        load_dice_art(folder, load_vowl_kit(folder))
        return []
    kit = load_kit(folder)
    load_art(folder, kit)
    return check_kit(kit)
