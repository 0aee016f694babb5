"""What lies on a simulated Festival table: trays with their boards and piles, and what does not belong there."""

from dataclasses import dataclass, field, replace

import numpy as np

from pi_app.kit.festival import CELLS
from pi_app.sim.pieces import Floats, turn_z
from pi_app.sim.scene import Lamp, Light, Look, Scene
from pi_app.sim.shapes import Capsule
from pi_app.sim.textures import Picture
from pi_app.vision.camera import Camera, View, look_at


@dataclass(frozen=True)
class TokenShown:
    """A token of a pile: its kind, its centre from the cell's centre, and its turn anticlockwise in the tray's frame.

    `strange` tells of a token that is none of the kit's: its face is looked up by that name.
    """

    colour: str
    motif: str
    off_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    strange: str = ""


@dataclass(frozen=True)
class TrayShown:
    """A player's tray at a place and turn of the mat frame; `board` is how far its board is off: x, y, degrees."""

    player: int
    at_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    board: tuple[float, float, float] = (0.0, 0.0, 0.0)
    piles: tuple[tuple[TokenShown, ...], ...] = ((),) * CELLS

    def placed(self, cell: int, token: TokenShown) -> "TrayShown":
        """Return the tray with one token more on a cell."""
        piles = list(self.piles)
        piles[cell] = (*piles[cell], token)
        return replace(self, piles=tuple(piles))


@dataclass(frozen=True)
class Sheet:
    """A flat thing: its picture's name, centre and turn in the mat frame."""

    name: str
    at_mm: tuple[float, float]
    turn_deg: float = 0.0
    z_mm: float = 0.4


@dataclass(frozen=True)
class FestivalShown:
    """Everything to be seen at one moment; `over` are sheets that lie above trays and tokens."""

    trays: tuple[TrayShown, ...]
    mat: bool = True
    sheets: tuple[Sheet, ...] = ()
    over: tuple[Sheet, ...] = ()
    limbs: tuple[Capsule, ...] = ()


@dataclass(frozen=True, eq=False)
class Extras:
    """Pictures of what is none of the kit's, by name, with their width in mm; their height follows."""

    pictures: dict[str, tuple[Picture, float]] = field(default_factory=dict)


def festival_scene(seed: int, trays: int = 1) -> Scene:
    """Return a scene whose camera looks down on one tray or on several, in its own light; the same seed, the same."""
    random = np.random.default_rng((seed, 31))
    width, height = ((1280, 720), (960, 540), (1536, 864))[int(random.integers(3))] if trays == 1 else (1280, 720)
    focal = width * float(random.uniform(0.85, 1.6))
    camera = Camera(
        width, height, focal, focal * float(random.uniform(0.997, 1.003)), width / 2 + float(random.uniform(-8, 8)),
        height / 2 + float(random.uniform(-8, 8)),
        (float(random.uniform(-0.1, 0.02)), float(random.uniform(-0.02, 0.05)), 0.0, 0.0, 0.0),
    )  # fmt: skip
    span = (265.0 if trays == 1 else 450.0) * float(random.uniform(1.0, 1.25))
    distance = span * focal / height
    tilt, side = np.deg2rad(random.uniform(4.0, 33.0)), np.deg2rad(random.uniform(-10, 10))
    away = np.array([np.sin(tilt) * np.sin(side), np.sin(tilt) * np.cos(side), np.cos(tilt)])
    target = np.array([*random.uniform(-8, 8, 2), 0.0])
    view = View(camera, look_at(target + distance * away, target, float(random.uniform(-4, 4))))
    return Scene(
        view, _light(random), _look(random), float(random.uniform(0.5, 1.1)), _balance(random),
        float(random.uniform(0.4, 1.0)), float(random.uniform(1.0, 6.0)), seed,
    )  # fmt: skip


def _light(random: np.random.Generator) -> Light:
    """One or two lamps anywhere above the table, also where they mirror in it."""
    lamps = []
    for _ in range(int(random.integers(1, 3))):
        turn, reach = random.uniform(0, 2 * np.pi), random.uniform(150.0, 900.0)
        level, warm = random.uniform(0.2, 0.7), random.uniform(-0.12, 0.12)
        place = (float(reach * np.cos(turn)), float(reach * np.sin(turn)), float(random.uniform(600.0, 1300.0)))
        strength = (float(level * (1 - warm)), float(level), float(level * (1 + warm)))
        lamps.append(Lamp(place, strength, float(random.uniform(2.0, 14.0))))
    ambient = float(random.uniform(0.3, 0.6))
    return Light((ambient, ambient, ambient), tuple(lamps))


def _look(random: np.random.Generator) -> Look:
    blue, green, red = (float(c) for c in random.uniform(35.0, 170.0, 3))
    return Look(table_bgr=(blue, green, red), table_kind=("wood", "cloth", "plain")[int(random.integers(3))])


def _balance(random: np.random.Generator) -> tuple[float, float, float]:
    """A camera's white balance under light from warm to cold."""
    warm = np.array((1.4, 1.0, 0.66)) ** random.uniform(-0.6, 0.8) * random.uniform(0.92, 1.08, 3)
    blue, green, red = (float(gain) for gain in warm / warm.max())
    return blue, green, red


def in_world(tray: TrayShown, points_mm: Floats) -> Floats:
    """Return points of a tray's frame, n x 3, in the mat frame."""
    return np.asarray(points_mm @ turn_z(tray.turn_deg).T + (*tray.at_mm, 0.0))
