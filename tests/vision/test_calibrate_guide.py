from pathlib import Path

import numpy as np

from pi_app.kit.load import load_table
from pi_app.vision.calibrate import MatView
from pi_app.vision.calibrate_guide import VIEWS, Guide
from tests.vision.charts import lens, projected_views

TABLE = load_table(Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml")
CAMERA = lens("standard", 1280, 720)


def moved(view: MatView, x_px: float, y_px: float = 0.0) -> MatView:
    return MatView(view.size, {i: corners + np.array([x_px, y_px]) for i, corners in view.corners.items()})


def test_views_from_all_sides_suffice() -> None:
    guide = Guide(TABLE)
    said = []
    for view in projected_views(CAMERA, TABLE, 30, 1):
        guide.add(view)
        said.append(guide.wanted())
        if guide.complete:
            break
    assert said[-1] is None
    assert VIEWS <= len(guide.views) < 25
    assert guide.solved is not None
    assert abs(guide.solved.camera.fx / CAMERA.fx - 1) < 0.002
    assert guide.coverage > 0.8
    assert "done" in guide.line()


def test_only_views_held_still_and_new_are_kept() -> None:
    guide = Guide(TABLE)
    view = projected_views(CAMERA, TABLE, 1, 2)[0]
    assert not guide.see(view)
    assert not guide.see(moved(view, 20.0))
    assert guide.see(moved(view, 20.5))
    assert not guide.see(moved(view, 21.0))
    assert not guide.see(moved(view, -60.0))
    assert guide.see(moved(view, -60.0))
    assert len(guide.views) == 2


def test_what_is_missing_is_said() -> None:
    guide = Guide(TABLE)
    view = projected_views(CAMERA, TABLE, 1, 2)[0]
    middle = np.mean(view.pixels, axis=0)
    small = {i: (corners - middle) * 0.1 + (100.0, 100.0) for i, corners in view.corners.items()}
    guide.add(MatView(view.size, small))
    assert guide.coverage < 0.2
    assert guide.wanted() == "bring the mat to the top right of the picture"


def test_one_slant_is_not_enough() -> None:
    guide = Guide(TABLE)
    view = projected_views(CAMERA, TABLE, 2, 2)[1]
    for x_px, y_px in ((-400.0, -200.0), (400.0, -200.0), (-400.0, 200.0), (400.0, 200.0), (0.0, 0.0)):
        guide.add(moved(view, x_px, y_px))
    assert guide.wanted() == "look at the mat from another side, at a slant"
