"""Fitting an expected figure to the badges in view, as a whole: place and turn, then which badge is which block."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pi_app.core.names import BlockPose
from pi_app.kit.model import Figure, Kit
from pi_app.kit.table import Table
from pi_app.vision.blocks import Badge, Place, Stand, badge_points, half_size, on_face, over_zone
from pi_app.vision.camera import Floats, View
from pi_app.vision.solve import least_squares

TURNS_DEG = np.arange(-36.0, 37.0, 6.0)
TRIALS = 6
FAR_TURN_RAD = 0.25


@dataclass(frozen=True, eq=False)
class Fit:
    """A figure laid over the picture.

    For each of its `places` the index of its badge (or `None`), and how far in mm that badge lies from where the figure
    has it, in the plane of the faces.
    """

    stand: Stand
    places: tuple[Place, ...]
    badge_of: tuple[int | None, ...]
    off_mm: tuple[float | None, ...]

    @property
    def matched(self) -> int:
        """How many blocks have a badge."""
        return sum(index is not None for index in self.badge_of)


def figure_places(figure: Figure, kit: Kit) -> tuple[Place, ...]:
    """Return a figure's blocks in the structure's frame: its origin is the middle of the figure's width, on the mat."""
    places = []
    for block in figure.blocks:
        half_u, half_z = half_size(block.pose, kit.acrobat)
        places.append((block.pose, block.x_mm + half_u, block.z_mm + half_z, half_u))
    left = min(u - half for _, u, _, half in places)
    right = max(u + half for _, u, _, half in places)
    return tuple(Place(pose, u - (left + right) / 2, z) for pose, u, z, _ in places)


def fit_places(
    places: tuple[Place, ...], badges: list[Badge], view: View, table: Table, kit: Kit, within_mm: float
) -> list[Fit]:
    """Return the best places of a structure: all that have the most badges within `within_mm` of their blocks.

    The one with the smallest distances comes first; a row of equal blocks of which some badges are not seen fits at
    several places. Empty where no badge fits any block with the structure in the build zone.
    """
    trials = _trials(places, badges, view, table, kit)
    if not len(trials):
        return []
    scored = _score(trials, places, badges, view, kit, 2 * within_mm)
    fits: list[Fit] = []
    for trial in _spread(trials[np.argsort(scored, kind="stable")], within_mm):
        fit = _settle(Stand(*trial), places, badges, view, table, kit, within_mm)
        if fit.matched and all(_apart_mm(fit.stand, other.stand) > within_mm for other in fits):
            fits.append(fit)
        if fit.matched == len(places):
            break
    fits.sort(key=lambda fit: (-fit.matched, sum(off for off in fit.off_mm if off is not None)))
    return [fit for fit in fits if fit.matched == fits[0].matched]


def _spread(trials: Floats, within_mm: float) -> list[Floats]:
    """Return the first trials that differ from those before them in place or turn."""
    chosen: list[Floats] = []
    for trial in trials:
        if all(np.hypot(*(trial - one)[:2]) > within_mm or abs(trial[2] - one[2]) > FAR_TURN_RAD for one in chosen):
            chosen.append(trial)
        if len(chosen) == TRIALS:
            break
    return chosen


def _apart_mm(one: Stand, other: Stand) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def off_plane_mm(stand: Stand, place: Place, badge: Badge, view: View, kit: Kit) -> Floats:
    """Return how far (u, z), in mm, a badge lies from the middle of a block's face, in the plane of that face."""
    seen = on_face(stand, badge.centre_px.reshape(1, 2), view, place.n_mm + kit.acrobat.thickness_mm / 2)[0]
    return np.array([seen[0] - place.u_mm, seen[1] - place.z_mm])


def refine(stand: Stand, pairs: list[tuple[Place, Badge]], view: View, table: Table, kit: Kit) -> Stand:
    """Return the stand that puts the badges' corners best onto the picture."""
    model = np.concatenate([badge_points(place, badge.quarter, kit, table) for place, badge in pairs])
    pixels = np.concatenate([badge.corners_px for _, badge in pairs])

    def residual(values: Floats) -> Floats:
        moved = Stand(values[0], values[1], values[2] / 100)
        off = view.project(moved.to_mat(model)) - pixels
        return np.asarray(off / np.sqrt(1 + (off**2).sum(axis=1, keepdims=True) / 9.0) ** 0.5).ravel()

    start = np.array([stand.x_mm, stand.y_mm, stand.turn_rad * 100])
    x, y, turn = least_squares(residual, start)
    return Stand(float(x), float(y), float(turn) / 100)


def _trials(places: tuple[Place, ...], badges: list[Badge], view: View, table: Table, kit: Kit) -> Floats:
    """Return trial stands n x 3: every badge as every block laid its way, at every turn, if it then is in the zone."""
    trials = []
    for place in dict.fromkeys((p.pose, p.u_mm, p.z_mm, p.n_mm) for p in places):
        for badge in badges:
            if badge.pose is place[0]:
                spot = view.on_plane(badge.centre_px.reshape(1, 2), place[2])[0]
                trials.append(_backed(spot, Place(*place), np.deg2rad(TURNS_DEG), kit))
    found = np.concatenate(trials) if trials else np.zeros((0, 3))
    kept = [np.isfinite(trial).all() and over_zone(trial[:2], table, 30.0) for trial in found]
    return np.asarray(found[np.array(kept, bool)] if len(found) else found)


def _backed(spot: Floats, place: Place, turns: Floats, kit: Kit) -> Floats:
    """Return the stands at which a block's face has its middle over a spot of the mat."""
    face = place.n_mm + kit.acrobat.thickness_mm / 2
    c, s = np.cos(turns), np.sin(turns)
    return np.column_stack([spot[0] - c * place.u_mm + s * face, spot[1] - s * place.u_mm - c * face, turns])


def _score(
    trials: Floats, places: tuple[Place, ...], badges: list[Badge], view: View, kit: Kit, cap_mm: float
) -> Floats:
    """Return for each trial the sum over blocks of the distance to the nearest badge laid the same way, capped."""
    points = np.array([[p.u_mm, p.n_mm + kit.acrobat.thickness_mm / 2, p.z_mm] for p in places])
    scale = _px_per_mm(trials[0], view)
    mat = np.concatenate([Stand(*trial).to_mat(points) for trial in trials])
    pixels = view.project(mat).reshape(len(trials), len(places), 1, 2)
    centres = np.array([badge.centre_px for badge in badges])
    distance = np.linalg.norm(pixels - centres, axis=3) / scale
    other = np.array([[badge.pose is not place.pose for badge in badges] for place in places])
    distance[:, other] = cap_mm
    return np.asarray(np.minimum(distance.min(axis=2), cap_mm).sum(axis=1))


def _px_per_mm(trial: Floats, view: View) -> float:
    ends = view.project([[trial[0] - 10, trial[1], 30.0], [trial[0] + 10, trial[1], 30.0]])
    return max(float(np.linalg.norm(ends[1] - ends[0])) / 20, 1e-3)


def _settle(
    stand: Stand, places: tuple[Place, ...], badges: list[Badge], view: View, table: Table, kit: Kit, within_mm: float
) -> Fit:
    """Pair badges with blocks and refine in turn, with a shrinking reach."""
    for reach in (2.5 * within_mm, 1.5 * within_mm, within_mm):
        fit = _paired(stand, places, badges, view, kit, reach)
        pairs = [(p, badges[i]) for p, i in zip(places, fit.badge_of, strict=True) if i is not None]
        if not pairs:
            return fit
        stand = refine(stand, pairs, view, table, kit)
    return _paired(stand, places, badges, view, kit, within_mm)


def _paired(
    stand: Stand, places: tuple[Place, ...], badges: list[Badge], view: View, kit: Kit, within_mm: float
) -> Fit:
    """Give each block the nearest badge laid the same way and not yet given, nearest pairs first."""
    offers = sorted(
        (float(np.linalg.norm(off_plane_mm(stand, place, badge, view, kit))), p, b)
        for p, place in enumerate(places)
        for b, badge in enumerate(badges)
        if badge.pose is place.pose
    )
    badge_of: list[int | None] = [None] * len(places)
    off_mm: list[float | None] = [None] * len(places)
    for off, p, b in offers:
        if off <= within_mm and badge_of[p] is None and b not in badge_of:
            badge_of[p], off_mm[p] = b, off
    return Fit(stand, places, tuple(badge_of), tuple(off_mm))


def standing_row(badges: list[Badge], view: View, kit: Kit) -> list[tuple[float, float]]:
    """Return x, y on the mat of the faces' middles of blocks that stand upright on the mat, in the badges' order."""
    half = kit.acrobat.length_mm / 2
    pixels = np.array([badge.centre_px for badge in badges]).reshape(-1, 2)
    return [(float(x), float(y)) for x, y in view.on_plane(pixels, half)]


def gaps_mm(places: tuple[Place, ...], kit: Kit) -> list[float]:
    """Return the clear distances between neighbours of a row of upright blocks, in order of u."""
    along = sorted(place.u_mm for place in places if place.pose is BlockPose.STAND)
    return [b - a - kit.acrobat.width_mm for a, b in pairwise(along)]
