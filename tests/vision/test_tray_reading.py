"""Trays and tokens in simulated pictures: found, read, or said to be unclear and why."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from pi_app.judging.festival import TrayWatch
from pi_app.sim.festival_scene import FestivalShown, Sheet, TokenShown
from pi_app.sim.pieces import turn_z
from pi_app.vision.pose import Image
from pi_app.vision.tray import TrayFault, find_trays
from pi_app.vision.tray_reading import CellFault, Look, TrayReading, read_tray, turned_deg
from tests.festival_kit import art, camera, drawer, table, tray

LAID = (
    tray()
    .placed(2, TokenShown("green", "rose", (1.0, -1.5), 33.0))
    .placed(2, TokenShown("blue", "palm", (-2.0, 1.0), 250.0))
    .placed(6, TokenShown("red", "heart", (0.0, 2.0), 120.0))
)
LEVELS = (0, 0, 2, 0, 0, 0, 1, 0, 0)


def read(image: Image, levels: tuple[int, ...] = LEVELS) -> TrayReading:
    return read_tray(image, find_trays(image, camera(), table(), (1,))[0], table(), art(), levels)


def test_a_turned_tray_is_found_and_its_tops_are_read() -> None:
    reading = read(drawer().draw(FestivalShown((LAID,), mat=False)))
    tokens = {cell.cell: (cell.colour, cell.motif) for cell in reading.cells if cell.look is Look.TOKEN}
    assert tokens == {2: ("blue", "palm"), 6: ("red", "heart")}
    assert [cell.cell for cell in reading.cells if cell.look is Look.UNSURE] == []
    heart = reading.cells[6]
    assert np.hypot(*(np.array(heart.seen_mm) - heart.lift_mm - (-46 + 1.5, -46 - 1.0 + 2.0))) < 1.5
    assert abs(heart.turn_deg - 121.0) < 5.0


def test_a_token_is_known_again_and_its_turning_is_measured() -> None:
    first = read(drawer().draw(FestivalShown((LAID,)))).cells[6]
    again = read(drawer().draw(FestivalShown((LAID,)))).cells[6]
    turned = replace(LAID, piles=(*LAID.piles[:6], (TokenShown("red", "heart", (0.0, 2.0), 160.0),), *LAID.piles[7:]))
    after = read(drawer().draw(FestivalShown((turned,)))).cells[6]
    assert turned_deg(again, first) == 0.0
    assert abs(turned_deg(after, first) - 40.0) < 4.0


@pytest.mark.parametrize(
    ("strange", "faults"),
    [
        ("disc coin", {CellFault.HIDDEN, CellFault.UNKNOWN_TOKEN}),
        ("disc back", {CellFault.HIDDEN, CellFault.UNKNOWN_TOKEN}),
        ("disc orange", {CellFault.UNKNOWN_COLOUR}),
    ],
)
def test_what_is_none_of_the_kits_tokens_is_unclear(strange: str, faults: set[CellFault]) -> None:
    reading = read(drawer().draw(FestivalShown((tray().placed(4, TokenShown("", "", strange=strange)),))), (0,) * 9)
    assert reading.cells[4].look is Look.UNSURE
    assert reading.cells[4].fault in faults
    assert {cell.look for cell in reading.cells if cell.cell != 4} == {Look.EMPTY}


def test_a_token_laid_between_cells_is_unclear() -> None:
    reading = read(drawer().draw(FestivalShown((tray().placed(4, TokenShown("red", "rose", (13.0, 9.0))),))), (0,) * 9)
    assert reading.cells[4].look is Look.UNSURE


def test_covered_markers_hide_a_tray_unless_it_was_seen_there_before() -> None:
    open_tray = drawer().draw(FestivalShown((tray(0.0),)))
    covers = tuple(Sheet("card", (83.0 * side, 83.0), z_mm=1.0) for side in (-1, 1))
    covered = drawer().draw(FestivalShown((tray(0.0),), over=covers))
    before = find_trays(open_tray, camera(), table(), (1,))
    alone, kept = (
        find_trays(covered, camera(), table(), (1,))[0],
        find_trays(covered, camera(), table(), (1,), before)[0],
    )
    assert (alone.view, alone.fault) == (None, TrayFault.TRAY_HIDDEN)
    assert kept.kept
    assert kept.view is before[0].view


def test_three_markers_suffice_and_a_tray_that_moved_is_followed() -> None:
    moved = replace(LAID, at_mm=(6.0, -5.0), turn_deg=LAID.turn_deg + 7.0)
    corner = np.array([83.0, 83.0, 0.0]) @ turn_z(moved.turn_deg).T + (*moved.at_mm, 0.0)
    cover = Sheet("card", (float(corner[0]), float(corner[1])), z_mm=1.0)
    watch = TrayWatch(1, hold_ns=0, agree=1, patience_ns=0)
    for cell in (2, 6):
        watch.amend(cell, tuple((token.colour, token.motif) for token in LAID.piles[cell]))
    scenes = (FestivalShown((LAID,)), FestivalShown((moved,)), FestivalShown((moved,), over=(cover,)))
    readings = [read(drawer().draw(scene)) for scene in scenes]
    assert [watch.see(reading, number) for number, reading in enumerate(readings)] == [None] * 3
    assert len(find_trays(drawer().draw(scenes[2]), camera(), table(), (1,))[0].ids) == 3


def test_other_pictures_hold_no_tray() -> None:
    blank = np.full((camera().height, camera().width, 3), 120, np.uint8)
    assert [sight.fault for sight in find_trays(blank, camera(), table())] == [TrayFault.NO_TRAY] * 4
    small = cv2.resize(blank, (64, 64))
    assert find_trays(np.asarray(small, np.uint8), camera(), table(), (0,))[0].fault is TrayFault.WRONG_SIZE
    assert read(np.asarray(blank, np.uint8)).fault is TrayFault.NO_TRAY


def test_a_dark_tray_is_not_read() -> None:
    dim = np.asarray(drawer().draw(FestivalShown((LAID,))) * 0.09, np.uint8)
    reading = read(dim)
    assert reading.fault is not None or all(cell.look is not Look.TOKEN for cell in reading.cells)
