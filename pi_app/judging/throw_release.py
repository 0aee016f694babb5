"""When a thrown stone left the hand: where its way with the hand bends off the flight that follows.

In the hand it is pushed away from the flight's backward continuation by a nearly even acceleration, so it is off that
line by a square of the time before the release; the root of the distance, a straight line in time, tells when it was 0.
"""

from dataclasses import dataclass, replace

import numpy as np

from pi_app.judging.throw_flight import Cloud, Flight, fit_flight
from pi_app.judging.throw_track import LEAST_SPOTS, MOST_SIGMA_MM, SIGMA, Eyesight, Track
from pi_app.vision.camera import Floats

HARD_PUSH_MM_S2, SLACK_S = 5.5e4, 0.005
"""Bound how far off the line the stone can be at so short a time before it is first seen free."""
REFITS = 2
FREE_S = 0.012
"""How long before its release a stone in the hand may be too near the line to be told from one in flight."""
PICTURES_BEFORE, PICTURES_WITHIN = 5, 5
LEAST_OFF, MOST_OFF = 0.35, 4.0
"""How far off the line the stone in the hand is, in its diameters: less may be chance, more another spot."""
PUSH_MM_S2, USUAL_PUSH_MM_S2 = (1e4, 1.2e5), 4e4
"""Acceleration of a hand relative to free fall while it throws: what may be, and what is usual."""
HAND_LEVEL, FREE_LEVEL = 0.75, 0.5
"""By how much the stone stands out in the hand, and free, against the middle of its flight."""
SIGMA_SHARE, BLIND_SHARE = 0.3, 0.5
"""Standard error of the moment, in pictures: with the stone seen in the hand, and without."""


@dataclass(frozen=True)
class Release:
    """The moment of release and its standard error."""

    at_s: float
    sigma_s: float


def released(track: Track, cloud: Cloud, times_s: Floats, sight: Eyesight) -> tuple[Release, Flight]:
    """Return when the stone of a track was released, and its flight, fitted again without what may not be free yet."""
    release, flight = release_of(track, cloud, times_s, sight), track.flight
    period = float(np.median(np.diff(times_s))) if len(times_s) > 1 else 1 / 30
    for _ in range(REFITS):
        at_s = track.spots.at_s
        spots = track.spots.chosen((at_s > release.at_s + max(FREE_S, 0.5 * period)) & (at_s < track.to_s))
        fitted = fit_flight(spots, sight.eye, SIGMA * sight.stone_mm) if len(spots.at_s) >= LEAST_SPOTS else None
        if fitted is None or fitted.height_sigma_mm(release.at_s) > MOST_SIGMA_MM:
            break
        flight = fitted
        release = release_of(replace(track, flight=flight), cloud, times_s, sight)
    return release, flight


def release_of(track: Track, cloud: Cloud, times_s: Floats, sight: Eyesight) -> Release:
    """Return when the stone of a track was released."""
    period = float(np.median(np.diff(times_s))) if len(times_s) > 1 else 1 / 30
    first = int(np.searchsorted(times_s, track.from_s)) + PICTURES_WITHIN
    before = times_s[max(0, first - PICTURES_BEFORE - PICTURES_WITHIN) : first][::-1]
    at_s, offs, free_s = _offs(track, cloud, before, sight)
    if len(at_s):
        ends = [at_s[0] + float(np.sqrt(2 * offs[0] / USUAL_PUSH_MM_S2))]
        rate, root = np.polyfit(at_s - at_s[0], np.sqrt(offs), 1) if len(at_s) > 1 else (0.0, 0.0)
        if rate < 0 and PUSH_MM_S2[0] < 2 * rate**2 < PUSH_MM_S2[1]:
            ends.append(at_s[0] - root / rate)
        released_s = float(np.clip(np.mean(ends), at_s[0], max(at_s[0], free_s) + FREE_S))
        return Release(released_s, SIGMA_SHARE * max(period, 0.5 * (free_s - float(at_s[0]))))
    earlier = times_s[times_s < track.from_s]
    gap = track.from_s - float(earlier[-1]) if len(earlier) else period
    return Release(track.from_s - gap / 2, max(BLIND_SHARE * period, gap / 2))


def _offs(track: Track, cloud: Cloud, before: Floats, sight: Eyesight) -> tuple[Floats, Floats, float]:
    """Return when the stone is off the line before its flight, latest first, by how many mm, and when it is first on.

    `before` are the moments to look at, latest first.
    """
    found: list[tuple[float, float]] = []
    free_s = max(track.from_s, float(before[0])) if len(before) else track.from_s
    for at_s in before:
        spots = cloud.chosen((cloud.at_s == at_s) & (cloud.colours == track.colour))
        misses = track.flight.misses(spots, sight.eye)
        on = (misses <= LEAST_OFF * sight.stone_mm) & (spots.levels > FREE_LEVEL * track.level)
        last = found[-1][1] if found else LEAST_OFF * sight.stone_mm
        ago_s = free_s - float(at_s) + SLACK_S
        most = MOST_OFF * sight.stone_mm if found else min(MOST_OFF * sight.stone_mm, HARD_PUSH_MM_S2 * ago_s**2 / 2)
        off = (misses < most) & (misses > last) & (spots.levels > HAND_LEVEL * track.level)
        if on.any():
            found, free_s = [], float(at_s)
        elif off.any():
            found.append((float(at_s), float(misses[off].min())))
    steps = np.array(found[:3]).reshape(-1, 2)
    return steps[:, 0], steps[:, 1], free_s
