"""Does what stands in the build zone make the task: the one entry for all structures."""

from pi_app.core.names import Mode, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.kit.art import KitArt
from pi_app.kit.model import Figure, Kit
from pi_app.kit.table import Table
from pi_app.vision.blocks import find_badges
from pi_app.vision.camera import View
from pi_app.vision.face_scan import find_shown
from pi_app.vision.light import Light, read_light
from pi_app.vision.match_figure import match_figure
from pi_app.vision.match_line import match_line
from pi_app.vision.match_stock import match_stock_figure
from pi_app.vision.match_tower import match_tower
from pi_app.vision.match_tunnel import match_tunnel
from pi_app.vision.pose import Image
from pi_app.vision.reading import StructureReading
from pi_app.vision.scene import Scene


def read_structure(
    image: Image,
    view: View,
    table: Table,
    kit: Kit,
    task: Task,
    figure: Figure | None,
    mode: Mode,
    art: KitArt | None = None,
) -> StructureReading:
    """Return whether the structure in a BGR picture makes the task, and the parts it is made of.

    `figure` is asked for by acrobats alone; `art` holds the taught pictures, without which stock mode sees nothing.
    Unsure comes with too_dark, hidden (something covers a place that decides), doubtful (measured between right and
    wrong) or not_judged.
    """
    if (mode is Mode.STOCK and art is None) or (task is Task.ACROBATS and figure is None):
        return doubt(Reason.NOT_JUDGED)
    light = read_light(image, view, table)
    if light.reason is Reason.TOO_DARK:
        return doubt(light.reason)
    scene = Scene(image, view, table, kit, light.paper, art if mode is Mode.STOCK else None)
    if mode is Mode.STOCK:
        return _read_stock(scene, task, figure, light)
    badges = find_badges(image, view, table, kit, _wanted(task, figure))
    match task:
        case Task.ACROBATS:
            assert figure is not None
            return match_figure(scene, badges, figure)
        case Task.LINE:
            return match_line(scene, badges, light)
        case Task.TOWER:
            return match_tower(scene, badges)
        case Task.TUNNEL:
            return match_tunnel(scene, badges)
        case _:
            return doubt(Reason.NOT_JUDGED)


def _read_stock(scene: Scene, task: Task, figure: Figure | None, light: Light) -> StructureReading:
    """Return the same by the acrobats' own pictures."""
    match task:
        case Task.ACROBATS:
            assert figure is not None
            return match_stock_figure(scene, figure)
        case Task.LINE:
            return match_line(scene, find_shown(scene, task), light)
        case Task.TOWER:
            return match_tower(scene, find_shown(scene, task))
        case Task.TUNNEL:
            return match_tunnel(scene, find_shown(scene, task))
        case _:
            return doubt(Reason.NOT_JUDGED)


def _wanted(task: Task, figure: Figure | None) -> int:
    """Return how many badges a right structure shows the camera."""
    return {Task.LINE: 4, Task.TOWER: 2, Task.TUNNEL: 3}.get(task, len(figure.blocks) if figure else 0)


def doubt(reason: Reason) -> StructureReading:
    """Return the reading that nothing could be decided."""
    return StructureReading(Outcome.UNSURE, (reason,), 0.0)
