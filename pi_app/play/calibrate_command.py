"""`umpire calibrate`: the camera's numbers from pictures of the mat at different tilts; kept per camera and mode."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pi_app.core.errors import UserError

if TYPE_CHECKING:
    from pi_app.core.device import CameraPart
    from pi_app.core.observations import Frame
    from pi_app.kit.table import Table
    from pi_app.vision.calibrate_guide import Guide
    from pi_app.vision.calibrate_store import CalibrationStore, Kept
    from pi_app.vision.camera import Camera

OWN_TABLE = Path(__file__).parents[1] / "kit" / "table.toml"
MOST_PICTURES = 200
PATIENCE = 3000
"""Frames looked at before the person is told that it comes to nothing."""

NextFrame = Callable[[], "Frame"]
OpenCamera = Callable[["CameraPart"], AbstractContextManager[NextFrame]]
"""Opens a camera; what it gives returns the next frame, a new one at each call."""
NameCamera = Callable[["CameraPart"], str]
"""Returns the name that a camera has in all its modes."""


def register(app: typer.Typer, open_camera: OpenCamera, name_camera: NameCamera) -> None:
    """Add the command to an app."""

    @app.command()
    def calibrate(
        pictures: Annotated[Path | None, typer.Option(help="Folder of PNG or JPEG pictures; default: live.")] = None,
        device: Annotated[int, typer.Option(help="The USB camera's number.")] = 0,
        config: Annotated[Path | None, typer.Option(help="TOML with [device.camera]; instead of --device.")] = None,
        name: Annotated[str | None, typer.Option(help="The camera's name; default: what the device is called.")] = None,
        table: Annotated[Path, typer.Option(help="The mat's sizes.")] = OWN_TABLE,
        show: Annotated[bool, typer.Option("--show", help="Print what is kept, of all cameras or of --name.")] = False,
        export: Annotated[Path | None, typer.Option(help="Write the kept numbers to a file for --camera.")] = None,
        forget: Annotated[bool, typer.Option("--forget", help="Throw away what is kept of the camera.")] = False,
    ) -> None:
        """Measure the camera's lens with the mat; look at it from ten places or more, at different slants."""
        if sum((pictures is not None, show, export is not None, forget)) > 1:
            raise UserError("calibrate: wanted one of --pictures, --show, --export and --forget")
        store = open_store()
        if show:
            show_kept(store, name)
            return
        part = camera_part(device, config)
        called = name or name_camera(part)
        if export is not None:
            export_kept(store, called, export)
        elif forget:
            typer.echo(f"{called}: {store.forget(called)} calibrations thrown away")
        else:
            measure(store, called, table, pictures, lambda: open_camera(part))


def camera_part(device: int, config: Path | None) -> "CameraPart":
    """Return the camera of the settings, without a file the USB camera of a number."""
    from pi_app.config import load_config
    from pi_app.core.device import CameraPart

    return load_config(config).device.camera if config else CameraPart(device=device)


def open_store() -> "CalibrationStore":
    """Return the calibrations kept in the user's data folder."""
    from platformdirs import user_data_path

    from pi_app.vision.calibrate_store import CalibrationStore

    return CalibrationStore(user_data_path("table-umpire") / "cameras")


def measure(
    store: "CalibrationStore",
    name: str,
    table_path: Path,
    pictures: Path | None,
    opened: Callable[[], AbstractContextManager[NextFrame]],
) -> None:
    """Calibrate from a folder or live, print how good it is, and keep it; UserError where it comes to nothing."""
    from pi_app.kit.load import load_table
    from pi_app.vision.calibrate import calibrate
    from pi_app.vision.calibrate_guide import Guide
    from pi_app.vision.calibrate_store import file_name

    file_name(name)
    table = load_table(table_path)
    guide = Guide(table)
    if pictures is not None:
        _read_folder(guide, pictures, table)
    else:
        with opened() as following:
            _watch(guide, following, table)
    found = calibrate(guide.views, table)
    typer.echo(guide.line())
    camera = found.camera
    typer.echo(f"{_numbers(camera)}, focal length known to {100 * found.sigma:.2f} %")
    typer.echo(f"reprojection {found.rms_px:.3f} px, {found.views} pictures of {camera.width} x {camera.height}")
    typer.echo(f"kept: {store.keep(name, found)}")


def show_kept(store: "CalibrationStore", name: str | None) -> None:
    """Print what is kept, a line each."""
    from pi_app.vision.camera_file import load_camera

    lines = [f"{_called(kept)}: {_numbers(load_camera(kept.path))}" for kept in store.all(name)]
    typer.echo("\n".join(lines) or "no calibration is kept")


def export_kept(store: "CalibrationStore", name: str, out: Path) -> None:
    """Write what is kept of a camera to a file, or to one a mode where there are several (FILE-WxH)."""
    from pi_app.kit.save import write_whole
    from pi_app.vision.camera_file import load_camera

    known = list(store.all(name))
    if not known:
        raise UserError(f"{name}: no calibration is kept; `umpire calibrate` makes one")
    for kept in known:
        load_camera(kept.path)
        path = out if len(known) == 1 else out.with_stem(f"{out.stem}-{kept.size[0]}x{kept.size[1]}")
        write_whole(path, kept.path.read_bytes())
        typer.echo(f"{_called(kept)}: {path}")


def _numbers(camera: "Camera") -> str:
    lens = " ".join(f"{k:+.4f}" for k in camera.dist)
    axis = f"axis {camera.cx:.1f} {camera.cy:.1f}"
    return f"focal length {camera.fx:.1f} x {camera.fy:.1f} px, {axis}, distortion {lens}"


def _called(kept: "Kept") -> str:
    return f"{kept.name} {kept.size[0]} x {kept.size[1]}"


def _read_folder(guide: "Guide", folder: Path, table: "Table") -> None:
    from pi_app.kit.picture_file import read_picture
    from pi_app.vision.calibrate import mat_view

    for path in _pictures(folder):
        view = mat_view(read_picture(path, str(path)), table)
        if view is None:
            typer.echo(f"{path.name}: too little of the mat, left out")
            continue
        guide.add(view)
        typer.echo(f"{path.name}: {len(view.corners)} markers; {guide.line()}")


def _pictures(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise UserError(f"{folder}: got no such folder, wanted pictures of the mat")
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".png", ".jpg", ".jpeg"))
    if not 0 < len(found) <= MOST_PICTURES:
        raise UserError(f"{folder}: got {len(found)} pictures, wanted 1 to {MOST_PICTURES} (.png, .jpg)")
    yield from found


def _watch(guide: "Guide", following: NextFrame, table: "Table") -> None:
    """Take live views until they suffice; every kept one, and every new reason why not, is a line."""
    from pi_app.vision.calibrate import mat_view

    said = ""
    for _ in range(PATIENCE):
        view = mat_view(following().image, table)
        kept = view is not None and guide.see(view)
        line = guide.line() if view is not None or guide.views else "looking for the mat: wanted five of its markers"
        if kept or line != said:
            typer.echo(line)
            said = line
        if guide.complete:
            return
    raise UserError(f"calibrate: not enough after {PATIENCE} pictures; {guide.trouble or guide.wanted()}")
