from pathlib import Path

import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.core.observations import Frame
from pi_app.play.pictures import STREAM, TABLE, PictureWriter, read_pictures

RANDOM = np.random.default_rng(3)
FRAMES = [Frame(n, 1000 + 33 * n, RANDOM.integers(0, 255, (48, 64, 3), np.uint8)) for n in range(5)]


def written(folder: Path) -> list[Frame]:
    writer = PictureWriter(folder)
    seen = [frame for frame in writer.through([FRAMES[0], None, *FRAMES[1:]]) if frame is not None]
    writer.close()
    return seen


def test_what_is_read_is_what_was_judged_to_the_last_bit(tmp_path: Path) -> None:
    seen, read = written(tmp_path), list(read_pictures(tmp_path))
    assert [(f.number, f.sensor_ns) for f in read] == [(f.number, f.sensor_ns) for f in FRAMES]
    assert all(np.array_equal(then.image, now.image) for then, now in zip(seen, read, strict=True))
    assert not np.array_equal(seen[0].image, FRAMES[0].image), "a JPEG of noise is not the noise itself"


def test_a_part_is_read_by_time(tmp_path: Path) -> None:
    written(tmp_path)
    assert [frame.number for frame in read_pictures(tmp_path, 1033, 1099)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("frame,sensor_ns,offset,bytes", "frame", "line 1: wanted frame,sensor_ns,offset,bytes"),
        ("0,1000,0,", "0,x,0,", "line 2: got '0,x,0,"),
        ("0,1000,0,", "0,1000,-5,", "line 2: got '0,1000,-5,"),
        ("0,1000,0,", "0,1000,7,", "picture 0 cannot be read"),
    ],
)
def test_a_broken_table_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    written(tmp_path)
    table = tmp_path / TABLE
    table.write_text(table.read_text().replace(old, new, 1))
    with pytest.raises(UserError, match=message):
        list(read_pictures(tmp_path))


def test_a_picture_cut_off_at_the_end_is_named(tmp_path: Path) -> None:
    written(tmp_path)
    stream = tmp_path / STREAM
    stream.write_bytes(stream.read_bytes()[:40])
    with pytest.raises(UserError, match="cannot be read"):
        list(read_pictures(tmp_path))
