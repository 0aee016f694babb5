"""The printed sheets, read back: every marker is found where the table says, sizes are true, files appear whole."""

import os
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from pi_app.core.errors import UserError
from pi_app.kit.load import load_table
from pi_app.kit.markers import Box, mat_markers
from pi_app.kit.model import Kit
from pi_app.kit.print import paper_named, print_sheet
from pi_app.kit.print_badges import SETS, place_badges
from pi_app.kit.print_ink import MARGIN_MM, PAPERS_MM, Paper
from pi_app.kit.print_mat import Tile, mat_tiles
from pi_app.kit.sample import sample_kit
from pi_app.kit.table import Table

TABLE = load_table(Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml")
DPI = 150
MM_PER_PT = 25.4 / 72
Corners = NDArray[np.float64]


def pages_mm(path: Path) -> list[tuple[float, float]]:
    document = pypdfium2.PdfDocument(str(path))
    return [tuple(side * MM_PER_PT for side in page.get_size()) for page in document]


def seen(path: Path) -> Iterator[list[tuple[int, Corners]]]:
    """Render each page and yield its markers: id and corners in mm from the page's upper left corner."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    for page in pypdfium2.PdfDocument(str(path)):
        bitmap = page.render(scale=DPI / 72, grayscale=True)
        picture = np.asarray(bitmap.to_numpy()).reshape(bitmap.height, bitmap.width)
        corners, ids, _ = detector.detectMarkers(picture)
        found = [int(marker_id) for marker_id in ids.ravel()] if len(corners) else []
        mm_per_px = page.get_width() * MM_PER_PT / bitmap.width  # the page is fitted to whole pixels
        yield [
            (marker_id, (np.asarray(four, np.float64).reshape(4, 2) + 0.5) * mm_per_px)
            for marker_id, four in zip(found, corners, strict=True)
        ]


def corners_of(box: Box, left: float, top: float) -> Corners:
    """Return a square's corners from its upper left, clockwise; `left`, `top` place its frame on the page, +y up."""
    points = [(box.x0, box.y1), (box.x1, box.y1), (box.x1, box.y0), (box.x0, box.y0)]
    return np.array([(left + x, top - y) for x, y in points])


def black_squares(path: Path) -> list[list[Box]]:
    """Return each page's filled shapes' bounds in mm from the page's lower left corner, as the file has them."""
    pages = []
    for page in pypdfium2.PdfDocument(str(path)):
        shapes = [shape.get_bounds() for shape in page.get_objects() if shape.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH]
        pages.append([Box(*(side * MM_PER_PT for side in bounds)) for bounds in shapes])
    return pages


@pytest.fixture(scope="module")
def mat_a3(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return print_sheet("mat", TABLE, None, tmp_path_factory.mktemp("a3") / "mat.pdf", "A3")


@pytest.fixture(scope="module")
def mat_a4(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return print_sheet("mat", TABLE, None, tmp_path_factory.mktemp("a4") / "mat.pdf", "A4")


def a4_tiles() -> list[Tile]:
    width, height = PAPERS_MM["A4"]
    return mat_tiles(TABLE, width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - 12)


def test_the_a3_mat_is_one_page_of_true_size(mat_a3: Path) -> None:
    assert np.allclose(pages_mm(mat_a3), [(420.0, 297.0)], atol=0.1)


def test_every_marker_of_the_a3_mat_is_found_in_its_place(mat_a3: Path) -> None:
    (page,) = seen(mat_a3)

    assert sorted(marker_id for marker_id, _ in page) == sorted(marker.marker_id for marker in mat_markers(TABLE))
    places = {marker.marker_id: corners_of(marker.box, 210.0, 148.5) for marker in mat_markers(TABLE)}
    assert max(float(np.abs(corners - places[marker_id]).max()) for marker_id, corners in page) < 0.2


def test_the_a3_mats_markers_have_their_size_in_the_file(mat_a3: Path) -> None:
    (shapes,) = black_squares(mat_a3)
    for marker in mat_markers(TABLE):
        wanted = marker.box.moved(210.0, 148.5)
        assert any(
            np.allclose((s.x0, s.y0, s.x1, s.y1), (wanted.x0, wanted.y0, wanted.x1, wanted.y1), atol=0.1)
            for s in shapes
        )


def test_the_mat_has_no_pictures_in_it(mat_a3: Path, mat_a4: Path) -> None:
    for path in (mat_a3, mat_a4):
        kinds = {shape.type for page in pypdfium2.PdfDocument(str(path)) for shape in page.get_objects()}
        assert pypdfium2.raw.FPDF_PAGEOBJ_PATH in kinds
        assert pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in kinds


def test_the_a4_sheets_are_of_true_size(mat_a4: Path) -> None:
    assert np.allclose(pages_mm(mat_a4), [(297.0, 210.0)] * len(a4_tiles()), atol=0.1)


def test_every_marker_is_whole_on_one_of_the_a4_sheets_and_in_its_place(mat_a4: Path) -> None:
    markers = {marker.marker_id: marker for marker in mat_markers(TABLE)}
    whole = set()
    for tile, page in zip(a4_tiles(), seen(mat_a4), strict=True):
        inside = {i for i, marker in markers.items() if tile.window.holds(marker.box.grown(TABLE.markers.quiet_mm))}
        assert {marker_id for marker_id, _ in page} >= inside
        for marker_id, corners in page:
            place = corners_of(markers[marker_id].box, MARGIN_MM - tile.window.x0, MARGIN_MM + tile.window.y1)
            assert float(np.abs(corners - place).max()) < 0.2
        whole |= inside
    assert whole == set(markers)


def test_the_a4_sheets_cover_the_mat_and_stay_on_the_paper() -> None:
    tiles = a4_tiles()
    mat = Box(-210.0, -148.5, 210.0, 148.5)
    for x, y in [(x, y) for x in np.linspace(mat.x0, mat.x1, 85) for y in np.linspace(mat.y0, mat.y1, 61)]:
        assert any(tile.window.holds(Box(x, y, x, y)) for tile in tiles)
    assert all(mat.holds(tile.window) for tile in tiles)
    assert all(tile.window.width <= 277.0 and tile.window.height <= 178.0 for tile in tiles)


def test_the_ruler_is_100_mm_long_on_every_a4_sheet(mat_a4: Path) -> None:
    for page in black_squares(mat_a4):
        assert any(abs(shape.width - 100.0) < 0.5 and shape.height < 0.5 for shape in page)


@pytest.mark.parametrize("paper", ["A4", "A3"])
def test_every_badge_is_found_in_its_place(paper: Paper, tmp_path: Path) -> None:
    path = print_sheet("badges", TABLE, sample_kit(), tmp_path / "badges.pdf", paper)

    (page,) = seen(path)
    height, width = PAPERS_MM[paper]
    assert np.allclose(pages_mm(path), [(width, height)], atol=0.1)
    assert sorted(marker_id for marker_id, _ in page) == sorted(list(range(20, 32)) * SETS)
    badges = place_badges(TABLE, list(range(6)), paper)
    for marker_id, corners in page:
        places = [
            corners_of(badge.cut.grown(-TABLE.badges.quiet_mm), MARGIN_MM, height - MARGIN_MM)
            for badge in badges
            if badge.marker_id == marker_id
        ]
        assert min(float(np.abs(corners - place).max()) for place in places) < 0.2
    assert all(abs(badge.cut.width - 17.0) < 1e-9 for badge in badges)
    inside = Box(0, 0, width - 2 * MARGIN_MM, height - 2 * MARGIN_MM)
    assert all(inside.holds(badge.cut) for badge in badges)
    for one, other in combinations((badge.cut.grown(1.0) for badge in badges), 2):
        assert one.x1 < other.x0 or other.x1 < one.x0 or one.y1 < other.y0 or other.y1 < one.y0


def test_badges_are_named_by_piece_and_side(tmp_path: Path) -> None:
    path = print_sheet("badges", TABLE, None, tmp_path / "badges.pdf", "A4")

    text = pypdfium2.PdfDocument(str(path))[0].get_textpage().get_text_range()
    for piece in range(6):
        for side in ("front", "back"):
            assert text.count(f"{piece} {side}") == SETS


def test_the_same_sheet_is_the_same_file(tmp_path: Path) -> None:
    one, two = (print_sheet("mat", TABLE, None, tmp_path / name, "A4") for name in ("1.pdf", "2.pdf"))

    assert one.read_bytes() == two.read_bytes()


def test_printing_again_replaces_the_file(tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    out.write_text("an older file")

    print_sheet("mat", TABLE, None, out, "A3")

    assert out.read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == ["mat.pdf"]


def small_kit() -> Kit:
    kit = sample_kit()
    return kit.model_copy(update={"acrobat": kit.acrobat.model_copy(update={"width_mm": 16.0})})


def changed(**parts: object) -> Table:
    return TABLE.model_copy(update=parts)


@pytest.mark.parametrize(
    ("table", "kit", "what", "paper", "line"),
    [
        (
            changed(mat=TABLE.mat.model_copy(update={"width": 600.0})), None, "mat", "A3",
            "mat: got 600 x 297 mm, wanted at most 420 x 297 mm; print it on A4 in parts",
        ),
        (
            changed(markers=TABLE.markers.model_copy(update={"quiet_mm": 90.0})), None, "mat", "A4",
            "markers: got 204 mm with their margin, wanted less than the paper's 178 mm",
        ),
        (
            changed(markers=TABLE.markers.model_copy(update={"family": "DICT_9X9_1"})), None, "mat", "A3",
            "markers.family: got 'DICT_9X9_1', wanted one of OpenCV's dictionaries, as DICT_5X5_100",
        ),
        (
            changed(badges=TABLE.badges.model_copy(update={"side": 60.0})), None, "badges", "A4",
            "badges: got 24 stickers of 63 mm, more than A4 holds",
        ),
        (
            TABLE, small_kit(), "badges", "A4",
            "badges: got stickers of 17 mm, wanted at most the acrobats' 16 mm",
        ),
    ],
    ids=["mat beyond A3", "margin beyond A4", "no such dictionary", "too many badges", "badges beyond the acrobats"],
)  # fmt: skip
def test_what_cannot_be_printed_is_named(
    table: Table, kit: Kit | None, what: str, paper: Paper, line: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as raised:
        print_sheet("badges" if what == "badges" else "mat", table, kit, tmp_path / "out.pdf", paper)

    assert str(raised.value) == line
    assert not list(tmp_path.iterdir())


def test_a_larger_mat_is_printed_in_more_parts(tmp_path: Path) -> None:
    table = changed(mat=TABLE.mat.model_copy(update={"width": 900.0, "height": 600.0}))

    path = print_sheet("mat", table, None, tmp_path / "mat.pdf", "A4")

    assert len(pages_mm(path)) > 4


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("", "got a folder, wanted the name of a PDF file"),
        ("nowhere/mat.pdf", "cannot be written: No such file or directory"),
        ("file.txt/mat.pdf", "cannot be written: Not a directory"),
        ("x" * 300 + ".pdf", "cannot be written: File name too long"),
    ],
    ids=["a folder", "no such folder", "a file as folder", "name too long"],
)
def test_a_path_that_cannot_be_written_is_named(name: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "file.txt").touch()

    with pytest.raises(UserError) as raised:
        print_sheet("mat", TABLE, None, tmp_path / name, "A3")

    assert str(raised.value) == f"{tmp_path / name}: {line}"
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UserError, match="cannot be written: Permission denied"):
        print_sheet("mat", TABLE, None, tmp_path / "mat.pdf", "A3")


def test_papers_are_named_in_any_case() -> None:
    assert paper_named("a4") == "A4"
    with pytest.raises(UserError, match=r"^paper: got 'letter', wanted A3 or A4$"):
        paper_named("letter")
