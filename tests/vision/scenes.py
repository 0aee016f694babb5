"""Pictures of tables drawn for tests: mat, blocks with badges, tiles, stones, light, lens and noise, truth known."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import BlockPose, Colour
from pi_app.kit.model import Kit
from pi_app.kit.table import Table, badge_id
from pi_app.vision.blocks import Place, Stand, acrobat_part, half_size
from pi_app.vision.camera import Camera, Floats, Pose, View, look_at
from pi_app.vision.light import TO_LINEAR
from pi_app.vision.pose import dictionary
from pi_app.vision.reading import PartKind, SeenPart

Image = NDArray[np.uint8]
Linear = NDArray[np.float32]

ART_PX_PER_MM = 4
MAT_PX_PER_MM = 4
WOOD = (222, 184, 135)
_LIGHT = np.linspace(0, 1, 4096)
_CURVE = (255 * np.where(_LIGHT <= 0.0031308, 12.92 * _LIGHT, 1.055 * _LIGHT ** (1 / 2.4) - 0.055)).astype(np.float32)


@dataclass(frozen=True)
class Lamp:
    """Linear tint B, G, R of the light, its fall-off across the picture, softness in px, noise in levels."""

    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: float = 0.0
    blur_px: float = 0.7
    noise: float = 2.0
    shadow: float = 0.45
    jpeg: int = 92
    direction: tuple[float, float, float] = (0.3, 0.25, 1.0)


@dataclass
class Scene:
    """What lies on the table."""

    table: Table
    kit: Kit
    view: View
    lamp: Lamp = field(default_factory=Lamp)
    cloth: tuple[int, int, int] = (60, 90, 60)
    parts: list[SeenPart] = field(default_factory=list)
    covers: list[tuple[Floats, tuple[int, int, int]]] = field(default_factory=list)
    seed: int = 0
    faces: dict[tuple[int, bool], Image] | None = None
    """Pictures of whole faces by (piece, back), portrait, head up, which the acrobats carry in place of badges."""

    def add_block(self, place: Place, stand: Stand, piece: int, facing: str = "front") -> SeenPart:
        """Lay an acrobat; facing "bare" turns it so that its narrow side looks at the camera."""
        part = acrobat_part(place, stand, self.kit, str(piece), facing)
        if facing == "bare":
            turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
            part = replace(part, rotation=turn @ part.rotation)
        self.parts.append(part)
        return part

    def add_tile(self, centre: Floats, turn_rad: float = 0.0, kind: PartKind = PartKind.TILE) -> SeenPart:
        """Lay a tile with its underside's middle at `centre`."""
        tile = self.kit.tile
        size = (tile.size_mm, tile.size_mm, tile.thickness_mm)
        if kind is PartKind.OVERVIEW:
            over = self.kit.overview
            size = (over.width_mm, over.height_mm, over.thickness_mm)
        c, s = np.cos(turn_rad), np.sin(turn_rad)
        rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        part = SeenPart(kind, np.asarray(centre) + np.array([0, 0, size[2] / 2]), rotation, size)
        self.parts.append(part)
        return part

    def add_stone(self, colour: Colour, x: float, y: float, z: float = 0.0) -> None:
        """Lay a stone with its foot at (x, y, z)."""
        d, h = self.kit.stone.diameter_mm, self.kit.stone.height_mm
        self.parts.append(SeenPart(PartKind.STONE, np.array([x, y, z + h / 2]), np.eye(3), (d, d, h), colour.value))

    def draw(self) -> Image:
        """Return the picture as a camera would deliver it: height x width x 3, uint8, BGR."""
        rng = np.random.default_rng(self.seed)
        flat = View(replace(self.view.camera, dist=(0.0,) * 5), self.view.pose)
        picture = _cloth(flat, self.cloth, rng)
        _paste(picture, _linear_mat(self.table), flat, _mat_corners(self.table), 1.0)
        _shadows(picture, flat, self.parts, self.lamp)
        for part in sorted(self.parts, key=lambda p: _drawn_order(p, flat)):
            _draw_part(picture, flat, part, self)
        for polygon, colour in self.covers:
            cv2.fillPoly(picture, [np.rint(polygon).astype(np.int32)], tuple(float(v) for v in _lin(colour)))
        return _developed(picture, self.view.camera, self.lamp, rng)


def simple_view(
    width: int = 1280,
    height: int = 720,
    eye: tuple[float, float, float] = (10.0, 430.0, 340.0),
    focal: float = 0.85,
    dist: tuple[float, ...] = (0.0,) * 5,
    target: tuple[float, float, float] = (0.0, 0.0, 20.0),
    roll_deg: float = 0.0,
) -> View:
    """Return a camera across the table from the active player; `focal` in picture widths."""
    camera = Camera(width, height, focal * width, focal * width, width / 2, height / 2, dist)
    return View(camera, look_at(eye, target, roll_deg))


@lru_cache(maxsize=2)
def mat_picture(table: Table) -> Image:
    """Return the mat as printed, seen from above with the active player at its foot."""
    k = MAT_PX_PER_MM
    rows, columns = round(table.mat.height * k), round(table.mat.width * k)
    picture = np.empty((rows, columns, 3), np.uint8)
    picture[:] = table.mat.paper_srgb[::-1]
    for group in table.markers.mat:
        for number, x, y in zip(group.ids, group.centre_x, group.centre_y, strict=True):
            half = group.side / 2 + table.markers.quiet_mm
            _fill(picture, table, (x - half, y - half, x + half, y + half), (245, 245, 245))
            mark = cv2.aruco.generateImageMarker(dictionary(table.markers.family), number, round(group.side * k))
            left, top = _pixel(table, x - group.side / 2, y + group.side / 2)
            picture[top : top + mark.shape[0], left : left + mark.shape[1]] = mark[..., None]
    patches = table.patches
    for x, colour in zip(patches.centre_x, patches.srgb, strict=True):
        half = patches.side / 2
        _fill(picture, table, (x - half, patches.centre_y - half, x + half, patches.centre_y + half), colour)
    for zone in (table.zones.build, table.zones.stones, table.zones.cards):
        cv2.rectangle(picture, _pixel(table, zone.x0, zone.y1), _pixel(table, zone.x1, zone.y0), (120, 110, 100), 2)
    return picture


@lru_cache(maxsize=2)
def _linear_mat(table: Table) -> Linear:
    return _linear(mat_picture(table))


def _pixel(table: Table, x: float, y: float) -> tuple[int, int]:
    return round((x + table.mat.width / 2) * MAT_PX_PER_MM), round((table.mat.height / 2 - y) * MAT_PX_PER_MM)


def _fill(picture: Image, table: Table, box: tuple[float, float, float, float], colour: tuple[int, int, int]) -> None:
    (left, top), (right, bottom) = _pixel(table, box[0], box[3]), _pixel(table, box[2], box[1])
    picture[max(0, top) : bottom, max(0, left) : right] = colour[::-1]


def _mat_corners(table: Table) -> Floats:
    x, y = table.mat.width / 2, table.mat.height / 2
    return np.array([[-x, y, 0.0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])


def _lin(colour: tuple[int, ...]) -> Floats:
    return np.array([float(TO_LINEAR[v]) for v in reversed(colour)])


def _linear(picture: Image) -> Linear:
    return np.asarray(cv2.LUT(picture, TO_LINEAR), np.float32)


def _cloth(view: View, colour: tuple[int, int, int], rng: np.random.Generator) -> Linear:
    rows, columns = view.camera.height, view.camera.width
    grain = cv2.GaussianBlur(rng.standard_normal((rows, columns), np.float32), (0, 0), 3.0, sigmaY=1.0)
    grain = 1 + 0.5 * grain
    return np.asarray(_lin(colour).astype(np.float32) * np.clip(grain, 0.4, 1.8)[..., None], np.float32)


def _paste(picture: Linear, texture: Linear, view: View, corners_mm: Floats, shade: float) -> None:
    """Draw a texture whose corners, from its top left clockwise, lie at these points."""
    rows, columns = texture.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - np.float32(0.5)
    target = view.project(corners_mm).astype(np.float32)
    left, top = np.clip(np.floor(target.min(axis=0)) - 1, 0, (picture.shape[1], picture.shape[0])).astype(int)
    right, bottom = np.clip(np.ceil(target.max(axis=0)) + 2, 0, (picture.shape[1], picture.shape[0])).astype(int)
    if right <= left or bottom <= top:
        return
    shape = cv2.getPerspectiveTransform(source, target - np.array([left, top], np.float32))
    size = (int(right - left), int(bottom - top))
    ratio = float(np.linalg.norm(target[0] - target[1])) / max(columns, 1)
    if ratio < 0.7:
        texture = np.asarray(cv2.GaussianBlur(texture, (0, 0), 0.35 / max(ratio, 0.1)), np.float32)
    drawn = cv2.warpPerspective(texture * np.float32(shade), shape, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.ones((rows, columns), np.float32), shape, size, flags=cv2.INTER_LINEAR)
    solid = mask > 0.5
    picture[top:bottom, left:right][solid] = drawn[solid] / mask[solid][:, None]


def _shadows(picture: Linear, view: View, parts: list[SeenPart], lamp: Lamp) -> None:
    mask = np.zeros(picture.shape[:2], np.float32)
    slope = np.array(lamp.direction[:2]) / lamp.direction[2]
    for part in parts:
        corners = part.corners_mm()
        ground = np.column_stack([corners[:, :2] - corners[:, 2:] * slope, np.zeros(8)])
        hull = cv2.convexHull(view.project(ground).astype(np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), (1.0,))
    picture *= (1 - lamp.shadow * cv2.GaussianBlur(mask, (0, 0), 2.5))[..., None]


def _drawn_order(part: SeenPart, view: View) -> tuple[float, float]:
    low = float(part.corners_mm()[:, 2].min())
    return round(low, 1), -float(np.linalg.norm(part.centre_mm - view.pose.eye))


def _draw_part(picture: Linear, view: View, part: SeenPart, scene: Scene) -> None:
    if part.kind is PartKind.STONE:
        _draw_stone(picture, view, part, scene)
    elif part.kind is PartKind.TILE and scene.kit.tile.shape == "round":
        _draw_round(picture, view, part)
    else:
        _draw_box(picture, view, part, scene)


def _draw_box(picture: Linear, view: View, part: SeenPart, scene: Scene) -> None:
    half = np.array(part.size_mm) / 2
    toward = np.array(scene.lamp.direction) / np.linalg.norm(scene.lamp.direction)
    faces = []
    for axis in range(3):
        for sign in (-1, 1):
            normal = part.rotation[:, axis] * sign
            middle = part.centre_mm + normal * half[axis]
            if (view.pose.eye - middle) @ normal > 0:
                faces.append((axis, sign, normal, middle))
    for axis, sign, normal, middle in sorted(faces, key=lambda f: -float(np.linalg.norm(f[3] - view.pose.eye))):
        right, up = _face_axes(part, axis, normal)
        size = [abs(part.rotation.T @ right) @ (2 * half), abs(part.rotation.T @ up) @ (2 * half)]
        corners = [
            middle + a * right * size[0] / 2 + b * up * size[1] / 2 for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
        shade = 0.55 + 0.4 * max(0.0, float(normal @ toward))
        texture = _face_texture(part, axis, sign, (float(size[0]), float(size[1])), scene)
        _paste(picture, texture, view, np.array(corners), shade)


def _face_axes(part: SeenPart, axis: int, normal: Floats) -> tuple[Floats, Floats]:
    """Return right and up of a face as one who looks at it sees them; up is the part's length, or its height."""
    up = part.rotation[:, 2 if axis != 2 else 1]
    return np.cross(up, normal), up


def _face_texture(part: SeenPart, axis: int, sign: int, size: tuple[float, float], scene: Scene) -> Linear:
    k = ART_PX_PER_MM
    columns, rows = max(2, round(size[0] * k)), max(2, round(size[1] * k))
    if part.kind is PartKind.ACROBAT:
        texture = _wood(columns, rows, crc32(f"{part.piece} {axis} {sign}".encode()) % 1000)
        if axis == 1 and scene.faces is not None:
            face = scene.faces[int(part.piece), part.facing == "back"]
            texture = np.asarray(cv2.resize(face, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
        elif axis == 1:
            _sticker(texture, part, sign, scene)
        return _linear(texture)
    texture = np.full((rows, columns, 3), (235, 240, 240), np.uint8)
    if axis == 2:
        cv2.rectangle(texture, (4, 4), (columns - 5, rows - 5), (70, 60, 200), 5)
    else:
        texture[:] = (150, 165, 175)
    return _linear(texture)


@lru_cache(maxsize=200)
def _wood_cached(columns: int, rows: int, seed: int) -> Image:
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (rows, columns)).astype(np.float32), (0, 0), 1.5, sigmaY=12)
    base = np.array(WOOD[::-1], np.float32) * rng.uniform(0.9, 1.05)
    return np.asarray(np.clip(base + 25 * grain[..., None], 0, 255), np.uint8)


def _wood(columns: int, rows: int, seed: int) -> Image:
    return np.array(_wood_cached(columns, rows, seed), np.uint8)


def _sticker(texture: Image, part: SeenPart, sign: int, scene: Scene) -> None:
    """Draw a picture of some figure and over it the badge."""
    k = ART_PX_PER_MM
    piece = int(part.piece)
    rows, columns = texture.shape[:2]
    rng = np.random.default_rng(piece * 2 + (sign > 0))
    edge = round(2.5 * k)
    texture[edge : rows - edge, edge : columns - edge] = rng.integers(60, 230, 3)
    for _ in range(6):
        centre = (int(rng.integers(edge, columns - edge)), int(rng.integers(edge, rows - edge)))
        cv2.circle(texture, centre, int(rng.integers(8, 22)), tuple(int(v) for v in rng.integers(20, 250, 3)), -1)
    number = badge_id(piece, back=part.facing == "back")
    side, quiet = round(scene.table.badges.side * k), round(scene.table.badges.quiet_mm * k)
    mark = cv2.aruco.generateImageMarker(dictionary(scene.table.markers.family), number, side)
    mark = cv2.copyMakeBorder(mark, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=(245,))
    if piece % 2:
        mark = cv2.rotate(mark, cv2.ROTATE_180)
    top, left = (rows - mark.shape[0]) // 2, (columns - mark.shape[1]) // 2
    texture[top : top + mark.shape[0], left : left + mark.shape[1]] = np.asarray(mark)[..., None]


def _draw_round(picture: Linear, view: View, part: SeenPart) -> None:
    turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    radius, half = part.size_mm[0] / 2, part.size_mm[2] / 2
    for z, scale, colour in (
        (-half, 1.0, (150, 130, 110)),
        (half, 1.0, (60, 140, 70)),
        (half, 0.86, (240, 238, 232)),
        (half, 0.4, (190, 60, 50)),
    ):
        points = np.column_stack([circle * radius * scale, np.full(64, z)]) + part.centre_mm
        polygon = np.rint(view.project(points) * 16).astype(np.int32)
        cv2.fillPoly(picture, [polygon], tuple(float(v) for v in _lin(colour) * 0.9), cv2.LINE_AA, 4)


def _draw_stone(picture: Linear, view: View, part: SeenPart, scene: Scene) -> None:
    colour = _lin(scene.kit.stone.colours.of(Colour(part.piece)))
    z = np.linspace(-1, 1, 15)
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    shell = np.array([[np.sqrt(1 - h * h) * np.cos(t), np.sqrt(1 - h * h) * np.sin(t), h] for h in z for t in turn])
    radii = np.array(part.size_mm) / 2
    for scale, shift, shade in ((1.0, 0.0, 0.55), (0.85, 0.08, 0.75), (0.6, 0.15, 0.95)):
        points = part.centre_mm + shell * radii * scale + (0, 0, shift * radii[2])
        hull = cv2.convexHull(view.project(points).astype(np.float32))
        cv2.fillConvexPoly(
            picture, np.rint(hull * 16).astype(np.int32), tuple(float(v) for v in colour * shade), cv2.LINE_AA, 4
        )
    gloss = view.project([part.centre_mm + radii * (0.2, 0.35, 0.75)])[0]
    size = max(
        1,
        round(
            0.12
            * float(
                np.linalg.norm(
                    view.project([part.centre_mm, part.centre_mm + np.array([radii[0], 0, 0])])[1]
                    - view.project([part.centre_mm])[0]
                )
                * 2
            )
        ),
    )
    cv2.circle(picture, (round(gloss[0]), round(gloss[1])), size, (0.95, 0.95, 0.95), -1, cv2.LINE_AA)


@lru_cache(maxsize=4)
def _lens(camera: Camera) -> tuple[Linear, Linear]:
    """Return where each pixel of the distorted picture is in the undistorted one."""
    rows, columns = np.mgrid[0 : camera.height, 0 : camera.width]
    pixels = np.stack([columns.ravel(), rows.ravel()], axis=1).astype(np.float64).reshape(-1, 1, 2)
    flat = cv2.undistortPoints(pixels, camera.matrix, camera.distortion, P=camera.matrix).reshape(
        camera.height, camera.width, 2
    )
    return flat[..., 0].astype(np.float32), flat[..., 1].astype(np.float32)


def _developed(picture: Linear, camera: Camera, lamp: Lamp, rng: np.random.Generator) -> Image:
    """Apply lens, light, softness, noise, the sRGB curve and JPEG."""
    if any(camera.dist):
        map_x, map_y = _lens(camera)
        picture = np.asarray(
            cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
        )
    across = np.linspace(1 + lamp.slope, 1 - lamp.slope, picture.shape[1], dtype=np.float32)[None, :, None]
    picture = picture * across * np.array(lamp.tint, np.float32)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), max(lamp.blur_px, 0.1)), np.float32)
    srgb = _CURVE[(np.clip(picture, 0, 1) * 4095 + 0.5).astype(np.uint16)]
    srgb = srgb + np.float32(lamp.noise) * rng.standard_normal(srgb.shape, np.float32)
    ok, data = cv2.imencode(".jpg", np.clip(srgb, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, lamp.jpeg])
    assert ok
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def pose_error_px(found: Pose, wanted: View, table: Table) -> float:
    """Return the largest distance in px by which a pose misplaces the mat's corners."""
    off = View(wanted.camera, found).project(_mat_corners(table)) - wanted.project(_mat_corners(table))
    return float(np.linalg.norm(off, axis=1).max())


STAND, LIE = BlockPose.STAND, BlockPose.LIE


def with_tower(built: Scene, order: str, second: str = "stand") -> Scene:
    """Pile up acrobats (a) and tiles (t) from the mat upwards; `second` says how later acrobats are laid."""
    z, count = 0.0, 0
    for what in order:
        if what == "t":
            built.add_tile(np.array([2.0, -20.0, z]), 0.2)
            z += built.kit.tile.thickness_mm
        else:
            pose = LIE if second == "lie" and count else STAND
            half = half_size(pose, built.kit.acrobat)[1]
            built.add_block(Place(pose, 0.0, z + half), Stand(1.5 * count, -20.0, 0.1 * count), count)
            z, count = z + 2 * half, count + 1
    return built
