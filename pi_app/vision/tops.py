"""Stones laid on top of blocks: is there one where it has to be?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Colour
from pi_app.kit.model import Kit, Stone
from pi_app.vision.blocks import Place, Stand
from pi_app.vision.camera import Floats, View
from pi_app.vision.light import TO_LINEAR, opponent, srgb_linear, to_lab
from pi_app.vision.reading import PartKind, SeenPart
from pi_app.vision.scene import Scene, chroma

GLOSS = 0.85
SEEN_SHARE = 0.5
GONE_SHARE = 0.3
SEEN_OUTLINE = 0.6
GONE_OUTLINE = 0.3
BARE_SHARE = 0.6
COVERED_SHARE = 0.75
WOOD_TINT = 0.3
EDGE_DELTA = 8.0
UPPER_ARC = np.deg2rad(np.linspace(-10.0, 190.0, 16))
MAX_HUE_DEG = 26.0
MIN_VIVID = 0.55
FLOOR_VIVID = 0.55


@dataclass(frozen=True, eq=False)
class TopLook:
    """The stone best seen on a block.

    Its colour, what share of its visible surface has it, along what share of its free outline the picture changes, and
    on what share of the block's top, where a stone would hide it, wood is seen.
    """

    colour: Colour
    share: float
    outline: float
    centre: Floats

    bare: float

    @property
    def seen(self) -> bool | None:
        """Whether a stone lies there; `None` where it cannot be told."""
        if self.share >= SEEN_SHARE and self.outline >= SEEN_OUTLINE and self.bare < COVERED_SHARE:
            return True
        gone = self.share < GONE_SHARE or self.outline < GONE_OUTLINE
        return False if gone and self.bare >= BARE_SHARE else None


def wood_of(scene: Scene, stand: Stand, places: list[Place]) -> Floats:
    """Return the wood's linear B, G, R relative to the paper: the median of the ends of upright blocks' tops."""
    half_u, half_n = scene.kit.acrobat.width_mm * 0.43, scene.kit.acrobat.thickness_mm * 0.25
    spots = np.array([[p.u_mm, p.n_mm, 2 * p.z_mm] for p in places])
    ends = np.array([[a * half_u, b * half_n, 0.0] for a in (-1, -0.93, 0.93, 1) for b in (-1, 0, 1)])
    return np.asarray(np.median(_levels(scene, stand, spots, ends) / scene.paper, axis=0))


def look_on_top(scene: Scene, stand: Stand, place: Place, wood: Floats) -> TopLook:
    """Return the stone best seen on top of an upright block, its middle within half a block of the block's."""
    kit = scene.kit
    spots = _spots(scene, place.u_mm, place.n_mm, 2 * place.z_mm)
    toward = _toward(scene, stand, spots.mean(axis=0))
    normals = _shell() / _radii(kit.stone)
    outward = (normals @ toward) / np.linalg.norm(normals, axis=1)
    surface = _shell()[outward > 0.2] * _radii(kit.stone)
    shares = _shares(scene, stand, spots, surface, wood)
    outline = _outline(scene, stand, spots, toward)
    best = np.unravel_index(int(np.argmax(shares + 0.5 * outline[:, None])), shares.shape)
    centre = stand.to_mat(spots[best[0]])[0]
    bare = _bare_share(scene, stand, place, wood)
    return TopLook(tuple(Colour)[best[1]], float(shares[best]), float(outline[best[0]]), centre, bare)


def _bare_share(scene: Scene, stand: Stand, place: Place, wood: Floats) -> float:
    """Return on what share of the middle of a block's top its wood is seen."""
    reach_u, reach_n = scene.kit.acrobat.width_mm * 0.2, scene.kit.acrobat.thickness_mm * 0.3
    steps = np.linspace(-1, 1, 5)
    spots = np.array(
        [[place.u_mm + a * reach_u, place.n_mm + b * reach_n, 2 * place.z_mm] for a in steps for b in steps]
    )
    seen = _levels(scene, stand, spots, np.zeros((1, 3))) / scene.paper
    level = seen.mean(axis=1) / max(float(wood.mean()), 1e-3)
    like = np.linalg.norm(_tint(seen) - _tint(wood), axis=1) < WOOD_TINT
    return float((like & (level > 0.4) & (level < 1.7)).mean())


def _spots(scene: Scene, u_mm: float, n_mm: float, z_mm: float) -> Floats:
    """Return where the middle of a stone on a block's top may be, n x 3 (u, n, z)."""
    half_u, half_n = scene.kit.acrobat.width_mm * 0.4, scene.kit.acrobat.thickness_mm * 0.4
    us, ns = np.meshgrid(u_mm + np.linspace(-half_u, half_u, 9), n_mm + np.linspace(-half_n, half_n, 5))
    return np.column_stack([us.ravel(), ns.ravel(), np.full(us.size, z_mm + scene.kit.stone.height_mm / 2)])


def _outline(scene: Scene, stand: Stand, spots: Floats, toward: Floats) -> Floats:
    """Return for each spot along what share of the outline's upper part the picture changes from inside to outside."""
    inside, outside = (
        np.mean(
            [_colours(scene, stand, spots, _facing(toward, scene.kit.stone, step, UPPER_ARC)) for step in steps], axis=0
        )
        for steps in ((-2.0, -1.2), (1.2, 2.0))
    )
    return np.asarray((np.linalg.norm(inside - outside, axis=2) > EDGE_DELTA).mean(axis=1))


def stone_part(look: TopLook, kit: Kit) -> SeenPart:
    """Return the stone as a part in the mat frame."""
    size = (kit.stone.diameter_mm, kit.stone.diameter_mm, kit.stone.height_mm)
    return SeenPart(PartKind.STONE, look.centre, np.eye(3), size, look.colour.value, "", min(1.0, look.share))


def classes(levels: Floats, paper: Floats, stone: Stone, least_vivid: float = MIN_VIVID) -> NDArray[np.bool_]:
    """Return which of the stone colours each pixel has, n x 3 true or false; `levels` are linear B, G, R, n x 3.

    A pixel has the nearest hue, if it is near at all and has `least_vivid` of that colour's own saturation.
    """
    hue, vivid = chroma(levels / np.maximum(paper, 1e-4))
    wanted_hue, wanted_vivid = chroma(np.array([srgb_linear(stone.colours.of(colour)) for colour in Colour]))
    off = np.abs((hue[:, None] - wanted_hue + np.pi) % (2 * np.pi) - np.pi)
    near = (off == off.min(axis=1, keepdims=True)) & (off < np.deg2rad(MAX_HUE_DEG))
    return np.asarray(near & (vivid[:, None] > np.maximum(least_vivid * wanted_vivid, FLOOR_VIVID)))


def _shares(scene: Scene, stand: Stand, spots: Floats, points: Floats, wood: Floats) -> Floats:
    """Return for each spot the share of points around it that have each of the stone colours rather than the wood's."""
    relative = _levels(scene, stand, spots, points) / scene.paper
    found = classes(relative, np.ones(3), scene.kit.stone) & _is_not_wood(relative, wood, scene.kit.stone)
    return np.asarray(found.reshape(len(spots), len(points), 3).mean(axis=1))


def _is_not_wood(relative: Floats, wood: Floats, stone: Stone) -> NDArray[np.bool_]:
    """Return for each pixel and stone colour whether its chroma is nearer to the stone's than to the wood's."""
    pixels, bare = _tint(relative)[:, None], _tint(wood)
    stones = GLOSS * _tint(np.array([srgb_linear(stone.colours.of(colour)) for colour in Colour]))
    return np.asarray(np.linalg.norm(pixels - stones, axis=2) < np.linalg.norm(pixels - bare, axis=2))


def _tint(levels: Floats) -> Floats:
    """Return the two coordinates of chroma over mean level, ... x 2."""
    return np.asarray(opponent(levels) / np.maximum(levels.mean(axis=-1, keepdims=True), 1e-3))


def _colours(scene: Scene, stand: Stand, spots: Floats, points: Floats) -> Floats:
    """Return L*, a*, b* relative to the paper at points around each spot, spots x points x 3."""
    return to_lab(_levels(scene, stand, spots, points) / scene.paper).reshape(len(spots), len(points), 3)


def _levels(scene: Scene, stand: Stand, spots: Floats, points: Floats) -> Floats:
    """Return linear B, G, R at points around each spot; black outside the picture."""
    cloud = (spots[:, None, :] + points).reshape(-1, 3)
    pixels = np.rint(scene.view.project(stand.to_mat(cloud))).astype(int)
    rows, columns = scene.image.shape[:2]
    inside = (pixels[:, 0] >= 0) & (pixels[:, 0] < columns) & (pixels[:, 1] >= 0) & (pixels[:, 1] < rows)
    levels = np.zeros((len(pixels), 3))
    levels[inside] = TO_LINEAR[scene.soft[pixels[inside, 1], pixels[inside, 0]]]
    return levels


def _toward(scene: Scene, stand: Stand, spot: Floats) -> Floats:
    """Return the direction to the camera in the structure's frame."""
    to_eye = scene.view.pose.eye - stand.to_mat(spot)[0]
    c, s = np.cos(stand.turn_rad), np.sin(stand.turn_rad)
    turned = np.array([c * to_eye[0] + s * to_eye[1], -s * to_eye[0] + c * to_eye[1], to_eye[2]])
    return np.asarray(turned / np.linalg.norm(turned))


def _radii(stone: Stone) -> Floats:
    return np.array([stone.diameter_mm, stone.diameter_mm, stone.height_mm]) / 2


@lru_cache(maxsize=1)
def _shell() -> Floats:
    """Return 220 directions spread evenly over the sphere."""
    index = np.arange(220) + 0.5
    z = 1 - 2 * index / len(index)
    turn = np.pi * (1 + 5**0.5) * index
    level = np.sqrt(1 - z**2)
    return np.column_stack([level * np.cos(turn), level * np.sin(turn), z])


def _facing(toward: Floats, stone: Stone, outside_mm: float, turns: Floats) -> Floats:
    """Return points n x 3 of a stone's outline as the camera sees it, so far outside, from its right over its top."""
    side = np.cross((0.0, 0.0, 1.0), toward)
    side /= max(float(np.linalg.norm(side)), 1e-9)
    up = np.cross(toward, side)
    radii = _radii(stone)
    tall = float(np.sqrt((radii[0] * toward[2]) ** 2 + radii[2] ** 2 * (1 - toward[2] ** 2)))
    along, over = np.cos(turns)[:, None], np.sin(turns)[:, None]
    return np.asarray(along * side * (radii[0] + outside_mm) + over * up * (tall + outside_mm))


def outline_mm(view: View, middle_mm: Floats, stone: Stone) -> Floats:
    """Return the outline n x 2 (x, y) in mm of a stone as seen against the level of its middle, about that middle."""
    to_eye = view.pose.eye - middle_mm
    edge = _facing(to_eye / np.linalg.norm(to_eye), stone, 0.0, np.linspace(0, 2 * np.pi, 48, endpoint=False))
    return np.asarray(view.on_plane(view.project(middle_mm + edge), middle_mm[2]) - middle_mm[:2])
