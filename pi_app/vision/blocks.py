"""Acrobats by their badges: where the stickers are in the picture, and the places of blocks that carry them.

A structure's own frame: `u` to the active player's right along the structure, `n` towards the camera, z up. Faces stand
upright, so a badge is seen mirrored left to right: its right is -u.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from pi_app.core.names import BlockPose
from pi_app.kit.model import Acrobat, Kit
from pi_app.kit.table import BADGE_ID0, Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.pose import Image, dictionary, square_mm
from pi_app.vision.reading import PartKind, SeenPart

WANTED_BADGE_PX = 36.0
MAX_ENLARGE = 3.0
SHARPEN = 1.5
ZONE_MARGIN_MM = 15.0
MAX_SKEW = 0.16


@dataclass(frozen=True, eq=False)
class Badge:
    """One sticker in the picture: corners 4 x 2 in pixels from the bitmap's top left; `quarter` turns of 90 degrees
    clockwise, as the camera sees it, from head up; `tilt_deg` what is left of its roll."""

    piece: int
    back: bool
    corners_px: Floats
    quarter: int
    tilt_deg: float

    @property
    def centre_px(self) -> Floats:
        """Where the diagonals cross, 2."""
        a, b, c, d = self.corners_px
        cross = (c - a)[0] * (d - b)[1] - (c - a)[1] * (d - b)[0]
        along = ((b - a)[0] * (d - b)[1] - (b - a)[1] * (d - b)[0]) / cross
        return np.asarray(a + along * (c - a))

    @property
    def pose(self) -> BlockPose:
        """How the block that carries it is laid."""
        return BlockPose.LIE if self.quarter % 2 else BlockPose.STAND


@dataclass(frozen=True)
class Place:
    """A block in a structure's frame: `u_mm` and `z_mm` of its middle, `n_mm` of its middle towards the camera."""

    pose: BlockPose
    u_mm: float
    z_mm: float
    n_mm: float = 0.0


@dataclass(frozen=True)
class Stand:
    """Where a structure stands: its frame's origin on the mat, and its turn from the mat's +x, counter-clockwise."""

    x_mm: float
    y_mm: float
    turn_rad: float

    def to_mat(self, points: Floats) -> Floats:
        """Return points n x 3 of (u, n, z) in the mat frame."""
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        u, n, z = np.asarray(points, np.float64).reshape(-1, 3).T
        return np.column_stack([self.x_mm + c * u - s * n, self.y_mm + s * u + c * n, z])


def half_size(pose: BlockPose, acrobat: Acrobat) -> tuple[float, float]:
    """Return half the width and half the height of the face of a block laid so, as the camera sees it."""
    sizes = (acrobat.width_mm / 2, acrobat.length_mm / 2)
    return sizes if pose is BlockPose.STAND else sizes[::-1]


def badge_points(place: Place, quarter: int, kit: Kit, table: Table) -> Floats:
    """Return the corners 4 x 3 (u, n, z) of the badge on a block's face towards the camera, in the bitmap's order."""
    flat = np.roll(square_mm(table.badges.side), -quarter, axis=0)
    face = place.n_mm + kit.acrobat.thickness_mm / 2
    return np.column_stack([place.u_mm - flat[:, 0], np.full(4, face), place.z_mm + flat[:, 1]])


def on_face(stand: Stand, pixels: Floats, view: View, n_mm: float) -> Floats:
    """Return (u, z) in mm, n x 2, where lines of sight meet the upright plane `n_mm` in front of a structure's axis."""
    c, s = np.cos(stand.turn_rad), np.sin(stand.turn_rad)
    rays = view.rays(pixels)
    eye = view.pose.eye - (stand.x_mm, stand.y_mm, 0.0)
    towards, along = np.array([-s, c, 0.0]), np.array([c, s, 0.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = (n_mm - eye @ towards) / (rays @ towards)
    points = eye + rays * reach[:, None]
    return np.column_stack([points @ along, points[:, 2]])


def is_faced(stand: Stand, place: Place, badge: Badge, view: View, kit: Kit, table: Table) -> bool:
    """Whether a badge's face points where the structure's faces point: on their plane it is the square it should be."""
    corners = on_face(stand, badge.corners_px, view, place.n_mm + kit.acrobat.thickness_mm / 2)
    wanted = badge_points(Place(badge.pose, 0.0, 0.0), badge.quarter, kit, table)[:, (0, 2)]
    off = corners - corners.mean(axis=0) - wanted
    return bool(np.sqrt((off**2).sum(axis=1).mean()) < MAX_SKEW * table.badges.side)


def acrobat_part(
    place: Place, stand: Stand, kit: Kit, piece: str = "", facing: str = "", confidence: float = 1.0
) -> SeenPart:
    """Return a block of a structure as a part in the mat frame."""
    c, s = np.cos(stand.turn_rad), np.sin(stand.turn_rad)
    along, towards, up = np.array([c, s, 0.0]), np.array([-s, c, 0.0]), np.array([0.0, 0.0, 1.0])
    upright = place.pose is BlockPose.STAND
    axes = (along, towards, up) if upright else (up, -towards, along)
    centre = stand.to_mat(np.array([[place.u_mm, place.n_mm, place.z_mm]]))[0]
    size = (kit.acrobat.width_mm, kit.acrobat.thickness_mm, kit.acrobat.length_mm)
    return SeenPart(PartKind.ACROBAT, centre, np.column_stack(axes), size, piece, facing, confidence)


def find_badges(image: Image, view: View, table: Table, kit: Kit, wanted: int) -> list[Badge]:
    """Return the badges of acrobats that stand or lie upright over the build zone, each piece's side once.

    The part of the picture that shows the space over the build zone is enlarged so that a badge is about 36 px wide,
    and sharpened; where fewer than `wanted` are found, once more with more effort.
    """
    seen = _seen_badges(image, view, table, kit, WANTED_BADGE_PX, SHARPEN)
    if len(seen) < wanted:
        more = _seen_badges(image, view, table, kit, 1.4 * WANTED_BADGE_PX, 2.4 * SHARPEN)
        seen = {**more, **seen}
    badges = [_badge(index, corners, view, table) for index, corners in seen.items()]
    return [badge for badge in badges if badge is not None]


def _seen_badges(
    image: Image, view: View, table: Table, kit: Kit, wanted_px: float, sharpen: float
) -> dict[int, Floats]:
    """Return the badges' corners in pixels by number, without those that are seen twice."""
    left, top, right, bottom = build_window(image, view, table, kit)
    if right - left < 16 or bottom - top < 16:
        return {}
    scale = float(np.clip(wanted_px / _badge_px(view, table), 1.0, MAX_ENLARGE))
    part = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    if scale > 1.0:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    size = _badge_px(view, table) * scale
    part = cv2.addWeighted(part, 1 + sharpen, cv2.GaussianBlur(part, (0, 0), 1.3 * scale), -sharpen, 0)
    found, ids, _ = _badge_detector(table.markers.family, 4 * size / max(part.shape)).detectMarkers(part)
    numbers = [int(number) - BADGE_ID0 for number in ids.ravel()] if len(found) else []
    corners = [(np.asarray(c, np.float64).reshape(4, 2) + 0.5) / scale - 0.5 + (left, top) for c in found]
    known = range(2 * len(kit.acrobat.piece))
    return {i: c for i, c in zip(numbers, corners, strict=True) if i in known and numbers.count(i) == 1}


def _badge(index: int, corners: Floats, view: View, table: Table) -> Badge | None:
    """Return the badge, or `None` where it is not upright over the build zone (a block lying flat, or beside it)."""
    pose_mm = _rough_place(corners, view, table)
    if pose_mm is None or not over_zone(pose_mm[0][:2], table, ZONE_MARGIN_MM) or abs(pose_mm[1][2]) > 0.75:
        return None
    centre = pose_mm[0]
    up_px = view.project(np.stack([centre, centre + np.array([0.0, 0.0, 5.0])]))
    mark_up = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
    angle = np.degrees(_bearing(mark_up) - _bearing(up_px[1] - up_px[0]))
    quarter = round(angle / 90)
    return Badge(index // 2, bool(index % 2), corners, quarter % 4, float(angle - 90 * quarter))


def _rough_place(corners: Floats, view: View, table: Table) -> tuple[Floats, Floats] | None:
    """Return a badge's middle and its normal in the mat frame, from its four corners alone: good to a few per cent of
    its distance. Of the two mirrored solutions the one whose face is nearer to upright."""
    camera = view.camera
    try:
        count, rvecs, tvecs, _ = cv2.solvePnPGeneric(
            square_mm(table.badges.side), corners, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE_SQUARE
        )
    except cv2.error:
        return None
    options = []
    for rvec, tvec in zip(rvecs[:count], tvecs[:count], strict=True):
        rotation = view.pose.rotation.T @ cv2.Rodrigues(rvec)[0]
        centre = view.pose.rotation.T @ (np.asarray(tvec).reshape(3) - view.pose.translation)
        options.append((np.asarray(centre, np.float64), np.asarray(rotation[:, 2], np.float64)))
    sound = [option for option in options if np.isfinite(option[0]).all()]
    return min(sound, key=lambda option: abs(option[1][2]), default=None)


def over_zone(xy_mm: Floats, table: Table, margin_mm: float = 0.0) -> bool:
    """Whether a place on the mat lies in the build zone, give or take a margin."""
    zone = table.zones.build
    inside_x = zone.x0 - margin_mm <= xy_mm[0] <= zone.x1 + margin_mm
    return bool(inside_x and zone.y0 - margin_mm <= xy_mm[1] <= zone.y1 + margin_mm)


def _bearing(direction: Floats) -> float:
    return float(np.arctan2(direction[0], -direction[1]))


def _badge_px(view: View, table: Table) -> float:
    """Return how many pixels wide a badge in the middle of the build zone is."""
    zone = table.zones.build
    x, y, half = (zone.x0 + zone.x1) / 2, (zone.y0 + zone.y1) / 2, table.badges.side / 2
    ends = view.project([[x - half, y, 30.0], [x + half, y, 30.0]])
    return float(np.linalg.norm(ends[1] - ends[0])) or 1.0


def build_window(image: Image, view: View, table: Table, kit: Kit, lengths: float = 3.2) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom in pixels of the space over the build zone, some acrobats high."""
    zone, height = table.zones.build, lengths * kit.acrobat.length_mm
    corners = [[x, y, z] for x in (zone.x0, zone.x1) for y in (zone.y0, zone.y1) for z in (0.0, height)]
    pixels = view.project(corners)
    rows, columns = image.shape[:2]
    low = np.clip(pixels.min(axis=0) - 4, 0, (columns, rows)).astype(int)
    high = np.clip(pixels.max(axis=0) + 5, 0, (columns, rows)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _badge_detector(family: str, perimeter: float) -> cv2.aruco.ArucoDetector:
    """Return a detector for small soft markers whose perimeter is about this share of the picture's longer side."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 3
    settings.adaptiveThreshWinSizeMin = 7
    settings.adaptiveThreshWinSizeMax = 31
    settings.adaptiveThreshWinSizeStep = 12
    settings.minMarkerPerimeterRate = 0.45 * perimeter
    settings.maxMarkerPerimeterRate = 2.5 * perimeter
    settings.perspectiveRemovePixelPerCell = 6
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.25
    settings.errorCorrectionRate = 1.0
    settings.maxErroneousBitsInBorderRate = 0.45
    return cv2.aruco.ArucoDetector(dictionary(family), settings)
