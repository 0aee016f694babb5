"""The every-frame gate: what happens in each zone, from pictures of 320 columns.

Two comparisons are made. With the picture before: did things move, or only the light on them? With the last settled
picture: does something reach in from outside, as hands do? What was put down on the table does not touch the picture's
border and becomes part of the settled picture once it lies still.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np

from pi_app.core.names import Zone
from pi_app.core.observations import Frame
from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.vision.camera import View
from pi_app.vision.motion import Change, Mask, Picture, compare, difference, left_behind, pattern_changed, shrink

MOVING_PIXELS, MOVING_SHARE = 6, 0.0005
"""Changed small pixels in a zone that count as motion: about 10 x 10 of 1280 x 720, at least this share of it."""
LIGHT_SHARE = 0.02
SHAKEN_SHARE = 0.55
"""Share of the picture's cells that change when the camera itself is bumped; hands and shadows stay below a half."""
SHAKEN_PATTERN = 0.15
"""Share of the cells whose pattern changes then; where a lamp flickers and a hand moves it stays below a tenth."""
CELL_PIXELS, CELL_CHANGED = 20, 4
DARK_LEVEL, FLAT_LEVELS = 16, 3.0
HAND_PIXELS, BORDER_PIXELS = 12, 4
"""Things this large, and this near to the picture's border, reach in."""
SETTLED_NS = 500_000_000
LOOK_NS = 90_000_000
"""How often the picture is compared with the settled one."""
BRIGHTER, BRIGHTER_LEVELS = 1.15, 6.0
"""A finger before darker wood of its own hue brightens it by more than this ratio and these levels, as a lamp does."""
_NEXT, _WIDE, _AROUND, _FINGER = (np.ones((size, size), np.uint8) for size in (3, 5, 7, 13))
"""The last is wider than a finger."""
ZONE_HEIGHT_MM = {Zone.BUILD: 170.0, Zone.STONES: 25.0, Zone.CARDS: 10.0}


class Sight(StrEnum):
    """What a zone shows."""

    MOVING = "moving"
    HAND = "hand"
    STILL = "still"
    LIGHT = "light"
    BLIND = "blind"


@dataclass(frozen=True, eq=False)
class Glance:
    """One picture's states, at sensor time; `still_ns` is how long no thing has moved in a zone (0 while it moves).

    `fresh` is False for a picture the camera delivered again: no time passes. `shaken` says the whole picture moved, so
    the camera or the mat may stand elsewhere. `blind` names why nothing can be seen.
    """

    at_ns: int
    zones: Mapping[Zone, Sight]
    still_ns: Mapping[Zone, int]
    fresh: bool = True
    shaken: bool = False
    blind: Reason | None = None

    def quiet(self, zone: Zone, for_ns: int = 0) -> bool:
        """Return whether nothing has moved in the zone for that long; light, and hands that rest, do not matter."""
        return self.zones[zone] not in (Sight.MOVING, Sight.BLIND) and self.still_ns[zone] >= for_ns


@dataclass(eq=False)
class Gate:
    """Looks at every frame. Without `place`, each zone is the whole picture."""

    areas: dict[Zone, Mask] = field(default_factory=dict)
    _before: Picture | None = None
    _settled: Picture | None = None
    _hands: Mask | None = None
    _news: Mask | None = None
    _reach_pixels: int = 0
    _since_ns: dict[Zone, int] = field(default_factory=dict)
    _look_ns: int = 0
    _last: Glance | None = None
    _seen: int = 0

    def place(self, view: View, table: Table) -> None:
        """Learn where the zones, with the room above them, are in the picture."""
        self.areas = {zone: zone_area(view, table, zone) for zone in Zone}

    def see(self, frame: Frame) -> Glance:
        """Return what the frame shows; frames come in order of sensor time.

        No time passes over a frame that is not new: its sensor time has been seen, or its picture equals the one
        before to the last bit, which a sensor's noise never lets happen.
        """
        if self._last is not None and frame.sensor_ns <= self._last.at_ns:
            return self._frozen(self._last)
        small = shrink(frame.image)
        if self._last is not None and self._before is not None and np.array_equal(small, self._before):
            return self._frozen(self._last)
        blind = Reason.TOO_DARK if is_covered(small) else None
        change = None if blind or self._before is None else compare(self._before, small)
        self._last = self._judge(frame.sensor_ns, small, change, blind)
        self._before = None if blind else small
        self._seen += 1
        return self._last

    def _frozen(self, last: Glance) -> Glance:
        return Glance(last.at_ns, last.zones, last.still_ns, fresh=False, blind=Reason.FROZEN)

    def hands(self) -> Mask | None:
        """Return the small mask of what reaches in from outside in the last frame; None where nothing does."""
        return self._hands

    def grey(self) -> Picture:
        """Return the last frame small and grey."""
        assert self._before is not None
        return np.asarray(cv2.cvtColor(self._before, cv2.COLOR_BGR2GRAY), np.uint8)

    def hands_in(self, zone: Zone) -> bool:
        """Return whether something from outside reaches into the zone."""
        return self._hands is not None and self._count(self._hands, zone) >= MOVING_PIXELS

    def news_in(self, zone: Zone) -> int:
        """Return how many small pixels of the zone differ from the settled picture and are no hand's.

        A part that was put down counts from when the hand is off it; what is carried counts as the hand.
        """
        return 0 if self._news is None else self._count(self._news, zone)

    def _judge(self, at_ns: int, small: Picture, change: Change | None, blind: Reason | None) -> Glance:
        if blind or change is None or self._before is None:
            self._since_ns = dict.fromkeys(Zone, at_ns)
            self._settled = None if blind else small
            state = Sight.BLIND if blind else Sight.STILL
            return Glance(at_ns, dict.fromkeys(Zone, state), dict.fromkeys(Zone, 0), blind=blind)
        moving = self._moving(change)
        for zone in moving:
            self._since_ns[zone] = at_ns
        if len(moving) < len(Zone) and at_ns >= self._look_ns:
            self._reaching_in(small, at_ns)
            self._look_ns = at_ns + LOOK_NS
        zones = {zone: self._state(zone, change, zone in moving) for zone in Zone}
        still_ns = {zone: at_ns - self._since_ns[zone] for zone in Zone}
        return Glance(at_ns, zones, still_ns, shaken=is_shaken(change, self._before, small))

    def _moving(self, change: Change) -> set[Zone]:
        if self._seen == 1 and cv2.countNonZero(change.things) > 0.05 * change.things.size:
            self._settled = None  # a camera's first picture may still be adjusting
            return set()
        return {zone for zone in Zone if self._count(change.things, zone) >= self._least(zone, change.things)}

    def _state(self, zone: Zone, change: Change, moving: bool) -> Sight:
        if moving:
            return Sight.MOVING
        if self.hands_in(zone):
            return Sight.HAND
        lit = self._count(change.light, zone)
        return Sight.LIGHT if lit > LIGHT_SHARE * self._size(zone, change.light) else Sight.STILL

    def _least(self, zone: Zone, mask: Mask) -> float:
        return max(MOVING_PIXELS, MOVING_SHARE * self._size(zone, mask))

    def _count(self, mask: Mask, zone: Zone) -> int:
        area = self.areas.get(zone)
        return cv2.countNonZero(mask if area is None else cv2.bitwise_and(mask, _fitting(area, mask)))

    def _size(self, zone: Zone, mask: Mask) -> int:
        area = self.areas.get(zone)
        return mask.size if area is None else cv2.countNonZero(area)

    def _reaching_in(self, small: Picture, at_ns: int) -> None:
        """Compare with the settled picture: keep what touches the border as hands, settle the rest in time."""
        if self._settled is None or self._settled.shape != small.shape:
            self._settled = small
        change = compare(self._settled, small, strict=True)
        wide = cv2.morphologyEx(change.doubtful, cv2.MORPH_OPEN, _WIDE)  # narrower ones are edges of shadows
        things = np.asarray(cv2.bitwise_or(change.things, wide), np.uint8)
        hands = reaching_in(things, self._settled, small, self._hands, self._reach_pixels // 2)
        self._hands = hands if hands is None else with_fingers(hands, self._settled, small)
        count = 0 if self._hands is None else cv2.countNonZero(self._hands)
        self._reach_pixels = max(count, self._reach_pixels) if count else 0
        hands = np.zeros_like(things) if self._hands is None else self._hands
        self._news = np.asarray(cv2.bitwise_and(things, cv2.bitwise_not(hands)), np.uint8)
        if at_ns - max(self._since_ns.values()) < SETTLED_NS:
            return
        settled = small.copy()
        if self._hands is not None:
            cv2.copyTo(self._settled, cv2.dilate(self._hands, _AROUND), settled)
        self._settled = settled


def zone_area(view: View, table: Table, zone: Zone, height_mm: float | None = None) -> Mask:
    """Return the small mask (255 inside) of a zone's rectangle and the room above it."""
    rect = table.zones.of(zone)
    top = ZONE_HEIGHT_MM[zone] if height_mm is None else height_mm
    corners = [(x, y, z) for x in (rect.x0, rect.x1) for y in (rect.y0, rect.y1) for z in (0.0, top)]
    camera = view.camera
    mask = np.zeros((round(camera.height * 320 / camera.width), 320), np.uint8)
    pixels = view.project(corners) * (320 / camera.width)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.round(pixels).astype(np.int32)), (255,))
    return mask


def reaching_in(
    things: Mask, settled: Picture, small: Picture, before: Mask | None = None, least: int = HAND_PIXELS
) -> Mask | None:
    """Return the mask of changed things that reach in over the picture's border, None where nothing does.

    Where something was taken away its outline is in the settled picture and not in the new one: that is no hand. When
    nothing reaches in, but a thing of at least `least` pixels lies where hands did in the mask `before`, it is one
    whose sleeve cannot be told from what is behind it.
    """
    if cv2.countNonZero(things) < HAND_PIXELS:
        return None
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(things, _NEXT))
    height, width = things.shape
    hands, inner = np.zeros_like(things), np.zeros_like(things)
    for label in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[label])
        box = np.s_[top : top + high, left : left + wide]
        blob = (labels[box] == label).astype(np.uint8)
        reaches = min(left, top, width - left - wide, height - top - high) <= BORDER_PIXELS
        if area < HAND_PIXELS or left_behind(blob, settled[box], small[box]):
            continue
        if reaches:
            hands[box] |= -blob
        elif before is not None and area >= least and 2 * cv2.countNonZero(blob & before[box]) >= area:
            inner[box] |= -blob
    hands = hands if hands.any() else inner
    return hands if hands.any() else None


def with_fingers(hands: Mask, settled: Picture, small: Picture) -> Mask:
    """Return hands with what goes on from them, is narrow like fingers, and looks like a lamp's light on darker wood.

    Hands throw shadows, and brighten nothing: light that begins at a hand and is no wider than a finger is a finger of
    the wood's own hue.
    """
    before, now = (np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.float32) for one in (settled, small))
    brighter = np.asarray((now > BRIGHTER * before + BRIGHTER_LEVELS) & (hands == 0), np.uint8)
    count, labels = cv2.connectedComponents(brighter)
    beginning = set(np.unique(labels[cv2.dilate(hands, _NEXT) > 0]).tolist()) - {0}
    grown = hands.copy()
    for label in (label for label in beginning if label < count):
        part = np.asarray((labels == label) * np.uint8(255), np.uint8)
        if not cv2.morphologyEx(part, cv2.MORPH_OPEN, _FINGER).any():
            grown = np.asarray(cv2.bitwise_or(grown, cv2.dilate(part, _NEXT)), np.uint8)
    return grown


def is_covered(small: Picture) -> bool:
    """Return whether the picture is dark or shows nothing at all."""
    sample = small[::4, ::4, 1]
    return bool(np.count_nonzero(sample >= DARK_LEVEL) < 0.02 * sample.size or float(sample.std()) < FLAT_LEVELS)


def is_shaken(change: Change, before: Picture, now: Picture) -> bool:
    """Return whether changes are spread over the whole picture, as when the camera is bumped."""
    changed = np.asarray(cv2.bitwise_or(change.things, change.light), np.uint8)
    if cv2.countNonZero(changed) < 0.01 * changed.size:
        return False
    if _changed_share(changed) <= SHAKEN_SHARE:
        return False
    pattern = pattern_changed(before, now, difference(before, now, np.s_[:, :])[1])
    return _changed_share(pattern) > SHAKEN_PATTERN


def _changed_share(mask: Mask) -> float:
    """Return the share of the picture's cells in which something changed."""
    rows, columns = (size // CELL_PIXELS for size in mask.shape)
    cells = mask[: rows * CELL_PIXELS, : columns * CELL_PIXELS].reshape(rows, CELL_PIXELS, columns, CELL_PIXELS)
    return float(np.mean(np.count_nonzero(cells, axis=(1, 3)) >= CELL_CHANGED))


def _fitting(area: Mask, mask: Mask) -> Mask:
    if area.shape == mask.shape:
        return area
    return np.asarray(cv2.resize(area, mask.shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
