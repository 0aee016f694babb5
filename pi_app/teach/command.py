"""`umpire teach`: a kit from the owner's pieces, by pictures on disk or with the device's camera."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pi_app.core.errors import UserError

if TYPE_CHECKING:
    from pi_app.core.observations import Frame
    from pi_app.kit.table import Table
    from pi_app.teach.build import Learnt
    from pi_app.vision.camera import Camera
    from pi_app.vision.pose import Image

FRAMES = 8
"""Pictures of a still scene that are averaged into one."""
OWN_TABLE = Path(__file__).parents[1] / "kit" / "table.toml"

NextFrame = Callable[[], "Frame"]
OpenCamera = Callable[[int], AbstractContextManager[NextFrame]]
"""Opens the camera of a number; what it gives returns the next frame, a new one at each call."""


class TeachSource(StrEnum):
    """Where the pictures to learn from come from."""

    PICTURES = "pictures"
    CAMERA = "camera"


def register(app: typer.Typer, open_camera: OpenCamera) -> None:
    """Add the command to an app."""

    @app.command()
    def teach(
        out: Annotated[Path, typer.Argument(help="Folder of the kit; one that exists is replaced when all is learnt.")],
        pictures: Annotated[Path | None, typer.Option(help="Folder with teach.toml and the pictures it names.")] = None,
        source: Annotated[TeachSource, typer.Option(help="`camera` asks for one piece after the other.")] = (
            TeachSource.PICTURES
        ),
        device: Annotated[int, typer.Option(help="The USB camera's number, for --source camera.")] = 0,
        camera: Annotated[Path | None, typer.Option(help="TOML with the camera; default: solved from the mat.")] = None,
        table: Annotated[Path, typer.Option(help="The mat's sizes.")] = OWN_TABLE,
    ) -> None:
        """Learn a kit from its pieces, laid on the mat one by one; what was left is gone on with."""
        from pi_app.kit.load import load_table
        from pi_app.vision.camera_file import load_camera

        known = load_camera(camera) if camera else None
        if source is TeachSource.CAMERA:
            if pictures is not None:
                raise UserError(f"teach: got --pictures {pictures}, which --source camera does not take")
            teach_by_camera(out, load_table(table), known, lambda: open_camera(device))
        elif pictures is None:
            raise UserError("teach: wanted --pictures DIR, or --source camera")
        else:
            teach_by_pictures(out, pictures, load_table(table), known)


def teach_by_pictures(out: Path, pictures: Path, table: "Table", camera: "Camera | None") -> None:
    """Learn from a folder of pictures and print what to look at."""
    from pi_app.teach.build import teach_from

    _report(out, teach_from(pictures, out, table, camera, typer.echo))


def teach_by_camera(
    out: Path, table: "Table", camera: "Camera | None", opened: Callable[[], AbstractContextManager[NextFrame]]
) -> None:
    """Ask for one piece after the other; what was shown stays in OUT.teaching until the kit is whole."""
    from pi_app.teach.ask import ask_all
    from pi_app.teach.notebook import Notebook
    from pi_app.teach.shot import merged

    notes = out.with_name(f"{out.name}.teaching")
    notebook = Notebook(notes, table, camera)
    with opened() as following:

        def snap() -> "Image":
            following()  # one taken before the answer may still be waiting
            return merged([following().image for _ in range(FRAMES)])

        whole = ask_all(notebook, snap, input, typer.echo)
    missing = notebook.missing()
    if not whole or missing:
        typer.echo(f"kept in {notes}; still missing: {', '.join(missing) or 'nothing'}")
        typer.echo("the same command goes on with it")
        return
    _report(out, notebook.finish(out, typer.echo))


def _report(out: Path, learnt: "Learnt") -> None:
    for finding in learnt.findings:
        typer.echo(finding)
    block, tile, stone = learnt.kit.acrobat, learnt.kit.tile, learnt.kit.stone
    typer.echo(
        f"{out}: acrobats {block.length_mm:g} x {block.width_mm:g} x {block.thickness_mm:g} mm, {tile.shape} tiles "
        f"{tile.size_mm:g} mm, stones {stone.diameter_mm:g} x {stone.height_mm:g} mm, {len(learnt.kit.card)} cards"
    )
