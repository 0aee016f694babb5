"""The top token of one cell, from its rectified picture: which kind, where its centre lies and how it is turned."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from pi_app.vision.camera import Floats, View
from pi_app.vision.light import Linear, linear
from pi_app.vision.pose import Image
from pi_app.vision.tokens_art import (
    INNER,
    OUTER,
    PX_PER_MM,
    Faces,
    Indices,
    Singles,
    TokenArt,
    sampled,
    shine,
    softer,
    tint,
    waves_of,
)

REACH_MM = 8.0
"""How far a token's centre may lie from where its cell and level put it."""
STEP_MM = 2.0
NEAR_MM = 2.9
"""A token is looked for within this first; further off only where none is here."""
FINER_MM = 1.0
"""Step of the climb from the best place so far; between its places a paraboloid tells."""
MOST_STEPS = 4
AROUND = np.array([(x, y) for y in (1.0, 0.0, -1.0) for x in (-1.0, 0.0, 1.0)])
MIDDLE = 4
MARGIN_MM = 3.0
GRID = 9
TRIED = 2
TRIED_KINDS = 3
"""So many of the faces that fit best at first are looked at closely."""
BURNT, ENOUGH_KEPT = 0.95, 0.2


@dataclass(frozen=True, eq=False)
class Match:
    """The best place of a cell: `alike` is each kind's correlation there at its best turn, `turn_deg` that turn.

    `off_mm` is the centre from the patch's middle; `tint` is the colour seen, by the kind that is most alike.
    """

    alike: Floats
    turn_deg: Floats
    off_mm: Floats
    seen: Linear


def rectified(image: Image, view: View, centre_mm: Floats, z_mm: float, half_mm: float) -> Linear:
    """Return the square about a place of level z in linear light, from above, y down, PX_PER_MM, 2 `half_mm` wide."""
    size = 2 * round(half_mm * PX_PER_MM) + 1
    steps = np.linspace(-half_mm, half_mm, GRID)
    x, y = np.meshgrid(centre_mm[0] + steps, centre_mm[1] - steps)
    pixels = view.project(np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z_mm)])).reshape(GRID, GRID, 2)
    lines = _lines(size)
    across, down = (lines @ pixels[..., axis].astype(np.float32) @ lines.T for axis in (0, 1))
    seen = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return linear(np.asarray(seen, np.uint8))


def half_mm(radius_mm: float, *, wide: bool) -> float:
    """Return half the side of the square that a token is looked for in, near its place or wide about it."""
    return radius_mm + (REACH_MM if wide else NEAR_MM) + MARGIN_MM


def match(patch: Linear, art: TokenArt, *, wide: bool) -> Match:
    """Return where in a patch (white is 1, `half_mm` wide) the kit's tokens fit best, and how well each does."""
    bright = shine(patch)
    soft = softer(bright, art.coarse.rings.soft_mm)
    alike, turn_deg, off = _searched(bright, soft, art, wide=wide)
    return Match(alike, turn_deg, off, sampled(patch, _pixel(patch, off)[None], art.fine.steps_px)[0])


def _searched(bright: Singles, soft: Singles, art: TokenArt, *, wide: bool) -> tuple[Floats, Floats, Floats]:
    """Return each kind's correlation and turn at the best place within reach, and that place."""
    shifts = _disc(REACH_MM if wide else NEAR_MM, STEP_MM)
    scores = correlations(soft, shifts, art.coarse, art.unlike).max(axis=2)
    places = [
        _refined(bright, soft, shifts[index], scores[index], art)
        for index in _peaks(shifts, scores, TRIED if wide else 1)
    ]
    return max(places, key=lambda found: float(found[0].max()))


def _refined(
    bright: Singles, soft: Singles, start: Floats, scores: Singles, art: TokenArt
) -> tuple[Floats, Floats, Floats]:
    """Return each kind's correlation and turn at the best place near one, by the faces that fit best there so far."""
    likely = art.unlike[np.argsort(-scores)[:TRIED_KINDS]]
    at = _climbed(soft, start, likely, art)
    turned = correlations(bright, at[None], art.fine)[0]
    turns = turned.argmax(axis=1) * 360.0 / art.fine.rings.places
    return turned.max(axis=1).astype(np.float64), turns, at


def _climbed(soft: Singles, start: Floats, likely: Indices, art: TokenArt) -> Floats:
    """Return the place of greatest correlation, climbed to from a start in FINER_MM and told between the steps."""
    at = start
    for _ in range(MOST_STEPS):
        around = correlations(soft, at + AROUND * FINER_MM, art.coarse, likely).max(axis=2)
        best, kind = np.unravel_index(int(around.argmax()), around.shape)
        if best == MIDDLE:
            return np.asarray(at + summit(around[:, kind]) * FINER_MM)
        at = at + AROUND[best] * FINER_MM
    return at


def summit(scores: Singles) -> Floats:
    """Return the highest place, x and y in steps, of a paraboloid through scores on AROUND whose middle is greatest."""
    grid = scores.reshape(3, 3).astype(np.float64)
    return np.array([_summit(*grid[1]), _summit(*grid[::-1, 1])])


def _summit(before: float, middle: float, after: float) -> float:
    """Return where a parabola through three even steps is highest, from the middle one, which is the greatest."""
    bend = before - 2 * middle + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0


def tints_as(found: Match, kinds: Sequence[int], art: TokenArt, full_scale: Floats) -> Floats:
    """Return the colours seen where the faces of kinds glow, as `tint`, n x 3.

    `full_scale` is the camera's brightest B, G, R in the patch's units: what reaches it has lost its colour, and counts
    only where nearly all does.
    """
    blue, green, red = (found.seen[..., channel] < BURNT * float(full_scale[channel]) for channel in range(3))
    seen = np.dstack([found.seen, blue & green & red])
    shifts = np.rint(found.turn_deg / 360 * art.fine.rings.places).astype(int)
    turned = {shift: np.roll(seen, -shift, axis=1) for shift in {int(shifts[kind]) for kind in kinds}}
    return np.stack([_tint_as(turned[int(shifts[kind])], kind, art) for kind in kinds])


def _tint_as(seen: Singles, kind: int, art: TokenArt) -> Floats:
    kept = art.glow[kind] * seen[..., 3]
    share = float(kept.sum())
    return tint(seen[..., :3], kept / np.float32(share) if share > ENOUGH_KEPT else art.glow[kind], art.ground[kind])


def correlations(bright: Singles, shifts_mm: Floats, faces: Faces, kinds: Indices | None = None) -> Singles:
    """Return the correlation at every place, kind (all, or those named) and turn: n x kinds x places of a ring."""
    samples = sampled(bright, _pixel(bright, shifts_mm), faces.steps_px)
    waves, lengths = waves_of(samples, faces.weights)
    wanted = faces.waves if kinds is None else faces.waves[:, :, kinds]
    products = np.matmul(waves.transpose(2, 0, 1), wanted)
    turned = np.fft.irfft(products.transpose(1, 2, 0), n=faces.rings.places, axis=-1)
    return np.asarray(turned / np.maximum(lengths, 1e-3)[:, None, None], np.float32)


def turns_alike(face: Singles, other: Singles) -> Singles:
    """Return the correlation of two faces on FINE's rings, ring x place, at each turn from the other to the one."""
    weights = np.linspace(INNER, OUTER, len(face)).astype(np.float32)
    waves, lengths = waves_of(np.stack([face, other]), weights)
    product = (waves[0] * np.conj(waves[1])).sum(axis=0)
    turned = np.fft.irfft(product, n=face.shape[1])
    return np.asarray(turned / max(float(lengths[0] * lengths[1]), 1e-6), np.float32)


def _peaks(shifts: Floats, scores: Singles, count: int) -> list[int]:
    """Return the best places, none within 2 mm of a better one."""
    found: list[int] = []
    for index in np.argsort(-scores.max(axis=1)):
        if all(np.linalg.norm(shifts[index] - shifts[other]) > 2.0 for other in found):
            found.append(int(index))
        if len(found) == count:
            break
    return found


@lru_cache(maxsize=16)
def _disc(reach: float, step: float) -> Floats:
    count = round(reach / step)
    line = np.arange(-count, count + 1) * step
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.linalg.norm(grid, axis=1) <= reach * 1.05 + 1e-9])


def _pixel(picture: Singles, off_mm: Floats) -> Floats:
    middle = np.array([(picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2])
    return np.asarray(middle + np.asarray(off_mm) * (PX_PER_MM, -PX_PER_MM))


@lru_cache(maxsize=16)
def _lines(size: int) -> Singles:
    """Return the weights of GRID even values in each of `size` that span them, linear between; size x GRID."""
    places = np.linspace(0, GRID - 1, size)
    return np.asarray(np.clip(1 - np.abs(places[:, None] - np.arange(GRID)), 0, 1), np.float32)
