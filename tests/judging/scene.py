"""A painted build zone for tests: two blocks, one on the other, a hand, shadows and light, seen by a known camera."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import pi_app.kit.table
from pi_app.core.names import Mode, Task
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.worker import Found, Job, Question
from pi_app.kit.load import load_table
from pi_app.kit.model import Kit
from pi_app.vision.camera import Camera, View, look_at
from pi_app.vision.pose import PoseReading
from pi_app.vision.reading import PartKind, SeenPart, StructureReading

Picture = NDArray[np.uint8]

KIT = Kit.model_validate(
    {
        "acrobat": {
            "length_mm": 46.0,
            "width_mm": 24.0,
            "thickness_mm": 12.0,
            "piece": [{"id": 0, "front": "front.png", "back": "back.png"}],
        },
        "tile": {"shape": "round", "size_mm": 40, "thickness_mm": 2, "piece": [{"id": "sun", "art": "sun.png"}]},
        "overview": {"width_mm": 80, "height_mm": 80, "thickness_mm": 2, "art": "overview.png"},
        "stone": {
            "shape": "nugget",
            "diameter_mm": 14,
            "height_mm": 9,
            "finish": "gloss",
            "colours": {"yellow": [240, 200, 40], "red": [200, 30, 40], "blue": [30, 60, 180]},
        },
        "card": [{"id": "tower", "task": "tower", "art": "tower.png", "count": 80}],
    }
)
TABLE = load_table(Path(pi_app.kit.table.__file__).with_name("table.toml"))
CAMERA = Camera(1280, 720, 1030.0, 1030.0, 639.5, 359.5)
VIEW = View(CAMERA, look_at((0.0, 520.0, 300.0), (0.0, -20.0, 60.0)))
SIZE_MM = (24.0, 12.0, 46.0)
QUESTION = Question(Task.ACROBATS, None, Mode.BADGE)
SECOND = 1_000_000_000
SKIN = (95.0, 120.0, 175.0)
"""BGR of the hand's lightest stripe; the sleeve is darker."""


@dataclass(frozen=True)
class Moment:
    """What one picture shows; millimetres in the mat frame.

    `top` shifts the upper block from its place (None: it is not there); `hand` is where the fingertips are; `shade` the
    middle of a shadow's band, `gain` the light, `band_row` the first row of a dark band, `bump_px` the camera's shift.
    """

    top: tuple[float, float, float] | None = (0.0, 0.0, 0.0)
    hand: tuple[float, float, float] | None = None
    skin: tuple[float, float, float] = SKIN
    shade: float | None = None
    gain: float = 1.0
    band_row: int | None = None
    bump_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 2.0


@dataclass(frozen=True)
class Scene:
    """A script of moments by time in seconds, and the blocks' pictures."""

    script: Callable[[float], Moment]
    duration_s: float = 4.0
    fps: float = 30.0
    start_ns: int = 5 * SECOND
    skip: frozenset[int] = frozenset()
    frozen: range = field(default_factory=lambda: range(0))

    def frames(self) -> Iterator[Frame]:
        """Yield the frames; those in `frozen` repeat the picture and time before them, those in `skip` are dropped."""
        last: Frame | None = None
        for number in range(round(self.duration_s * self.fps)):
            if number in self.skip:
                continue
            if number in self.frozen and last is not None:
                yield replace(last, number=number)
                continue
            at_s = number / self.fps
            last = Frame(number, self.start_ns + round(at_s * 1e9), paint(self.script(at_s), number))
            yield last


def block(place_mm: tuple[float, float, float]) -> SeenPart:
    """Return a standing block whose foot is at a place."""
    centre = np.add(place_mm, (0, 0, SIZE_MM[2] / 2))
    return SeenPart(PartKind.ACROBAT, centre, np.eye(3), SIZE_MM, "0", "front")


PARTS = (block((0.0, 0.0, 0.0)), block((0.0, 0.0, SIZE_MM[2])))


def paint(moment: Moment, seed: int = 0) -> Picture:
    """Return the picture of a moment, BGR 1280 x 720."""
    image = _background().copy()
    _paint_block(image, PARTS[0], (60, 60, 190))
    if moment.top is not None:
        shifted = replace(PARTS[1], centre_mm=PARTS[1].centre_mm + moment.top)
        _paint_block(image, shifted, (180, 90, 40))
    if moment.shade is not None:
        left, right = (VIEW.project([(moment.shade + side, 0, 0)])[0, 0] for side in (-40, 40))
        image[:, max(0, round(min(left, right))) : max(0, round(max(left, right)))] //= 2
    if moment.hand is not None:
        _paint_hand(image, moment.hand, np.array(moment.skin))
    return _sense(image, moment, seed)


def _sense(image: Picture, moment: Moment, seed: int) -> Picture:
    seen = cv2.convertScaleAbs(image, alpha=moment.gain) if moment.gain != 1.0 else image
    if moment.band_row is not None:
        rows = (np.arange(len(seen)) - moment.band_row) % len(seen) < 180
        seen = seen.copy()
        seen[rows] = cv2.convertScaleAbs(seen[rows], alpha=0.85)
    if moment.bump_px != (0.0, 0.0):
        shift = np.array([[1, 0, moment.bump_px[0]], [0, 1, moment.bump_px[1]]], np.float64)
        seen = cv2.warpAffine(seen, shift, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    down, right = 37 * seed % 80, 23 * seed % 80
    grain = _grain(moment.noise)[down : down + 720, right : right + 1280]
    return np.asarray(cv2.add(seen, grain, dtype=cv2.CV_8U), np.uint8)


@cache
def _grain(noise: float) -> NDArray[np.int16]:
    grain = np.round(np.random.default_rng(1).normal(0, noise, (800, 1360, 1))).astype(np.int16)
    return np.repeat(grain, 3, axis=2)


@cache
def _background() -> Picture:
    random = np.random.default_rng(7)
    grain = cv2.resize(random.normal(0, 30, (90, 160, 1)).astype(np.float32), (1280, 720))
    tinted = np.array([105, 95, 90], np.float32) + grain[..., None]
    image: Picture = np.clip(tinted, 0, 255).astype(np.uint8)
    corners = [(-210, -148, 0), (210, -148, 0), (210, 148, 0), (-210, 148, 0)]
    cv2.fillConvexPoly(image, np.round(VIEW.project(corners)).astype(np.int32), (222, 228, 232))
    for x, y in [(x, y) for x in (-190, -95, 0, 95, 190) for y in (-129, 0, 129)]:
        for i, j in np.argwhere(random.integers(0, 2, (4, 4))):
            square = [(x + 5 * i + a, y + 5 * j + b, 0) for a, b in ((0, 0), (5, 0), (5, 5), (0, 5))]
            cv2.fillConvexPoly(image, np.round(VIEW.project(square)).astype(np.int32), (25, 25, 25))
    return image


def _paint_block(image: Picture, part: SeenPart, colour: tuple[int, int, int]) -> None:
    width, depth, height = (size / 2 for size in part.size_mm)
    front = [(-width, depth, -height), (width, depth, -height), (width, depth, height), (-width, depth, height)]
    top = [(-width, -depth, height), (width, -depth, height), (width, depth, height), (-width, depth, height)]
    _fill(image, part, top, (150, 190, 220))
    _fill(image, part, front, (120, 165, 200))
    inner = [(0.75 * x, y, 0.8 * z) for x, y, z in front]
    _fill(image, part, inner, colour)
    for x in (-6.0, 0.0, 6.0):
        for z in (-10.0, 0.0, 10.0):
            if (x + z) % 4:
                mark = [(x + a, depth, z + b) for a, b in ((-2.5, -3), (2.5, -3), (2.5, 3), (-2.5, 3))]
                _fill(image, part, mark, (240, 240, 240) if x else (15, 15, 15))


def _fill(
    image: Picture, part: SeenPart, points: list[tuple[float, float, float]], colour: tuple[int, int, int]
) -> None:
    places = part.centre_mm + np.array(points) @ part.rotation.T
    cv2.fillConvexPoly(image, np.round(VIEW.project(places) * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def _paint_hand(image: Picture, tips: tuple[float, float, float], skin: NDArray[np.float64]) -> None:
    x, y, z = tips
    for finger in (-14.0, -5.0, 5.0, 14.0):
        low, high = VIEW.project([(x + finger, y, z), (x + 1.4 * finger, y - 60, z + 130)])
        for thick, light in ((17, 0.55), (12, 0.75), (6, 1.0)):
            colour = tuple((light * skin).tolist())
            cv2.line(image, _pixel(low), _pixel(high), colour, thick, cv2.LINE_AA)
    wrist, elbow = VIEW.project([(x, y - 60, z + 130), (x, y - 300, z + 500)])
    cv2.line(image, _pixel(wrist), _pixel(elbow), tuple((0.78 * skin).tolist()), 70, cv2.LINE_AA)


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def reader(right: Callable[[float], bool], start_ns: int = 5 * SECOND) -> Callable[[Job], Found]:
    """Return a recogniser that knows the camera's place and, by time in seconds, whether the structure is right."""

    def read(job: Job) -> Found:
        pose = PoseReading(VIEW.pose, (0, 1, 2, 3), 0.3)
        if job.question is None:
            return Found(job, pose, VIEW)
        if right((job.frame.sensor_ns - start_ns) / 1e9):
            return Found(job, pose, VIEW, StructureReading(Outcome.PASS, (Reason.OK,), 0.9, PARTS))
        return Found(job, pose, VIEW, StructureReading(Outcome.FAIL, (Reason.MISSING_PIECE,), 0.9, PARTS[:1]))

    return read
