"""Which figure stands in the build zone: its blocks from what is seen, put together by contact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pi_app.core.errors import UserError
from pi_app.core.names import BlockPose, Mode
from pi_app.kit.model import Acrobat, Figure, FigureBlock, Kit
from pi_app.kit.table import Table
from pi_app.teach.lesson import ShowFigure
from pi_app.teach.shot import Shot
from pi_app.vision.blocks import Badge, Stand, find_badges, half_size, on_face
from pi_app.vision.camera import Floats, View
from pi_app.vision.pose import Image, square_mm
from pi_app.vision.solve import least_squares

TOUCH_MM = 1.5
"""Faces nearer than this are taken to touch."""
STEADY_MM = 4.0
STEP_MM = 0.5
TURNS_RAD = np.deg2rad(np.arange(-30.0, 31.0, 10.0))


def see_figure(shot: Shot, show: ShowFigure, acrobat: Acrobat, art: Mapping[str, Image]) -> Figure:
    """Return the figure that stands in a picture's build zone, as the active player sees it; x from its left end, mm.

    UserError where no block is seen, or where one is seen in the air: a block hidden or turned away.
    """
    del art
    if show.mode is Mode.STOCK:
        raise UserError("got mode stock, wanted acrobats with badges, or the figure as a drawing")
    badges = _badges(shot, acrobat)
    if not badges:
        raise UserError("got no acrobat with a badge in the build zone, wanted the figure built there")
    stand, spots = _upright(badges, shot.view, acrobat, shot.table)
    del stand
    return Figure(id=show.id, blocks=tuple(_snapped([badge.pose for badge in badges], spots, acrobat)))


def _badges(shot: Shot, acrobat: Acrobat) -> list[Badge]:
    only = Kit.model_construct(acrobat=acrobat)  # finding badges asks for nothing else of a kit
    return find_badges(shot.image, shot.view, shot.table, only, len(acrobat.piece))


def _upright(badges: list[Badge], view: View, acrobat: Acrobat, table: Table) -> tuple[Stand, Floats]:
    """Return the common upright plane of the faces, and each face's middle on it (u, z), n x 2.

    Found as the plane on which every badge is the square it should be and the lowest face rests on the mat.
    """
    wanted = square_mm(table.badges.side)[:, :2]
    corners = np.stack([np.roll(badge.corners_px, badge.quarter, axis=0) for badge in badges])

    def spots(values: Floats) -> Floats:
        stand = Stand(0.0, values[0], values[1] / 50)
        return on_face(stand, corners.reshape(-1, 2), view, 0.0).reshape(len(badges), 4, 2)

    def residual(values: Floats) -> Floats:
        seen = spots(values)
        middles = seen.mean(axis=1)
        ideal = np.stack([-wanted[:, 0], wanted[:, 1]], axis=1)
        off = (seen - middles[:, None] - ideal).ravel()
        low = min(range(len(badges)), key=lambda n: middles[n, 1] - half_size(badges[n].pose, acrobat)[1])
        rest = 3.0 * (middles[low, 1] - half_size(badges[low].pose, acrobat)[1])
        return np.append(np.clip(off, -20, 20), rest)

    zone = table.zones.build
    depth = [float(np.clip(y, zone.y0 - 20, zone.y1 + 20)) for y in np.linspace(zone.y0, zone.y1, 4)]
    starts = [np.array([y, 50 * turn]) for y in depth for turn in TURNS_RAD]
    best = min(starts, key=lambda start: float(np.square(residual(start)).sum()))
    values = least_squares(residual, best, 25)
    middles = spots(values).mean(axis=1)
    return Stand(0.0, float(values[0]), float(values[1]) / 50), middles


def _snapped(poses: list[BlockPose], spots: Floats, acrobat: Acrobat) -> list[FigureBlock]:
    """Return blocks with their lower left corners, resting on what they touch; lowest first."""
    size = [tuple(2 * half for half in half_size(pose, acrobat)) for pose in poses]
    left = [float(u) - wide / 2 for (u, _), (wide, _) in zip(spots, size, strict=True)]
    low = [float(z) - high / 2 for (_, z), (_, high) in zip(spots, size, strict=True)]
    order = sorted(range(len(poses)), key=lambda n: (low[n], left[n]))
    for place, n in enumerate(order):
        below = [m for m in order[:place] if left[m] < left[n] + size[n][0] - 1 and left[n] < left[m] + size[m][0] - 1]
        rests = [0.0, *(low[m] + size[m][1] for m in below)]
        rest = min(rests, key=lambda z: abs(low[n] - z))
        if abs(low[n] - rest) > STEADY_MM + 0.02 * abs(low[n]):
            raise UserError(
                f"got a block in the air at {low[n]:.0f} mm, wanted every block's badge turned to the camera"
            )
        low[n] = rest
    _touch(order, left, low, size)
    first = min(left)
    return [
        FigureBlock(pose=poses[n], x_mm=round((left[n] - first) / STEP_MM) * STEP_MM, z_mm=round(low[n], 2))
        for n in order
    ]


def _touch(order: list[int], left: list[float], low: list[float], size: list[tuple[float, ...]]) -> None:
    """Move blocks that all but touch a neighbour on their left against it."""
    for n in sorted(order, key=lambda n: left[n]):
        beside = [
            left[m] + size[m][0]
            for m in order
            if m != n
            and abs(left[m] + size[m][0] - left[n]) < TOUCH_MM
            and low[m] < low[n] + size[n][1]
            and low[n] < low[m] + size[m][1]
        ]
        if beside:
            left[n] = max(beside)
