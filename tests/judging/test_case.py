"""Recorded scenes: what is broken is said in one line, with exit status 2."""

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.judging.case import load_case, read_clip, read_times
from pi_app.kit.picture_file import read_picture

CASE = """
id = "made"
kit = "none"
game = "voila"
kind = "stones"
images = ["still.png"]
[camera]
width = 1280
height = 720
fx = 1000.0
fy = 1000.0
cx = 640.0
cy = 360.0
dist = [0.0, 0.0, 0.0, 0.0, 0.0]
"""


def made_case(folder: Path, text: str = CASE) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "case.toml").write_text(text)
    cv2.imwrite(str(folder / "still.png"), np.zeros((72, 128, 3), np.uint8))
    table = Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml"
    (folder / "table.toml").write_bytes(table.read_bytes())
    return folder


def made_clip(path: Path, frames: int) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, (128, 72))
    for level in range(frames):
        writer.write(np.full((72, 128, 3), level * 10, np.uint8))
    writer.release()
    return path


def test_a_good_case_gives_its_pictures_a_second_apart(tmp_path: Path) -> None:
    case = load_case(made_case(tmp_path))
    frames = list(case.frames())
    assert [frame.sensor_ns for frame in frames] == [0]
    assert frames[0].image.shape == (72, 128, 3)
    assert case.camera.fx == 1000.0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "stones"', 'kind = "rocks"', "kind: got 'rocks', wanted"),
        ("width = 1280", "", "camera.width: missing"),
        ("fx = 1000.0", "fx = nan", "camera.fx: got nan"),
        ("fx = 1000.0", 'fx = "wide"', "camera.fx: got 'wide'"),
        ('images = ["still.png"]', 'images = ["gone.png"]', "gone.png: no such file"),
        ('images = ["still.png"]', 'images = ["../still.png"]', "images[0]: got '../still.png'"),
        ('images = ["still.png"]', "", "got neither video nor images"),
        ('id = "made"', 'id = "made"\nsurprise = 1', "surprise: got 1, but there is no such key"),
        ("[camera]", "[camera", "not a TOML file"),
    ],
)
def test_a_broken_case_names_key_value_and_what_was_wanted(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        load_case(made_case(tmp_path, CASE.replace(old, new)))
    assert message in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_case_is_one_line_and_exit_status_2(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pi_app", "judge", str(tmp_path / "nothing")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "nothing: no such case folder" in done.stderr


def test_a_clip_has_the_times_of_its_times_file(tmp_path: Path) -> None:
    clip = made_clip(tmp_path / "clip.mp4", 4)
    (tmp_path / "times.csv").write_text("frame,sensor_ns\n0,100\n1,200\n2,200\n3,400\n")
    assert [frame.sensor_ns for frame in read_clip(clip, tmp_path / "times.csv")] == [100, 200, 200, 400]
    assert [frame.sensor_ns for frame in read_clip(clip, None)] == [round(1e9 / 30.0) * k for k in range(4)]


def test_a_clip_shorter_or_longer_than_its_times_ends_with_the_shorter(tmp_path: Path) -> None:
    clip = made_clip(tmp_path / "clip.mp4", 4)
    (tmp_path / "few.csv").write_text("frame,sensor_ns\n0,1\n1,2\n")
    (tmp_path / "many.csv").write_text("frame,sensor_ns\n" + "".join(f"{k},{k}\n" for k in range(9)))
    assert len(list(read_clip(clip, tmp_path / "few.csv"))) == 2
    assert len(list(read_clip(clip, tmp_path / "many.csv"))) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("frame,sensor_ns\n0,x\n", "line 2: got '0,x'"),
        ("frame,sensor_ns\n0,5\n1,4\n", "a time that goes back"),
        ("frame,sensor_ns\n", "got no times"),
        ("", "got no times"),
    ],
)
def test_broken_times_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "times.csv").write_text(text)
    with pytest.raises(UserError, match=message):
        read_times(tmp_path / "times.csv")


@pytest.mark.parametrize("data", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n half"])
def test_what_is_no_picture_or_video_is_named(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "thing").write_bytes(data)
    with pytest.raises(UserError, match="wanted a PNG or JPEG picture"):
        read_picture(tmp_path / "thing", "thing")
    with pytest.raises(UserError, match="cannot be read as a video"):
        list(read_clip(tmp_path / "thing", None))
