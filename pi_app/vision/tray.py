"""Festival's printed trays: found by their own markers anywhere in a picture, with the mat or without.

Tray frame: origin at the tray's centre, +x right and +y up as its player reads it, +z up from its paper; mm.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pi_app.kit.festival import CELLS, PLAYERS
from pi_app.kit.festival_tray import cell_centre_mm, tray_table
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, Floats, View
from pi_app.vision.pose import Corners, Image, find_corners, find_soft_corners, residuals_px, solve

SAME_PLACE_PX = 3.0


class TrayFault(StrEnum):
    """Why a tray cannot be read."""

    NO_TRAY = "no_tray"
    TRAY_HIDDEN = "tray_hidden"
    WRONG_SIZE = "wrong_size"


@dataclass(frozen=True, eq=False)
class TraySight:
    """One player's tray in one picture: `view` is the camera in the tray's frame, or `None` and the fault.

    `ids` are the markers it rests on, `rms_px` the fit's residual; `kept` tells that the view is an earlier picture's,
    which the markers still to be seen agree with.
    """

    player: int
    view: View | None
    ids: tuple[int, ...] = ()
    rms_px: float = 0.0
    fault: TrayFault | None = None
    kept: bool = False


def find_trays(
    image: Image, camera: Camera, table: Table, players: Iterable[int] = range(PLAYERS), known: Iterable[TraySight] = ()
) -> tuple[TraySight, ...]:
    """Return the players' trays in a BGR picture, in their order; markers are looked for once for all of them.

    A tray needs three of its four markers, or two that agree within 3 px with where it was in `known`.
    """
    wanted, before = tuple(players), {sight.player: sight for sight in known}
    if image.ndim != 3 or image.shape[:2] != (camera.height, camera.width):
        return tuple(TraySight(player, None, fault=TrayFault.WRONG_SIZE) for player in wanted)
    markers = tray_table(table, wanted)
    found = find_corners(image, markers)
    sights = [_sight(found, camera, table, player, before.get(player)) for player in wanted]
    if any(sight.view is None for sight in sights):
        soft = find_soft_corners(image, markers)
        again = [_sight(soft, camera, table, player, before.get(player)) for player in wanted]
        sights = [_better(one, two) for one, two in zip(sights, again, strict=True)]
    return tuple(sights)


def _sight(
    found: tuple[Corners, Corners], camera: Camera, table: Table, player: int, before: TraySight | None
) -> TraySight:
    own = tray_table(table, (player,))
    ids = set(own.markers.mat[0].ids)
    plain, fine = ({i: corners for i, corners in corners_of.items() if i in ids} for corners_of in found)
    reading = solve((plain, fine), camera, own)
    if reading.pose is not None:
        return TraySight(player, View(camera, reading.pose), reading.ids, reading.rms_px)
    if before is not None and before.view is not None and len(fine) >= 2:
        errors = residuals_px(before.view.pose, fine, camera, own)
        if max(errors.values()) <= SAME_PLACE_PX:
            return TraySight(player, before.view, tuple(sorted(fine)), before.rms_px, kept=True)
    return TraySight(player, None, tuple(sorted(plain)), fault=TrayFault.TRAY_HIDDEN if plain else TrayFault.NO_TRAY)


def _better(one: TraySight, two: TraySight) -> TraySight:
    rank_one, rank_two = ((sight.view is not None, not sight.kept, len(sight.ids)) for sight in (one, two))
    return two if rank_two > rank_one else one


def cell_centres_mm(table: Table) -> Floats:
    """Return the cells' centres, 9 x 2 in the tray frame, row by row from the top left."""
    return np.array([cell_centre_mm(table, cell) for cell in range(CELLS)])


def inside(view: View, points_mm: Floats) -> bool:
    """Return whether points, n x 3 in the tray frame, all lie in the picture."""
    pixels = view.project(points_mm)
    return bool(((pixels >= 0) & (pixels <= (view.camera.width - 1, view.camera.height - 1))).all())
