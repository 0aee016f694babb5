"""Flights: what moves freely under gravity, found among the spots of many pictures and fitted in space.

A camera sees only directions; but how fast a flight bends in the picture tells how far away it is, since everything
falls at the same rate. With place P and velocity V at a moment, P + V t + g t^2 / 2 must lie on every line of sight:
two linear equations a sighting for six unknowns, so that three sightings give a flight and many its least squares.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pi_app.vision.camera import Floats
from pi_app.vision.throw import ANY, Spots

GRAVITY = np.array([0.0, 0.0, -9810.0])
"""mm/s2 in the mat frame; the mat lies level."""

NEAREST_MM, FARTHEST_MM = 250.0, 2000.0
"""From the camera."""
LOW_MM = np.array([-500.0, -700.0, -150.0])
HIGH_MM = np.array([500.0, 170.0, 1000.0])
"""Where a thrown stone may be in the mat frame: around the active player, not between mat and camera."""
FASTEST_MM_S, FASTEST_ASIDE_MM_S, FASTEST_AWAY_MM_S = 4500.0, 1100.0, 700.0
"""In all, from hand to hand, and towards the camera or away: people throw up and across."""
USUAL_AWAY_MM_S = 250.0
"""Standard deviation of the latter; what a short flight tells of its distance needs its support."""
BEND_RAD_S2 = (4.0, 35.0)
BEND_ALONG = 0.8
"""Size of a sighting's bend, and the least cosine between it and straight down, before a flight is solved for it."""
ANY_SHARE = 0.6
MOST_SCORED = 24
WIDTHS = (0.4, 2.3)
"""Of a spot, against what a stone's diameter makes at that distance."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """The spots of many pictures in one list, n each: `at_s` since some moment, `frames` the pictures' numbers."""

    at_s: Floats
    frames: NDArray[np.int64]
    rays: Floats
    colours: NDArray[np.int64]
    widths: Floats
    levels: Floats

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Cloud":
        """Return some of the spots."""
        return Cloud(
            self.at_s[which], self.frames[which], self.rays[which], self.colours[which], self.widths[which],
            self.levels[which],
        )  # fmt: skip


def cloud_of(pictures: list[Spots], from_ns: int, first: int = 0) -> Cloud:
    """Put the spots of pictures together; the pictures are numbered from `first`."""
    counts = [len(spots.rays) for spots in pictures]
    return Cloud(
        np.repeat([(spots.at_ns - from_ns) / 1e9 for spots in pictures], counts),
        np.repeat(np.arange(first, first + len(pictures)), counts),
        np.concatenate([spots.rays for spots in pictures]) if pictures else np.zeros((0, 3)),
        np.concatenate([spots.colours for spots in pictures]) if pictures else np.zeros(0, np.int64),
        np.concatenate([spots.widths for spots in pictures]) if pictures else np.zeros(0),
        np.concatenate([spots.levels for spots in pictures]) if pictures else np.zeros(0),
    )


@dataclass(frozen=True, eq=False)
class Flight:
    """Free flight: `place` in mm in the mat frame and `velocity` in mm/s at the moment `at_s`; its 6 x 6 covariance."""

    place: Floats
    velocity: Floats
    at_s: float
    covariance: Floats

    def places(self, at_s: Floats | float) -> Floats:
        """Return where it is at some moments, n x 3."""
        dt = np.atleast_1d(at_s)[:, None] - self.at_s
        return np.asarray(self.place + self.velocity * dt + GRAVITY * dt**2 / 2)

    @property
    def top_s(self) -> float:
        """When it is highest."""
        return self.at_s - float(self.velocity[2] / GRAVITY[2])

    def rise_mm(self, from_s: float) -> float:
        """Return how much higher it gets than it is at a moment; 0 once it falls."""
        return float(-GRAVITY[2] / 2 * max(0.0, self.top_s - from_s) ** 2)

    def height_sigma_mm(self, at_s: float) -> float:
        """Return the standard error of the height above the mat at a moment."""
        row = np.array([0.0, 0.0, 1.0, 0.0, 0.0, at_s - self.at_s])
        return float(np.sqrt(max(0.0, row @ self.covariance @ row)))

    def misses(self, cloud: Cloud, eye: Floats) -> Floats:
        """Return by how many mm it passes each spot's line of sight at the spot's moment; infinite behind the eye."""
        misses = _misses(self.place[None], self.velocity[None], np.array([self.at_s]), cloud, eye)
        return np.asarray(misses[0], np.float64)


def _across(rays: Floats) -> Floats:
    """Return two unit vectors at right angles to each ray, n x 2 x 3."""
    side = np.cross(rays, (0.0, 0.0, 1.0))
    side /= np.maximum(np.linalg.norm(side, axis=-1, keepdims=True), 1e-9)
    return np.asarray(np.stack([side, np.cross(rays, side)], axis=-2), np.float64)


def _equations(rays: Floats, dt: Floats, eye: Floats) -> tuple[Floats, Floats]:
    """Return the rows (... x 2n x 6) and values (... x 2n) of the equations for place and velocity."""
    across = _across(rays)
    rows = np.concatenate([across, across * dt[..., None, None]], axis=-1)
    values = across @ eye - (across @ GRAVITY) * (dt**2 / 2)[..., None]
    shape = (*dt.shape[:-1], 2 * dt.shape[-1])
    return rows.reshape(*shape, 6), values.reshape(shape)


def _misses(places: Floats, velocities: Floats, at_s: Floats, cloud: Cloud, eye: Floats) -> Floats:
    """Return the misses of m flights at n spots, m x n."""
    moments, which = np.unique(cloud.at_s, return_inverse=True)
    dt = (moments[None] - at_s[:, None])[..., None]
    ways = places[:, None] + velocities[:, None] * dt + GRAVITY * dt**2 / 2 - eye
    along = np.einsum("mnk,nk->mn", ways[:, which], cloud.rays)
    away = np.einsum("mnk,mnk->mn", ways, ways)[:, which]
    return np.where(along > 0, np.sqrt(np.maximum(away - along**2, 0.0)), np.inf)


def fit_flight(cloud: Cloud, eye: Floats, sigma_mm: float) -> Flight | None:
    """Return the least-squares flight through spots; None where they do not tell one. `sigma_mm` is a sighting's."""
    at_s = float(cloud.at_s.mean()) if len(cloud.at_s) else 0.0
    rows, values = _equations(cloud.rays, cloud.at_s - at_s, eye)
    if len(values) < 6:
        return None
    rows = np.vstack([rows, [0.0, 0.0, 0.0, 0.0, sigma_mm / USUAL_AWAY_MM_S, 0.0]])
    values = np.append(values, 0.0)
    scale = np.array([1.0, 1.0, 1.0, 0.1, 0.1, 0.1])
    normal = (rows / scale).T @ (rows / scale)
    if np.linalg.cond(normal) > 1e12:
        return None
    inverse = np.linalg.inv(normal) / np.outer(scale, scale)
    solved = inverse @ (rows.T @ values)
    spread = values - rows @ solved
    variance = max(sigma_mm**2, float(spread @ spread) / max(1, len(values) - 6))
    return Flight(solved[:3], solved[3:], at_s, inverse * variance)


@dataclass(frozen=True, eq=False)
class Guesses:
    """Flights through three spots each, m of them."""

    places: Floats
    velocities: Floats
    at_s: Floats

    def misses(self, cloud: Cloud, eye: Floats) -> Floats:
        """Return by how many mm each passes each spot's line of sight, m x n."""
        return _misses(self.places, self.velocities, self.at_s, cloud, eye)

    def scores(self, cloud: Cloud, eye: Floats, miss_mm: float) -> Floats:
        """Return how well each is borne out: the sum over pictures of the nearest spot's nearness, 0 to 1.

        A spot of one colour, the same in all pictures, counts in full, one that only moves by ANY_SHARE.
        """
        if not len(cloud.at_s):
            return np.zeros(len(self.at_s))
        near = np.maximum(0.0, 1 - (self.misses(cloud, eye) / miss_mm) ** 2)
        starts = np.flatnonzero(np.r_[True, np.diff(cloud.frames) > 0])
        moved = np.where(cloud.colours == ANY, ANY_SHARE * near, 0.0)
        best = [
            np.maximum.reduceat(np.maximum(moved, np.where(cloud.colours == colour, near, 0.0)), starts, axis=1)
            for colour in range(ANY)
        ]
        return np.asarray(np.max([levels.sum(axis=1) for levels in best], axis=0))

    def best(self, few: Cloud, eye: Floats, miss_mm: float) -> "Guesses":
        """Return the MOST_SCORED that a few pictures bear out best."""
        if len(self.at_s) <= MOST_SCORED:
            return self
        order = np.argsort(-self.scores(few, eye, miss_mm), kind="stable")[:MOST_SCORED]
        return Guesses(self.places[order], self.velocities[order], self.at_s[order])

    def flight(self, index: int) -> Flight:
        """Return one of them."""
        return Flight(self.places[index], self.velocities[index], float(self.at_s[index]), np.eye(6) * 1e6)


def guess_flights(three: tuple[Cloud, Cloud, Cloud], eye: Floats, stone_mm: float) -> Guesses | None:
    """Return the flights through one spot of each of three pictures, in order, that bend downwards as falling does."""
    if not all(len(cloud.at_s) for cloud in three):
        return None
    times = [float(cloud.at_s[0]) for cloud in three]
    chosen = np.stack(np.unravel_index(np.arange(np.prod(counts := [len(cloud.at_s) for cloud in three])), counts))
    chosen = chosen[:, _is_one_stone(_gathered(three, chosen, "colours"))]
    chosen = chosen[:, _falls(_gathered(three, chosen, "rays"), times)]
    if not chosen.size:
        return None
    widths = np.median(_gathered(three, chosen, "widths"), axis=1) / stone_mm
    dt = np.broadcast_to(np.array(times) - times[1], (len(widths), 3))
    return _solved(_gathered(three, chosen, "rays"), dt, times[1], eye, widths)


def _gathered(three: tuple[Cloud, Cloud, Cloud], chosen: NDArray[np.int64], column: str) -> NDArray[np.float64]:
    """Return a column of the chosen spots (3 x m) of three pictures, m x 3 ..."""
    return np.stack([getattr(cloud, column)[rows] for cloud, rows in zip(three, chosen, strict=True)], axis=1)


def _is_one_stone(colours: Floats) -> NDArray[np.bool_]:
    """Return which triples have a colour, and none another one."""
    lowest = colours.min(axis=1)
    return np.asarray((lowest < ANY) & ((colours == ANY) | (colours == lowest[:, None])).all(axis=1))


def _falls(rays: Floats, times: list[float]) -> NDArray[np.bool_]:
    """Return which triples of rays bend towards the ground, by about as much as falling things do."""
    middle = rays[:, 1]
    late, early = (rays[:, 2] - middle) / (times[2] - times[1]), (middle - rays[:, 0]) / (times[1] - times[0])
    bend = 2 * (late - early) / (times[2] - times[0])
    size = np.linalg.norm(bend, axis=1)
    down = GRAVITY / np.linalg.norm(GRAVITY)
    seen_down = down - (middle @ down)[:, None] * middle
    along = (bend * seen_down).sum(axis=1) / np.maximum(np.linalg.norm(seen_down, axis=1), 1e-9)
    return np.asarray((size > BEND_RAD_S2[0]) & (size < BEND_RAD_S2[1]) & (along > BEND_ALONG * size))


def _solved(rays: Floats, dt: Floats, at_s: float, eye: Floats, width_a_mm: Floats) -> Guesses | None:
    """Return the flights through three rays each that could be a stone's; `width_a_mm` are widths in radians / mm."""
    rows, values = _equations(rays, dt, eye)
    firm = np.abs(np.linalg.det(rows)) > 1e-12
    solved = np.linalg.solve(rows[firm], values[firm][..., None])[..., 0]
    places, velocities = solved[:, :3], solved[:, 3:]
    away = ((places - eye) * rays[firm, 1]).sum(axis=1)
    right = is_plausible(places, velocities) & (away > NEAREST_MM) & (away < FARTHEST_MM)
    width = width_a_mm[firm] * away
    right &= (width > WIDTHS[0]) & (width < WIDTHS[1])
    if not right.any():
        return None
    return Guesses(places[right], velocities[right], np.full(int(right.sum()), at_s))


def is_plausible(places: Floats, velocities: Floats) -> NDArray[np.bool_]:
    """Return which of m places and velocities (m x 3) a thrown stone may have."""
    right = ((places > LOW_MM) & (places < HIGH_MM)).all(axis=1)
    right &= np.linalg.norm(velocities, axis=1) < FASTEST_MM_S
    right &= (np.abs(velocities[:, 0]) < FASTEST_ASIDE_MM_S) & (np.abs(velocities[:, 1]) < FASTEST_AWAY_MM_S)
    return np.asarray(right)
