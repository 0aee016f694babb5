"""The sample kit in other sizes, for simulated scenes that no size of part should be fitted to."""

from pathlib import Path

import cv2
import numpy as np

from pi_app.kit.art import PX_PER_MM, read_art
from pi_app.kit.model import Figure, Kit
from pi_app.kit.sample import kit_toml, sample_kit, write_sample_kit


def varied_kit(folder: Path, random: np.random.Generator) -> Path:
    """Draw the sample kit into a new folder with parts 0.82 to 1.15 times as large; an existing one is kept."""
    if (folder / "kit.toml").is_file():
        return folder
    write_sample_kit(folder)
    kit = _scaled(sample_kit(), random)
    for name, (width_mm, height_mm) in _art_sizes(kit).items():
        picture = read_art(folder, name, name)
        size = (round(width_mm * PX_PER_MM), round(height_mm * PX_PER_MM))
        cv2.imwrite(str(folder / name), cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    (folder / "kit.toml").write_text(kit_toml(kit), "utf-8")
    return folder


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
