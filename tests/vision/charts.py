"""Pictures of the empty mat from many sides by cameras whose numbers are known, for tests of calibration."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from pi_app.kit.draw_mat import draw_mat
from pi_app.kit.table import Table
from pi_app.sim.ground import HEADROOM, sight_lines
from pi_app.sim.scene import plain_scene
from pi_app.sim.sensor import Sensor
from pi_app.sim.shapes import Snapshot
from pi_app.vision.calibrate import FEWEST_MARKERS, Image, MatView
from pi_app.vision.camera import Camera, Floats, Pose, View, look_at
from pi_app.vision.pose import mat_corners

TILTS_DEG = (18.0, 38.0, 50.0)
LENSES = {
    "standard": (0.735, (-0.04, 0.02, 0.0, 0.0, 0.0)),
    "wide": (0.43, (-0.22, 0.06, 0.0005, -0.0004, -0.007)),
    "barrel": (0.60, (-0.30, 0.10, 0.0, 0.0, 0.0)),
    "long": (0.95, (-0.12, 0.10, 0.001, 0.0, 0.0)),
}
"""Focal length in picture widths and distortion k1, k2, p1, p2, k3."""
PX_PER_MM = 4.0
TABLE_TOP = (70, 96, 130)


def lens(name: str, width: int, height: int) -> Camera:
    """Return a camera whose axis is a little off the middle."""
    focal, dist = LENSES[name]
    return Camera(width, height, focal * width, focal * width, 0.506 * width, 0.492 * height, dist)


def mat_pictures(camera: Camera, table: Table, count: int, seed: int) -> Iterator[Image]:
    """Yield `count` pictures of the mat, tilted, turned and shifted as a hand would hold a camera."""
    random = np.random.default_rng(seed)
    printed = draw_mat(table, PX_PER_MM)
    light = np.full(3, 1.0)
    for number in range(count):
        view = View(camera, _pose(camera, number, random))
        sensor = Sensor(replace(plain_scene(camera.width, camera.height), view=view, seed=number))
        whole = [(0, 0, camera.width, camera.height)]
        yield sensor.deliver(_lit(_seen(view, printed, table)), whole, light, Snapshot({}))


def _pose(camera: Camera, number: int, random: np.random.Generator) -> Pose:
    """Draw a pose from which the mat about fills the picture."""
    tilt, turn = np.deg2rad(TILTS_DEG[number % 3]), random.uniform(0, 2 * np.pi)
    reach = camera.fx / camera.width * 560 * random.uniform(0.85, 1.25)
    at = np.array([random.uniform(-70, 70), random.uniform(-50, 50), 0.0])
    way = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
    return look_at(at + reach * way, at, 90.0 * (number % 4) + random.uniform(-15, 15))


def _seen(view: View, printed: Image, table: Table) -> Image:
    """Draw the mat on a plain table through the lens model, twice as fine, then reduced."""
    width, height = view.camera.width, view.camera.height
    rays, eye = sight_lines(view), view.pose.eye
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.where(rays[:, :, 2] < 0, -eye[2] / rays[:, :, 2], np.inf)[:, :, None]
    plane = np.clip(eye[:2] + rays[:, :, :2] * np.minimum(reach, 1e5), -1e5, 1e5).astype(np.float32)
    fine = cv2.resize(plane, (2 * width, 2 * height), interpolation=cv2.INTER_LINEAR)
    across = (fine[:, :, 0] + table.mat.width / 2) * PX_PER_MM - 0.5
    down = (table.mat.height / 2 - fine[:, :, 1]) * PX_PER_MM - 0.5
    drawn = cv2.remap(printed, across, down, cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, TABLE_TOP)
    return np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _lit(picture: Image) -> Image:
    """Return the picture at the level that the sensor expects, darker to one side."""
    fall = np.linspace(HEADROOM, 0.8 * HEADROOM, picture.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(picture * fall, np.uint8)


def projected_views(camera: Camera, table: Table, count: int, seed: int, noise_px: float = 0.1) -> list[MatView]:
    """Return views as `mat_pictures` would show them: corners projected and moved at random, without a picture."""
    random = np.random.default_rng(seed)
    views = []
    for number in range(count):
        view = View(camera, _pose(camera, number, random))
        corners: dict[int, Floats] = {}
        for marker, chart in mat_corners(table).items():
            pixels = view.project(chart)
            if (pixels > 2).all() and (pixels < (camera.width - 2, camera.height - 2)).all():
                corners[marker] = pixels + random.normal(0, noise_px, pixels.shape)
        if len(corners) >= FEWEST_MARKERS:
            views.append(MatView((camera.width, camera.height), corners))
    return views
