"""Where the mat lies in front of the camera, from the mat's printed markers."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, Floats, Pose

Image = NDArray[np.uint8]
Corners = dict[int, Floats]

MIN_MARKERS = 3
ENOUGH_MARKERS = 6
MAX_RMS_PX = 2.5
OUTLIER_PX = 4.0
CORNER_SIGMA_PX = 0.6
MAX_SPREAD_PX = 2.5
MOVED_PX = 3.0
FLATTEST = 0.08
SHARPEN = 1.5


@dataclass(frozen=True, eq=False)
class PoseReading:
    """Pose of the mat, or `None` and the reason (no_mat, mat_hidden).

    `ids` are the mat's markers the fit rests on, `rms_px` its residual (0 without a pose), `age_ns` how long ago the
    pose was solved: 0 when it comes from this very picture.
    """

    pose: Pose | None
    ids: tuple[int, ...]
    rms_px: float
    reason: Reason | None = None
    age_ns: int = 0


def find_pose(image: Image, camera: Camera, table: Table) -> PoseReading:
    """Return the camera's pose from the mat's markers in one BGR picture, or why there is none.

    Needs three markers that agree and that fix the whole mat to 2.5 px; one that contradicts the others is left out.
    """
    if not _fits(image, camera):
        return PoseReading(None, (), 0.0, Reason.NO_MAT)
    return _best_effort(image, find_corners(image, table), camera, table)


def _best_effort(image: Image, found: tuple[Corners, Corners], camera: Camera, table: Table) -> PoseReading:
    """Return the pose from these corners, or with more effort from the picture where they are few."""
    reading = solve(found, camera, table)
    if reading.pose is not None and len(reading.ids) >= ENOUGH_MARKERS:
        return reading
    again = solve(find_soft_corners(image, table), camera, table)
    better = again.pose is not None and (reading.pose is None or len(again.ids) > len(reading.ids))
    return again if better else reading


def find_corners(image: Image, table: Table) -> tuple[Corners, Corners]:
    """Return the mat's markers twice, as detected and refined to sub-pixels: corners 4 x 2 in pixels by id."""
    return _corners(detector(table.markers.family), _grey(image), table)


def find_soft_corners(image: Image, table: Table) -> tuple[Corners, Corners]:
    """Return the same with more effort, for small or soft pictures: sharpened, bits read from the cells' middles."""
    grey = _grey(image)
    blurred = cv2.GaussianBlur(grey, (0, 0), 1.5)
    sharp = cv2.addWeighted(grey, 1 + SHARPEN, blurred, -SHARPEN, 0)
    return _corners(_soft_detector(table.markers.family), np.asarray(sharp, np.uint8), table)


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _corners(finder: cv2.aruco.ArucoDetector, grey: Image, table: Table) -> tuple[Corners, Corners]:
    found, ids, _ = finder.detectMarkers(grey)
    if not len(found):
        return {}, {}
    wanted = mat_corners(table)
    seen = [(int(i), np.asarray(c, np.float64).reshape(4, 2)) for i, c in zip(ids.ravel(), found, strict=True)]
    numbers = [i for i, _ in seen]
    plain = {i: c for i, c in seen if i in wanted and numbers.count(i) == 1}
    return plain, {i: _refined(grey, c) for i, c in plain.items()}


@lru_cache(maxsize=4)
def detector(family: str) -> cv2.aruco.ArucoDetector:
    """Return the detector of a dictionary by OpenCV's name, with OpenCV's own parameters."""
    return cv2.aruco.ArucoDetector(dictionary(family))


@lru_cache(maxsize=4)
def _soft_detector(family: str) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.perspectiveRemovePixelPerCell = 6
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.25
    settings.errorCorrectionRate = 0.9
    return cv2.aruco.ArucoDetector(dictionary(family), settings)


@lru_cache(maxsize=4)
def dictionary(family: str) -> cv2.aruco.Dictionary:
    """Return the marker dictionary of OpenCV's name."""
    return cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, family)))


@lru_cache(maxsize=4)
def mat_corners(table: Table) -> Corners:
    """Return the mat's markers by id: corners 4 x 3 in mm, in OpenCV's order from the bitmap's top left."""
    corners: Corners = {}
    for group in table.markers.mat:
        for number, x, y in zip(group.ids, group.centre_x, group.centre_y, strict=True):
            corners[number] = np.array([x, y, 0.0]) + square_mm(group.side)
    return corners


def square_mm(side: float) -> Floats:
    """Return a square's corners 4 x 3 in its own plane, clockwise from the top left as OpenCV orders a marker's."""
    half = side / 2
    return np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]], np.float64)


def solve(found: tuple[Corners, Corners], camera: Camera, table: Table) -> PoseReading:
    """Return the pose of the better-fitting set of corners."""
    if not found[0]:
        return PoseReading(None, (), 0.0, Reason.NO_MAT)
    readings = [_solve_set(corners, camera, table) for corners in found]
    solved = [reading for reading in readings if reading.pose is not None]
    if not solved:
        return readings[0]
    most = max(len(reading.ids) for reading in solved)
    return min((r for r in solved if len(r.ids) >= most - 1), key=lambda r: r.rms_px)


def residuals_px(pose: Pose, corners: Corners, camera: Camera, table: Table) -> dict[int, float]:
    """Return each marker's root mean square distance in pixels from where the pose puts it."""
    model = mat_corners(table)
    return {i: _distance(_project(pose, model[i], camera), c) for i, c in corners.items() if i in model}


def _solve_set(corners: Corners, camera: Camera, table: Table) -> PoseReading:
    hidden = PoseReading(None, tuple(sorted(corners)), 0.0, Reason.MAT_HIDDEN)
    if len(corners) < MIN_MARKERS:
        return hidden
    pose = _consensus(corners, camera, table)
    if pose is None:
        return hidden
    inliers: Corners = {}
    for reach in (2 * OUTLIER_PX, OUTLIER_PX):
        errors = residuals_px(pose, corners, camera, table)
        inliers = {i: corners[i] for i, error in errors.items() if error <= reach}
        pose = _fit(inliers, camera, table)
        if pose is None:
            return hidden
    if len(inliers) < MIN_MARKERS or pose.rms_px > MAX_RMS_PX or not _is_firm(pose, inliers, camera, table):
        return hidden
    return PoseReading(pose, tuple(sorted(inliers)), pose.rms_px)


def _consensus(corners: Corners, camera: Camera, table: Table) -> Pose | None:
    """Return the pose most markers agree with; `None` where fewer than three, or fewer than half, do."""
    pose = _fit(corners, camera, table)
    if pose is not None and max(residuals_px(pose, corners, camera, table).values()) <= OUTLIER_PX / 2:
        return pose
    best: tuple[int, float, Pose | None] = (0, 0.0, None)
    for pair in combinations(sorted(corners), 2):
        trial = _fit({i: corners[i] for i in pair}, camera, table)
        if trial is None:
            continue
        errors = [e for e in residuals_px(trial, corners, camera, table).values() if e <= 2 * OUTLIER_PX]
        if (len(errors), -sum(errors)) > best[:2]:
            best = (len(errors), -sum(errors), trial)
    needed = max(MIN_MARKERS, math.ceil((len(corners) + 1) / 2))
    return best[2] if best[0] >= needed else None


def _fit(corners: Corners, camera: Camera, table: Table) -> Pose | None:
    """Return the least-squares pose of these markers; `None` where there is no sound one."""
    if len(corners) < 2:
        return None
    model = mat_corners(table)
    points = np.concatenate([model[i] for i in corners])
    pixels = np.concatenate(list(corners.values()))
    try:
        count, rvecs, tvecs, _ = cv2.solvePnPGeneric(
            points, pixels, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE
        )
        refined = [
            cv2.solvePnPRefineLM(points, pixels, camera.matrix, camera.distortion, r, t)
            for r, t in zip(rvecs[:count], tvecs[:count], strict=True)
        ]
    except cv2.error:
        return None
    poses = [_pose(np.asarray(r, np.float64), np.asarray(t, np.float64), points, pixels, camera) for r, t in refined]
    return min((pose for pose in poses if _is_sound(pose)), key=lambda pose: pose.rms_px, default=None)


def _pose(rvec: Floats, tvec: Floats, points: Floats, pixels: Floats, camera: Camera) -> Pose:
    pose = Pose(np.asarray(cv2.Rodrigues(rvec)[0], np.float64), np.asarray(tvec, np.float64).reshape(3))
    return Pose(pose.rotation, pose.translation, _distance(_project(pose, points, camera), pixels))


def _is_sound(pose: Pose) -> bool:
    """Finite, with the mat in front of the camera, its printed side up and not seen from its edge."""
    finite = bool(np.isfinite(pose.rotation).all() and np.isfinite(pose.translation).all() and np.isfinite(pose.rms_px))
    return finite and bool(pose.translation[2] > 0) and bool(pose.eye[2] > FLATTEST * np.linalg.norm(pose.eye))


def _is_firm(pose: Pose, corners: Corners, camera: Camera, table: Table) -> bool:
    """Whether the corners' own inaccuracy moves no corner of the mat by more than MAX_SPREAD_PX (one sigma)."""
    model = mat_corners(table)
    points = np.concatenate([model[i] for i in corners])
    half_x, half_y = table.mat.width / 2, table.mat.height / 2
    edges = np.array([[x, y, 0.0] for x in (-half_x, half_x) for y in (-half_y, half_y)])
    normal = _jacobian(pose, points, camera)
    spread = _jacobian(pose, edges, camera)
    try:
        covariance = np.linalg.inv(normal.T @ normal) * CORNER_SIGMA_PX**2
    except np.linalg.LinAlgError:
        return False
    variance = np.einsum("ij,jk,ik->i", spread, covariance, spread)
    return bool(np.isfinite(variance).all() and variance.max() <= MAX_SPREAD_PX**2)


def _jacobian(pose: Pose, points: Floats, camera: Camera) -> Floats:
    _, jacobian = cv2.projectPoints(points, pose.rvec, pose.translation, camera.matrix, camera.distortion)
    return np.asarray(jacobian[:, :6], np.float64)


def _project(pose: Pose, points: Floats, camera: Camera) -> Floats:
    pixels, _ = cv2.projectPoints(points, pose.rvec, pose.translation, camera.matrix, camera.distortion)
    return np.asarray(pixels, np.float64).reshape(-1, 2)


def _distance(a: Floats, b: Floats) -> float:
    return float(np.sqrt(((a - b) ** 2).sum(axis=1).mean()))


def _refined(grey: Image, corners: Floats) -> Floats:
    """Return corners moved onto the picture's own corners, within a tenth of the marker's side."""
    side = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))
    reach = max(2, round(side / 10))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    points = corners.astype(np.float32).reshape(-1, 1, 2)
    moved = cv2.cornerSubPix(grey, points, (reach, reach), (-1, -1), stop).reshape(4, 2).astype(np.float64)
    lost = np.linalg.norm(moved - corners, axis=1) > reach
    return np.where(lost[:, None], corners, moved)


def _fits(image: Image, camera: Camera) -> bool:
    return image.ndim == 3 and image.dtype == np.uint8 and image.shape[:2] == (camera.height, camera.width)


class PoseKeeper:
    """Keeps the pose over the pictures of one camera: while markers are hidden the last good one, marked with its age.

    When the visible markers disagree with the kept pose, the camera or the mat has moved: it is solved again, and where
    it cannot be, there is no pose until it can or until markers agree with the kept one.
    """

    def __init__(self, camera: Camera, table: Table) -> None:
        self._camera = camera
        self._table = table
        self._kept: PoseReading | None = None
        self._solved_ns = 0
        self._doubted = False

    @property
    def kept(self) -> PoseReading | None:
        """The last pose that was solved."""
        return self._kept

    def see(self, image: Image, at_ns: int) -> PoseReading:
        """Return the pose for the picture taken at `at_ns`."""
        if not _fits(image, self._camera):
            return PoseReading(None, (), 0.0, Reason.NO_MAT)
        found = find_corners(image, self._table)
        old = self._old(found, at_ns)
        if old is not None and len(found[0]) < len(old[0]):
            return old[1]
        if old is None:
            reading = _best_effort(image, found, self._camera, self._table)
        else:
            reading = solve(found, self._camera, self._table)
        if reading.pose is not None:
            self._kept, self._solved_ns, self._doubted = reading, at_ns, False
        elif old is not None:
            return old[1]
        return reading

    def forget(self) -> None:
        """Drop the kept pose: the camera is known to have been moved."""
        self._kept = None

    def _old(self, found: tuple[Corners, Corners], at_ns: int) -> tuple[tuple[int, ...], PoseReading] | None:
        """Return the kept pose and the markers it rests on, where what is visible does not speak against it."""
        kept = self._kept
        if kept is None or kept.pose is None:
            return None
        if found[0]:
            sets = [residuals_px(kept.pose, corners, self._camera, self._table) for corners in found]
            self._doubted = min(float(np.median(list(errors.values()))) for errors in sets) > MOVED_PX
        if self._doubted:
            return None
        age_ns = max(0, at_ns - self._solved_ns)
        return kept.ids, PoseReading(kept.pose, tuple(sorted(found[0])), kept.rms_px, None, age_ns)
