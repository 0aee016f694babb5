"""The faces of a kit's two dice, prepared to be compared with squares cut from a picture."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.model import Srgb
from pi_app.kit.vowl import DiceArt
from pi_app.vision.camera import Floats, View
from pi_app.vision.light import linear, srgb_linear
from pi_app.vision.pose import Image

Singles = NDArray[np.float32]

SIDE_PX = 32
"""Faces are compared as squares of so many pixels."""
INNER = slice(2, SIDE_PX - 2)
"""What of them is compared: rounded edges do not count."""
SOFT_PX = 1.1
"""Blur of a face in the picture, standard deviation, slant included."""
BRIGHTEST = 1.5


@dataclass(frozen=True, eq=False)
class DieArt:
    """One die's faces by name.

    `tones` is faces x SIDE_PX x SIDE_PX x 3: roots of reflectance relative to paper, the face's top edge first; `bank`
    is them at four quarter turns left, 4 faces x values, each centred by channel and of length 1; `axis` is the
    direction in colour along which print differs most from ground, unit; `likeness` is how alike each two faces are at
    the best of four turns, faces x faces.
    """

    names: tuple[str, ...]
    tones: Singles
    bank: Singles
    axis: Floats
    likeness: Floats


@lru_cache(maxsize=8)
def dice_art(art: DiceArt, paper: Srgb, soft_mm: float) -> tuple[DieArt, DieArt]:
    """Return the number and the mode die prepared, blurred so much; the same objects for the same art."""
    number = {str(name): picture for name, picture in art.number.items()}
    soft = soft_mm * SIDE_PX / art.dice.size_mm
    return _die(number, soft, paper), _die(art.mode, soft, paper)


def soft_mm(view: View) -> float:
    """Return the blur of a picture on the mat, standard deviation, in steps of 0.1 mm."""
    return round(SOFT_PX / view.camera.fx * float(np.linalg.norm(view.pose.eye)), 1)


def unit(tones: Singles) -> Singles:
    """Return the inner parts of squares, ... x SIDE_PX x SIDE_PX x 3, as vectors centred by channel, of length 1."""
    inner = tones[..., INNER, INNER, :]
    centred = (inner - inner.mean(axis=(-3, -2), keepdims=True)).reshape(*inner.shape[:-3], -1)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=-1, keepdims=True), 1e-3), np.float32)


def _die(pictures: dict[str, Image], soft_px: float, paper: Srgb) -> DieArt:
    tones = np.stack([_tones(picture, soft_px, paper) for picture in pictures.values()])
    turned = np.concatenate([np.rot90(tones, turns, axes=(1, 2)) for turns in range(4)])
    colours = tones.reshape(-1, 3).astype(np.float64)
    axis = np.linalg.svd(np.cov(colours.T))[0][:, 0]
    bank = unit(turned)
    likeness = (unit(tones) @ bank.T).reshape(len(tones), 4, len(tones)).max(axis=1)
    return DieArt(tuple(pictures), tones, bank, axis, likeness.astype(np.float64))


def _tones(picture: Image, soft_px: float, paper: Srgb) -> Singles:
    small = linear(np.asarray(cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8))
    soft = cv2.GaussianBlur(small, (0, 0), soft_px)
    white = srgb_linear(paper).astype(np.float32)
    return np.asarray(np.sqrt(np.clip(soft / white, 0.0, BRIGHTEST)), np.float32)
