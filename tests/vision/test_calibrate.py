"""Calibration on cameras whose numbers are known: within 0.5 % of the focal length and 0.3 px of reprojection."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.kit.load import load_table
from pi_app.vision.calibrate import MatView, calibrate, mat_view
from tests.vision.charts import LENSES, lens, mat_pictures, projected_views

TABLE = load_table(Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml")


@pytest.mark.parametrize("name", ["standard", "wide"])
def test_a_known_lens_is_found_from_pictures_of_the_mat(name: str) -> None:
    true = lens(name, 800, 450)
    views = [view for image in mat_pictures(true, TABLE, 7, 4) if (view := mat_view(image, TABLE))]
    found = calibrate(views, TABLE)
    assert found.camera.fx == pytest.approx(true.fx, rel=0.005)
    assert found.camera.fy == pytest.approx(true.fy, rel=0.005)
    assert found.rms_px < 0.3
    assert found.sigma < 0.002


@pytest.mark.parametrize("name", sorted(LENSES))
@pytest.mark.parametrize("seed", [1])
def test_every_lens_is_found_from_its_corners(name: str, seed: int) -> None:
    true = lens(name, 1280, 720)
    found = calibrate(projected_views(true, TABLE, 12, seed), TABLE)
    assert found.camera.fx == pytest.approx(true.fx, rel=0.002)
    assert found.camera.fy == pytest.approx(true.fy, rel=0.002)
    assert (found.camera.cx, found.camera.cy) == pytest.approx((true.cx, true.cy), abs=2.0)
    assert found.rms_px == pytest.approx(0.14, abs=0.02)


def test_a_marker_read_wrong_does_not_count() -> None:
    true = lens("standard", 1280, 720)
    views = projected_views(true, TABLE, 12, 3)
    marker = next(iter(views[0].corners))
    views[0] = MatView(views[0].size, views[0].corners | {marker: views[0].corners[marker] + (9.0, -6.0)})
    found = calibrate(views, TABLE)
    assert found.camera.fx == pytest.approx(true.fx, rel=0.002)
    assert found.rms_px < 0.2


def test_too_few_pictures_are_refused() -> None:
    with pytest.raises(UserError, match="got 3 pictures of the mat, wanted at least 6"):
        calibrate(projected_views(lens("standard", 1280, 720), TABLE, 3, 1), TABLE)


def test_pictures_of_two_modes_are_refused() -> None:
    views = projected_views(lens("standard", 1280, 720), TABLE, 8, 1)
    with pytest.raises(UserError, match="got pictures of 960 x 540, 1280 x 720 px, wanted one size"):
        calibrate([*views, replace(views[0], size=(960, 540))], TABLE)


def test_the_same_view_again_and_again_tells_nothing() -> None:
    view = projected_views(lens("standard", 1280, 720), TABLE, 1, 1)[0]
    random = np.random.default_rng(1)
    again = [
        MatView(view.size, {i: c + random.normal(0, 0.2, c.shape) for i, c in view.corners.items()}) for _ in range(8)
    ]
    with pytest.raises(UserError, match="calibration: "):
        calibrate(again, TABLE)


def test_a_mat_of_another_size_is_refused() -> None:
    true = lens("standard", 1280, 720)
    views = projected_views(true, TABLE, 12, 1)
    random = np.random.default_rng(5)
    bent = [MatView(v.size, {i: c + random.normal(0, 3, 2) for i, c in v.corners.items()}) for v in views]
    with pytest.raises(UserError, match="px only, wanted 1 px or better"):
        calibrate(bent, TABLE)


def test_a_picture_without_a_mat_is_no_view() -> None:
    assert mat_view(np.full((360, 640, 3), 90, np.uint8), TABLE) is None
