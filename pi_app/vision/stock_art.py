"""What the taught pictures of the acrobats' faces look like to the recognisers: local features, kept by kit."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.art import KitArt
from pi_app.kit.model import Acrobat
from pi_app.vision.camera import Floats
from pi_app.vision.pose import Image

Descriptors = NDArray[np.float32]

PX_PER_MM = 1.25
"""How finely faces and pictures are compared by features: a finer picture costs more and places them no better."""
CONTRAST = 0.02
MAX_FEATURES = 1200
SQUASH_STEP = 0.06
PAD_PX = 12
SOFT_PX = 0.35


@dataclass(frozen=True, eq=False)
class Features:
    """Local features: descriptors n x 128, `at` n x 2, each one's direction (clockwise, degrees) and size."""

    descriptors: Descriptors
    at: Floats
    angle_deg: Floats
    size_px: Floats


@dataclass(frozen=True, eq=False)
class FaceFeatures:
    """The features of all faces, upright and lying with the head to the camera's left, `squash` times as high as wide.

    Their `at` is in mm from the face's middle, to the right and up as the camera sees them; `lying` n.
    """

    features: Features
    lying: NDArray[np.bool_]
    squash: float


_KEPT: WeakKeyDictionary[KitArt, dict[tuple[Acrobat, int], FaceFeatures]] = WeakKeyDictionary()


def face_features(art: KitArt, acrobat: Acrobat, squash: float) -> FaceFeatures:
    """Return the features of a kit's faces, seen `squash` times as high as they are; worked out once for each kit."""
    step = round(squash / SQUASH_STEP)
    kept = _KEPT.setdefault(art, {})
    if (acrobat, step) not in kept:
        kept[acrobat, step] = _features_of_faces(art, acrobat, max(step, 1) * SQUASH_STEP)
    return kept[acrobat, step]


def _features_of_faces(art: KitArt, acrobat: Acrobat, squash: float) -> FaceFeatures:
    sizes = np.array([acrobat.width_mm, acrobat.length_mm])
    each = [
        (_features_of(np.rot90(face) if lying else face, sizes[::-1] if lying else sizes, squash), lying)
        for face in art.faces.values()
        for lying in (False, True)
    ]
    lying = [np.full(len(features.at), lies) for features, lies in each]
    return FaceFeatures(joined([features for features, _ in each]), np.concatenate(lying), squash)


def _features_of(face: Image, size_mm: Floats, squash: float) -> Features:
    """Return one face's features, as seen by a camera from above."""
    columns, rows = round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM * squash)
    grey = cv2.cvtColor(np.ascontiguousarray(face), cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (0, 0), max(SOFT_PX * grey.shape[1] / columns, 0.1))
    grey = cv2.resize(grey, (columns, rows), interpolation=cv2.INTER_AREA)
    grey = cv2.copyMakeBorder(grey, PAD_PX, PAD_PX, PAD_PX, PAD_PX, cv2.BORDER_REPLICATE)
    found = detect(np.asarray(grey, np.uint8))
    share = (found.at - PAD_PX + 0.5) / (columns, rows) - 0.5
    return Features(found.descriptors, share * size_mm * (1, -1), found.angle_deg, found.size_px)


def detect(grey: Image) -> Features:
    """Return the SIFT features of a grey picture, strongest first where there are many."""
    sift = cv2.SIFT.create(nfeatures=MAX_FEATURES, contrastThreshold=CONTRAST)
    points, descriptors = sift.detectAndCompute(grey, np.full(grey.shape, 255, np.uint8))
    if not len(points):
        return Features(np.empty((0, 128), np.float32), np.empty((0, 2)), np.empty(0), np.empty(0))
    at = np.array([point.pt for point in points], np.float64)
    angles, sizes = np.array([(point.angle, point.size) for point in points], np.float64).T
    return Features(np.asarray(descriptors, np.float32), at, angles, sizes)


def joined(parts: list[Features]) -> Features:
    """Return several sets of features as one."""
    return Features(
        np.concatenate([part.descriptors for part in parts]),
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.angle_deg for part in parts]),
        np.concatenate([part.size_px for part in parts]),
    )
