"""One picture with all that is known of it, and its planes as the camera would see them straight on."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from pi_app.kit.art import KitArt
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.blocks import Stand
from pi_app.vision.camera import Floats, View
from pi_app.vision.light import linear, opponent, to_lab
from pi_app.vision.pose import Image

PX_PER_MM = 3.0

Box = tuple[float, float, float, float]
"""u of the left edge, z of the top, u of the right edge, z of the bottom, in mm: left is the larger u."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One picture with all that is known of it: the paper's linear B, G, R and the kit's taught pictures, too."""

    image: Image
    view: View
    table: Table
    kit: Kit
    paper: Floats
    art: KitArt | None = None

    @cached_property
    def soft(self) -> Image:
        """The picture with its pixel noise smoothed."""
        return np.asarray(cv2.GaussianBlur(self.image, (3, 3), 0.8), np.uint8)


def rectified(scene: Scene, stand: Stand, n_mm: float, box_mm: Box) -> Image:
    """Return the upright plane `n_mm` before a structure's axis as the camera sees it, PX_PER_MM pixels a mm."""
    u0, z0, u1, z1 = box_mm
    size = (max(1, round((u0 - u1) * PX_PER_MM)), max(1, round((z0 - z1) * PX_PER_MM)))
    corners = np.array([[u0, n_mm, z0], [u1, n_mm, z0], [u1, n_mm, z1], [u0, n_mm, z1]])
    pixels = scene.view.project(stand.to_mat(corners)).astype(np.float32)
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - np.float32(0.5)
    shape = cv2.getPerspectiveTransform(pixels, target)
    flat = cv2.warpPerspective(scene.image, shape, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def colours(scene: Scene, stand: Stand, n_mm: float, box_mm: Box) -> Floats:
    """Return L*, a*, b* relative to the paper on an upright plane, rows x columns x 3, smoothed over 0.7 mm."""
    flat = np.asarray(cv2.GaussianBlur(rectified(scene, stand, n_mm, box_mm), (0, 0), 2.0), np.uint8)
    return to_lab(linear(flat) / np.maximum(scene.paper, 1e-4))


def chroma(levels: Floats) -> tuple[Floats, Floats]:
    """Return hue in radians and saturation (chroma over mean level) of linear colours relative to the paper, n x 3."""
    pair = opponent(levels)
    level = np.maximum((levels[..., 0] + levels[..., 1] + levels[..., 2]) / 3, 1e-3)
    return np.arctan2(pair[..., 1], pair[..., 0]), np.hypot(pair[..., 0], pair[..., 1]) / level
