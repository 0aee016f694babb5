"""Hands: where the fingers are, how they look as thickened lines, how close they come to pieces. mm, mat frame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from pi_app.sim.pieces import Floats, Piece, Placed, vec
from pi_app.sim.scene import Bgr, Look
from pi_app.sim.shapes import Capsule

TICK_S = 0.008
"""Hands move, and truth is sampled, this often: a whole number of physics steps."""

PAD_MM = 7.0
"""Radius of a fingertip."""

REST_OPENING_MM = 34.0
TOUCH_MM = 0.5
"""A hand touches a piece when the gap is smaller (conventions of the recorded scenes)."""


@dataclass(slots=True, eq=False)
class Hand:
    """One hand: `tip_mm` is the middle between thumb and fingers, `opening_mm` the gap between their pads.

    `axis_deg` is the direction from thumb to fingers about z; `pointing` stretches the index finger down to `tip_mm`.
    `flat` opens the hand palm up: what lies on it lies on `tip_mm`.
    """

    shoulder_mm: Floats
    tip_mm: Floats
    opening_mm: float = REST_OPENING_MM
    axis_deg: float = 90.0
    pointing: bool = False
    flat: bool = False
    holding: str | None = None
    visible: bool = True
    look: Look = field(default_factory=Look)

    def limbs(self) -> tuple[Capsule, ...]:
        """Return the arm, palm and fingers as thickened lines; none where the hand is away."""
        if not self.visible:
            return ()
        return tuple(_flat_limbs(self) if self.flat else _limbs(self))


def _limbs(hand: Hand) -> Iterator[Capsule]:
    skin = hand.look.skin_bgr
    axis = np.array([np.cos(np.deg2rad(hand.axis_deg)), np.sin(np.deg2rad(hand.axis_deg)), 0.0])
    back = hand.shoulder_mm - hand.tip_mm
    back[2] = 0.0
    back /= max(float(np.linalg.norm(back)), 1e-6)
    across = np.array([-axis[1], axis[0], 0.0])
    knuckles = hand.tip_mm + back * 30.0 + vec(0.0, 0.0, 66.0)
    wrist = knuckles + back * 72.0 + vec(0.0, 0.0, 18.0)
    elbow = wrist + (hand.shoulder_mm - wrist) * min(
        1.0, 260.0 / max(1.0, float(np.linalg.norm(hand.shoulder_mm - wrist)))
    )
    yield Capsule(elbow, wrist, 42.0, 27.0, hand.look.sleeve_bgr)
    yield Capsule(wrist, (wrist + knuckles) / 2, 25.0, 26.0, skin)
    yield Capsule(knuckles - across * 20, knuckles + across * 20, 15.0, 15.0, skin)
    yield Capsule((wrist + knuckles) / 2, knuckles, 26.0, 19.0, skin)
    if hand.pointing:
        yield from _finger(knuckles - across * 12, hand.tip_mm + vec(0.0, 0.0, PAD_MM), -back * 6, 9.0, skin)
        for n in range(3):
            curled = knuckles + across * (4.0 + 12 * n) + back * 2 - vec(0.0, 0.0, 26.0)
            yield from _finger(knuckles + across * (4.0 + 12 * n), curled, -back * 22, 9.0, skin)
        yield from _finger(
            knuckles - across * 24 + back * 20,
            knuckles - across * 16 - back * 12 - vec(0, 0, 30.0),
            -across * 8,
            9.5,
            skin,
        )
        return
    reach = axis * (hand.opening_mm / 2 + PAD_MM)
    for n, drop in enumerate((0.0, 2.0)):
        pad = hand.tip_mm + reach + across * (8.0 - 15.0 * n) + vec(0.0, 0.0, drop)
        yield from _finger(knuckles + axis * 10 + across * (8 - 16.0 * n), pad, axis * 13, 8.5, skin)
    for n in range(2):
        root = knuckles + axis * 8 + across * (-24 - 12.0 * n)
        yield from _finger(root, root + axis * 6 - vec(0.0, 0.0, 34.0 - 6 * n), axis * 12, 8.5, skin)
    yield from _finger(knuckles - axis * 14 + back * 22, hand.tip_mm - reach, -axis * 10, 9.5, skin)


def _flat_limbs(hand: Hand) -> Iterator[Capsule]:
    """Yield an open hand under `tip_mm`: palm up, fingers stretched out and bent up a little."""
    skin, away = hand.look.skin_bgr, hand.shoulder_mm - hand.tip_mm
    back = np.array([away[0], away[1], 0.0]) / max(float(np.hypot(away[0], away[1])), 1e-6)
    across = np.array([-back[1], back[0], 0.0])
    palm = hand.tip_mm - vec(0.0, 0.0, 13.0)
    wrist = palm + back * 62.0 - vec(0.0, 0.0, 4.0)
    to_elbow = hand.shoulder_mm - wrist
    elbow = wrist + to_elbow * min(1.0, 260.0 / max(1.0, float(np.linalg.norm(to_elbow))))
    yield Capsule(elbow, wrist, 42.0, 27.0, hand.look.sleeve_bgr)
    yield Capsule(wrist, palm + back * 14.0, 24.0, 16.0, skin)
    for side in (-24.0, -8.0, 8.0, 24.0):
        yield Capsule(palm + back * 26.0 + across * side, palm - back * 18.0 + across * side, 13.0, 11.0, skin)
        knuckle = palm - back * 22.0 + across * side
        tip = knuckle - back * (52.0 - abs(side) * 0.4) + vec(0.0, 0.0, 16.0)
        yield Capsule(knuckle, tip, 9.5, 7.5, skin)
    yield Capsule(
        palm + back * 30.0 + across * 28.0, palm - back * 6.0 + across * 52.0 + vec(0, 0, 10.0), 12.0, 8.5, skin
    )


def _finger(root: Floats, pad: Floats, bow: ArrayLike, radius: float, bgr: Bgr) -> Iterator[Capsule]:
    joint = root * 0.45 + pad * 0.55 + np.asarray(bow, np.float64)
    yield Capsule(root, joint, radius + 1.0, radius, bgr)
    yield Capsule(joint, np.asarray(pad, np.float64), radius, PAD_MM, bgr)


@dataclass(frozen=True, eq=False)
class Reach:
    """All limbs as balls close together: centres n x 3 and radii n."""

    points_mm: Floats
    radii_mm: Floats

    def gap_mm(self, piece: Piece, placed: Placed) -> float:
        """Return the distance to a piece's box; negative where they overlap, infinity without limbs."""
        if not len(self.points_mm):
            return float("inf")
        local = np.abs((self.points_mm - placed.at_mm) @ placed.rotation) - piece.half_mm
        outside = np.sqrt((np.maximum(local, 0.0) ** 2).sum(axis=1))
        return float((outside + np.minimum(local.max(axis=1), 0.0) - self.radii_mm).min())


def reach_of(limbs: Sequence[Capsule], balls: int = 7) -> Reach:
    """Return limbs as balls."""
    if not limbs:
        return Reach(np.zeros((0, 3)), np.zeros(0))
    part = np.linspace(0.0, 1.0, balls)[:, None]
    starts = np.array([[*limb.start_mm, limb.start_radius_mm] for limb in limbs])
    ends = np.array([[*limb.end_mm, limb.end_radius_mm] for limb in limbs])
    filled = (starts[:, None] + (ends - starts)[:, None] * part).reshape(-1, 4)
    return Reach(filled[:, :3], filled[:, 3])
