"""The one place that knows about light: what the lamp and the camera did to colours, read from the mat.

Colours are judged as reflectance relative to the mat's paper beside them, in linear light, so that the lamp's colour,
its brightness, shadows and the camera's white balance drop out. Hue is the direction of a colour's difference from grey
in that linear space: shade scales a colour and gloss adds white to it, and neither turns that direction.
Formulas: IEC 61966-2-1 (sRGB), CIE 15 (L*a*b*, white D65).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.verdict import Reason
from pi_app.kit.model import Srgb
from pi_app.kit.table import Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.pose import Image

Linear = NDArray[np.float32]

DARK_LEVEL = 28
CHROMATIC = 0.25
SWAP_MARGIN = 0.25
GREY_SHARE = 0.12
SPREAD_OF_PATCH = 0.6
PALE = 0.45
SMOOTH_MM = 10.0
_LEVELS = np.arange(256) / 255.0
TO_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""Linear light of each 8-bit sRGB level."""
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


@dataclass(frozen=True, eq=False)
class Light:
    """What the reference strip shows.

    `paper` is the paper's linear B, G, R in the picture beside the strip, 0 to 1. `reason` says why colours must not
    be judged: too_dark, colours_wrong (red and blue swapped, or no colour at all), or `None`. `patches` is how many
    patches could be read; with too few of them nothing was checked. `error` is their median difference from print.
    """

    paper: Floats
    reason: Reason | None
    patches: int
    error: float


def linear(image: Image) -> Linear:
    """Return the picture in linear light, 0 to 1, same channel order."""
    return np.asarray(cv2.LUT(image, TO_LINEAR), np.float32)


def srgb_linear(colour: Srgb) -> Floats:
    """Return a colour's linear B, G, R, 0 to 1."""
    return np.array([float(TO_LINEAR[level]) for level in reversed(colour)])


def opponent(bgr: Floats) -> Floats:
    """Return two coordinates, ... x 2, of a linear colour's difference from grey; zero for grey.

    The angle is the hue, 0 at red, a third of a turn at green; the length is the chroma in units of linear light.
    """
    blue, green, red = bgr[..., 0], bgr[..., 1], bgr[..., 2]
    return np.stack([red - (green + blue) / 2, (green - blue) * (np.sqrt(3) / 2)], axis=-1)


def to_lab(bgr: Floats) -> Floats:
    """Return L*, a*, b* of linear B, G, R under D65, ... x 3."""
    xyz = np.asarray(bgr, np.float64)[..., ::-1] @ _TO_XYZ.T / _WHITE
    cube = np.where(xyz > 216 / 24389, np.cbrt(np.maximum(xyz, 0)), (24389 / 27 * xyz + 16) / 116)
    x, y, z = cube[..., 0], cube[..., 1], cube[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def lab_picture(light: Linear) -> Linear:
    """Return the same as `to_lab` for a whole picture, rows x columns x 3; light is taken up to twice the paper's.

    OpenCV cuts light at 1, so half of it is converted: the cube roots of half are all the same share of the whole's.
    """
    half = np.asarray(cv2.cvtColor(light * np.float32(0.5), cv2.COLOR_LBGR2Lab), np.float32)
    foot = np.array([16.0, 0.0, 0.0], np.float32)
    return np.asarray((half + foot) * np.float32(np.cbrt(2.0)) - foot, np.float32)


def read_light(image: Image, view: View, table: Table) -> Light:
    """Return what the mat's reference strip tells of the light in a BGR picture.

    Each patch is compared with the paper around it; gloss and what covers a patch drop out by medians.
    """
    spots = np.stack([_spots(table, index) for index in range(len(table.patches.centre_x))])
    levels = _sampled(image, view, spots.reshape(-1, 3)).reshape(*spots.shape[:2], -1, 3)
    lost = np.isnan(levels[..., 0]).mean(axis=2) > 0.2
    areas = np.array([[_middle(area) for area in row] for row in levels])
    papers = np.array([_middle(row[1:]) for row in areas])
    seen = ~lost[:, 0] & ((~lost[:, 1:]).sum(axis=1) >= 2)
    if not seen.any():
        return Light(np.full(3, 0.5), None, 0, 0.0)
    paper = np.maximum(np.median(papers[seen], axis=0), 1e-4)
    if paper.max() < float(TO_LINEAR[DARK_LEVEL]):
        return Light(paper, Reason.TOO_DARK, int(seen.sum()), 0.0)
    white = srgb_linear(table.mat.paper_srgb)
    measured = areas[seen, 0] / np.maximum(papers[seen], 1e-4) * white
    printed = np.array([srgb_linear(colour) for colour in table.patches.srgb])[seen]
    return Light(paper, _check(measured, printed), int(seen.sum()), _error(measured, printed))


def near_paper(levels: Linear, paper: Floats, px_per_mm: float) -> Linear:
    """Return the light on the paper around each pixel: the smoothed mean of what is pale there, else the strip's.

    Done twice, so that a tinted shadow is compared with its own edge and not with the strip alone.
    """
    strip = paper.astype(np.float32)
    small = np.asarray(cv2.resize(levels / strip, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.float32)
    near = np.ones_like(small)
    for _ in range(2):
        relative = small / near
        level = (relative[..., 0] + relative[..., 1] + relative[..., 2]) / 3
        pair = opponent(relative.astype(np.float64))
        vivid = np.hypot(pair[..., 0], pair[..., 1]) / np.maximum(level, 1e-3)
        pale = np.asarray((vivid < PALE) & (level > 0.3), np.float32)
        near = _smoothed(small, pale, SMOOTH_MM * px_per_mm / 4)
    full = cv2.resize(near * strip, (levels.shape[1], levels.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.maximum(full, 1e-4), np.float32)


def _smoothed(values: Linear, weight: Linear, sigma: float) -> Linear:
    """Return the weighted mean around each pixel; 1 where nothing near has weight."""
    total = cv2.GaussianBlur(values * weight[..., None], (0, 0), sigma) + 0.02
    return np.asarray(total / (cv2.GaussianBlur(weight, (0, 0), sigma) + 0.02)[..., None], np.float32)


def _middle(levels: Floats) -> Floats:
    """Return the median colour of those that are known; NaN where none is."""
    known = levels[~np.isnan(levels[:, 0])]
    return np.asarray(np.median(known, axis=0)) if len(known) else np.full(3, np.nan)


def _check(measured: Floats, printed: Floats) -> Reason | None:
    """Return colours_wrong where the coloured patches' hues fit better with red and blue swapped, or have no colour."""
    wanted, got = opponent(printed), opponent(measured)
    strong = np.linalg.norm(wanted, axis=1) > CHROMATIC * printed.max(axis=1)
    if strong.sum() < 2:
        return None
    vivid = np.linalg.norm(got[strong], axis=1) / np.maximum(np.linalg.norm(wanted[strong], axis=1), 1e-6)
    contrast = np.ptp(measured.mean(axis=1)) if len(measured) > 3 else 0.0
    if float(np.median(vivid)) < GREY_SHARE and contrast > 0.2:
        return Reason.COLOURS_WRONG
    straight = _agreement(got[strong], wanted[strong])
    swapped = _agreement(opponent(measured[strong][:, ::-1]), wanted[strong])
    return Reason.COLOURS_WRONG if swapped > straight + SWAP_MARGIN and swapped > 0.5 else None


def _agreement(got: Floats, wanted: Floats) -> float:
    """Return the median cosine between hues."""
    lengths = np.linalg.norm(got, axis=1) * np.linalg.norm(wanted, axis=1)
    return float(np.mean((got * wanted).sum(axis=1) / np.maximum(lengths, 1e-9)))


def _error(measured: Floats, printed: Floats) -> float:
    """Return the median colour difference of the patches from what was printed, CIE 1976."""
    return float(np.median(np.linalg.norm(to_lab(measured) - to_lab(printed), axis=1)))


def _spots(table: Table, index: int) -> Floats:
    """Return points of the mat on a patch and on the paper at its four sides, 5 x 49 x 3."""
    patches = table.patches
    x, y, half = patches.centre_x[index], patches.centre_y, patches.side / 2
    inner, out = half * SPREAD_OF_PATCH, half + patches.side * 0.2
    areas = [(x, y, inner, inner), (x, y + out, half, 1.0), (x, y - out, half, 1.0)]
    areas += [(x - out, y, 1.0, half), (x + out, y, 1.0, half)]
    return np.stack([_grid(*area) for area in areas])


def _grid(x: float, y: float, half_x: float, half_y: float) -> Floats:
    steps = np.linspace(-1, 1, 7)
    xs, ys = np.meshgrid(x + steps * half_x, y + steps * half_y)
    return np.column_stack([xs.ravel(), ys.ravel(), np.zeros(xs.size)])


def _sampled(image: Image, view: View, points_mm: Floats) -> Floats:
    """Return linear B, G, R at points of the mat, n x 3; NaN outside the picture."""
    pixels = np.rint(view.project(points_mm)).astype(int)
    rows, columns = image.shape[:2]
    inside = (pixels[:, 0] >= 0) & (pixels[:, 0] < columns) & (pixels[:, 1] >= 0) & (pixels[:, 1] < rows)
    levels = np.full((len(pixels), 3), np.nan)
    levels[inside] = TO_LINEAR[image[pixels[inside, 1], pixels[inside, 0]]]
    return levels
