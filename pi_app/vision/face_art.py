"""Acrobats by their own pictures: how well what is seen at a place compares with every taught face.

A face is sampled on a grid of points and compared in L*, a*, b* relative to the paper: each channel's mean drops out,
and the whole is normalised, so neither the lamp's colour nor its strength matters. The crooked sticker and the bare
wood around it are in the taught picture. Faces are softer in the picture than in print; both are averaged over a step.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose
from pi_app.kit.art import KitArt
from pi_app.kit.model import Acrobat
from pi_app.vision.blocks import Place, Stand, build_window, half_size
from pi_app.vision.camera import Floats
from pi_app.vision.light import lab_picture, linear
from pi_app.vision.pose import Image
from pi_app.vision.scene import Scene

Samples = NDArray[np.float32]

COARSE_MM = 2.0
FINE_MM = 1.0
PX_PER_MM = 2.0
GRAIN = 2.0
"""L*, a*, b* units that even paper shows: what varies less than this does not correlate."""
MOST_AT_ONCE = 4000
UP_MM = 3.0
ALIKE = 0.85
"""Faces more alike than this in print are not told apart: all acrobats may carry the same picture."""


@dataclass(frozen=True, eq=False)
class Match:
    """The taught face that a place is most like: how alike, -1 to 1, its piece, side, quarter turns from head up.

    `rival` is the score of the best face that looks different in print; `du_mm`, `dz_mm` is how far it was found from
    where it was looked for.
    """

    score: float
    piece: int
    back: bool
    quarter: int
    rival: float = 0.0
    du_mm: float = 0.0
    dz_mm: float = 0.0


@dataclass(frozen=True, eq=False)
class Faces:
    """All taught faces sampled on a grid, faces x rows x columns x 3, as blocks laid one way show them, each twice."""

    levels: Samples
    names: tuple[tuple[int, bool, int], ...]

    @cached_property
    def whole(self) -> Samples:
        """The faces ready to be multiplied with normalised samples, (rows x columns x 3) x faces."""
        return normalised(self.levels).T.copy()

    @cached_property
    def alike(self) -> Samples:
        """How alike the faces are to one another, faces x faces."""
        return _product(normalised(self.levels), self.whole)

    def cut(self, rows: int) -> Samples:
        """Return the same without the upper `rows`."""
        return self.whole if rows == 0 else normalised(self.levels[:, rows:]).T.copy()


class Window:
    """The space over the build zone in the picture, PX_PER_MM pixels a mm, as L*, a*, b* relative to the paper."""

    def __init__(self, scene: Scene) -> None:
        left, top, right, bottom = build_window(scene.image, scene.view, scene.table, scene.kit)
        part = scene.image[top : max(bottom, top + 2), left : max(right, left + 2)]
        self._scale = min(1.0, PX_PER_MM / _px_per_mm(scene))
        if self._scale < 1.0:
            size = [max(1, round(side * self._scale)) for side in part.shape[1::-1]]
            part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
            self._scale = size[0] / (right - left)
        self._origin = np.array([left, top], np.float32)
        self.lab = _lab(part, scene.paper)

    def at(self, pixels: Samples) -> Samples:
        """Return the colour at pixels of the whole picture, n x k x 2, as n x k x 3; what is outside is continued."""
        inside = (pixels - self._origin + np.float32(0.5)) * np.float32(self._scale) - np.float32(0.5)
        seen = cv2.remap(self.lab, inside, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]  # the second map is None where the first holds both
        return np.asarray(seen, np.float32)


def _px_per_mm(scene: Scene) -> float:
    zone = scene.table.zones.build
    x, y, z = (zone.x0 + zone.x1) / 2, (zone.y0 + zone.y1) / 2, scene.kit.acrobat.length_mm / 2
    ends = scene.view.project([[x - 10, y, z], [x + 10, y, z]])
    return max(float(np.linalg.norm(ends[1] - ends[0])) / 20, 0.1)


def _lab(part: Image, paper: Floats) -> Samples:
    return lab_picture((linear(part) / np.maximum(paper, 1e-4)).astype(np.float32))


def normalised(samples: Samples) -> Samples:
    """Return samples n x ... x 3 as n rows of length 1 without each channel's mean; even ones become shorter."""
    flat = samples.reshape(len(samples), -1, 3)
    flat = flat - flat.mean(axis=1, keepdims=True)
    length = np.sqrt((flat**2).sum(axis=(1, 2)) + 3 * flat.shape[1] * GRAIN**2)
    return np.asarray((flat / length[:, None, None]).reshape(len(flat), -1), np.float32)


def _product(rows: Samples, columns: Samples) -> Samples:
    """Return the matrix product; OpenCV's, for NumPy's library waits in a spin for its threads where cores are busy."""
    return np.asarray(cv2.gemm(rows, columns, 1.0, np.empty((0, 0), np.float32), 0.0), np.float32)


@lru_cache(maxsize=16)
def taught_faces(art: KitArt, acrobat: Acrobat, pose: BlockPose, step_mm: float) -> Faces:
    """Return every taught face as a block laid so shows it, with about `step_mm` between samples."""
    half_u, half_z = half_size(BlockPose.STAND, acrobat)
    size = (_count(half_u, step_mm), _count(half_z, step_mm))
    levels, names = [], []
    for (piece, back), face in art.faces.items():
        small = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)
        lab = _lab(small, np.ones(3))
        for quarter in (0, 2) if pose is BlockPose.STAND else (1, 3):
            levels.append(np.rot90(lab, -quarter))
            names.append((piece, back, quarter))
    return Faces(np.stack(levels).astype(np.float32), tuple(names))


def _count(half_mm: float, step_mm: float) -> int:
    return max(4, round(2 * half_mm / step_mm))


def samples(
    window: Window, scene: Scene, stands: Floats, place: Place, step_mm: float, shifts: Floats | None = None
) -> Samples:
    """Return what is seen on a block's face at each stand n x 3 (x, y, turn), shifted in its plane by (u, z) n x 2.

    The result is n x rows x columns x 3, top row first, the camera's left first.
    """
    half_u, half_z = half_size(place.pose, scene.kit.acrobat)
    across, down = _count(half_u, step_mm), _count(half_z, step_mm)
    corners = _corners(stands, place, (half_u, half_z), scene.kit.acrobat.thickness_mm / 2, shifts)
    quads = scene.view.project(corners.reshape(-1, 3)).reshape(-1, 4, 2)
    columns, rows = np.meshgrid((np.arange(across) + 0.5) / across, (np.arange(down) + 0.5) / down)
    seen = window.at(_within(quads, np.column_stack([columns.ravel(), rows.ravel()])))
    return seen.reshape(len(quads), down, across, 3)


def _corners(stands: Floats, place: Place, half: tuple[float, float], half_n: float, shifts: Floats | None) -> Floats:
    """Return a face's corners from the camera's top left clockwise, n x 4 x 3, in the mat frame."""
    moved = np.zeros((len(stands), 2)) if shifts is None else shifts
    u = place.u_mm + moved[:, :1] + np.array([1, -1, -1, 1]) * half[0]
    z = place.z_mm + moved[:, 1:] + np.array([1, 1, -1, -1]) * half[1]
    n = place.n_mm + half_n
    c, s = np.cos(stands[:, 2:]), np.sin(stands[:, 2:])
    return np.stack([stands[:, :1] + c * u - s * n, stands[:, 1:2] + s * u + c * n, z], axis=-1)


def _within(quads: Floats, spots: Floats) -> Samples:
    """Return where points of the unit square, k x 2, are in quadrilaterals n x 4 x 2 in perspective, n x k x 2.

    Square to quadrilateral: P. Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989, section 2.2.3.
    """
    a, b, c, d = (quads[:, i].astype(np.float32) for i in range(4))
    one, two, rest = b - c, d - c, a - b + c - d
    area = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    g = (rest[:, 0] * two[:, 1] - rest[:, 1] * two[:, 0]) / area
    h = (one[:, 0] * rest[:, 1] - one[:, 1] * rest[:, 0]) / area
    s, t = spots.astype(np.float32).T
    along, across = b - a + g[:, None] * b, d - a + h[:, None] * d
    top = s[None, :, None] * along[:, None] + t[None, :, None] * across[:, None] + a[:, None]
    return np.asarray(top / (g[:, None] * s + h[:, None] * t + 1)[..., None])


def scores(
    window: Window,
    scene: Scene,
    stands: Floats,
    place: Place,
    *,
    step_mm: float = COARSE_MM,
    shifts: Floats | None = None,
    hidden_top_mm: float = 0.0,
    face: int | None = None,
) -> Samples:
    """Return how alike what is seen at each stand is to each taught face, or to one, n x faces; see `samples`."""
    assert scene.art is not None, "stock mode compares with taught pictures"
    faces = taught_faces(scene.art, scene.kit.acrobat, place.pose, step_mm)
    rows = min(round(hidden_top_mm / step_mm), faces.levels.shape[1] - 2)
    taught = faces.cut(rows) if face is None else faces.cut(rows)[:, face : face + 1].copy()
    found = []
    for first in range(0, len(stands), MOST_AT_ONCE):
        part = slice(first, first + MOST_AT_ONCE)
        seen = samples(window, scene, stands[part], place, step_mm, None if shifts is None else shifts[part])
        found.append(_product(normalised(seen[:, rows:]), taught))
    return np.concatenate(found)


@lru_cache(maxsize=2)
def window_of(scene: Scene) -> Window:
    """Return the space over a picture's build zone, worked out once."""
    return Window(scene)


def best_match(scene: Scene, stand: Stand, place: Place, shift_mm: float, hidden_top_mm: float = 0.0) -> Match:
    """Return the taught face most like what is seen at a place, off by up to `shift_mm` in its plane.

    `hidden_top_mm` of the face's upper part cannot be seen and is not compared. Up and down, a block is off by no more
    than UP_MM, for it stands on something.
    """
    at = np.array([[stand.x_mm, stand.y_mm, stand.turn_rad]])
    shifts = np.zeros((1, 2))
    found = np.zeros((1, 1), np.float32)
    tries = (
        (COARSE_MM, _grid(shift_mm, min(shift_mm, UP_MM), COARSE_MM)),
        (FINE_MM, _grid(1.0, 1.0, 1.0)),
        (FINE_MM, _grid(0.5, 0.5, 0.5)),
    )
    for step, moves in tries:
        moved = shifts[:1] + moves
        stands = np.repeat(at, len(moved), axis=0)
        found = scores(window_of(scene), scene, stands, place, step_mm=step, shifts=moved, hidden_top_mm=hidden_top_mm)
        best = int(np.argmax(found.max(axis=1)))
        shifts, found = moved[best : best + 1], found[best : best + 1]
    return _match(scene, place.pose, found[0], (float(shifts[0, 0]), float(shifts[0, 1])))


def _grid(u_mm: float, z_mm: float, step_mm: float) -> Floats:
    us, zs = (np.arange(-np.floor(half / step_mm), half / step_mm + 0.01) * step_mm for half in (u_mm, z_mm))
    return np.array([[u, z] for u in us for z in zs])


def _match(scene: Scene, pose: BlockPose, found: Samples, off_mm: tuple[float, float]) -> Match:
    assert scene.art is not None, "stock mode compares with taught pictures"
    faces = taught_faces(scene.art, scene.kit.acrobat, pose, FINE_MM)
    best = int(np.argmax(found))
    others = found[faces.alike[best] < ALIKE]
    piece, back, quarter = faces.names[best]
    return Match(float(found[best]), piece, back, quarter, float(others.max(initial=-1.0)), *off_mm)
