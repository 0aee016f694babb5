"""A closer look at one place where a block's face should be: its picture, bare wood, nothing there, or cannot tell.

The picture is the badge on the face where acrobats carry badges, and the taught face itself where they do not.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import cv2
import numpy as np

from pi_app.core.names import BlockPose
from pi_app.kit.table import Table, badge_id
from pi_app.vision.blocks import Place, Stand, half_size
from pi_app.vision.face_art import best_match
from pi_app.vision.pose import Image, dictionary
from pi_app.vision.reading import SeenPart
from pi_app.vision.scene import PX_PER_MM, Scene, rectified
from pi_app.vision.vacancy import is_absent, is_bare

BADGE_SCORE = 0.6
BADGE_LEAD = 0.12
MIN_SEEN = 0.45
FACE_SCORE = 0.7
DOUBTFUL_FACE = 0.5
"""A taught face is there from the first; below the second it is not: see best_match."""
SHIFT_MM = 5.0


class FaceState(StrEnum):
    """What is at a place."""

    PICTURE = "picture"
    BARE = "bare"
    ABSENT = "absent"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class FaceLook:
    """What is at a place; with a picture its piece and side, and how well it correlates with badge or taught face."""

    state: FaceState
    score: float = 0.0
    piece: int = -1
    back: bool = False


def look(
    scene: Scene,
    stand: Stand,
    place: Place,
    *,
    shift_mm: float = SHIFT_MM,
    bare_mm: float = 0.0,
    hidden_top_mm: float = 0.0,
    known: tuple[SeenPart, ...] = (),
) -> FaceLook:
    """Return what is where a block's face should be.

    Its picture may be off by `shift_mm` to either side, a turned block by `bare_mm`; `hidden_top_mm` of the face's
    upper part cannot be seen; `known` are the structure's other parts, which may be seen in its place.
    """
    if scene.art is None:
        found = read_badge(scene, stand, place, shift_mm, hidden_top_mm)
    else:
        found = read_face(scene, stand, place, shift_mm, hidden_top_mm)
    if found.state is FaceState.PICTURE or (scene.art is not None and found.score > DOUBTFUL_FACE):
        return found
    if is_bare(scene, stand, place, bare_mm):
        return FaceLook(FaceState.BARE, found.score)
    absent = is_absent(scene, stand, place, known)
    return FaceLook(FaceState.ABSENT if absent else FaceState.UNKNOWN, found.score)


def read_face(scene: Scene, stand: Stand, place: Place, shift_mm: float, hidden_top_mm: float) -> FaceLook:
    """Return the taught face that correlates best with what is seen around a place."""
    match = best_match(scene, stand, place, shift_mm, hidden_top_mm)
    state = FaceState.PICTURE if match.score >= FACE_SCORE else FaceState.UNKNOWN
    return FaceLook(state, match.score, match.piece, match.back)


def read_badge(scene: Scene, stand: Stand, place: Place, shift_mm: float, hidden_top_mm: float) -> FaceLook:
    """Return the badge that correlates best with what is seen around the middle of a block's face."""
    marks = _templates(scene.table, len(scene.kit.acrobat.piece), place.pose is BlockPose.LIE)
    size = marks[0][2].shape[0] / PX_PER_MM
    top_mm = min(size / 2, half_size(place.pose, scene.kit.acrobat)[1] - hidden_top_mm)
    cut = round((size / 2 - top_mm) * PX_PER_MM)
    if marks[0][2].shape[0] - cut < MIN_SEEN * marks[0][2].shape[0]:
        return FaceLook(FaceState.UNKNOWN)
    face = place.n_mm + scene.kit.acrobat.thickness_mm / 2
    u, up, down = size / 2 + shift_mm, top_mm + min(shift_mm, SHIFT_MM), size / 2 + min(shift_mm, SHIFT_MM)
    box = (place.u_mm + u, place.z_mm + up, place.u_mm - u, place.z_mm - down)
    grey = np.asarray(cv2.cvtColor(rectified(scene, stand, face, box), cv2.COLOR_BGR2GRAY), np.uint8)
    if grey.std() < 2:
        return FaceLook(FaceState.UNKNOWN)
    scores = np.array([_score(grey, mark[cut:], scene.table, cut) for _, _, mark in marks])
    best = int(np.argmax(scores))
    same = np.array([marks[best][:2] == (piece, back) for piece, back, _ in marks])
    clear = scores[best] - scores[~same].max() >= BADGE_LEAD
    state = FaceState.PICTURE if scores[best] >= BADGE_SCORE and clear else FaceState.UNKNOWN
    return FaceLook(state, float(scores[best]), marks[best][0], marks[best][1])


def _score(picture: Image, mark: Image, table: Table, cut: int) -> float:
    """Return how well a badge correlates where it fits best: as a whole or in its bits alone, whichever is worse.

    `cut` rows are missing at its top.
    """
    whole = cv2.matchTemplate(picture, mark, cv2.TM_CCOEFF_NORMED)
    _, score, _, (left, top) = cv2.minMaxLoc(whole)
    edge = round((table.badges.quiet_mm + table.badges.side / 7) * PX_PER_MM)
    rows, columns = slice(max(0, edge - cut), mark.shape[0] - edge), slice(edge, mark.shape[1] - edge)
    seen = picture[top : top + mark.shape[0], left : left + mark.shape[1]]
    return min(
        float(score), float(cv2.matchTemplate(seen[rows, columns], mark[rows, columns], cv2.TM_CCOEFF_NORMED)[0, 0])
    )


@lru_cache(maxsize=8)
def _templates(table: Table, pieces: int, lying: bool) -> list[tuple[int, bool, Image]]:
    """Return every badge, both ways up, as printed with its white margin and softened as a camera would."""
    side, quiet = round(table.badges.side * PX_PER_MM), round(table.badges.quiet_mm * PX_PER_MM)
    marks = []
    for piece in range(pieces):
        for back in (False, True):
            number = badge_id(piece, back=back)
            mark = cv2.aruco.generateImageMarker(dictionary(table.markers.family), number, side, borderBits=1)
            mark = cv2.copyMakeBorder(mark, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=(255,))
            mark = cv2.GaussianBlur(mark, (0, 0), 1.5)
            marks += [(piece, back, np.asarray(np.rot90(mark, turn + lying), np.uint8).copy()) for turn in (0, 2)]
    return marks
