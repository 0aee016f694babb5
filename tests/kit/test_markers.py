import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.kit.load import load_table
from pi_app.kit.markers import Box, marker_bits, mat_markers, white_boxes
from pi_app.kit.table import dictionary_size

TABLE = load_table(Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml")


def test_bits_have_a_black_border_of_the_asked_width() -> None:
    for border in (1, 2):
        bits = marker_bits("DICT_5X5_100", 7, border)
        assert bits.shape == (5 + 2 * border,) * 2
        assert not bits[:border].any()
        assert not bits[:, -border:].any()
        assert bits.any()


@pytest.mark.parametrize("marker_id", [0, 3, 20, 31, 55])
def test_bits_are_opencvs_own(marker_id: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    picture = cv2.aruco.generateImageMarker(dictionary, marker_id, 70)

    assert np.array_equal(marker_bits("DICT_5X5_100", marker_id, 1), picture[5::10, 5::10] > 127)


@pytest.mark.parametrize("marker_id", range(0, 60, 7))
def test_white_boxes_cover_the_white_cells_and_no_other(marker_id: int) -> None:
    bits = marker_bits("DICT_5X5_100", marker_id, 1)
    covered = np.zeros_like(bits)
    for box in white_boxes(bits, float(len(bits))):
        covered[round(box.y0) : round(box.y1), round(box.x0) : round(box.x1)] = True

    assert np.array_equal(covered, bits)


def test_white_boxes_leave_no_seam() -> None:
    """Any two white cells that touch along a side lie together in one box."""
    bits = marker_bits("DICT_5X5_100", 2, 1)
    boxes = white_boxes(bits, float(len(bits)))
    cells = [(x, y) for y, x in zip(*np.nonzero(bits), strict=True)]
    for (x, y), (u, v) in itertools.combinations(cells, 2):
        if abs(x - u) + abs(y - v) == 1:
            pair = Box(min(x, u), min(y, v), max(x, u) + 1, max(y, v) + 1)
            assert any(box.holds(pair) for box in boxes)


def test_the_mats_markers_come_in_the_tables_order() -> None:
    assert [marker.marker_id for marker in mat_markers(TABLE)] == list(TABLE.markers.mat[0].ids)


@pytest.mark.parametrize(
    ("family", "marker_id", "line"),
    [
        ("DICT_5X5_99", 0, "markers.family: got 'DICT_5X5_99', wanted one of OpenCV's dictionaries, as DICT_5X5_100"),
        ("Board", 0, "markers.family: got 'Board', wanted one of OpenCV's dictionaries, as DICT_5X5_100"),
        ("DICT_5X5_50", 50, "markers: got id 50, wanted 0 to 49 of DICT_5X5_50"),
        ("DICT_5X5_50", -1, "markers: got id -1, wanted 0 to 49 of DICT_5X5_50"),
    ],
)
def test_markers_that_do_not_exist_are_named(family: str, marker_id: int, line: str) -> None:
    with pytest.raises(UserError) as raised:
        marker_bits(family, marker_id, 1)

    assert str(raised.value) == line


def test_the_tables_dictionaries_are_as_large_as_opencvs() -> None:
    known = [name for name in dir(cv2.aruco) if name.startswith("DICT_") and dictionary_size(name)]

    assert len(known) >= 20
    for name in known:
        assert dictionary_size(name) == len(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)).bytesList)
