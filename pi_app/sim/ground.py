"""The table without anything on it, as the camera sees it: mat, table top, wall; every pixel through the lens model."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.draw_mat import draw_mat
from pi_app.kit.table import Table
from pi_app.sim.pieces import Floats
from pi_app.sim.scene import Light, Look, Scene
from pi_app.sim.textures import Picture, table_top
from pi_app.vision.camera import View

HEADROOM = 0.62
"""The drawn picture keeps white paper at this part of 255, so that brighter faces fit."""

GAMMA = 2.2
EDGE_MM = -430.0
"""The table ends here, before the active player."""

FAR_MM = 1e5

Singles = NDArray[np.float32]


def light_at(light: Light, place_mm: Floats, normal: Floats, shaded: tuple[float, ...] = ()) -> Floats:
    """Return linear light by channel (3) on a face; `shaded` holds for each lamp the part that is hidden."""
    total = np.array(light.ambient, np.float64)
    for number, lamp in enumerate(light.lamps):
        way = np.array(lamp.place_mm) - place_mm
        distance = float(np.linalg.norm(way))
        falloff = (float(np.linalg.norm(lamp.place_mm)) / distance) ** 2
        hidden = shaded[number] if shaded else 0.0
        total += np.array(lamp.strength) * max(0.0, float(way @ normal) / distance) * falloff * (1.0 - hidden)
    return total


def screened(light: Light, points_mm: Floats) -> Floats:
    """Return the part of the first lamp that a screen hides from points, n x 3 to n."""
    if light.screen is None:
        return np.zeros(len(points_mm))
    lamp = np.array(light.lamps[0].place_mm)
    reach = points_mm[:, 2] / np.maximum(lamp[2] - points_mm[:, 2], 1.0)
    landed = points_mm[:, :2] + (points_mm[:, :2] - lamp[:2]) * reach[:, None]
    return light.screen.share(landed[:, 0], landed[:, 1])


def shaded_at(light: Light, place_mm: Floats) -> tuple[float, ...]:
    """Return for each lamp the part that a screen hides from a place; empty where there is none."""
    if light.screen is None:
        return ()
    return (float(screened(light, place_mm[None])[0]), *(0.0 for _ in light.lamps[1:]))


def reference(light: Light) -> Floats:
    """Return the linear light by channel in the middle of the mat."""
    return light_at(light, np.zeros(3), np.array([0.0, 0.0, 1.0]))


def ground_picture(view: View, rays: Singles, scene: Scene, table: Table) -> tuple[Picture, Picture]:
    """Draw mat, table top and wall, lit relative to the mat's middle, at HEADROOM; twice as fine, then reduced.

    Also returns the part of the first lamp that reaches the table, h x w, 0 to 255; 0 beyond it.
    """
    camera = view.camera
    width, height = camera.width, camera.height
    plane = _plane_map(view, rays)
    fine = cv2.resize(plane, (2 * width, 2 * height), interpolation=cv2.INTER_LINEAR)
    top = table_top(scene.look, scene.seed)
    drawn = cv2.remap(top, fine[:, :, 0] + 512, fine[:, :, 1] + 512, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    px_mm = 4.0
    across = (fine[:, :, 0] + table.mat.width / 2) * px_mm - 0.5
    down = (table.mat.height / 2 - fine[:, :, 1]) * px_mm - 0.5
    cv2.remap(draw_mat(table, px_mm), across, down, cv2.INTER_LINEAR, drawn, cv2.BORDER_TRANSPARENT)
    reduced = cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    reduced *= _falloff(scene.light, plane) * (_vignette(width, height) * HEADROOM)[:, :, None]
    beyond = plane[:, :, 1] < EDGE_MM
    _wall(reduced, view, beyond, scene.look)
    reached = np.where(beyond, 0, 255).astype(np.uint8)
    if scene.light.screen is not None:
        reached = (reached * (1 - scene.light.screen.share(plane[:, :, 0], plane[:, :, 1]))).astype(np.uint8)
    return np.clip(reduced, 0, 255).astype(np.uint8), reached


def sight_lines(view: View, coarse_px: int = 8) -> Singles:
    """Return the unit direction of every pixel's line of sight in the mat frame, h x w x 3.

    Through the lens model at every `coarse_px`-th pixel, linear between them: less than 0.02 px off.
    """
    width, height = view.camera.width, view.camera.height
    columns, rows = width // coarse_px + 3, height // coarse_px + 3
    start = (coarse_px - 1) / 2 - coarse_px
    across, down = np.meshgrid(start + coarse_px * np.arange(columns), start + coarse_px * np.arange(rows))
    few = view.rays(np.stack([across.ravel(), down.ravel()], axis=1)).reshape(rows, columns, 3).astype(np.float32)
    many = cv2.resize(few, (columns * coarse_px, rows * coarse_px), interpolation=cv2.INTER_LINEAR)
    cut = many[coarse_px : coarse_px + height, coarse_px : coarse_px + width]
    return np.asarray(cut / np.sqrt((cut * cut).sum(axis=2, keepdims=True)), np.float32)


def _plane_map(view: View, rays: Singles) -> Singles:
    """Return x, y in mm on the mat's plane for every pixel, h x w x 2; far away above the horizon."""
    eye = view.pose.eye.astype(np.float32)
    falls = rays[:, :, 2] < -1e-4
    reach = np.where(falls, -eye[2] / np.where(falls, rays[:, :, 2], -1.0), 0.0)[:, :, None]
    plane = np.where(falls[:, :, None], eye[:2] + rays[:, :, :2] * reach, np.array([0.0, -FAR_MM], np.float32))
    return np.clip(plane, -FAR_MM, FAR_MM).astype(np.float32)


def _falloff(light: Light, plane: Singles) -> Singles:
    """Return the light by channel, h x w x 3, relative to the mat's middle."""
    total = np.empty((*plane.shape[:2], 3), np.float32)
    total[:] = light.ambient
    for number, lamp in enumerate(light.lamps):
        x, y, z = lamp.place_mm
        distance2 = (plane[:, :, 0] - x) ** 2 + (plane[:, :, 1] - y) ** 2 + z**2
        level = np.float32(z * (x**2 + y**2 + z**2)) * distance2 ** np.float32(-1.5)
        if light.screen is not None and number == 0:
            level *= 1 - light.screen.share(plane[:, :, 0], plane[:, :, 1])
        total += level[:, :, None] * np.array(lamp.strength, np.float32)
    return np.asarray((total / reference(light).astype(np.float32)) ** np.float32(1 / GAMMA), np.float32)


def _vignette(width: int, height: int) -> Singles:
    across = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * (height / width)
    return np.asarray(1 - 0.08 * (across**2 + down**2), np.float32)


def _wall(picture: Singles, view: View, beyond: NDArray[np.bool_], look: Look) -> None:
    """Paint what lies beyond the table's edge: a wall, and the active player's chest before it."""
    picture[beyond] = np.array(look.wall_bgr, np.float32) * HEADROOM
    foot, neck = view.project([(0.0, EDGE_MM - 60, -150.0), (0.0, EDGE_MM - 60, 330.0)])
    side = view.project([(190.0, EDGE_MM - 60, 100.0)])[0]
    chest = np.zeros(picture.shape[:2], np.uint8)
    middle = (foot + neck) / 2
    axes = (int(abs(side[0] - middle[0])) + 1, int(abs(neck[1] - foot[1]) / 2) + 1)
    cv2.ellipse(chest, (int(middle[0]), int(middle[1])), axes, 0, 0, 360, (255,), -1, cv2.LINE_AA)
    weight = (chest.astype(np.float32) / 255 * beyond)[:, :, None]
    picture *= 1 - weight
    picture += weight * np.array(look.sleeve_bgr, np.float32) * HEADROOM * 0.8
