"""The sixth acrobat on its way through a tunnel: where is it now, before, under or beyond the tile?

A reference picture shows the tunnel without hands; whatever lay beside it then and is taken away is taken out of the
reference. What differs from it and does not reach in from outside is compared with a lying acrobat's silhouette.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Floats, View
from pi_app.vision.motion import Mask, Picture, compare, gradients, left_behind
from pi_app.vision.occlusion import WORK_WIDTH, Comparer, Window, reference_of
from pi_app.vision.passage_fit import Fitter, Lying
from pi_app.vision.reading import PartKind, SeenPart

BESIDE_MM = 75.0
"""How far around the build zone the sixth acrobat is followed."""
LEAST_MM2, MOST_SHARE = 60.0, 2.0
"""A blob may be an acrobat when it is as large as this, and as this many times one that lies in full view."""
BORDER_PX = 2
SAME_SHARE = 0.06
OVER_MM2, INSIDE_MM2 = 60.0, 80.0
HIDDEN_SHARE = 0.1
REACH_TAIL = 2.0
FALLEN_SHARE = 0.5
LEAST_OUTLINE, LEFT_BEHIND = 16, 1.3
"""How many pixels of an outline, and how much stronger in the reference, tell that something is away."""
FARTHEST_MM = 130.0
"""How far beyond the tile's edge an acrobat is looked for: farther away is no mat, and more that is none."""
GOOD_SCORE = 0.5
_NEXT, _AROUND = (np.ones((size, size), np.uint8) for size in (3, 7))


Reach = tuple[float, float, float, float]


class Side(StrEnum):
    """The tile's edges: front is the one nearest to the camera."""

    FRONT = "front"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"

    @property
    def opposite(self) -> "Side":
        """The other end of the way through."""
        return {Side.FRONT: Side.BACK, Side.BACK: Side.FRONT, Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}[self]


@dataclass(frozen=True)
class Spot:
    """Where an acrobat lies by the tile's axes: its middle from the tile's, in mm; u along the front edge, n to it.

    `side` is beyond which edge its middle lies, None: under the tile. `whole`: all of it does. `under`: part of its
    foot is under the tile. `score` and `visible` are as of the fit.
    """

    u_mm: float
    n_mm: float
    side: Side | None
    whole: bool
    under: bool
    score: float
    visible: float


@dataclass(frozen=True)
class Sight:
    """One picture: acrobats seen free of hands, those that lay there before and are away, hands and the tunnel's state.

    `under`: how far what is under the tile, and covers nothing of it, reaches from the tile's middle: to the left, the
    right, the back and the front (u0, u1, n0, n1 in mm); None where nothing is. `clear`: the opening is in view and
    nothing is in it. `hand`: something reaches in or covers the tunnel; `veiled`: it covers some of it. `broken`: the
    tunnel does not stand as it did.
    """

    at_ns: int
    spots: tuple[Spot, ...]
    left: tuple[Spot, ...]
    under: Reach | None
    clear: bool
    hand: bool
    veiled: bool
    broken: bool


@dataclass(frozen=True, eq=False)
class Tunnel:
    """A tunnel that was read: its parts, and the tile from above: middle 2, axes u and n as rows, half its sizes."""

    parts: tuple[SeenPart, ...]
    middle: Floats
    axes: Floats
    half: Floats

    def local(self, points: Floats) -> Floats:
        """Return points n x 2 of the mat in the tile's axes."""
        return np.asarray((points - self.middle) @ self.axes.T)


def tunnel_of(parts: Sequence[SeenPart], view: View) -> Tunnel | None:
    """Return the tunnel that parts make, as far as its tile was seen; n points to the camera."""
    tile = next((part for part in parts if part.kind is PartKind.OVERVIEW), None)
    if tile is None:
        return None
    axes = [tile.rotation[:2, 0], tile.rotation[:2, 1]]
    towards = view.pose.eye[:2] - tile.centre_mm[:2]
    towards /= np.linalg.norm(towards)
    front = int(np.argmax([abs(float(axis @ towards)) for axis in axes]))
    n = axes[front] * (1.0 if axes[front] @ towards > 0 else -1.0)
    u = np.array([n[1], -n[0]])
    half = np.array([tile.size_mm[1 - front], tile.size_mm[front]]) / 2
    return Tunnel(tuple(parts), tile.centre_mm[:2].copy(), np.array([u, n]), half)


def is_whole(parts: Sequence[SeenPart], kit: Kit) -> bool:
    """Return whether a tile, at least two legs and the fifth acrobat on the tile are among the parts."""
    acrobats = [part for part in parts if part.kind is PartKind.ACROBAT]
    high = sum(float(part.centre_mm[2]) > kit.acrobat.length_mm for part in acrobats)
    return high > 0 and len(acrobats) - high > 1 and any(part.kind is PartKind.OVERVIEW for part in parts)


def passage_window(view: View, table: Table, kit: Kit) -> Window:
    """Return the window on the build zone, what lies beside it, and the room above it."""
    zone, camera = table.zones.build, view.camera
    xs, ys = (zone.x0 - BESIDE_MM, zone.x1 + BESIDE_MM), (zone.y0 - BESIDE_MM, zone.y1 + BESIDE_MM)
    low = view.project([(x, y, 0.0) for x in xs for y in ys])
    high = view.project([(x, y, 2.2 * kit.acrobat.length_mm) for x in (zone.x0, zone.x1) for y in (zone.y0, zone.y1)])
    pixels = np.concatenate([low, high])
    first = np.clip(pixels.min(axis=0), 0, [camera.width - 64, camera.height - 64])
    last = np.clip(pixels.max(axis=0), first + 64, [camera.width, camera.height])
    scale = min(1.0, WORK_WIDTH / camera.width)
    return Window(int(first[0]), int(first[1]), int(last[0]), int(last[1]), scale, camera.width)


class PassageEye:
    """Looks at cut-outs of one window in their order, as a tunnel that stands there is passed."""

    def __init__(self, tunnel: Tunnel, view: View, window: Window, kit: Kit, picture: Picture) -> None:
        """`picture` is the cut-out in which the tunnel was read."""
        self._tunnel, self._view, self._window, self._kit = tunnel, view, window, kit
        self._ground = picture.copy()
        size = picture.shape[:2]
        reference = reference_of(picture, tunnel.parts, view, window)
        self._comparer = Comparer(reference)
        self._structure = np.asarray(reference.labels > 0, np.uint8)
        self._mm = reference.px_per_mm
        self._parts = [np.asarray(reference.labels == n + 1, np.uint8) for n in range(len(tunnel.parts))]
        self._upper = self._high(reference.labels)
        self._opening = self._under(size) & (1 - self._structure)
        self._apart = cv2.dilate(self._structure, _AROUND) == 0
        self._front = self._opening | (self._structure & (1 - self._upper))
        self._floor = self._places(size)
        self._fitter = Fitter(view, window, kit.acrobat, tunnel.parts, (size[0], size[1]))
        acrobat = kit.acrobat
        self._area = acrobat.length_mm * acrobat.width_mm * self._mm**2
        self._last: list[tuple[Mask, Lying | None]] = []

    def look(self, at_ns: int, picture: Picture, *, early: bool = False) -> Sight:
        """Return what one cut-out shows; `early`: from before the reference, so what is not there yet comes later."""
        change = compare(self._ground, picture)
        things = np.asarray(change.things > 0, np.uint8)
        fallen = self._fallen(things, picture)
        hands, blobs = self._split(things & (1 - fallen))
        away = [blob for blob in blobs if self._was_there(blob, picture)]
        fits = self._fitted(blobs)
        new = [(blob, fit) for blob, fit in fits if not any(blob is one for one in away)]
        gone = [(blob, fit) for blob, fit in fits if any(blob is one for one in away)]
        for blob, fit in gone:
            if (fit is not None and fit.score >= GOOD_SCORE) or not hands.any():
                self._take_out(blob, picture)
        spots = [(blob, self._spot(fit)) for blob, fit in new if fit is not None and self._is_good(fit)]
        left = [self._spot(fit) for _, fit in gone if fit is not None and self._is_good(fit)]
        under = self._under_tile([blob for blob, _ in new], [blob for blob, spot in spots if spot.whole])
        least = OVER_MM2 * self._mm**2
        hidden = cv2.countNonZero(hands & self._opening) > HIDDEN_SHARE * cv2.countNonZero(self._opening)
        over = cv2.countNonZero(hands & self._structure) > least
        veiled = hidden or cv2.countNonZero(hands & self._front) > least
        broken = bool(fallen.any()) or (not over and self._broken(picture, things))
        hand = cv2.countNonZero(hands) > least
        clear = under is None and not hidden
        seen = tuple(spot for _, spot in spots)
        return Sight(at_ns, seen, () if early else tuple(left), under, clear, hand, veiled, broken)

    def lacks(self, picture: Picture) -> bool:
        """Return whether a part of the tunnel is not there in a cut-out, and no hand before it."""
        return bool(self._fallen(np.asarray(compare(self._ground, picture).things > 0, np.uint8), picture).any())

    def _under_tile(self, blobs: list[Mask], beyond: list[Mask]) -> Reach | None:
        """Return how far blobs that are under the tile reach, apart from those known to lie beyond an edge."""
        least = INSIDE_MM2 * self._mm**2
        under = np.zeros_like(self._opening)
        for blob in blobs:
            if not any(blob is other for other in beyond) and cv2.countNonZero(blob & self._opening) > least:
                under |= blob
        if not under.any():
            return None
        low, high = np.percentile(self._floor[under > 0], (REACH_TAIL, 100 - REACH_TAIL), axis=0)
        return float(low[0]), float(high[0]), float(low[1]), float(high[1])

    def _split(self, things: Mask) -> tuple[Mask, list[Mask]]:
        """Return hands, which reach in, or cover tile or fifth acrobat, and the blobs clear of them."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(things, connectivity=4)
        height, width = things.shape
        over = np.bincount(labels[self._upper > 0], minlength=count)
        hands, blobs = np.zeros_like(things), []
        for label in range(1, count):
            left, top, wide, high, area = (int(value) for value in stats[label])
            if area < LEAST_MM2 * self._mm**2:
                continue
            blob = np.asarray(labels == label, np.uint8)
            reaches = min(left, top, width - left - wide, height - top - high) <= BORDER_PX
            if reaches or over[label] > OVER_MM2 * self._mm**2 or area > MOST_SHARE * self._area:
                hands |= blob
            else:
                blobs.append(blob)
        near = np.asarray(cv2.dilate(hands, _AROUND), np.uint8)
        apart = [blob for blob in blobs if not cv2.countNonZero(blob & near)]
        for blob in blobs:
            if not any(blob is one for one in apart):
                hands |= blob
        return hands, apart

    def _fitted(self, blobs: list[Mask]) -> list[tuple[Mask, Lying | None]]:
        """Return blobs with the acrobat that fits; one that has hardly changed since the last picture keeps its fit."""
        self._last = [(blob, self._known(blob) or self._fitter.fit(blob)) for blob in blobs]
        return self._last

    def _known(self, blob: Mask) -> Lying | None:
        for before, fit in self._last:
            if cv2.countNonZero(before ^ blob) < SAME_SHARE * cv2.countNonZero(blob):
                return fit
        return None

    def _was_there(self, blob: Mask, picture: Picture) -> bool:
        """Return whether a blob's outline is in the reference, not in the picture; edges of the tunnel tell nothing."""
        outline = (cv2.morphologyEx(blob, cv2.MORPH_GRADIENT, _NEXT) > 0) & self._apart
        if np.count_nonzero(outline) < LEAST_OUTLINE:
            return False
        before, now = (float(gradients(one)[2][outline].sum()) for one in (self._ground, picture))
        return before > LEFT_BEHIND * now

    def _take_out(self, blob: Mask, picture: Picture) -> None:
        """Take what is away now out of the reference."""
        where = np.asarray(cv2.dilate(blob, _AROUND), np.uint8) & (1 - self._structure)
        cv2.copyTo(picture, where, self._ground)

    def _broken(self, picture: Picture, things: Mask) -> bool:
        changed = cv2.countNonZero(things & self._structure)
        return changed > OVER_MM2 * self._mm**2 and self._comparer.look(picture).gone

    def _is_good(self, one: Lying) -> bool:
        place = self._tunnel.local(np.array([[one.x_mm, one.y_mm]]))[0]
        return one.score >= GOOD_SCORE and bool((np.abs(place) < self._tunnel.half + FARTHEST_MM).all())

    def _fallen(self, things: Mask, picture: Picture) -> Mask:
        """Return where a part of the tunnel was and is no more: most of it changed, and by nothing that reaches in."""
        fallen = np.zeros_like(things)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(things, connectivity=4)
        height, width = things.shape
        for part in self._parts:
            inside = np.bincount(labels[part > 0], minlength=count)
            label = int(np.argmax(inside[1:])) + 1 if count > 1 else 0
            if not label or inside[label] < FALLEN_SHARE * cv2.countNonZero(part):
                continue
            left, top, wide, high = (int(value) for value in stats[label, :4])
            blob = np.asarray(labels == label, np.uint8)
            reaches = min(left, top, width - left - wide, height - top - high) <= BORDER_PX
            if not reaches and left_behind(blob, self._ground, picture):
                fallen |= blob
        return fallen

    def _spot(self, one: Lying) -> Spot:
        tunnel = self._tunnel
        middle = tunnel.local(np.array([[one.x_mm, one.y_mm]]))[0]
        corners = tunnel.local(one.footprint(self._kit.acrobat))
        side, beyond = _side_of(middle, tunnel.half), _beyond(corners, tunnel.half)
        under = not beyond
        return Spot(
            float(middle[0]), float(middle[1]), beyond[0] if beyond else side, bool(beyond), under, one.score,
            one.visible,
        )  # fmt: skip

    def _high(self, labels: Mask) -> Mask:
        """Return where the tile and the fifth acrobat are seen: what lies on the mat is never before them."""
        long = self._kit.acrobat.length_mm
        high = [n + 1 for n, part in enumerate(self._tunnel.parts) if float(part.centre_mm[2]) > 0.8 * long]
        return np.asarray(np.isin(labels, high), np.uint8)

    def _places(self, size: tuple[int, ...]) -> Floats:
        """Return the place on the mat that each pixel shows, in the tile's axes, rows x columns x 2."""
        rows, columns = np.mgrid[0 : size[0], 0 : size[1]]
        pixels = np.column_stack([columns.ravel(), rows.ravel()]) / self._window.scale
        spots = self._view.on_plane(pixels + np.array([self._window.left, self._window.top]))
        return np.asarray(np.nan_to_num(self._tunnel.local(spots), nan=1e4).reshape(*size[:2], 2))

    def _under(self, size: tuple[int, ...]) -> Mask:
        """Return where the floor under the tile would be seen."""
        tunnel = self._tunnel
        corners = np.array([[a, b] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * tunnel.half
        floor = np.column_stack([corners @ tunnel.axes + tunnel.middle, np.zeros(4)])
        mask = np.zeros(size, np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(self._window.place(self._view.project(floor))), (1,))
        return mask


def _side_of(middle: Floats, half: Floats) -> Side | None:
    """Return beyond which edge a place lies; None under the tile."""
    past = np.abs(middle) - half
    if past.max() < 0:
        return None
    axis = int(np.argmax(past))
    return _SIDES[axis][int(middle[axis] > 0)]


def _beyond(corners: Floats, half: Floats) -> tuple[Side, ...]:
    """Return the edges beyond which all corners lie."""
    return tuple(
        _SIDES[axis][sign > 0]
        for axis in (1, 0)
        for sign in (-1, 1)
        if float((sign * corners[:, axis]).min()) >= half[axis]
    )


_SIDES = ((Side.LEFT, Side.RIGHT), (Side.BACK, Side.FRONT))
