"""Which numbers a camera is taken to have: given, measured, published, or none yet."""

from dataclasses import dataclass
from pathlib import Path

from pi_app.vision.calibrate_presets import PRESETS, preset_camera
from pi_app.vision.calibrate_store import CalibrationStore
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import load_camera


@dataclass(frozen=True)
class Chosen:
    """A camera and where its numbers come from, in words for the person at the table."""

    camera: Camera
    source: str


def choose_camera(name: str, size: tuple[int, int], file: Path | None, store: CalibrationStore) -> Chosen | None:
    """Return the numbers of `file`, else those kept for the name and size, else those published for a sensor's name.

    None where there are none: they are to be solved from the mat. UserError where a file is broken.
    """
    if file is not None:
        return Chosen(load_camera(file), f"{file}")
    kept = store.find(name, size)
    if kept is not None:
        return Chosen(kept, f"calibration of {name} {size[0]} x {size[1]}")
    preset = preset_camera(name, *size)
    if preset is not None:
        return Chosen(preset, f"{PRESETS[name].name}, as published; `umpire calibrate` measures it")
    return None
