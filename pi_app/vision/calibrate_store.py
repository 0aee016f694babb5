"""Calibrations kept per camera and mode: small TOML files that `--camera FILE` reads as well."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.kit.save import write_whole
from pi_app.vision.calibrate import Calibration
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import load_camera

FILE_NAME = re.compile(r"(?P<name>[a-z0-9_.-]{1,80})@(?P<width>\d{2,4})x(?P<height>\d{2,4})\.toml")


@dataclass(frozen=True)
class Kept:
    """One kept calibration: the camera's name as files have it, and where it lies."""

    name: str
    size: tuple[int, int]
    path: Path


class CalibrationStore:
    """The kept calibrations in a folder, which need not exist before the first is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, name: str, found: Calibration) -> Path:
        """Keep a calibration in place of what was kept for that camera and mode, whole or not at all."""
        path = self._path(name, (found.camera.width, found.camera.height))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, format_camera(found.camera, _told(name, found)).encode())
        except OSError as error:
            raise UserError(f"{path}: cannot be written: {error.strerror or error}") from None
        return path

    def find(self, name: str, size: tuple[int, int]) -> Camera | None:
        """Return the camera kept for a name and mode, None where there is none; UserError where its file is broken."""
        path = self._path(name, size)
        if not path.is_file():
            return None
        camera = load_camera(path)
        if (camera.width, camera.height) != size:
            raise UserError(f"{path}: got numbers for {camera.width} x {camera.height} px, wanted those of its name")
        return camera

    def all(self, name: str | None = None) -> Iterator[Kept]:
        """Yield what is kept, of one camera or of all, by name and size."""
        wanted = None if name is None else file_name(name)
        for path in sorted(self._folder.glob("*.toml")) if self._folder.is_dir() else ():
            match = FILE_NAME.fullmatch(path.name)
            if match and wanted in (None, match["name"]):
                yield Kept(match["name"], (int(match["width"]), int(match["height"])), path)

    def forget(self, name: str) -> int:
        """Throw away what is kept of a camera, all its modes; return how many there were."""
        gone = list(self.all(name))
        for kept in gone:
            kept.path.unlink(missing_ok=True)
        return len(gone)

    def _path(self, name: str, size: tuple[int, int]) -> Path:
        return self._folder / f"{file_name(name)}@{size[0]}x{size[1]}.toml"


def file_name(name: str) -> str:
    """Return a camera's name as a file may be called; UserError where nothing is left of it."""
    plain = re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-")[:80]
    if not plain:
        raise UserError(f"camera's name: got {name[:40]!r}, wanted letters or digits")
    return plain


def format_camera(camera: Camera, *remarks: str) -> str:
    """Return a camera's file, which `load_camera` reads back to the same numbers; remarks are comments at its top."""
    told = "".join(f"# {remark}\n" for remark in remarks)
    numbers = f"width = {camera.width}\nheight = {camera.height}\n"
    lens = "".join(f"{key} = {getattr(camera, key)!r}\n" for key in ("fx", "fy", "cx", "cy"))
    return f"{told}{numbers}{lens}dist = [{', '.join(repr(k) for k in camera.dist)}]\n"


def _told(name: str, found: Calibration) -> str:
    plain = " ".join(name.split())[:80].encode("ascii", "replace").decode()
    told = f"{found.views} pictures, {found.rms_px:.3f} px, focal length known to {100 * found.sigma:.2f} %"
    return f"{''.join(c for c in plain if c.isprintable())}: {told}"
