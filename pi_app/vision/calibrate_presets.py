"""Cameras known by their sensor's name: focal lengths and sensors as Raspberry Pi publishes them.

Source: Raspberry Pi documentation, "Camera hardware specification" (resolution, pixel size, focal length) and the
product brief of the 6 mm wide angle lens for the HQ camera. Lenses differ by a few per cent, and distortion is not
published: `umpire calibrate` knows better.
"""

from dataclasses import dataclass

from pi_app.vision.camera import Camera


@dataclass(frozen=True)
class Preset:
    """A sensor of `width` x `height` pixels of `pitch_um`, and the focal length of its lens."""

    name: str
    width: int
    height: int
    pitch_um: float
    focal_mm: float


PRESETS = {
    "imx708": Preset("Camera Module 3", 4608, 2592, 1.4, 4.74),
    "imx708_noir": Preset("Camera Module 3 NoIR", 4608, 2592, 1.4, 4.74),
    "imx708_wide": Preset("Camera Module 3 Wide", 4608, 2592, 1.4, 2.75),
    "imx708_wide_noir": Preset("Camera Module 3 Wide NoIR", 4608, 2592, 1.4, 2.75),
    "imx477": Preset("HQ Camera with the 6 mm lens", 4056, 3040, 1.55, 6.0),
}


def preset_camera(model: str, width: int, height: int) -> Camera | None:
    """Return the camera of a sensor's name for pictures of that size, None where the name is not known.

    The whole field is read out, cut to the picture's shape around the middle, as the widest sensor modes do.
    """
    preset = PRESETS.get(model)
    if preset is None:
        return None
    scale = max(width / preset.width, height / preset.height)
    focal_px = preset.focal_mm * 1000 / preset.pitch_um * scale
    return Camera(width, height, focal_px, focal_px, (width - 1) / 2, (height - 1) / 2)
