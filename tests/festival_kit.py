"""A small Festival kit that the program draws, once for all tests, and pictures of its tray."""

import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from pi_app.kit.draw import sheet
from pi_app.kit.festival import FestivalArt
from pi_app.kit.festival_draw import draw_back, draw_token
from pi_app.kit.festival_sample import Design, festival_toml, write_festival_kit
from pi_app.kit.load import load_table
from pi_app.kit.save import write_picture
from pi_app.kit.table import Table
from pi_app.sim.festival_cases import FestivalKitAt, festival_kit_at
from pi_app.sim.festival_picture import FestivalPicture
from pi_app.sim.festival_scene import Extras, TrayShown, festival_scene
from pi_app.sim.textures import Picture
from pi_app.vision.camera import Camera

TABLE_PATH = Path(__file__).parents[1] / "pi_app" / "kit" / "table.toml"
SEED = 103
BLUE = (48, 132, 255)


@cache
def table() -> Table:
    return load_table(TABLE_PATH)


@cache
def kit_at() -> FestivalKitAt:
    design = Design(colours=Design().colours[:3], motifs=("rose", "palm", "heart"))
    with tempfile.TemporaryDirectory() as folder:
        return festival_kit_at(write_festival_kit(Path(folder) / "kit", design))


def save_kit(folder: Path) -> None:
    """Write the kit's files without drawing them again."""
    at = kit_at()
    (folder / "art").mkdir(parents=True)
    (folder / "kit.toml").write_text(festival_toml(at.art.kit), "utf-8")
    for piece in at.art.kit.piece:
        write_picture(folder / piece.art, at.art.pieces[piece.colour, piece.motif])
    write_picture(folder / at.art.kit.board.art, at.art.board)
    for name, sheet_ in zip(at.art.kit.tray.art, at.sheets, strict=True):
        write_picture(folder / name, sheet_)


def art() -> FestivalArt:
    return kit_at().art


@cache
def drawer() -> FestivalPicture:
    size = art().kit.token.diameter_mm
    coin = sheet(25.0, 25.0, 8.0, (190, 170, 110))
    coin.circle(12.5, 12.5, 9.0, (205, 205, 205))
    pictures: dict[str, tuple[Picture, float]] = {
        "disc coin": (coin.finished(), 25.0),
        "disc back": (draw_back(BLUE, size), size),
        "disc orange": (draw_token("palm", (255, 130, 30), 0, size), size),
        "card": (np.full((160, 100, 3), 35, np.uint8), 40.0),
    }
    return FestivalPicture(festival_scene(SEED), table(), art(), kit_at().sheets, Extras(pictures))


def camera() -> Camera:
    return festival_scene(SEED).view.camera


def tray(turn_deg: float = 95.0) -> TrayShown:
    return TrayShown(1, (0.0, 0.0), turn_deg, (1.5, -1.0, 1.0))
