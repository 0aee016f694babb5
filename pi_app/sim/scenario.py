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
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.kit.art import load_art
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.table import Table
from pi_app.sim.card_cases import card_case, juggler_case
from pi_app.sim.cases import Case, KitAt, stand_case, stones_case, structure_case
from pi_app.sim.kits import varied_kit
from pi_app.sim.passage_cases import tunnel_case
from pi_app.sim.throw_cases import throw_case

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


Maker = Callable[[KitAt, Table, int, Mode], Case]
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
    table, copied = load_table(TABLE), list(_kits(out, kits, seed))
    (out / "cases").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(TABLE, out / "table.toml")
    made, number = 0, 0
    while made < count:
        number += 1
        case = MAKERS[kind](copied[number % len(copied)], table, seed * 100_000 + number, mode)
        folder = out / "cases" / f"{kind}-{seed}-{made + 1:03}"
        truth = write_case(folder, case)
        if truth is not None:
            made += 1
            yield Written(folder, truth)


def _kits(out: Path, folders: Sequence[Path], seed: int) -> Iterator[KitAt]:
    if not folders:
        folders = [varied_kit(out / "kits" / f"sample{n}", np.random.default_rng((seed, n))) for n in range(4)]
    for folder in folders:
        target = out / "kits" / folder.name
        if not target.exists():
            shutil.copytree(folder, target)
        kit = load_kit(target)
        yield KitAt(folder.name, kit, load_art(target, kit))


def write_case(folder: Path, case: Case) -> dict[str, object] | None:
    """Write one case and return its truth; nothing is left and None returned where that is doubtful."""
    folder.mkdir(parents=True)
    frames = list(_write_still(folder, case.frames) if case.still else _write_clip(folder, case.frames))
    truth = case.truth(frames)
    if truth is None:
        shutil.rmtree(folder)
        return None
    (folder / "case.toml").write_text(_case_toml(folder.name, case), "utf-8")
    (folder / "truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
    return truth


def _write_still(folder: Path, frames: Iterator[Frame]) -> Iterator[Frame]:
    for frame in frames:
        cv2.imwrite(str(folder / "still.jpg"), frame.image, JPEG)
        yield frame


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


def _case_toml(name: str, case: Case) -> str:
    camera = case.scene.view.camera
    values = {"id": name, "game": "voila", "seat_view": "behind"} | case.values
    lines = [f'{key} = "{value}"' for key, value in values.items()]
    lines += ['images = ["still.jpg"]'] if case.still else ['video = "clip.mp4"', 'times = "times.csv"']
    lines += ["", "[camera]", f"width = {camera.width}", f"height = {camera.height}"]
    lines += [f"{key} = {getattr(camera, key):.4f}" for key in ("fx", "fy", "cx", "cy")]
    lines.append(f"dist = [{', '.join(f'{k:.6f}' for k in camera.dist)}]")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    typer.run(main)
