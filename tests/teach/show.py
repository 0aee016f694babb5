"""A whole kit shown to the simulated camera, piece by piece, as a folder with teach.toml and pictures.

python -m tests.teach.show KIT OUT [--seed N]     writes the folder; `umpire teach NEW --pictures OUT` learns from it
"""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import typer

from pi_app.core.names import Colour, Mode
from pi_app.kit import table as kit_table
from pi_app.kit.art import load_art
from pi_app.kit.figure_text import format_figure
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.model import Kit
from pi_app.sim.scene import Scene, random_scene
from pi_app.vision.camera import Camera
from tests.teach.lay import Laid

TABLE = Path(kit_table.__file__).parent / "table.toml"


def camera_toml(camera: Camera) -> str:
    """Return a camera's numbers as a TOML table's lines."""
    lines = [f"{key} = {getattr(camera, key)}" for key in ("width", "height")]
    lines += [f"{key} = {getattr(camera, key):.4f}" for key in ("fx", "fy", "cx", "cy")]
    return "\n".join([*lines, f"dist = [{', '.join(f'{k:.6f}' for k in camera.dist)}]"]) + "\n"


def given_toml(kit: Kit) -> str:
    """Return the sizes that no picture tells."""
    return f"[kit]\nplate_mm = {kit.tile.thickness_mm}\n"


def shown(kit: Kit, laid: Laid, random: np.random.Generator) -> Iterator[tuple[dict[str, object], Laid]]:
    """Lay one piece after the other; yield what teach.toml says of it without its file, and the table."""
    zone, stones = laid.table.zones.build, laid.table.zones.stones
    middle = (zone.x0 + zone.x1) / 2, (zone.y0 + zone.y1) / 2

    def place(reach: float = 45.0, turn: float = 35.0) -> tuple[float, float, float]:
        x, y = (float(m + random.uniform(-reach, reach)) for m in middle)
        return x, y, float(random.uniform(-turn, turn))

    for pose in ("edge", "stand"):
        x, y, turn = place(30)
        yield (
            {"kind": "block", "pose": pose},
            laid.clear().acrobat(0, x, y + (35 if pose == "stand" else 0), turn, pose=pose),
        )
    for piece in kit.acrobat.piece:
        for side in ("front", "back"):
            lesson: dict[str, object] = {"kind": "acrobat", "piece": piece.id, "side": side}
            yield lesson, laid.clear().acrobat(piece.id, *place(), back=side == "back")
    for tile in kit.tile.piece:
        yield (
            {"kind": "tile", "id": tile.id},
            laid.clear().tile(tile.id, *place(turn=0 if kit.tile.shape == "round" else 35)),
        )
    yield {"kind": "overview"}, laid.clear().overview(*place(12, 15))
    for colour in Colour:
        x, y = (stones.x0 + stones.x1) / 2, float(random.uniform(stones.y0 + 30, stones.y1 - 30))
        yield {"kind": "stone", "colour": colour.value}, laid.clear().stone(colour, x, y)
    for card in kit.card:
        lesson = {"kind": "card", **card.model_dump(mode="json", exclude={"art"}, exclude_none=True)}
        yield lesson, laid.clear().card(card.id, *place(40))


def write_lessons(
    folder: Path, kit: Kit, laid: Laid, seed: int, *, figures: bool = True, keep: int | None = None
) -> Path:
    """Write pictures and teach.toml of a kit; `keep` leaves out all but the first so many cards."""
    folder.mkdir(parents=True)
    random = np.random.default_rng((seed, 5))
    lines = [given_toml(kit), "[camera]", camera_toml(laid.scene.view.camera)]
    cards = 0
    for number, (lesson, table) in enumerate(shown(kit, laid, random)):
        cards += lesson["kind"] == "card"
        if keep is not None and lesson["kind"] == "card" and cards > keep:
            break
        cv2.imwrite(str(folder / f"{number:03}.png"), table.picture())
        lines += [
            "[[show]]",
            f'file = "{number:03}.png"',
            *(f"{key} = {_toml(value)}" for key, value in lesson.items()),
            "",
        ]
    for figure in kit.figure if figures else ():
        lines += ["[[figure]]", f'id = "{figure.id}"', f'text = """\n{format_figure(figure, kit.acrobat)}"""', ""]
    (folder / "teach.toml").write_text("\n".join(lines), "utf-8")
    return folder


def _toml(value: object) -> str:
    match value:
        case str():
            return f'"{value}"'
        case dict():
            return "{" + ", ".join(f"{key} = {entry}" for key, entry in value.items()) + "}"
        case _:
            return str(value)


def laid_with(kit_folder: Path, scene: Scene, mode: Mode = Mode.STOCK) -> Laid:
    """Return an empty simulated table with a kit's pieces at hand."""
    kit = load_kit(kit_folder)
    return Laid(scene, load_table(TABLE), kit, load_art(kit_folder, kit), mode)


def main(kit: Path, out: Path, seed: int = 0) -> None:
    """Show a kit."""
    laid = laid_with(kit, random_scene(seed))
    write_lessons(out, laid.kit, laid, seed)


if __name__ == "__main__":
    typer.run(main)
