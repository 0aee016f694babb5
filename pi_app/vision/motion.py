"""What changed between two small pictures: things, or only the light on them.

A surface that is lit differently keeps the proportions of its channels and its pattern: every channel is multiplied by
one gain that varies smoothly. A thing that came, went or moved does not keep them.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Values = NDArray[np.float32]
Numbers = NDArray[np.integer[Any] | np.floating[Any]]
Box = tuple[slice, slice]
"""Rows and columns of a picture."""

SMALL_WIDTH = 320
LEVELS = 7.0
"""Smallest change of a channel that counts, in grey levels of a small picture."""
NOISES = 5.0
CALM_NOISE = 2.5
"""A difference noisier than this, in grey levels, may be one of light: that is evened out before noise is measured."""
FEW = 4
"""Fewer changed pixels than this are no change at all."""
GAINS = (0.3, 3.0)
"""Light may become this many times weaker or stronger from shadow, lamp or exposure."""
UNEVEN = 0.1
"""How much a gain may vary within 5 x 5 pixels and still be light on a surface: more is shading on a thing."""
PATTERN_PIXELS, PATTERN_SHARED, PATTERN_LEVELS = 5, 0.35, 6.0
"""Squares of these pixels that share less than this part of their variance, and vary by these levels, are unlike."""
SAMPLES = 48
_SQUARE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class Change:
    """Masks (255 = yes) of pixels where things changed and of those where only the light did.

    `doubtful`: things, and light so uneven that it may be the shading on a thing of the same hue; empty unless asked
    for.
    """

    things: Mask
    light: Mask
    doubtful: Mask


def shrink(image: Picture, width: int = SMALL_WIDTH) -> Picture:
    """Return a picture of `width` columns and the same proportions; each pixel averages the 2 x 2 at its middle."""
    height = max(1, round(image.shape[0] * width / image.shape[1]))
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def compare(before: Picture, now: Picture, *, box: Box | None = None, strict: bool = False) -> Change:
    """Compare two pictures of one size, BGR; masks are of the pictures' size, empty outside `box`.

    Changes thinner than 3 pixels (edges of shadows, noise, motion of less than a pixel) are dropped. `strict` looks for
    doubtful changes too: it finds hands on wood of their colour, and takes edges of shadows for things.
    """
    box = box or np.s_[:, :]
    raw, sigma = difference(before, now, box)
    things, light, doubtful = np.zeros((3, *now.shape[:2]), np.uint8)
    differs = above(largest(raw), max(LEVELS, NOISES * sigma))
    if cv2.countNonZero(differs) < FEW:
        return Change(things, light, doubtful)
    gains = row_gains(before, now)[box[0]]
    rows, columns = _around(differs)
    old, new = (picture[box][rows, columns].astype(np.float32) for picture in (before, now))
    apart = np.asarray(cv2.absdiff(new, old * gains[rows]))
    floor = max(LEVELS, NOISES * min(sigma, noise(apart)))
    changed = above(largest(apart), floor)
    lit, gain = relit(old, new, floor)
    light[box][rows, columns] = cv2.bitwise_and(changed, lit)
    things[box][rows, columns] = _tidy(cv2.bitwise_and(changed, cv2.bitwise_not(lit)))
    if strict:
        lit[~even(gain, changed)] = 0
        doubtful[box][rows, columns] = _tidy(cv2.bitwise_and(changed, cv2.bitwise_not(lit)))
    return Change(things, light, doubtful)


def difference(before: Picture, now: Picture, box: Box) -> tuple[Numbers, float]:
    """Return how far pictures are apart in a box, by pixel and channel, and the noise in it (one standard deviation).

    Where all of it is apart the light has changed: rows' gains are evened out, lest that be taken for noise.
    """
    raw = np.asarray(cv2.absdiff(now[box], before[box]))
    sigma = noise(raw)
    if sigma <= CALM_NOISE:
        return raw, sigma
    gains = row_gains(before, now)[box[0]]
    evened = np.asarray(cv2.absdiff(now[box].astype(np.float32), before[box] * gains))
    left = noise(evened)
    return (evened, left) if left < sigma else (raw, sigma)


def pattern_changed(before: Picture, now: Picture, sigma: float) -> Mask:
    """Return the mask of pixels around which the pattern is another one, whatever the light; `sigma`: noise in levels.

    A hand of the table's colour hides the grain of the table and brings its own shading; shadow keeps the grain.
    """
    old, new = (np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32) for picture in (before, now))
    (mean_old, of_old), (mean_new, of_new) = _variance(old), _variance(new)
    shared = _blur(old * new) - mean_old * mean_new
    dimmed = np.clip((mean_new + 4) / (mean_old + 4), GAINS[0], 1.0) ** 2
    unlike = shared * np.abs(shared) < PATTERN_SHARED * of_old * of_new
    strong = np.maximum(of_old * dimmed, of_new) > (PATTERN_LEVELS + NOISES * sigma / 3) ** 2
    return np.asarray((unlike & strong) * np.uint8(255))


def _variance(grey: Values) -> tuple[Values, Values]:
    mean = _blur(grey)
    return mean, np.maximum(_blur(grey * grey) - mean * mean, 1e-3)


def _blur(values: Values) -> Values:
    return np.asarray(cv2.blur(values, (PATTERN_PIXELS, PATTERN_PIXELS)), np.float32)


def row_gains(old: Picture, new: Picture) -> Values:
    """Return how much brighter each row's channels became, rows x 1 x 3: the median over the row.

    Evens out steps of exposure and white balance, also in the middle of a picture, and the bands of mains light.
    """
    step = max(1, old.shape[1] // SAMPLES)
    ratios = (new[:, ::step] + np.float32(4)) / (old[:, ::step] + np.float32(4))
    middle = ratios.shape[1] // 2
    return np.asarray(np.clip(np.partition(ratios, middle, axis=1)[:, middle : middle + 1], *GAINS), np.float32)


def relit(old: Values, new: Values, floor: float) -> tuple[Mask, Values]:
    """Return the mask of pixels whose channels were all multiplied by one gain like those around them, and the gain."""
    power = channel_sum(old * old) + 1.0
    gain = channel_sum(old * new) / power
    left = largest(np.asarray(cv2.absdiff(new, old * gain[..., None])))
    same_hue = left < floor + 0.05 * new[..., 1]
    smooth = np.abs(gain - cv2.blur(gain, (3, 3))) < 0.12 * gain
    return np.asarray((same_hue & smooth & (gain > GAINS[0]) & (gain < GAINS[1])) * np.uint8(255)), gain


def even(gain: Values, changed: Mask) -> NDArray[np.bool_]:
    """Return where the gain varies little among the changed pixels of 5 x 5: shading on a thing varies more."""
    there = gain * (changed > 0)
    share = cv2.blur(changed.astype(np.float32), (5, 5)) + np.float32(1e-6)
    mean = cv2.blur(there * 255, (5, 5)) / share
    spread = cv2.blur(there * there * 255, (5, 5)) / share - mean * mean
    return np.asarray(spread < (UNEVEN * gain) ** 2)


def noise(apart: Numbers) -> float:
    """Return the noise of a difference, one standard deviation in grey levels, from its calmest quarter."""
    values = apart[::4, ::4, 1].ravel()
    return float(np.partition(values, values.size // 4)[values.size // 4]) / 0.319


def largest(values: Numbers) -> Numbers:
    """Return the largest of the three channels, rows x columns."""
    blue, green, red = cv2.split(values)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def channel_sum(values: Values) -> Values:
    """Return the sum over the three channels, rows x columns."""
    return np.asarray(cv2.transform(values, np.ones((1, 3), np.float32)), np.float32)


def above(values: Numbers, level: float) -> Mask:
    """Return the mask of values above a level."""
    return np.asarray(cv2.threshold(values, level, 255, cv2.THRESH_BINARY)[1], np.uint8)


def left_behind(blob: Mask, before: Picture, now: Picture) -> bool:
    """Return whether a changed blob is where a thing was: its outline is in the picture before, not in the one now."""
    outline = cv2.morphologyEx(blob, cv2.MORPH_GRADIENT, _SQUARE) > 0
    strength = [float(gradients(picture)[2][outline].sum()) for picture in (before, now)]
    return strength[0] > 1.3 * strength[1]


def gradients(picture: Picture) -> tuple[Values, Values, Values]:
    """Return the grey picture's gradient across and down (Sobel) and its length."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(across), np.asarray(down), np.asarray(cv2.magnitude(across, down))


def _around(mask: Mask, margin: int = 4) -> Box:
    x, y, wide, high = cv2.boundingRect(mask)
    return np.s_[max(0, y - margin) : y + high + margin, max(0, x - margin) : x + wide + margin]


def _tidy(mask: object) -> Mask:
    return np.asarray(cv2.morphologyEx(np.asarray(mask, np.uint8), cv2.MORPH_OPEN, _SQUARE), np.uint8)
