"""The sample kit in other sizes, woods and stickers, for simulated scenes that nothing of a kit should be fitted to."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from pi_app.kit.art import PX_PER_MM, read_art
from pi_app.kit.draw import Srgb
from pi_app.kit.draw_acrobats import PERFORMERS, POSES, Stuck, draw_face
from pi_app.kit.model import Figure, Kit
from pi_app.kit.sample import sample_kit, write_sample_kit
from pi_app.kit.save import kit_toml

WOODS: tuple[Srgb, ...] = (
    (222, 184, 134),
    (236, 208, 164),
    (205, 160, 110),
    (178, 128, 84),
    (128, 88, 58),
    (214, 190, 158),
)
"""Beech, pine, oak, cherry, walnut, ash."""


def varied_kit(folder: Path, random: np.random.Generator) -> Path:
    """Draw the sample kit into a new folder with parts 0.82 to 1.15 times as large; an existing one is kept.

    Wood and stickers are others too: six acrobats that all differ, or six times the same one, stuck on more or less
    crookedly.
    """
    if (folder / "kit.toml").is_file():
        return folder
    write_sample_kit(folder)
    kit = _scaled(sample_kit(), random)
    for name, (width_mm, height_mm) in _art_sizes(kit).items():
        picture = read_art(folder, name, name)
        size = (round(width_mm * PX_PER_MM), round(height_mm * PX_PER_MM))
        cv2.imwrite(str(folder / name), cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    _stick(folder, kit, random)
    (folder / "kit.toml").write_text(kit_toml(kit), "utf-8")
    return folder


def _stick(folder: Path, kit: Kit, random: np.random.Generator) -> None:
    """Draw the acrobats' faces anew."""
    block = kit.acrobat
    for piece, back, on in _stuck(len(block.piece), random):
        name = block.piece[piece].back if back else block.piece[piece].front
        face = draw_face(piece, block.length_mm, block.width_mm, PX_PER_MM, back=back, stuck=on)
        cv2.imwrite(str(folder / name), face)


def _stuck(pieces: int, random: np.random.Generator) -> Iterator[tuple[int, bool, Stuck]]:
    alike, backs_alike = random.random() < 0.4, random.random() < 0.5
    who, pose = random.permutation(len(PERFORMERS)), random.permutation(len(POSES))
    size, crooked = float(random.uniform(0.84, 1.0)), float(random.uniform(0.5, 1.6))
    wood = np.array(WOODS[int(random.integers(len(WOODS)))]) * float(random.uniform(0.92, 1.06))
    red, green, blue = (int(value) for value in np.clip(wood, 0, 250))
    for piece in range(pieces):
        for back in (False, True):
            face = int(back and not backs_alike) if alike else 2 * piece + back
            x, y, turn = np.clip(random.normal(0, crooked, 3), -2.5, 2.5) * (0.5, 0.8, 1.6)
            performer = int(who[0 if alike else piece])
            yield (
                piece,
                back,
                Stuck(performer, int(pose[face]), float(x), float(y), float(turn), size, (red, green, blue)),
            )


def _scaled(kit: Kit, random: np.random.Generator) -> Kit:
    scale, tiles, stones = (float(s) for s in random.uniform((0.9, 0.82, 0.88), (1.1, 1.1, 1.15)))
    block, tile, stone = kit.acrobat, kit.tile, kit.stone
    thickness = round(block.thickness_mm * scale * float(random.uniform(0.9, 1.15)), 1)
    return kit.model_copy(
        update={
            "acrobat": block.model_copy(
                update={
                    "length_mm": round(block.length_mm * scale, 2), "width_mm": round(block.width_mm * scale, 2),
                    "thickness_mm": thickness,
                }
            ),
            "tile": tile.model_copy(update={"size_mm": round(tile.size_mm * tiles, 1)}),
            "stone": stone.model_copy(
                update={
                    "diameter_mm": round(stone.diameter_mm * stones, 1),
                    "height_mm": round(stone.height_mm * stones, 1),
                }
            ),
            "figure": tuple(_figure(figure, scale) for figure in kit.figure),
        }
    )  # fmt: skip


def _figure(figure: Figure, scale: float) -> Figure:
    blocks = [
        block.model_copy(update={"x_mm": round(block.x_mm * scale, 2), "z_mm": round(block.z_mm * scale, 2)})
        for block in figure.blocks
    ]
    return figure.model_copy(update={"blocks": tuple(blocks)})


def _art_sizes(kit: Kit) -> dict[str, tuple[float, float]]:
    block, tile = kit.acrobat, kit.tile
    faces = {name: (block.width_mm, block.length_mm) for piece in block.piece for name in (piece.front, piece.back)}
    return faces | {piece.art: (tile.size_mm, tile.size_mm) for piece in tile.piece}
