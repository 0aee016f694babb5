from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.kit.load import load_table
from pi_app.vision.calibrate_check import LensWatch, Misfit, misfit
from tests.vision.charts import LENSES, lens, mat_pictures, projected_views

TABLE = load_table(Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml")


@pytest.mark.parametrize("name", sorted(LENSES))
def test_a_cameras_own_numbers_fit(name: str) -> None:
    true = lens(name, 1280, 720)
    found = [misfit(view, true, TABLE) for view in projected_views(true, TABLE, 20, 1, noise_px=0.4)]
    assert not any(one.wrong for one in found)


def test_another_lenss_focal_length_is_noticed_and_named() -> None:
    true = lens("standard", 1280, 720)
    other = replace(true, fx=true.fx * 0.6, fy=true.fy * 0.6)
    view = projected_views(true, TABLE, 3, 1)[2]
    found = misfit(view, other, TABLE)
    assert found.wrong
    assert found.ratio == pytest.approx(1 / 0.6, rel=0.05)
    assert "its focal length seems 1.6" in str(found)
    assert "umpire calibrate" in str(found)


def test_a_missing_distortion_is_noticed() -> None:
    true = lens("wide", 1280, 720)
    plain = replace(true, dist=(0.0,) * 5)
    found = [misfit(view, plain, TABLE) for view in projected_views(true, TABLE, 20, 1)]
    assert all(one.wrong for one in found)
    assert "seems" not in str(max(found, key=lambda one: one.freed_px))


def test_numbers_for_another_size_never_fit() -> None:
    true = lens("standard", 1280, 720)
    assert misfit(projected_views(true, TABLE, 1, 1)[0], true.scaled(640, 360), TABLE).wrong


def test_a_watch_tells_once_what_does_not_fit() -> None:
    true = lens("standard", 640, 360)
    image = next(mat_pictures(true, TABLE, 1, 1))
    wrong = LensWatch(replace(true, fx=1.5 * true.fx, fy=1.5 * true.fy), TABLE)
    own = LensWatch(true, TABLE)
    told = [wrong.see(image, at_s * 1_000_000_000) for at_s in range(12)]
    assert [at_s for at_s, found in enumerate(told) if isinstance(found, Misfit)] == [4]
    assert not any(own.see(image, at_s * 1_000_000_000) for at_s in range(12))
    assert LensWatch(true, TABLE).see(image * 0, 0) is None
