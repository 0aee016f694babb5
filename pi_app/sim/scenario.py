"""Write simulated scenes as cases in the recorded scenes' format, with their truth, to be scored like them.

    python -m pi_app.sim.scenario OUT [--kind KIND] [--count 20] [--seed 1] [--kit FOLDER]...

OUT gets table.toml, kits/ and cases/: pass it to a scorer of recorded scenes. Without --kit the sample kit is drawn in
a few sizes. Each scene has its own camera, light, table, kit, structure and mishaps, all from the seed.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.kit.art import load_art
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.save import toml_value
from pi_app.kit.table import Table
from pi_app.sim.card_cases import card_case, juggler_case
from pi_app.sim.cases import Case, KitAt, stand_case, stones_case, structure_case
from pi_app.sim.festival_cases import festival_case, festival_kit_at, varied_festival_kit
from pi_app.sim.kits import varied_kit
from pi_app.sim.passage_cases import tunnel_case
from pi_app.sim.throw_cases import throw_case
from pi_app.sim.vowl_dice_cases import dice_case, dice_kit_at
from pi_app.sim.vowl_dice_kit import varied_vowl_kit

TABLE = Path(__file__).parents[1] / "kit" / "table.toml"
JPEG = [cv2.IMWRITE_JPEG_QUALITY, 93]


class Kind(StrEnum):
    """Kinds of scenes that can be simulated."""

    STAND = "stand"
    STRUCTURE = "structure"
    STONES = "stones"
    TUNNEL = "tunnel"
    CARD = "card"
    JUGGLER = "juggler"
    THROW = "throw"
    FESTIVAL = "festival"
    DICE = "dice"


Maker = Callable[[KitAt, Table, int, Mode], Case]
SeededMaker = Callable[[int], Case]
MAKERS: dict[Kind, Maker] = {
    Kind.STAND: stand_case,
    Kind.STRUCTURE: structure_case,
    Kind.STONES: stones_case,
    Kind.TUNNEL: tunnel_case,
    Kind.CARD: card_case,
    Kind.JUGGLER: juggler_case,
    Kind.THROW: throw_case,
}


@dataclass(frozen=True)
class Written:
    """A scene on disk, and what is true in it."""

    folder: Path
    truth: dict[str, object]


def main(
    out: Path,
    kind: Kind = Kind.STAND,
    count: int = 20,
    seed: int = 1,
    kit: Annotated[list[Path] | None, typer.Option()] = None,
    mode: Mode = Mode.BADGE,
) -> None:
    """Write simulated scenes."""
    with typer.progressbar(write_scenes(out, kind, count, seed, kit or [], mode), length=count) as scenes:
        for _ in scenes:
            pass


def write_scenes(out: Path, kind: Kind, count: int, seed: int, kits: Sequence[Path], mode: Mode) -> Iterator[Written]:
    """Write so many scenes whose truth is clear into `out`, and yield each; without kits, some are drawn."""
    makers = _makers(out, kind, kits, seed, mode)
    (out / "cases").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(TABLE, out / "table.toml")
    made, number = 0, 0
    while made < count:
        number += 1
        case = makers[number % len(makers)](seed * 100_000 + number)
        folder = out / "cases" / f"{kind}-{seed}-{made + 1:03}"
        truth = write_case(folder, case)
        if truth is not None:
            made += 1
            yield Written(folder, truth)


def _makers(out: Path, kind: Kind, folders: Sequence[Path], seed: int, mode: Mode) -> list[SeededMaker]:
    """Return what makes a scene from a seed, once for each kit that is given, or else for some that are drawn."""
    table = load_table(TABLE)
    if kind is Kind.FESTIVAL:
        boards = map(festival_kit_at, _folders(out, folders, seed, varied_festival_kit))
        return [partial(festival_case, at, table) for at in boards]
    if kind is Kind.DICE:
        dice = map(dice_kit_at, _folders(out, folders, seed, varied_vowl_kit))
        return [partial(dice_case, at, table) for at in dice]
    kits = map(_kit_at, _folders(out, folders, seed, varied_kit))
    return [partial(_made, MAKERS[kind], at, table, mode) for at in kits]


def _made(maker: Maker, at: KitAt, table: Table, mode: Mode, seed: int) -> Case:
    return maker(at, table, seed, mode)


def _folders(
    out: Path, folders: Sequence[Path], seed: int, draw: Callable[[Path, np.random.Generator], Path]
) -> Iterator[Path]:
    """Copy the kits to where the scenes find them; without any, draw some."""
    if not folders:
        folders = [draw(out / "kits" / f"sample{n}", np.random.default_rng((seed, n))) for n in range(4)]
    for folder in folders:
        target = out / "kits" / folder.name
        if not target.exists():
            shutil.copytree(folder, target)
        yield target


def _kit_at(folder: Path) -> KitAt:
    kit = load_kit(folder)
    return KitAt(folder.name, kit, load_art(folder, kit))


def write_case(folder: Path, case: Case) -> dict[str, object] | None:
    """Write one case and return its truth; nothing is left and None returned where that is doubtful."""
    folder.mkdir(parents=True)
    frames = list(_write_stills(folder, case.frames) if case.still else _write_clip(folder, case.frames))
    truth = case.truth(frames)
    if truth is None:
        shutil.rmtree(folder)
        return None
    (folder / "case.toml").write_text(_case_toml(folder.name, case, len(frames)), "utf-8")
    (folder / "truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
    return truth


def _write_stills(folder: Path, frames: Iterator[Frame]) -> Iterator[Frame]:
    """Write pictures in their order, as many as there are."""
    for frame in frames:
        cv2.imwrite(str(folder / f"step-{frame.number + 1:02}.jpg"), frame.image, JPEG)
        yield Frame(frame.number, frame.sensor_ns, frame.image[:0])


def _write_clip(folder: Path, frames: Iterator[Frame]) -> Iterator[Frame]:
    """Write clip.mp4 and times.csv; the frames are handed on without their pictures."""
    writer: cv2.VideoWriter | None = None
    lines = ["frame,sensor_ns"]
    for frame in frames:
        if writer is None:
            size = (frame.image.shape[1], frame.image.shape[0])
            writer = cv2.VideoWriter(str(folder / "clip.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, size)
        writer.write(frame.image)
        lines.append(f"{frame.number},{frame.sensor_ns}")
        yield Frame(frame.number, frame.sensor_ns, frame.image[:0])
    if writer is not None:
        writer.release()
    (folder / "times.csv").write_text("\n".join(lines) + "\n", "utf-8")


def _case_toml(name: str, case: Case, pictures: int) -> str:
    camera = case.scene.view.camera
    values: dict[str, str | int] = {"id": name, "game": "voila", "seat_view": "behind", **case.values}
    lines = [f"{key} = {toml_value(value)}" for key, value in values.items()]
    images = [f"step-{number + 1:02}.jpg" for number in range(pictures)]
    lines += [f"images = {toml_value(images)}"] if case.still else ['video = "clip.mp4"', 'times = "times.csv"']
    lines += ["", "[camera]", f"width = {camera.width}", f"height = {camera.height}"]
    lines += [f"{key} = {getattr(camera, key):.4f}" for key in ("fx", "fy", "cx", "cy")]
    lines.append(f"dist = [{', '.join(f'{k:.6f}' for k in camera.dist)}]")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    typer.run(main)
