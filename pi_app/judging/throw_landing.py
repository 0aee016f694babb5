"""How a flight ended: in a hand or not.

The flight's fit tells how high above the table it ended; what the stone does next tells the rest.
"""

from enum import Enum, auto

import numpy as np

from pi_app.judging.throw_flight import Cloud
from pi_app.judging.throw_track import Eyesight, Track
from pi_app.vision.camera import Floats

TABLE_MM, HAND_MM = 15.0, 22.0
"""A stone that came lower than the first met the table or missed it; one that stayed above the second did not."""
WATCHED_S = 0.45
JUMP, STEP = 4.5, 2.2
"""How far the stone may be from its flight's end when it is seen next, and from picture to picture, in diameters."""
STILL = 2.5
"""How far a stone in a hand that has caught it moves at last, in diameters."""
LEAST_SHARE = 0.5
SAME_LEVEL = 0.5
ON_MISS, ON_PICTURES, ON_S = 0.5, 2, 0.25
"""How near its flight's continuation, in how many pictures and for how long, a stone shows that it flew on."""


class Landing(Enum):
    """What became of a flying stone."""

    CAUGHT = auto()
    DROPPED = auto()
    UNSEEN = auto()


def landing_of(track: Track, cloud: Cloud, times_s: Floats, sight: Eyesight) -> tuple[Landing, float]:
    """Return how a track's flight ended, and when."""
    end = track.flight.places(track.to_s)[0]
    spots = cloud.chosen((cloud.colours == track.colour) & (cloud.levels > SAME_LEVEL * track.level))
    rest = _afterwards(track, spots, end, sight)
    after = times_s[(times_s > track.to_s) & (times_s <= track.to_s + WATCHED_S)]
    seen = len(rest.at_s) >= max(3, LEAST_SHARE * len(after))
    low_mm = float(min(_heights_mm(rest, end, sight))) if seen else float(end[2])
    if low_mm < TABLE_MM or _flew_on(track, spots, sight):
        return Landing.DROPPED, track.to_s
    if not seen or low_mm < HAND_MM + _sigma_mm(track, end, sight):
        return Landing.UNSEEN, track.to_s
    settled = rest.rays[len(rest.rays) // 2 :]
    spread = float(np.linalg.norm(settled - np.median(settled, axis=0), axis=1).max())
    distance = float(np.linalg.norm(end - sight.eye))
    if spread * distance > STILL * sight.stone_mm:
        return Landing.UNSEEN, track.to_s
    return Landing.CAUGHT, float(rest.at_s[0])


def _sigma_mm(track: Track, end: Floats, sight: Eyesight) -> float:
    """Return the standard error of a height that is seen at a flight's end: its distance from the camera counts too."""
    slope = float((sight.eye[2] - end[2]) / np.linalg.norm((end - sight.eye)[:2]))
    since_s = track.to_s - track.flight.at_s
    row = np.array([0.0, slope, 1.0, 0.0, slope * since_s, since_s])
    return float(np.sqrt(max(0.0, row @ track.flight.covariance @ row)))


def _heights_mm(rest: Cloud, end: Floats, sight: Eyesight) -> list[float]:
    """Return the heights above the mat of what is seen, as far from the camera on the level as the flight's end."""
    level = np.linalg.norm((end - sight.eye)[:2])
    slopes = rest.rays[:, 2] / np.maximum(np.linalg.norm(rest.rays[:, :2], axis=1), 1e-6)
    return list(sight.eye[2] + slopes * level)


def _flew_on(track: Track, spots: Cloud, sight: Eyesight) -> bool:
    """Return whether the stone was seen farther on its flight after it had been out of sight."""
    later = spots.chosen((spots.at_s > track.to_s) & (spots.at_s <= track.to_s + ON_S))
    on = track.flight.misses(later, sight.eye) < ON_MISS * sight.stone_mm
    below = track.flight.places(later.at_s)[:, 2] < track.flight.places(track.to_s)[0, 2] - 2 * sight.stone_mm
    return len(np.unique(later.frames[on & below])) >= ON_PICTURES


def _afterwards(track: Track, coloured: Cloud, end: Floats, sight: Eyesight) -> Cloud:
    """Return the spots of the stone's colour that follow one another from where its flight ended, one a picture."""
    later = coloured.chosen((coloured.at_s > track.to_s) & (coloured.at_s <= track.to_s + WATCHED_S))
    way, chosen, reach = end - sight.eye, [], JUMP
    distance = float(np.linalg.norm(way))
    way = way / distance
    for frame in np.unique(later.frames):
        rows = np.flatnonzero(later.frames == frame)
        off = np.linalg.norm(later.rays[rows] - way, axis=1) * distance
        if off.min() < reach * sight.stone_mm:
            nearest = int(rows[off.argmin()])
            chosen.append(nearest)
            way, reach = later.rays[nearest], STEP
    return later.chosen(np.array(chosen, np.int64))
