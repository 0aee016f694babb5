"""One picture to learn from: its camera's place, its light, and whether it is good enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.errors import UserError
from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, Floats, View
from pi_app.vision.focal import solve_camera
from pi_app.vision.light import Light, read_light
from pi_app.vision.pose import Image, find_corners, find_pose, mat_corners

MAX_SPREAD_MM, MAX_SPREAD_PX = 2.8, 4.5
"""The mat's printed edges may be spread over so much: a sharp picture of 960 x 540 pixels has 1.8 mm, any sharp picture
about 2.5 pixels."""
REACH_MM, STEP_MM = 3.0, 0.1
Floats32 = NDArray[np.float32]
LEAST_PAPER = 0.06
"""Linear light of the paper below which a face's colours drown in noise (about a level of 70)."""
_WHY = {
    Reason.NO_MAT: "no mat in view, wanted the printed mat with its markers",
    Reason.MAT_HIDDEN: "the mat is mostly hidden, wanted at least three of its markers far apart",
    Reason.TOO_DARK: "too dark, wanted more light on the mat",
    Reason.COLOURS_WRONG: "the mat's colour strip has wrong colours (red and blue swapped, or none at all)",
}


@dataclass(frozen=True)
class Spread:
    """Over how much the mat's printed edges are spread: in mm across the mat and along it, and in pixels."""

    across_mm: float
    along_mm: float
    px: float


@dataclass(frozen=True, eq=False)
class Shot:
    """A BGR picture of the mat, from where it was taken and in what light."""

    image: Image
    view: View
    table: Table
    light: Light
    spread: Spread


def take_shot(image: Image, table: Table, camera: Camera | None = None) -> Shot:
    """Return a picture as one to learn from; without `camera` its focal length is solved from the mat.

    UserError where it is no good: no mat, too dark, colours swapped, blurred, or of another size than the camera's.
    """
    if camera is not None and image.shape[:2] != (camera.height, camera.width):
        size = f"{image.shape[1]} x {image.shape[0]}"
        raise UserError(
            f"got a picture of {size} px, wanted {camera.width} x {camera.height} as the camera's numbers say"
        )
    known = camera or solve_camera(image, table)
    reading = find_pose(image, known, table) if known else None
    if reading is None or reading.pose is None or known is None:
        why = reading.reason if reading else Reason.NO_MAT
        raise UserError(_WHY[why or Reason.NO_MAT])
    view = View(known, reading.pose)
    light = read_light(image, view, table)
    if light.reason is not None:
        raise UserError(_WHY[light.reason])
    if float(light.paper.max()) < LEAST_PAPER:
        raise UserError(_WHY[Reason.TOO_DARK])
    spread = print_spread(image, view, table)
    if spread.px > MAX_SPREAD_PX or max(spread.across_mm, spread.along_mm) > 1.4 * MAX_SPREAD_MM:
        raise UserError(
            f"blurred: printed edges are spread over {spread.px:.1f} px, wanted at most {MAX_SPREAD_PX:g} px"
        )
    return Shot(image, view, table, light, spread)


def merged(images: Sequence[Image]) -> Image:
    """Return the mean of pictures of one still scene, with less noise than each."""
    return np.asarray(np.rint(np.mean(np.stack(images), axis=0)), np.uint8)


def print_spread(image: Image, view: View, table: Table) -> Spread:
    """Return over how much the edges of the mat's markers are spread in the picture."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    seen, _ = find_corners(image, table)
    model = mat_corners(table)
    found = [_marker_edges(grey, view, model[marker]) for marker in seen if marker in model]
    edges = np.concatenate(found) if found else np.full((4, 3), np.inf)
    aside = edges[:, 2] > 0.5
    across, along, px = (float(np.median(part)) for part in (edges[aside, 0], edges[~aside, 0], edges[:, 1]))
    return Spread(across, along, px)


def _marker_edges(grey: Floats32, view: View, corners: Floats) -> Floats:
    """Return of each of a marker's four black edges the spread in mm and in pixels (contrast over steepest slope), and
    how much it faces to the side, 4 x 3."""
    steps = np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
    edges = []
    middle = corners.mean(axis=0)
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        outward = (one + other) / 2 - middle
        outward /= np.linalg.norm(outward)
        along = np.linspace(0.15, 0.85, 24)
        points = (one + along[:, None] * (other - one))[:, None] + steps[:, None] * outward
        pixels = view.project(points.reshape(-1, 3)).astype(np.float32)
        profile = cv2.remap(grey, pixels[:, 0], pixels[:, 1], cv2.INTER_LINEAR).reshape(len(along), -1).mean(axis=0)
        spread = float(np.ptp(profile)) / max(float(np.abs(np.diff(profile)).max()) / STEP_MM, 1e-6)
        px_mm = float(np.linalg.norm(pixels[len(steps) - 1] - pixels[0])) / (2 * REACH_MM)
        edges.append((spread, spread * px_mm, abs(float(outward[0]))))
    return np.array(edges)
