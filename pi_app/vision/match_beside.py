"""A leg of the tunnel that stands beside the tile, not under it: its own top is seen, wherever the ground behind is.

The camera looks down on the tile, so a leg that does not reach under it shows its upper end beyond the tile's edge,
unless the acrobat on the tile hides it.
"""

import numpy as np

from pi_app.vision.camera import Floats
from pi_app.vision.light import TO_LINEAR, to_lab
from pi_app.vision.match_legs import Deck
from pi_app.vision.reading import PartKind, SeenPart
from pi_app.vision.scene import Scene
from pi_app.vision.tiles import TileLook, TileShape, look_for_tile, tile_part

BEYOND_MM = 4.0
REACH_MM = 24.0
STEP_MM = 2.0
LEAST_FREE = 0.65
TOP_SHARE = 0.88
WOOD_DELTA = 7.0
"""Tops of detached legs have the colour of other tops within 2 units of a*, b*; what else has their shape, above 30."""
OUTSIDE_MM = -2.0
TURNS_RAD = np.deg2rad([-6.0, 0.0, 6.0, 84.0, 90.0, 96.0])


def leg_beside(
    scene: Scene, deck: Deck, corner: tuple[int, int], turn_rad: float, known: tuple[SeenPart, ...], fifth: SeenPart
) -> TileLook | None:
    """Return the top of a leg that stands beside a corner of the tile; `None` where none is seen.

    `fifth` is the acrobat on the tile: its top has the same wood in the same light.
    """
    size = scene.kit.acrobat
    shape = TileShape(PartKind.ACROBAT, size.width_mm, size.thickness_mm, 0.0, is_round=False)
    middle = deck.middle + (np.array(corner) * (deck.half + BEYOND_MM)) @ deck.axes
    top = look_for_tile(
        scene, shape, middle, size.length_mm, REACH_MM, known,
        turns=turn_rad + TURNS_RAD, step_mm=STEP_MM, least_free=LEAST_FREE,
    )  # fmt: skip
    outside = deck.reach_mm(tile_part(top, shape)) < OUTSIDE_MM
    return top if outside and top.share >= TOP_SHARE and _is_wood(scene, top, shape, fifth) else None


def _is_wood(scene: Scene, look: TileLook, shape: TileShape, other: SeenPart) -> bool:
    """Whether the inside of an outline has the colour of the top of an upright acrobat."""
    c, s = np.cos(look.turn_rad), np.sin(look.turn_rad)
    mine = _colour(scene, look.centre, np.array([[c, s, 0.0], [-s, c, 0.0]]), (shape.width_mm, shape.height_mm))
    end = other.centre_mm + np.array([0.0, 0.0, other.size_mm[2] / 2])
    wood = _colour(scene, end, other.rotation.T[:2], other.size_mm[:2])
    return float(np.linalg.norm((mine - wood)[1:])) < WOOD_DELTA


def _colour(scene: Scene, middle: Floats, axes: Floats, size_mm: tuple[float, float]) -> Floats:
    """Return the median L*, a*, b* relative to the paper of a level rectangle's inner part."""
    steps = np.linspace(-0.3, 0.3, 5)
    spots = np.array([middle + a * size_mm[0] * axes[0] + b * size_mm[1] * axes[1] for a in steps for b in steps])
    pixels = np.rint(scene.view.project(spots)).astype(int)
    rows, columns = scene.image.shape[:2]
    inside = (pixels[:, 0] >= 0) & (pixels[:, 0] < columns) & (pixels[:, 1] >= 0) & (pixels[:, 1] < rows)
    if not inside.any():
        return np.zeros(3)
    return np.asarray(
        np.median(to_lab(TO_LINEAR[scene.soft[pixels[inside, 1], pixels[inside, 0]]] / scene.paper), axis=0)
    )
