"""A Festival kit's token faces, prepared once so that a token is found at any turn.

A face is sampled on rings about its centre. Turning a token shifts these samples along the rings, so that the
normalised correlation at all turns at once is one product of their Fourier transforms along the angle.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.festival import FestivalArt
from pi_app.vision.camera import Floats
from pi_app.vision.light import Linear, linear, opponent
from pi_app.vision.pose import Image

Singles = NDArray[np.float32]
Waves = NDArray[np.complex64]
Indices = NDArray[np.intp]
Steps = NDArray[np.float32]

PX_PER_MM = 2.5
SOFT_MM = 0.35
"""A camera's blur on a tray, standard deviation."""
BOARD_SOFT_MM = 0.8
"""So soft the bare board is compared: it lies up to a degree and a half askew."""
INNER, OUTER = 0.08, 0.93
"""The rings' smallest and largest radius, in the token's radius: within the rim line."""
NEARLY_SAME = 0.95


@dataclass(frozen=True)
class Rings:
    """How densely a face is sampled: so many rings, so many places on each; `soft_mm` of further blur."""

    rings: int
    places: int
    soft_mm: float

    def steps_px(self, radius_mm: float) -> Steps:
        """Return the places' x, y about the centre on PX_PER_MM, y down, 2 x rings x places; from +x anticlockwise."""
        radii = np.linspace(INNER, OUTER, self.rings) * radius_mm
        turns = np.arange(self.places) * 2 * np.pi / self.places
        return np.asarray(
            np.stack([np.outer(radii, np.cos(turns)), -np.outer(radii, np.sin(turns))]) * PX_PER_MM, np.float32
        )


COARSE, FINE = Rings(9, 64, 0.6), Rings(18, 128, 0.0)


@dataclass(frozen=True, eq=False)
class Faces:
    """The kinds' faces on one sampling: `waves` frequency x ring x kind, of unit length, their means taken off."""

    rings: Rings
    steps_px: Steps
    weights: Singles
    waves: Waves


@dataclass(frozen=True, eq=False)
class TokenArt:
    """A kit's tokens; `kinds` are (colour, motif).

    `unlike` are kinds one for each look but for colour: every other kind's face is nearly the same as one of theirs.
    `glow` is how much each place of a face on FINE tells of its colour, kind x ring x place, `ground` how dark it is;
    each sums to 1. `tints` is the colour so seen of each kind, `board` how bright the bare board
    is, on PX_PER_MM and BOARD_SOFT_MM soft.
    """

    kinds: tuple[tuple[str, str], ...]
    radius_mm: float
    coarse: Faces
    fine: Faces
    unlike: Indices
    glow: Singles
    ground: Singles
    tints: Floats
    board: Singles


@lru_cache(maxsize=4)
def token_art(art: FestivalArt) -> TokenArt:
    """Return a kit's tokens prepared; the same object for the same art."""
    kit = art.kit
    radius = kit.token.diameter_mm / 2
    faces = [_softened(picture, kit.token.diameter_mm) for picture in art.pieces.values()]
    coarse, fine = (_faces(faces, rings, radius) for rings in (COARSE, FINE))
    seen = np.stack([sampled(face, _middle(face), fine.steps_px)[0] for face in faces])
    glow, ground = _glow(seen)
    tints = np.stack([tint(*pair) for pair in zip(seen, glow, ground, strict=True)])
    board = softer(shine(_softened(art.board, kit.board.width_mm)), BOARD_SOFT_MM)
    return TokenArt(tuple(art.pieces), radius, coarse, fine, _unlike(coarse), glow, ground, tints, board)


def shine(light: Linear) -> Singles:
    """Return how bright each place is to the eye: the strongest channel, 0 to about 1, halfway to the eye's scale."""
    strongest = np.maximum(np.maximum(light[..., 0], light[..., 1]), light[..., 2])
    return np.asarray(np.sqrt(np.clip(strongest, 0.0, 1.2)), np.float32)


def sampled(picture: Singles, centre_px: Floats, steps_px: Steps) -> Singles:
    """Return a picture (y down) at places about centres (n x 2, x and y): n x rings x places (x channels)."""
    centre = np.asarray(centre_px, np.float32)
    x, y = ((centre[:, axis, None, None] + steps_px[axis]).reshape(-1, steps_px.shape[-1]) for axis in (0, 1))
    found = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found.reshape(len(centre), *steps_px.shape[1:], *picture.shape[2:]), np.float32)


def waves_of(samples: Singles, weights: Singles) -> tuple[Waves, Singles]:
    """Return the transforms along the angle of samples (n x ring x place), means off, weighted; and their lengths."""
    share = weights / weights.sum() / samples.shape[-1]
    centred = samples - np.einsum("nra,r->n", samples, share)[:, None, None]
    centred *= np.sqrt(weights)[:, None]
    lengths = np.sqrt(np.einsum("nra,nra->n", centred, centred))
    return np.asarray(np.fft.rfft(centred, axis=-1), np.complex64), np.asarray(lengths, np.float32)


def tint(seen: Linear, glow: Singles, ground: Singles) -> Floats:
    """Return a face's colour from its samples (ring x place x BGR): that of its glow above its ground, as opponent
    coordinates for a brightness of 1; zero is grey.
    """
    above = (glow - ground).reshape(-1) @ seen.reshape(-1, 3)
    return np.asarray(opponent(above) / max(float(np.abs(above).sum()), 1e-6))


def _softened(picture: Image, width_mm: float) -> Linear:
    """Return a picture in linear light at PX_PER_MM, as soft as a camera has it."""
    scale = PX_PER_MM * width_mm / picture.shape[1]
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    small = cv2.resize(linear(picture), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SOFT_MM * PX_PER_MM), np.float32)


def _middle(picture: Linear) -> Floats:
    return np.array([[(picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2]])


def _faces(pictures: list[Linear], rings: Rings, radius_mm: float) -> Faces:
    steps = rings.steps_px(radius_mm)
    weights = np.linspace(INNER, OUTER, rings.rings).astype(np.float32)
    shown = [softer(shine(picture), rings.soft_mm) for picture in pictures]
    samples = np.stack([sampled(face, _middle(face), steps)[0] for face in shown])
    waves, lengths = waves_of(samples, weights)
    unit = np.conj(waves / np.maximum(lengths, 1e-6)[:, None, None])
    return Faces(rings, steps, weights, np.ascontiguousarray(unit.transpose(2, 1, 0)))


def _unlike(faces: Faces) -> Indices:
    """Return kinds of which no two correlate by NEARLY_SAME as they lie, so many that every other does with one."""
    waves = np.repeat(faces.waves, _twice(faces.rings.places), axis=0)
    alike = np.einsum("frk,frl->kl", waves, np.conj(waves)).real / faces.rings.places
    chosen: list[int] = []
    for kind in range(len(alike)):
        if not (alike[kind, chosen] >= NEARLY_SAME).any():
            chosen.append(kind)
    return np.array(chosen)


def _twice(places: int) -> list[int]:
    """Return how often each wave of a real signal counts in its whole transform."""
    return [1] + [2] * (places // 2 - 1) + [1]


def softer(picture: Singles, by_mm: float) -> Singles:
    """Return a picture at PX_PER_MM blurred further."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), by_mm * PX_PER_MM), np.float32) if by_mm > 0 else picture


def _glow(seen: Linear) -> tuple[Singles, Singles]:
    """Return the shares that bright and dark places have in telling a colour; rings count by their length."""
    rings = np.linspace(INNER, OUTER, seen.shape[1], dtype=np.float32)[None, :, None]
    bright = shine(seen)
    top = np.percentile(bright, 99, axis=(1, 2), keepdims=True)
    glow = np.clip(bright / top - 0.35, 0, None) * rings
    ground = (bright < 0.3 * top) * rings + 1e-9
    return glow / glow.sum(axis=(1, 2), keepdims=True), ground / ground.sum(axis=(1, 2), keepdims=True)
