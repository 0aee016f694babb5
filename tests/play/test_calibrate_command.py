"""`umpire calibrate` as the person at the terminal sees it: from pictures, live, shown, exported, thrown away."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest
import typer
from typer.testing import CliRunner

from pi_app.core.device import CameraPart
from pi_app.core.errors import UserError
from pi_app.core.observations import Frame
from pi_app.kit.load import load_table
from pi_app.play.calibrate_command import register
from pi_app.vision.calibrate import Image
from pi_app.vision.camera_file import load_camera
from tests.vision.charts import lens, mat_pictures

TABLE = Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml"
TRUE = lens("standard", 640, 360)


@pytest.fixture(scope="module")
def pictures() -> list[Image]:
    return list(mat_pictures(TRUE, load_table(TABLE), 9, 4))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pictures: list[Image]) -> Callable[..., str]:
    """Return what runs the command; its camera shows each picture twice, as one that is held still."""
    monkeypatch.setattr("platformdirs.user_data_path", lambda _: tmp_path / "data")

    @contextmanager
    def open_camera(_: CameraPart) -> Iterator[Callable[[], Frame]]:
        shown = iter([Frame(n, n, picture) for n, picture in enumerate(p for p in pictures for _ in range(2))])
        yield lambda: next(shown)

    app = typer.Typer()
    app.callback()(lambda: None)
    register(app, open_camera, lambda part: f"Test Camera {part.device}")

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["calibrate", *arguments], catch_exceptions=True)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.output

    return run


def test_pictures_of_the_mat_give_the_lens_which_is_kept_shown_exported_and_forgotten(
    run: Callable[..., str], tmp_path: Path, pictures: list[Image]
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, picture in enumerate(pictures):
        cv2.imwrite(str(folder / f"{number}.png"), picture)
    cv2.imwrite(str(folder / "wall.png"), pictures[0] * 0)
    told = run("--pictures", str(folder), "--device", "2")
    assert "wall.png: too little of the mat, left out" in told
    assert "% of the picture" in told
    kept = tmp_path / "data" / "cameras" / "test-camera-2@640x360.toml"
    assert f"kept: {kept}" in told
    assert load_camera(kept).fx == pytest.approx(TRUE.fx, rel=0.005)
    assert "test-camera-2 640 x 360: focal length" in run("--show")
    assert "no calibration is kept" in run("--show", "--name", "another")
    out = tmp_path / "out.toml"
    run("--export", str(out), "--device", "2")
    assert load_camera(out) == load_camera(kept)
    assert "1 calibrations thrown away" in run("--forget", "--device", "2")
    assert not kept.exists()
    with pytest.raises(UserError, match="no calibration is kept"):
        run("--export", str(out), "--device", "2")


def test_live_pictures_are_taken_when_held_still(
    run: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_app.vision.calibrate_guide.VIEWS", 8)
    monkeypatch.setattr("pi_app.vision.calibrate_guide.COVERED", 9)
    told = run()
    assert told.count(" pictures, ") >= 8
    assert (tmp_path / "data" / "cameras" / "test-camera-0@640x360.toml").is_file()


def test_too_little_says_what_was_missing(run: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.play.calibrate_command.PATIENCE", 4)
    with pytest.raises(UserError, match="not enough after 4 pictures"):
        run()


def test_bad_input_is_one_line(run: Callable[..., str], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="got no such folder"):
        run("--pictures", str(tmp_path / "no"))
    with pytest.raises(UserError, match="got 0 pictures, wanted 1 to 200"):
        run("--pictures", str(tmp_path))
    with pytest.raises(UserError, match="wanted one of --pictures"):
        run("--show", "--forget")
    with pytest.raises(UserError, match="wanted letters or digits"):
        run("--pictures", str(tmp_path), "--name", "!!")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    with pytest.raises(UserError, match=r"broken\.png"):
        run("--pictures", str(tmp_path))
