from pathlib import Path

import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.vision.calibrate import Calibration
from pi_app.vision.calibrate_choice import choose_camera
from pi_app.vision.calibrate_presets import PRESETS, preset_camera
from pi_app.vision.calibrate_store import CalibrationStore, format_camera
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import load_camera

CAMERA = Camera(1280, 720, 941.25, 940.5, 633.1, 361.9, (-0.041, 0.021, 0.0003, -0.0002, 0.1))
FOUND = Calibration(CAMERA, 0.21, 0.0004, 12, (20.0,) * 12)
HOSTILE = '../../etc/"\n[evil]\nname = 1 \x1b[31m Kamera Ü'


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    store = CalibrationStore(tmp_path / "cameras")
    assert store.find("HD Webcam C270", (1280, 720)) is None
    path = store.keep("HD Webcam C270", FOUND)
    assert path == tmp_path / "cameras" / "hd-webcam-c270@1280x720.toml"
    assert store.find("HD Webcam C270", (1280, 720)) == CAMERA
    assert load_camera(path) == CAMERA
    assert store.find("HD Webcam C270", (640, 480)) is None
    assert store.find("imx708", (1280, 720)) is None


def test_each_mode_is_kept_and_all_are_forgotten(tmp_path: Path) -> None:
    store = CalibrationStore(tmp_path)
    store.keep("imx708", FOUND)
    store.keep("imx708", Calibration(CAMERA.scaled(640, 360), 0.2, 0.001, 9, ()))
    store.keep("imx477", FOUND)
    assert [kept.size for kept in store.all("imx708")] == [(1280, 720), (640, 360)]
    assert len(list(store.all())) == 3
    assert store.forget("imx708") == 2
    assert [kept.name for kept in store.all()] == ["imx477"]
    assert store.forget("imx708") == 0


def test_a_hostile_name_stays_in_the_folder(tmp_path: Path) -> None:
    store = CalibrationStore(tmp_path / "cameras")
    path = store.keep(HOSTILE, FOUND)
    assert path.parent == tmp_path / "cameras"
    assert store.find(HOSTILE, (1280, 720)) == CAMERA
    with pytest.raises(UserError, match="wanted letters or digits"):
        store.find("../..", (1280, 720))


def test_a_broken_file_is_said_with_its_name(tmp_path: Path) -> None:
    store = CalibrationStore(tmp_path)
    path = store.keep("imx708", FOUND)
    path.write_text(format_camera(CAMERA.scaled(640, 360)), "utf-8")
    with pytest.raises(UserError, match="got numbers for 640 x 360 px"):
        store.find("imx708", (1280, 720))
    path.write_bytes(b"\xff\x00 nothing")
    with pytest.raises(UserError, match=r"imx708@1280x720\.toml"):
        store.find("imx708", (1280, 720))


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "cameras").write_text("a file", "utf-8")
    with pytest.raises(UserError, match="cannot be written"):
        CalibrationStore(tmp_path / "cameras").keep("imx708", FOUND)


@pytest.mark.parametrize(
    ("model", "fx", "field_deg"), [("imx708", 940.5, 68.5), ("imx708_wide", 545.6, 99.1), ("imx477", 1221.6, 55.3)]
)
def test_presets_are_the_published_lenses(model: str, fx: float, field_deg: float) -> None:
    camera = preset_camera(model, 1280, 720)
    assert camera is not None
    assert camera.fx == camera.fy == pytest.approx(fx, abs=0.5)
    assert 2 * np.degrees(np.arctan(640 / camera.fx)) == pytest.approx(field_deg, abs=0.1)
    assert (camera.cx, camera.cy) == (639.5, 359.5)


def test_a_squarer_picture_has_the_sensors_whole_height() -> None:
    camera = preset_camera("imx708", 640, 480)
    assert camera is not None
    assert camera.fx == pytest.approx(4740 / 1.4 * 480 / 2592)
    assert preset_camera("HD Webcam C270", 640, 480) is None


def test_given_numbers_come_first_then_kept_then_published(tmp_path: Path) -> None:
    store = CalibrationStore(tmp_path / "kept")
    assert choose_camera("HD Webcam", (1280, 720), None, store) is None
    published = choose_camera("imx708", (1280, 720), None, store)
    assert published is not None
    assert published.camera == preset_camera("imx708", 1280, 720)
    assert PRESETS["imx708"].name in published.source
    store.keep("imx708", FOUND)
    kept = choose_camera("imx708", (1280, 720), None, store)
    assert kept is not None
    assert (kept.camera, kept.source) == (CAMERA, "calibration of imx708 1280 x 720")
    own = tmp_path / "own.toml"
    own.write_text(format_camera(CAMERA.scaled(960, 540)), "utf-8")
    given = choose_camera("imx708", (1280, 720), own, store)
    assert given is not None
    assert given.camera == load_camera(own)
