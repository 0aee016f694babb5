"""A camera's numbers as files hold them: OpenCV's model."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pi_app.kit.load import load_toml
from pi_app.vision.camera import Camera

Focal = Annotated[float, Field(gt=10, lt=100_000)]
Pixels = Annotated[int, Field(ge=64, le=8192)]
Coefficient = Annotated[float, Field(ge=-100, le=100)]


class CameraEntry(BaseModel):
    """The [camera] table of a case.toml, or all of a camera's own file."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    width: Pixels
    height: Pixels
    fx: Focal
    fy: Focal
    cx: Annotated[float, Field(ge=-8192, le=16384)]
    cy: Annotated[float, Field(ge=-8192, le=16384)]
    dist: Annotated[tuple[Coefficient, ...], Field(min_length=4, max_length=8)] = (0.0,) * 5

    def camera(self) -> Camera:
        """Return the camera."""
        return Camera(**self.model_dump())


def load_camera(path: Path) -> Camera:
    """Read a camera's own file; UserError says what is wrong in it."""
    return load_toml(path, CameraEntry).camera()
