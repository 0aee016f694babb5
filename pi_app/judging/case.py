"""A recorded scene: what the device knew (case.toml) and what its camera saw.

The folder's kit is `../../kits/<kit>` and its table `../../table.toml`; a folder that carries its own `kits/` and
`table.toml` is accepted too, so that a disputed verdict can be handed on as one folder.
"""

import csv
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from pi_app.core.errors import UserError
from pi_app.core.names import Mode, Task
from pi_app.core.observations import Frame
from pi_app.kit.art import KitArt, load_art
from pi_app.kit.festival import FestivalArt, load_festival_art, load_festival_kit
from pi_app.kit.load import load_kit, load_table, load_toml
from pi_app.kit.model import ArtPath, Card, Figure, Identifier, Kit
from pi_app.kit.picture_file import read_picture
from pi_app.kit.table import Table
from pi_app.kit.vowl import DiceArt, VowlKit, load_dice_art, load_vowl_kit
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import CameraEntry

Kind = Literal["stand", "tunnel", "throw", "stones", "juggler", "structure", "card", "letters", "dice", "festival"]


class CaseEntry(BaseModel):
    """All of case.toml."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: Identifier
    kit: Identifier
    game: Literal["voila", "vowl", "festival"]
    kind: Kind
    mode: Mode | None = None
    seat_view: Literal["behind"] = "behind"
    task: Task | None = None
    card: Identifier | None = None
    figure: Identifier | None = None
    player: Annotated[int, Field(ge=0, le=3)] | None = None
    video: ArtPath | None = None
    times: ArtPath | None = None
    images: Annotated[tuple[ArtPath, ...], Field(max_length=200)] = ()
    camera: CameraEntry


@dataclass(frozen=True)
class Case:
    """One recorded scene, checked; pictures are read when asked for."""

    folder: Path
    entry: CaseEntry
    camera: Camera
    table: Table
    kit_folder: Path

    def kit(self) -> Kit:
        """Read the scene's Voilà! kit, once; UserError where it is broken."""
        return self._kit

    @cached_property
    def _kit(self) -> Kit:
        return load_kit(self.kit_folder)

    def art(self) -> KitArt:
        """Read the pictures of the scene's Voilà! kit; UserError where one is broken."""
        return load_art(self.kit_folder, self.kit())

    def festival_art(self) -> FestivalArt:
        """Read the scene's Festival kit with its pictures; UserError where it is broken."""
        return load_festival_art(self.kit_folder, load_festival_kit(self.kit_folder))

    def vowl_kit(self) -> VowlKit:
        """Read the scene's Vowl kit; UserError where it is broken or another game's."""
        return load_vowl_kit(self.kit_folder)

    def dice_art(self) -> DiceArt:
        """Read the dice of the scene's Vowl kit with their pictures; UserError where one is broken."""
        return load_dice_art(self.kit_folder, self.vowl_kit())

    def frames(self) -> Iterator[Frame]:
        """Yield the scene's pictures in order, with their sensor times; stills count as taken a second apart."""
        if self.entry.video:
            yield from read_clip(self.folder / self.entry.video, self.folder / (self.entry.times or "times.csv"))
        for number, name in enumerate(self.entry.images):
            yield Frame(number, number * 1_000_000_000, read_picture(self.folder / name, str(self.folder / name)))


def load_case(folder: Path) -> Case:
    """Read a case folder; UserError says what is missing or wrong and where."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such case folder")
    entry = load_toml(folder / "case.toml", CaseEntry)
    if not entry.video and not entry.images:
        raise UserError(f"{folder / 'case.toml'}: got neither video nor images, wanted one of them")
    for name in (entry.video, *entry.images):
        if name and not (folder / name).is_file():
            raise UserError(f"{folder / name}: no such file, named in case.toml")
    root = folder if (folder / "table.toml").is_file() else folder.resolve().parent.parent
    camera = Camera(**entry.camera.model_dump())
    return Case(folder, entry, camera, load_table(root / "table.toml"), root / "kits" / entry.kit)


def asked_figure(entry: CaseEntry, kit: Kit) -> Figure | None:
    """Return the figure the case asks for, by figure or by card; UserError where the kit has none of that name."""
    name = entry.figure or (asked_card(entry, kit) or _NO_CARD).figure
    try:
        return kit.figure_named(name) if name else None
    except KeyError:
        raise UserError(f"{entry.id}: figure: got {name!r}, wanted one of the kit {entry.kit!r}") from None


def asked_card(entry: CaseEntry, kit: Kit) -> Card | None:
    """Return the card the case names; UserError where the kit has none of that name."""
    try:
        return kit.card_named(entry.card) if entry.card else None
    except KeyError:
        raise UserError(f"{entry.id}: card: got {entry.card!r}, wanted one of the kit {entry.kit!r}") from None


def read_clip(video: Path, times: Path | None) -> Iterator[Frame]:
    """Yield a video's frames with the sensor times of `times` (frame,sensor_ns), or of its frame rate without one.

    A video with fewer frames than times simply ends; one with more ends with the last time.
    """
    sensor_ns = read_times(times) if times else None
    capture = cv2.VideoCapture(str(video))
    try:
        if not capture.isOpened():
            raise UserError(f"{video}: cannot be read as a video")
        period_ns = round(1e9 / (capture.get(cv2.CAP_PROP_FPS) or 30.0))
        number = 0
        while sensor_ns is None or number < len(sensor_ns):
            ok, image = capture.read()
            if not ok:
                break
            yield Frame(
                number,
                sensor_ns[number] if sensor_ns else number * period_ns,
                image.astype(np.uint8, copy=False),
            )
            number += 1
        if not number:
            raise UserError(f"{video}: cannot be read as a video: it holds no picture")
    finally:
        capture.release()


def read_times(path: Path) -> list[int]:
    """Return the sensor times of a times.csv, one for each frame; UserError names the line that is wrong."""
    try:
        rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not a text file, wanted lines of frame,sensor_ns") from None
    times: list[int] = []
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != 2 or not all(cell.strip().isdecimal() and len(cell.strip()) < 19 for cell in row):
            raise UserError(f"{path}: line {line}: got {','.join(row)[:40]!r}, wanted frame,sensor_ns")
        if int(row[0]) != len(times):
            raise UserError(f"{path}: line {line}: got frame {row[0]}, wanted frame {len(times)}")
        times.append(int(row[1]))
    if not times:
        raise UserError(f"{path}: got no times, wanted a line frame,sensor_ns for each frame")
    if any(later < earlier for earlier, later in itertools.pairwise(times)):
        raise UserError(f"{path}: got a time that goes back, wanted monotonic sensor times")
    return times


class _NoCard:
    figure: str | None = None


_NO_CARD = _NoCard()
