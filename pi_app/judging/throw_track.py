"""Follows one flight through the pictures: the search for its beginning, its fit, and from when to when it lasts."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pi_app.judging.throw_flight import Cloud, Flight, fit_flight, is_plausible
from pi_app.vision.camera import Floats
from pi_app.vision.throw import ANY

GUESS_MISS, FIT_MISS, SURE_MISS = 0.45, 0.35, 0.22
"""How far a spot may lie from a flight, in stone diameters: to support a guess, to be fitted, to belong to it."""
SIGMA = 0.08
"""Standard error of a spot's middle, in stone diameters; blur by speed pulls at it."""
COLOURED_FIRST = 0.5
"""A spot that only moves is taken instead of one of the stone's colour when it is nearer by this part of the miss."""
FAINT = 0.4
"""Of a flight's middle level: fainter spots are of something else."""
ANY_AT_END = 2
WORTH_OF_MISSES = 2.0
"""Sightings that outweigh a mm of misses."""
GAP_S = 0.075
REACH_S = 0.75
LEAST_SPOTS = 5
LEAST_S = 0.09
LEAST_SHARE = 0.72
"""Of the pictures between a flight's first and last spot that show one, where the stone is inside the picture."""
LEAST_COLOURED = 0.45
"""Of a flight's spots that have the stone's colour: before things like it, only motion shows it."""
MOST_MISSES = 0.12
MEDIAN_WIDTHS = (0.6, 2.0)
MOST_SIGMA_MM = 12.0
"""Of the height at either end: a flight whose distance is uncertain may be something else, nearer or farther."""


@dataclass(frozen=True, eq=False)
class Track:
    """A flight and the spots that belong to it.

    `misses_mm` is their root mean square, `colour` and `level` (the middle one of coloured spots) are as in Spots,
    `share` is the part of the pictures meanwhile that show it.
    """

    flight: Flight
    spots: Cloud
    misses_mm: float
    colour: int
    share: float
    level: float

    @property
    def worth(self) -> float:
        """How well the flight is borne out: its sightings, those of the stone's colour in full, less their misses."""
        return float(np.where(self.spots.colours < ANY, 1.0, 0.5).sum()) - WORTH_OF_MISSES * self.misses_mm

    @property
    def from_s(self) -> float:
        """When it is first seen free."""
        return float(self.spots.at_s[0])

    @property
    def to_s(self) -> float:
        """When it is last seen free."""
        return float(self.spots.at_s[-1])


@dataclass(frozen=True, eq=False)
class Eyesight:
    """Where the camera is (mat frame, mm), what it sees of places n x 3, and how large a stone is."""

    eye: Floats
    sees: Callable[[Floats], NDArray[np.bool_]]
    stone_mm: float


def follow(guess: Flight, cloud: Cloud, times_s: Floats, sight: Eyesight) -> Track | None:
    """Return the track that a guess leads to; None where it does not hold. `times_s` are all pictures' moments."""
    flight, spots = guess, cloud.chosen(np.zeros(0, np.int64))
    for miss in (GUESS_MISS, FIT_MISS, FIT_MISS, SURE_MISS, SURE_MISS):
        spots = _belonging(flight, cloud, times_s, sight, miss * sight.stone_mm)
        fitted = fit_flight(spots, sight.eye, SIGMA * sight.stone_mm)
        if len(spots.at_s) < LEAST_SPOTS or fitted is None:
            return None
        flight = fitted
    within = times_s[(times_s >= spots.at_s[0]) & (times_s <= spots.at_s[-1])]
    seen = int(sight.sees(flight.places(within)).sum())
    misses = float(np.sqrt((flight.misses(spots, sight.eye) ** 2).mean()))
    level = float(np.median(spots.levels[spots.colours < ANY])) if (spots.colours < ANY).any() else 0.0
    track = Track(flight, spots, misses, _colour(spots), len(spots.at_s) / max(1, seen), level)
    return track if _holds(track, sight) else None


def _holds(track: Track, sight: Eyesight) -> bool:
    """Return whether a track is surely one of a stone in free flight."""
    flight, spots = track.flight, track.spots
    distance = float(np.linalg.norm(flight.places(flight.at_s)[0] - sight.eye))
    width = float(np.median(spots.widths)) * distance / sight.stone_mm
    sigma = max(flight.height_sigma_mm(track.from_s), flight.height_sigma_mm(track.to_s))
    return (
        track.to_s - track.from_s >= LEAST_S
        and track.share >= LEAST_SHARE
        and track.misses_mm <= MOST_MISSES * sight.stone_mm
        and (spots.colours < ANY).sum() >= max(3, LEAST_COLOURED * len(spots.at_s))
        and MEDIAN_WIDTHS[0] < width < MEDIAN_WIDTHS[1]
        and sigma <= MOST_SIGMA_MM
        and bool(is_plausible(flight.places(np.array([track.from_s, track.to_s])), flight.velocity[None]).all())
    )


def _belonging(flight: Flight, cloud: Cloud, times_s: Floats, sight: Eyesight, miss_mm: float) -> Cloud:
    """Return the nearest spot of each picture within `miss_mm`, as far as they follow one another."""
    part = cloud.chosen(np.abs(cloud.at_s - flight.at_s) < REACH_S)
    off = flight.misses(part, sight.eye)
    colour = _colour(part.chosen(off < miss_mm))
    right = (part.colours == colour) | (part.colours == ANY)
    part, off = part.chosen(right), off[right]
    order = np.lexsort((off + miss_mm * COLOURED_FIRST * (part.colours == ANY), part.frames))
    first = np.ones(len(order), bool)
    first[1:] = part.frames[order][1:] != part.frames[order][:-1]
    chosen = order[first]
    spots = part.chosen(chosen[off[chosen] < miss_mm])
    return _trimmed(_together(flight, spots, times_s, sight))


def _trimmed(spots: Cloud) -> Cloud:
    """Let a flight begin with a spot of its colour, and end with one or at most ANY_AT_END pictures later.

    Things that only move lie on the line of a flight that has ended. Colours much fainter than the flight's are left
    out first.
    """
    coloured = spots.colours < ANY
    if not coloured.any():
        return spots
    spots = spots.chosen(~coloured | (spots.levels > FAINT * np.median(spots.levels[coloured])))
    own = spots.frames[spots.colours < ANY]
    return spots.chosen((spots.frames >= own[0]) & (spots.frames <= own[-1] + ANY_AT_END))


def _together(flight: Flight, spots: Cloud, times_s: Floats, sight: Eyesight) -> Cloud:
    """Return the spots around the flight's middle without a longer gap, not counting time outside the picture."""
    if not len(spots.at_s):
        return spots
    outside = ~sight.sees(flight.places(times_s))
    away = np.concatenate([[0.0], np.cumsum(np.diff(times_s) * outside[1:])])
    clock = spots.at_s - np.interp(spots.at_s, times_s, away)
    cuts = np.flatnonzero(np.diff(clock) > GAP_S) + 1
    groups = np.split(np.arange(len(clock)), cuts)
    best = max(groups, key=lambda rows: (len(rows), -abs(float(spots.at_s[rows].mean()) - flight.at_s)))
    return spots.chosen(best)


def _colour(spots: Cloud) -> int:
    """Return the commonest colour of spots; ANY where none has one."""
    counts = np.bincount(spots.colours, minlength=ANY + 1)[:ANY]
    return int(counts.argmax()) if counts.any() else ANY
