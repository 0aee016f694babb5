import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.kit.art import load_art, load_faces, read_art
from pi_app.kit.load import load_kit
from pi_app.kit.picture_file import MAX_BYTES
from pi_app.kit.sample import sample_kit

SIZE_MM = (28.0, 56.0)


def png(width: int, height: int) -> bytes:
    return cv2.imencode(".png", np.full((height, width, 3), 200, np.uint8))[1].tobytes()


def declared_png(width: int, height: int) -> bytes:
    """A PNG that says it is that large, and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    )


def jpeg(width: int, height: int) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), 200, np.uint8))[1].tobytes()


@pytest.mark.parametrize("data", [png(224, 448), jpeg(224, 448), png(112, 224)], ids=["png", "jpeg", "4 px/mm"])
def test_good_pictures_are_read(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "face.png").write_bytes(data)

    image = read_art(tmp_path, "acrobat.piece[0].front", "face.png", SIZE_MM)

    assert image.dtype == np.uint8
    assert image.shape[0] == 2 * image.shape[1]
    assert abs(int(image[5, 5, 0]) - 200) < 3


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (None, "got no such file, wanted a picture"),
        (b"", "broken or of another kind, wanted a PNG or JPEG picture"),
        (b"GIF89a" + b"\0" * 50, "broken or of another kind, wanted a PNG or JPEG picture"),
        (b"\xff\xd8\xff\xe0", "broken or of another kind, wanted a PNG or JPEG picture"),
        (b"\xff\xd8" + b"\xff" * 5000, "broken or of another kind, wanted a PNG or JPEG picture"),
        (png(224, 448)[:20], "broken or of another kind, wanted a PNG or JPEG picture"),
        (jpeg(224, 448)[:30], "broken or of another kind, wanted a PNG or JPEG picture"),
        (png(448, 224), "got 448 x 224 px, wanted the shape of 28 x 56 mm, 224 x 448 px at 8 px/mm"),
        (png(8, 16), "got 8 x 16 px, wanted 16 px a side to 16777216 px in all"),
        (declared_png(30_000, 60_000), "got 30000 x 60000 px, wanted 16 px a side to 16777216 px in all"),
        (declared_png(0, 0), "got 0 x 0 px, wanted 16 px a side to 16777216 px in all"),
        (png(224, 448) + b"\0" * MAX_BYTES, f"got {MAX_BYTES + len(png(224, 448))} bytes, wanted at most 20971520"),
    ],
    ids=[
        "missing", "empty", "gif", "no jpeg", "endless jpeg", "half a head", "half a jpeg head", "landscape", "tiny",
        "bomb", "nothing", "too many bytes",
    ],
)  # fmt: skip
def test_bad_pictures_are_named(data: bytes | None, line: str, tmp_path: Path) -> None:
    if data is not None:
        (tmp_path / "face.png").write_bytes(data)

    with pytest.raises(UserError) as raised:
        read_art(tmp_path, "acrobat.piece[0].front", "face.png", SIZE_MM)

    assert str(raised.value) == f"{tmp_path / 'kit.toml'}: acrobat.piece[0].front: 'face.png': {line}"


def test_a_picture_with_its_head_alone_is_broken(tmp_path: Path) -> None:
    data = png(224, 448)
    (tmp_path / "face.png").write_bytes(data[:33] + b"\0" * 20)

    with pytest.raises(UserError, match="broken, wanted a whole PNG or JPEG picture"):
        read_art(tmp_path, "acrobat.piece[0].front", "face.png", SIZE_MM)


def test_a_folder_in_place_of_a_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "face.png").mkdir()

    with pytest.raises(UserError, match="got no such file, wanted a picture"):
        read_art(tmp_path, "overview.art", "face.png")


def test_the_first_wrong_face_is_named_by_its_key(tmp_path: Path) -> None:
    kit = sample_kit()
    (tmp_path / "art").mkdir()
    for piece in kit.acrobat.piece:
        for art in (piece.front, piece.back):
            (tmp_path / art).write_bytes(png(224, 448))
    (tmp_path / kit.acrobat.piece[4].back).write_bytes(png(400, 448))

    with pytest.raises(UserError, match=r"acrobat\.piece\[4\]\.back: 'art/acrobat4_back\.png': got 400 x 448 px"):
        load_faces(tmp_path, kit)


def test_the_recorded_scenes_art_loads(bench: Path) -> None:
    folders = [path for path in sorted((bench / "kits").iterdir()) if "[acrobat]" in (path / "kit.toml").read_text()]

    for folder in folders:
        kit = load_kit(folder)
        art = load_art(folder, kit)
        assert len(art.faces) == 2 * len(kit.acrobat.piece)
        assert set(art.cards) == {card.id for card in kit.card}
