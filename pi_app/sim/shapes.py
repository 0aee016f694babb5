"""What the picture is drawn from: faces of boxes, discs, nuggets and capsules, and the order to draw them in."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pi_app.sim.pieces import Floats, Piece, Placed
from pi_app.sim.scene import Bgr
from pi_app.sim.textures import Texture, Textures
from pi_app.vision.reading import PartKind


@dataclass(frozen=True, eq=False)
class Capsule:
    """A limb's part: a line from `start_mm` to `end_mm` thickened to two radii, in the mat frame."""

    start_mm: Floats
    end_mm: Floats
    start_radius_mm: float
    end_radius_mm: float
    bgr: Bgr


@dataclass(frozen=True)
class CardShown:
    """A card lying face up: its centre on the mat and its turn; 0 = the active player reads it."""

    card: str
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0


@dataclass(frozen=True, eq=False)
class Stray:
    """A thing on the table that is none of the game's: what of it is flat, and what has height."""

    flat: tuple[CardShown, ...] = ()
    limbs: tuple[Capsule, ...] = ()


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What there is to see at one moment: `lamp` 0 to 1 is the further lamp, `bump` (pan, tilt) in degrees."""

    pieces: Mapping[str, Placed]
    limbs: tuple[Capsule, ...] = ()
    cards: tuple[CardShown, ...] = ()
    lamp: float = 0.0
    bump: tuple[float, float] = (0.0, 0.0)
    gain: float = 1.0
    flicker_row: float | None = None
    flicker: float = 0.0


@dataclass(frozen=True, eq=False)
class Face:
    """One flat picture in space: corners (4 x 3, mm) from its top left clockwise as seen from outside.

    `gloss` is the part of a lamp's light that it mirrors.
    """

    corners_mm: Floats
    normal: Floats
    texture: Texture
    gloss: float = 0.0


GLOSS = {PartKind.ACROBAT: 0.25, PartKind.TILE: 0.5, PartKind.OVERVIEW: 0.5}
CARD_GLOSS = 0.6

# A face's directions in the piece's axes: outside, right and up of its picture as seen from outside.
_SIDES = (
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
)


def faces_of(piece: Piece, placed: Placed, eye_mm: Floats, textures: Textures) -> list[Face]:
    """Return the faces of a box or plate that look at the eye, with their pictures."""
    faces = []
    for side, axes in enumerate(_SIDES):
        outside, right, up = (np.array(axis, np.float64) for axis in axes)
        centre = placed.at_mm + placed.rotation @ (outside * piece.half_mm)
        normal = placed.rotation @ outside
        if normal @ (eye_mm - centre) <= 0 or (piece.round and side < 4):
            continue
        right_mm, up_mm = placed.rotation @ (right * piece.half_mm), placed.rotation @ (up * piece.half_mm)
        corners = np.stack(
            [centre - right_mm + up_mm, centre + right_mm + up_mm, centre + right_mm - up_mm, centre - right_mm - up_mm]
        )
        size = (2 * float(abs(right @ piece.half_mm)), 2 * float(abs(up @ piece.half_mm)))
        faces.append(Face(corners, normal, _picture(piece, side, size, textures), _gloss(piece, side)))
    return faces


def _picture(piece: Piece, side: int, size_mm: tuple[float, float], textures: Textures) -> Texture:
    match piece.kind:
        case PartKind.ACROBAT if side < 2:
            return textures.acrobat(int(piece.id), back=side == 1)
        case PartKind.ACROBAT:
            return textures.bare(*size_mm, seed=int(piece.id))
        case PartKind.TILE if side == 4:
            return textures.tile(piece.id)
        case PartKind.OVERVIEW if side == 4:
            return textures.overview()
        case _:
            return textures.board(piece.kind, *size_mm)


def _gloss(piece: Piece, side: int) -> float:
    """Return how glossy a side is: printed board and stickers are, wood and grey board are not."""
    printed = side == 4 if piece.kind in (PartKind.TILE, PartKind.OVERVIEW) else side < 2
    return GLOSS.get(piece.kind, 0.0) if printed else 0.0


def rim_mm(piece: Piece, placed: Placed, corners: int = 28) -> Floats:
    """Return points of a round plate's two edges, n x 3, in the mat frame."""
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn), np.ones_like(turn)], axis=1)
    both = np.concatenate([ring, ring * (1, 1, -1)]) * piece.half_mm
    return np.asarray(placed.at_mm + both @ placed.rotation.T)


def nearer(first: tuple[Floats, Floats], second: tuple[Floats, Floats], eye_mm: Floats, slack_mm: float = 0.6) -> int:
    """Return 1 where the first solid may hide the second, -1 the other way round, 0 where neither or unknown.

    A solid is its points (n x 3) and the planes that bound it (m x 4: outward normal and offset); limbs have no planes.
    """
    for sign, (inner, outer) in ((1, (first, second)), (-1, (second, first))):
        planes = inner[1]
        if not len(planes):
            continue
        beyond = (outer[0] @ planes[:, :3].T - planes[:, 3]).min(axis=0) >= -slack_mm
        eye_beyond = planes[:, :3] @ eye_mm - planes[:, 3] > 0
        if np.any(beyond & ~eye_beyond):
            return sign
        if np.any(beyond & eye_beyond):
            return -sign
    return 0


def planes_of(piece: Piece, placed: Placed) -> Floats:
    """Return the planes that bound a piece's box, 6 x 4."""
    normals = np.concatenate([placed.rotation.T, -placed.rotation.T])
    half = np.concatenate([piece.half_mm, piece.half_mm])
    return np.column_stack([normals, normals @ placed.at_mm + half])
