from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.kit.draw import bgr
from pi_app.kit.draw_mat import draw_mat, patch_boxes
from pi_app.kit.load import load_table
from pi_app.kit.markers import mat_markers

TABLE = load_table(Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml")


@pytest.mark.parametrize("px_per_mm", [2.0, 3.3, 5.0])
def test_every_marker_is_found_in_its_place(px_per_mm: float) -> None:
    picture = draw_mat(TABLE, px_per_mm)

    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    middles = {
        int(i): (np.asarray(four).reshape(4, 2) + 0.5).mean(0) for i, four in zip(ids.ravel(), corners, strict=True)
    }
    for marker in mat_markers(TABLE):
        wanted = np.array([marker.x + 210.0, 148.5 - marker.y]) * px_per_mm
        assert np.abs(middles.pop(marker.marker_id) - wanted).max() < 0.25
    assert not middles


def test_patches_and_paper_have_their_colours() -> None:
    picture = draw_mat(TABLE, 4.0)

    for box, colour in patch_boxes(TABLE):
        x, y = round(((box.x0 + box.x1) / 2 + 210) * 4), round((148.5 - (box.y0 + box.y1) / 2) * 4)
        assert tuple(picture[y, x]) == bgr(colour)
    assert tuple(picture[round(148.5 * 4), 210 * 4]) == bgr(TABLE.mat.paper_srgb)


def test_edges_between_pixels_are_mixed_by_area() -> None:
    """At 1 px/mm the zone's outline, 1.1 mm wide, takes one whole pixel at most and parts of its neighbours."""
    picture = draw_mat(TABLE, 1.0).astype(float)
    paper, line = np.array(bgr(TABLE.mat.paper_srgb)), np.array((165.0, 160.0, 150.0))
    column = picture[60:100, 210]
    ink = ((column - paper) / (line - paper)).mean(axis=1)

    assert ink.sum() == pytest.approx(1.1, abs=0.05)


def test_it_looks_as_the_recorded_scenes_mat(bench: Path) -> None:
    table = load_table(bench / "table.toml")
    reference = cv2.imread(str(bench / "mat.png"))

    picture = draw_mat(table, 8.0)

    assert reference is not None
    assert picture.shape == reference.shape
    small = [cv2.resize(each, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA) for each in (picture, reference)]
    assert (np.abs(small[0].astype(int) - small[1]).max(axis=2) > 40).mean() < 0.005
