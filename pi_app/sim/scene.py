"""How a simulated table looks and what goes wrong with its camera: plain values, drawn at random from a seed."""

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pi_app.vision.camera import Camera, Pose, View, look_at

Bgr = tuple[float, float, float]
Real = TypeVar("Real", bound=np.floating)


@dataclass(frozen=True)
class Lamp:
    """A lamp at a place in mm in the mat frame; `strength` is linear light on a face turned to it, by channel."""

    place_mm: tuple[float, float, float]
    strength: Bgr
    softness_mm: float = 5.0


@dataclass(frozen=True)
class Screen:
    """Something that keeps the first lamp's light from half of the table: a shelf, somebody's shoulder.

    Its shadow's edge runs through `at_mm` of the mat; the shadow lies towards `turn_deg`, `soft_mm` wide at its edge.
    """

    at_mm: tuple[float, float]
    turn_deg: float
    soft_mm: float

    def share(self, x_mm: NDArray[Real], y_mm: NDArray[Real]) -> NDArray[Real]:
        """Return the part of the lamp that is hidden from places on the mat's plane."""
        towards = np.deg2rad(self.turn_deg)
        into = (x_mm - self.at_mm[0]) * np.cos(towards) + (y_mm - self.at_mm[1]) * np.sin(towards)
        hidden: NDArray[Real] = np.clip(into / self.soft_mm + 0.5, 0.0, 1.0)
        return hidden


@dataclass(frozen=True)
class Light:
    """Light from everywhere and a few lamps; linear, 1 = white paper reads as itself."""

    ambient: Bgr
    lamps: tuple[Lamp, ...]
    screen: Screen | None = None


@dataclass(frozen=True)
class Look:
    """Colours (sRGB as 0..255 BGR) of what is not the kit's."""

    table_bgr: Bgr = (70.0, 96.0, 130.0)
    table_kind: str = "wood"
    wall_bgr: Bgr = (96.0, 104.0, 112.0)
    skin_bgr: Bgr = (132.0, 165.0, 215.0)
    sleeve_bgr: Bgr = (120.0, 70.0, 50.0)


@dataclass(frozen=True)
class Faults:
    """What the camera and its surroundings do wrong; times in s from the first picture.

    `frozen_s` spans repeat one picture and its sensor time, `dropped_s` spans deliver nothing, `bumps` turn the camera
    by (pan, tilt) degrees at a time, `lamp_s` switches a further lamp on, `gain_s` changes the exposure.
    """

    frozen_s: tuple[tuple[float, float], ...] = ()
    dropped_s: tuple[tuple[float, float], ...] = ()
    drop_rate: float = 0.0
    bumps: tuple[tuple[float, float, float], ...] = ()
    lamp_s: float | None = None
    gain_s: tuple[tuple[float, float], ...] = ()
    flicker: float = 0.0
    flicker_rows_a_frame: float = 37.0
    arms_s: tuple[float, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A camera before a table in some light; `white_balance` multiplies channels, `noise` is in grey levels."""

    view: View
    light: Light
    look: Look = field(default_factory=Look)
    exposure: float = 1.0
    white_balance: Bgr = (1.0, 1.0, 1.0)
    blur_px: float = 0.6
    noise: float = 2.0
    seed: int = 0


def plain_scene(width: int = 1280, height: int = 720) -> Scene:
    """Return the scene of the demo: a good camera across the table, daylight and one lamp."""
    camera = Camera(
        width, height, 0.84 * width, 0.84 * width, width / 2 - 0.5, height / 2 - 0.5, (-0.04, 0.02, 0.0, 0.0, 0.0)
    )
    pose = look_at((20.0, 470.0, 300.0), (0.0, -10.0, 35.0))
    light = Light((0.42, 0.40, 0.38), (Lamp((-450.0, 150.0, 800.0), (0.62, 0.66, 0.70)),))
    return Scene(View(camera, pose), light)


def random_scene(seed: int) -> Scene:
    """Return a scene with its own camera, lens, place, lamp, colours and noise; the same seed gives the same scene."""
    random = np.random.default_rng((seed, 7))
    width, height = ((1280, 720), (1280, 720), (960, 540), (1536, 864))[int(random.integers(4))]
    view = _random_view(random, width, height)
    warm = float(random.uniform(-0.12, 0.12))
    lamp_level = float(random.uniform(0.25, 0.75))
    ambient = float(random.uniform(0.35, 0.65))
    turn, reach = random.uniform(0, 2 * np.pi), random.uniform(300.0, 700.0)
    place = (float(reach * np.cos(turn)), float(reach * np.sin(turn)), float(random.uniform(700.0, 1200.0)))
    lamp = Lamp(place, (lamp_level * (1 - warm), lamp_level, lamp_level * (1 + warm)), float(random.uniform(2.0, 14.0)))
    table = tuple(float(c) for c in random.uniform(40.0, 170.0, 3))
    skin = ((132.0, 165.0, 215.0), (88.0, 125.0, 190.0), (52.0, 78.0, 120.0), (150.0, 180.0, 228.0))[
        int(random.integers(4))
    ]
    look = Look(
        table_bgr=(table[0], table[1], table[2]),
        table_kind=("wood", "cloth", "plain")[int(random.integers(3))],
        skin_bgr=skin,
    )
    tint = random.uniform(-0.05, 0.05, 2)
    return Scene(
        view,
        Light((ambient, ambient, ambient), (lamp,)),
        look,
        exposure=float(random.uniform(0.75, 1.1)),
        white_balance=(1.0 + float(tint[0]), 1.0, 1.0 + float(tint[1])),
        blur_px=float(random.uniform(0.4, 0.9)),
        noise=float(random.uniform(1.0, 5.0)),
        seed=seed,
    )


def bumped(pose: Pose, pan_deg: float, tilt_deg: float) -> Pose:
    """Return the pose after the camera's head has turned."""
    pan, tilt = np.deg2rad(pan_deg), np.deg2rad(tilt_deg)
    across = np.array([[np.cos(pan), 0, np.sin(pan)], [0, 1, 0], [-np.sin(pan), 0, np.cos(pan)]])
    down = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turn = across @ down
    return Pose(turn @ pose.rotation, turn @ pose.translation)


def _random_view(random: np.random.Generator, width: int, height: int) -> View:
    focal = width * float(random.uniform(0.78, 1.1))
    skew = random.uniform(-5.0, 5.0, 2)
    k1, k2 = float(random.uniform(-0.1, 0.03)), float(random.uniform(-0.02, 0.05))
    camera = Camera(
        width, height, focal, focal * float(random.uniform(0.997, 1.003)), width / 2 + float(skew[0]),
        height / 2 + float(skew[1]), (k1, k2, 0.0, 0.0, 0.0),
    )  # fmt: skip
    distance = focal / width * float(random.uniform(570.0, 660.0))
    rise, aside = np.deg2rad(random.uniform(24.0, 40.0)), np.deg2rad(random.uniform(-14.0, 14.0))
    target = np.array([random.uniform(-15, 15), random.uniform(-25, 15), 30.0])
    away = np.array([np.sin(aside) * np.cos(rise), np.cos(aside) * np.cos(rise), np.sin(rise)])
    return View(camera, look_at(target + distance * away, target, float(random.uniform(-4.0, 4.0))))
