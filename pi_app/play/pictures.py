"""A recording's pictures: JPEGs one behind the other in one file (a motion-JPEG stream), and a table of them.

What is judged while recording is the picture as it comes out of its JPEG, so that a replay judges the very same.
"""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import cv2
import numpy as np

from pi_app.core.errors import UserError
from pi_app.core.observations import Frame

STREAM, TABLE = "pictures.mjpeg", "pictures.csv"
HEAD = ["frame", "sensor_ns", "offset", "bytes"]
QUALITY = 88
MAX_JPEG_BYTES = 20 << 20


def jpeg_of(frame: Frame, quality: int = QUALITY) -> bytes:
    """Return a frame's picture as JPEG."""
    ok, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok, "a picture of 8 bits can be written as JPEG"
    return data.tobytes()


def frame_of(number: int, sensor_ns: int, jpeg: bytes) -> Frame:
    """Return a JPEG's frame; UserError where it is none."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if image is None:
        raise UserError(f"picture {number} cannot be read")
    return Frame(number, sensor_ns, image.astype(np.uint8, copy=False))


class PictureWriter:
    """Appends frames to a recording's folder; what was written is whole after a crash, but for the last picture."""

    def __init__(self, folder: Path) -> None:
        self._stream = (folder / STREAM).open("wb")
        self._file: TextIO = (folder / TABLE).open("w", newline="")
        self._table = csv.writer(self._file)
        self._table.writerow(HEAD)
        self._offset = 0

    def through(self, frames: Iterable[Frame | None]) -> Iterator[Frame | None]:
        """Yield each frame as a replay will see it, once it is written; None, where none came, goes by unwritten."""
        for frame in frames:
            yield None if frame is None else self._written(frame)

    def _written(self, frame: Frame) -> Frame:
        jpeg = jpeg_of(frame)
        self._stream.write(jpeg)
        self._table.writerow([frame.number, frame.sensor_ns, self._offset, len(jpeg)])
        self._offset += len(jpeg)
        return frame_of(frame.number, frame.sensor_ns, jpeg)

    def close(self) -> None:
        """Finish both files; safe to call twice."""
        self._stream.close()
        self._file.close()


def read_pictures(folder: Path, from_ns: int = 0, to_ns: int | None = None) -> Iterator[Frame]:
    """Yield a recording's frames sensed between two times; UserError where a file is missing or broken."""
    with _opened(folder / STREAM).open("rb") as stream:
        for number, sensor_ns, offset, size in _rows(_opened(folder / TABLE)):
            if sensor_ns < from_ns or (to_ns is not None and sensor_ns > to_ns):
                continue
            stream.seek(offset)
            yield frame_of(number, sensor_ns, stream.read(size))


def count_pictures(folder: Path) -> int:
    """Return how many frames a recording has; UserError as for `read_pictures`."""
    return sum(1 for _ in _rows(_opened(folder / TABLE)))


def _rows(path: Path) -> Iterator[tuple[int, int, int, int]]:
    with path.open(newline="") as file:
        rows = csv.reader(file)
        if next(rows, None) != HEAD:
            raise UserError(f"{path}: line 1: wanted {','.join(HEAD)}")
        for line, row in enumerate(rows, start=2):
            values = [int(cell) for cell in row if cell.isdigit()]
            if len(values) != 4 or len(row) != 4 or values[3] > MAX_JPEG_BYTES:
                raise UserError(f"{path}: line {line}: got {','.join(row)[:60]!r}, wanted {','.join(HEAD)}")
            yield values[0], values[1], values[2], values[3]


def _opened(path: Path) -> Path:
    if not path.is_file():
        raise UserError(f"{path}: no such file, wanted a recording")
    return path
