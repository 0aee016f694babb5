"""From the clean drawing to what a sensor delivers: blur, exposure, white balance, flicker, noise."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.sim.ground import GAMMA, HEADROOM
from pi_app.sim.items import Rect
from pi_app.sim.pieces import Floats
from pi_app.sim.scene import Scene
from pi_app.sim.shapes import Snapshot
from pi_app.sim.textures import Picture

SHOULDER = 215.0
"""Above this grey level the sensor's answer bends towards white."""

SPARE_PX = 64


class Sensor:
    """One scene's sensor; its noise is cut at random from one large tile."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._random = np.random.default_rng((scene.seed, 3))
        camera = scene.view.camera
        shape = (camera.height + SPARE_PX, camera.width + SPARE_PX, 3)
        grain = self._random.standard_normal(shape, np.float32) * np.float32(scene.noise)
        self._developed = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._answer = np.zeros((1, 256, 3), np.uint8)
        self._noise = np.clip(np.round(grain + 128), 0, 255).astype(np.uint8)

    def deliver(self, clean: Picture, dirty: Sequence[Rect], reference: Floats, snapshot: Snapshot) -> Picture:
        """Return a new picture of `clean`, which changed in `dirty` since the last call.

        `reference` is the light that `clean` is drawn relative to.
        """
        scene = self._scene
        curve = _curve(reference * np.array(scene.white_balance) * scene.exposure * snapshot.gain)
        if not np.array_equal(curve, self._answer):
            self._answer, dirty = curve, [(0, 0, clean.shape[1], clean.shape[0])]
        for rect in dirty:
            self._develop(clean, rect)
        seen = self._developed
        if snapshot.flicker_row is not None and snapshot.flicker:
            seen = _flicker(seen, snapshot.flicker, snapshot.flicker_row)
        return self._noisy(seen) if scene.noise > 0 else seen.copy()

    def _develop(self, clean: Picture, rect: Rect) -> None:
        """Blur and answer to light in one rectangle and the pixel around it that its blur reaches."""
        left, top, right, bottom = _grown(rect, 1, clean.shape)
        from_left, from_top, to_right, to_bottom = _grown(rect, 2, clean.shape)
        window = clean[from_top:to_bottom, from_left:to_right]
        if self._scene.blur_px > 0.05:
            window = np.asarray(cv2.GaussianBlur(window, (3, 3), self._scene.blur_px), np.uint8)
        inner = window[top - from_top : bottom - from_top, left - from_left : right - from_left]
        self._developed[top:bottom, left:right] = cv2.LUT(inner, self._answer)

    def _noisy(self, seen: Picture) -> Picture:
        x, y = (int(n) for n in self._random.integers(0, SPARE_PX, 2))
        height, width = seen.shape[:2]
        return np.asarray(cv2.addWeighted(seen, 1.0, self._noise[y : y + height, x : x + width], 1.0, -128.0), np.uint8)


def _grown(rect: Rect, by: int, shape: Sequence[int]) -> Rect:
    left, top, right, bottom = rect
    return max(left - by, 0), max(top - by, 0), min(right + by, shape[1]), min(bottom + by, shape[0])


def _curve(gains: Floats) -> NDArray[np.uint8]:
    levels = np.arange(256)[:, None] * gains ** (1 / GAMMA) / HEADROOM
    bent = SHOULDER + (255 - SHOULDER) * np.tanh((levels - SHOULDER) / (255 - SHOULDER))
    return np.clip(np.where(levels > SHOULDER, bent, levels), 0, 255).astype(np.uint8)[None]


def _flicker(picture: Picture, strength: float, first_row: float) -> Picture:
    height, width = picture.shape[:2]
    band = 1 + strength * np.sin(2 * np.pi * (np.arange(height) - first_row) / height)
    rows = np.repeat(np.repeat(band.astype(np.float32)[:, None, None], width, 1), 3, 2)
    return np.asarray(cv2.multiply(picture, rows, dtype=cv2.CV_8U), np.uint8)
