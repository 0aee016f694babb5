"""Acrobats by their own pictures: which spots of a picture look like which spots of the taught faces."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.blocks import build_window
from pi_app.vision.camera import Floats, View
from pi_app.vision.pose import Image
from pi_app.vision.scene import Scene
from pi_app.vision.stock_art import PX_PER_MM, FaceFeatures, Features, detect, face_features

MOST_LENGTHS = 3.2
MAX_ENLARGE = 1.6
PAPER_LEVEL = 230.0
MAX_GAIN = 2.5
SOFT_PX = 0.7
NEAREST = 4
MAX_DISTANCE = 320.0
LEAST_DISTANCE = 80.0
MAX_ROLL_DEG = 35.0
SIZES = (0.6, 1.65)


@dataclass(frozen=True, eq=False)
class Sights:
    """Spots of the picture that look like spots of taught faces; each spot may be several.

    `spot` m numbers the spots; `rays` m x 3 are their lines of sight in the mat frame; `off_mm` m x 2 is where on its
    face each is, from the middle to the right and up as the camera sees it; `lying` m how the face is laid; `weight` m
    grows with likeness.
    """

    spot: NDArray[np.int64]
    rays: Floats
    off_mm: Floats
    lying: NDArray[np.bool_]
    weight: Floats

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Sights":
        """Return some of them."""
        return Sights(
            self.spot[chosen], self.rays[chosen], self.off_mm[chosen], self.lying[chosen], self.weight[chosen]
        )


@dataclass(frozen=True, eq=False)
class Seen:
    """The features over the build zone, `at` in pixels of the whole picture, and those of the kit's faces.

    `spot` and `like` m are pairs of them that look alike, `distance` m how far apart their descriptors are;
    `px_per_mm`: what a mm across takes in the middle of the build zone.
    """

    features: Features
    faces: FaceFeatures
    px_per_mm: float
    spot: NDArray[np.int64]
    like: NDArray[np.int64]
    distance: NDArray[np.float32]


def find_features(scene: Scene, lengths: float = MOST_LENGTHS) -> Seen:
    """Return what stands out in the space over the build zone, some acrobats high, and on the taught faces."""
    assert scene.art is not None, "faces are taught"
    across, up = _px_per_mm(scene.view, scene)
    faces, features = face_features(scene.art, scene.kit.acrobat, up / across), _seen(scene, across, lengths)
    return Seen(features, faces, across, *_nearest(features, faces))


def find_sights(scene: Scene, seen: Seen | None = None) -> Sights:
    """Return what looks like taught faces in the space over the build zone, standing or lying upright."""
    seen = seen or find_features(scene)
    features, faces = seen.features, seen.faces
    spot, like = seen.spot, seen.like
    roll = np.deg2rad(features.angle_deg[spot] - faces.features.angle_deg[like])
    larger = features.size_px[spot] / faces.features.size_px[like]
    good = (larger > SIZES[0]) & (larger < SIZES[1]) & (np.abs(np.sin(roll)) < np.sin(np.deg2rad(MAX_ROLL_DEG)))
    spot, like, roll = spot[good], like[good], roll[good]
    off = faces.features.at[like] * np.sign(np.cos(roll))[:, None]
    rays = scene.view.rays(features.at)[spot] if len(spot) else np.empty((0, 3))
    return Sights(spot, rays, off, faces.lying[like], 100 / np.maximum(seen.distance[good], LEAST_DISTANCE))


def _nearest(seen: Features, faces: FaceFeatures) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return pairs of a spot and one of the taught spots most like it: their indices and the distance."""
    taught = faces.features
    if not len(seen.at) or len(taught.at) <= NEAREST:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    half = (taught.descriptors**2).sum(axis=1) / 2 - seen.descriptors @ taught.descriptors.T
    like = np.argpartition(half, NEAREST, axis=1)[:, :NEAREST].ravel().astype(np.int64)
    spot = np.repeat(np.arange(len(seen.at)), NEAREST)
    square = 2 * half[spot, like] + (seen.descriptors**2).sum(axis=1)[spot]
    distance = np.sqrt(np.maximum(square, 0.0))
    good = distance < MAX_DISTANCE
    return spot[good], like[good], distance[good]


def _px_per_mm(view: View, scene: Scene) -> tuple[float, float]:
    """Return how many pixels a mm across and a mm up take in the middle of the build zone."""
    zone = scene.table.zones.build
    x, y, z = (zone.x0 + zone.x1) / 2, (zone.y0 + zone.y1) / 2, scene.kit.acrobat.length_mm / 2
    ends = view.project([[x - 5, y, z], [x + 5, y, z], [x, y, z - 5], [x, y, z + 5]])
    across, up = np.linalg.norm(ends[1] - ends[0]) / 10, np.linalg.norm(ends[3] - ends[2]) / 10
    return max(float(across), 1e-3), max(float(up), 1e-3)


def _seen(scene: Scene, px_per_mm: float, lengths: float) -> Features:
    """Return the features over the build zone, their places in pixels of the whole picture."""
    left, top, right, bottom = build_window(scene.image, scene.view, scene.table, scene.kit, lengths)
    if right - left < 16 or bottom - top < 16:
        return detect(np.zeros((16, 16), np.uint8))
    grey = cv2.cvtColor(scene.image[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    scale = min(PX_PER_MM / px_per_mm, MAX_ENLARGE)
    bright = PAPER_LEVEL / (255 * max(float(scene.paper.mean()), 1e-3) ** (1 / 2.2))
    grey = cv2.GaussianBlur(cv2.convertScaleAbs(grey, alpha=float(np.clip(bright, 1, MAX_GAIN))), (0, 0), SOFT_PX)
    ways = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small: Image = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=ways), np.uint8)
    found = detect(small)
    at = (found.at + 0.5) / scale - 0.5 + (left, top)
    return Features(found.descriptors, at, found.angle_deg, found.size_px)
