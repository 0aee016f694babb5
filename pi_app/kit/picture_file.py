"""Picture files from outside, hostile until checked: bytes and pixels are bounded before anything is decoded."""

import struct
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.errors import UserError

Image = NDArray[np.uint8]

MAX_BYTES = 20 << 20
MAX_PIXELS = 4096 * 4096
MIN_SIDE_PX = 16

_JPEG_NO_LENGTH = {0x01, *range(0xD0, 0xD9)}
_JPEG_SIZES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def read_picture(path: Path, where: str) -> Image:
    """Return a PNG's or JPEG's picture as BGR, as it is stored.

    UserError, beginning with `where`, if it is missing, broken, of another kind, or too large in bytes or pixels.
    """
    data = _bytes(path, where)
    width, height = _declared_size(data, where)
    if width * height > MAX_PIXELS or min(width, height) < MIN_SIDE_PX:
        raise UserError(f"{where}: got {width} x {height} px, wanted {MIN_SIDE_PX} px a side to {MAX_PIXELS} px in all")
    image = _decoded(data)
    if image is None or image.shape[:2] != (height, width):
        raise UserError(f"{where}: broken, wanted a whole PNG or JPEG picture")
    return image


def _decoded(data: bytes) -> Image | None:
    """Return a PNG's or JPEG's picture as it is stored, None where it is broken."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    return cast("Image | None", cv2.imdecode(np.frombuffer(data, np.uint8), flags))


def _bytes(path: Path, where: str) -> bytes:
    if not path.is_file():
        raise UserError(f"{where}: got no such file, wanted a picture")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"{where}: cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise UserError(f"{where}: got {path.stat().st_size} bytes, wanted at most {MAX_BYTES}")
    return data


def _declared_size(data: bytes, where: str) -> tuple[int, int]:
    """Return width and height from the file's head, before anything is decoded."""
    size = None
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        size = struct.unpack(">II", data[16:24])
    elif data.startswith(b"\xff\xd8"):
        size = _jpeg_size(data)
    if size is None:
        raise UserError(f"{where}: broken or of another kind, wanted a PNG or JPEG picture")
    return int(size[0]), int(size[1])


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walk a JPEG's segments to its frame header (ITU-T T.81, B.2.2)."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        kind = data[place + 1]
        if kind in _JPEG_SIZES:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        if kind == 0xFF:
            place += 1
        elif kind in _JPEG_NO_LENGTH:
            place += 2
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return None
