"""Kinds of room light, laid over a simulated scene: colour temperature, dimness, half shadow, a low window, a cast."""

from dataclasses import replace
from enum import StrEnum

import numpy as np

from pi_app.sim.pieces import Floats
from pi_app.sim.scene import Bgr, Lamp, Light, Scene, Screen, random_scene
from pi_app.sim.textures import Picture

DAYLIGHT_K = 6500.0
CHANNELS_NM = np.array([465.0, 550.0, 610.0])
"""Middles of what a sensor's blue, green and red answer to."""
PLANCK_NM_K = 1.4388e7
"""Second radiation constant (CODATA), h c / k."""
CAST = 0.15
GAMMA = 2.2
"""What a camera's 8-bit levels are raised to for light, nearly (IEC 61966-2-1)."""


class RoomLight(StrEnum):
    """What lights the table."""

    PLAIN = "plain"
    WARM = "warm"
    COLD = "cold"
    MIXED = "mixed"
    DIM = "dim"
    HALF_SHADOW = "half_shadow"
    WINDOW = "window"
    CAST = "cast"


KELVIN = {
    RoomLight.WARM: ((2700.0, 3500.0), (2700.0, 3200.0)),
    RoomLight.COLD: ((5200.0, 6500.0), (4000.0, 6500.0)),
    RoomLight.MIXED: ((5500.0, 6500.0), (2700.0, 3000.0)),
    RoomLight.WINDOW: ((4500.0, 6500.0), (5500.0, 6500.0)),
}
"""Colour temperatures, from and to, of the light from everywhere and of the lamp."""


def room_scene(seed: int, kind: RoomLight | None = None) -> Scene:
    """Return the random scene of a seed in a kind of light; None: the kind, too, is chance, in half of all plain."""
    random = np.random.default_rng((seed, 8))
    kinds = list(RoomLight)
    chosen = kinds[int(random.integers(1, len(kinds)))] if random.random() < 0.5 else RoomLight.PLAIN
    return in_light(random_scene(seed), kind or chosen, random)


def in_light(scene: Scene, kind: RoomLight, random: np.random.Generator) -> Scene:
    """Return a scene in another light; the camera balances its white only in part."""
    if kind in KELVIN:
        scene = _coloured(scene, kind, random)
    match kind:
        case RoomLight.DIM:
            level = float(random.uniform(0.3, 0.55))
            return replace(scene, exposure=scene.exposure * level, noise=float(random.uniform(3.5, 7.0)))
        case RoomLight.HALF_SHADOW:
            edge = Screen(_pair(random, (-60.0, -70.0), (60.0, 40.0)), float(random.uniform(0, 360)),
                          float(random.uniform(2.0, 60.0)))  # fmt: skip
            return replace(scene, light=replace(scene.light, screen=edge))
        case RoomLight.WINDOW:
            return replace(scene, light=_window(scene.light, random))
        case RoomLight.CAST:
            off = random.uniform(-1.0, 1.0, 3)
            off = 1 + CAST * off / np.abs(off).max()
            return replace(scene, white_balance=_bgr(np.array(scene.white_balance) * off))
        case _:
            return scene


def tint_of(kelvin: float) -> Floats:
    """Return a black body's linear light by channel (BGR) beside daylight's, green 1 (Planck's law)."""
    level = [1 / (np.exp(PLANCK_NM_K / (CHANNELS_NM * k)) - 1) for k in (kelvin, DAYLIGHT_K)]
    ratio = level[0] / level[1]
    return np.asarray(ratio / ratio[1])


def _coloured(scene: Scene, kind: RoomLight, random: np.random.Generator) -> Scene:
    around, of_lamp = (tint_of(float(random.uniform(*span))) for span in KELVIN[kind])
    light = scene.light
    lamps = tuple(replace(lamp, strength=_bgr(np.array(lamp.strength) * of_lamp)) for lamp in light.lamps)
    seen = (around + of_lamp) / 2
    balance = np.array(scene.white_balance) / seen ** float(random.uniform(0.6, 1.0))
    light = replace(light, ambient=_bgr(np.array(light.ambient) * around), lamps=lamps)
    return replace(scene, light=light, white_balance=_bgr(balance))


def _window(light: Light, random: np.random.Generator) -> Light:
    """Return the light with its lamp low behind the active player: it mirrors in what is glossy."""
    x, y, z = (float(value) for value in random.uniform((-480.0, -1000.0, 380.0), (480.0, -620.0, 620.0)))
    window = Lamp((x, y, z), light.lamps[0].strength, float(random.uniform(8.0, 14.0)))
    return replace(light, lamps=(window, *light.lamps[1:]))


def _pair(random: np.random.Generator, low: tuple[float, float], high: tuple[float, float]) -> tuple[float, float]:
    x, y = random.uniform(low, high)
    return float(x), float(y)


def _bgr(values: Floats) -> Bgr:
    blue, green, red = (float(value) for value in values)
    return blue, green, red


def lamp_on(scene: Scene, kelvin: float = DAYLIGHT_K / 2) -> Scene:
    """Return a scene with one more lamp switched on beside the table; exposure and white balance stay as they were."""
    lamp = Lamp((420.0, 260.0, 520.0), _bgr(0.5 * np.array(scene.light.lamps[0].strength) * tint_of(kelvin)), 3.0)
    return replace(scene, light=replace(scene.light, lamps=(*scene.light.lamps, lamp)))


def flickered(picture: Picture, depth: float, bands: float, phase: float) -> Picture:
    """Return a picture under mains flicker: a rolling shutter sees light swing by `depth` in `bands` over its rows.

    `phase` is in radians. Twice the mains frequency times the read-out time gives the number of bands.
    """
    rows = np.arange(len(picture)) / len(picture)
    share = 1 + depth * np.sin(2 * np.pi * bands * rows + phase)
    light = (picture / 255.0) ** GAMMA * share[:, None, None]
    return np.asarray(np.clip(light, 0, 1) ** (1 / GAMMA) * 255, np.uint8)
