"""The set before anything moves on it: camera view, light, the empty table, and every pixel's line of sight."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pi_app.kit.table import Table
from pi_app.sim.ground import GAMMA, ground_picture, light_at, reference, shaded_at, sight_lines
from pi_app.sim.pieces import Floats
from pi_app.sim.scene import Lamp, Light, Scene, bumped
from pi_app.sim.textures import Picture
from pi_app.vision.camera import View

SECOND_LAMP = Lamp((550.0, 250.0, 800.0), (0.45, 0.50, 0.55))
"""The further lamp that may be switched on."""

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Stage:
    """A view in some light; `ground` is the empty table, lit relative to `reference`.

    `on_table` is the part of the first lamp, 0 to 255, that reaches the empty table; 0 where none is. `rays` are the
    lines of sight, h x w x 3.
    """

    view: View
    light: Light
    reference: Floats
    ground: Picture
    on_table: Picture
    rays: NDArray[np.float32]

    @property
    def eye(self) -> Floats:
        """The camera's place, mm."""
        return self.view.pose.eye

    def shade(self, place_mm: Floats, normal: Floats) -> Floats:
        """Return the factors (3) of a face's colours, relative to the middle of the mat."""
        lit = light_at(self.light, place_mm, normal, shaded_at(self.light, place_mm))
        return np.asarray((lit / self.reference) ** (1 / GAMMA))

    def bright(self, place_mm: Floats, normal: Floats) -> Floats:
        """Return the factors as `shade` does, where no lamp is hidden."""
        return np.asarray((light_at(self.light, place_mm, normal) / self.reference) ** (1 / GAMMA))

    def without(self, lamp: int, place_mm: Floats, normal: Floats) -> Floats:
        """Return the further factors (3) where one lamp is hidden from the face."""
        full = light_at(self.light, place_mm, normal)
        hidden = tuple(float(n == lamp) for n in range(len(self.light.lamps)))
        return np.asarray((light_at(self.light, place_mm, normal, hidden) / full) ** (1 / GAMMA))


def set_up(scene: Scene, table: Table, lamp: float, bump: tuple[float, float]) -> Stage:
    """Return a scene's stage with the further lamp at 0..1 and the camera turned by (pan, tilt) degrees."""
    pose = bumped(scene.view.pose, *bump) if bump != (0.0, 0.0) else scene.view.pose
    view = View(scene.view.camera, pose)
    light = _light(scene, lamp)
    rays = sight_lines(view)
    ground, on_table = ground_picture(view, rays, scene, table)
    return Stage(view, light, reference(light), ground, on_table, rays)


def relit(stage: Stage, scene: Scene, lamp: float) -> Stage:
    """Return the stage with the further lamp at another level."""
    light = _light(scene, lamp)
    return replace(stage, light=light, reference=reference(light))


def _light(scene: Scene, lamp: float) -> Light:
    blue, green, red = (lamp * part for part in SECOND_LAMP.strength)
    further = replace(SECOND_LAMP, strength=(blue, green, red))
    return replace(scene.light, lamps=(*scene.light.lamps, further)) if lamp else scene.light
