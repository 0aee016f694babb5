"""A recorded session: one folder with the journal, the pictures, the orders, the kit and the camera."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pi_app.core.errors import UserError
from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.judging.worker import Recogniser
from pi_app.kit.art import KitArt, load_art
from pi_app.kit.load import load_kit, load_table, load_toml
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.play.eyes import Eyes
from pi_app.play.orders import NotingRecogniser, OrderWriter
from pi_app.play.pictures import PictureWriter
from pi_app.play.seen import SeenWriter
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import CameraEntry

JOURNAL, HEAD, KIT, TABLE = "session.db", "recording.toml", "kit", "table.toml"
FORMAT = 1


class RecordingHead(BaseModel):
    """All of recording.toml."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    format: Annotated[int, Field(ge=FORMAT, le=FORMAT)]
    mode: Mode
    camera: CameraEntry


@dataclass(frozen=True)
class Recording:
    """A recorded session's folder, checked."""

    folder: Path
    mode: Mode
    camera: Camera
    kit: Kit
    art: KitArt
    table: Table

    @property
    def journal(self) -> Path:
        """The session's journal."""
        return self.folder / JOURNAL


def open_recording(folder: Path) -> Recording:
    """Read a recording's folder; UserError says what is missing or broken."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such recording")
    head = load_toml(folder / HEAD, RecordingHead)
    camera = Camera(**head.camera.model_dump())
    kit = load_kit(folder / KIT)
    return Recording(folder, head.mode, camera, kit, load_art(folder / KIT, kit), load_table(folder / TABLE))


def camera_toml(camera: Camera) -> str:
    """Return the [camera] table of a camera, in a case's format."""
    sizes = f"width = {camera.width}\nheight = {camera.height}\n"
    lens = "".join(f"{name} = {getattr(camera, name)!r}\n" for name in ("fx", "fy", "cx", "cy"))
    return f"[camera]\n{sizes}{lens}dist = {list(camera.dist)!r}\n"


class Recorder:
    """Writes a recording while a session runs: wrap the frames and the recogniser, then tell the eyes."""

    def __init__(self, folder: Path, camera: Camera, mode: Mode, kit_folder: Path, table_path: Path) -> None:
        """Make the folder; UserError where it exists with something in it, or cannot be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise UserError(f"{folder}: got a folder with something in it, wanted a new one to record to")
            shutil.copytree(kit_folder, folder / KIT)
            shutil.copyfile(table_path, folder / TABLE)
            (folder / HEAD).write_text(f'format = {FORMAT}\nmode = "{mode}"\n\n{camera_toml(camera)}')
            self._pictures, self._orders = PictureWriter(folder), OrderWriter(folder)
            self.seen = SeenWriter(folder)
        except OSError as error:
            raise UserError(f"{folder}: cannot be written: {error.strerror or error}") from None
        self._noting: NotingRecogniser | None = None
        self.journal = folder / JOURNAL

    def noting(self, recogniser: Recogniser) -> Recogniser:
        """Return the recogniser, its pace noted."""
        self._noting = NotingRecogniser(recogniser, self._orders)
        return self._noting

    def listen(self, eyes: Eyes) -> None:
        """Note the orders that are carried out."""
        eyes.note_orders(self._orders.order)

    def through(self, frames: Iterable[Frame | None]) -> Iterator[Frame | None]:
        """Yield the frames as a replay will see them."""
        for frame in self._pictures.through(frames):
            if self._noting is not None and frame is not None:
                self._noting.frame = frame.number
            yield frame

    def close(self) -> None:
        """Finish every file; safe to call twice."""
        self._pictures.close()
        self._orders.close()
        self.seen.close()
