"""Counting stones on drawn pictures and on the recorded ones."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.names import Colour
from pi_app.core.verdict import Reason
from pi_app.judging.case import load_case
from pi_app.kit.load import load_table
from pi_app.kit.table import Table
from pi_app.vision.camera import View
from pi_app.vision.pose import find_pose
from pi_app.vision.reading import StoneCount
from pi_app.vision.stones import count_stones
from tests.vision.kits import kit_of
from tests.vision.scenes import Image, Lamp, Scene, simple_view
from tests.vision.test_pose import TABLE_FILE

Y, R, B = Colour.YELLOW, Colour.RED, Colour.BLUE
LAMPS = [
    Lamp(),
    Lamp((0.4, 0.7, 1.0), slope=0.2, noise=4.0),
    Lamp((1.0, 0.85, 0.6), blur_px=1.0),
    Lamp((0.25, 0.25, 0.25), noise=3.0),
]


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE_FILE)


def count(scene: Scene, image: Image | None = None) -> tuple[int, int, int]:
    found = reading(scene, image)
    assert found.doubts == ()
    return found.yellow, found.red, found.blue


def reading(scene: Scene, image: Image | None = None) -> StoneCount:
    return count_stones(scene.draw() if image is None else image, scene.view, scene.table, scene.kit)


@pytest.mark.parametrize("lamp", LAMPS)
def test_single_stones_under_several_lamps(lamp: Lamp, table: Table) -> None:
    scene = Scene(table, kit_of(), simple_view(), lamp)
    for index, colour in enumerate((Y, R, B, Y, R, Y)):
        scene.add_stone(colour, 130 + 26 * (index % 2), -90 + 30 * index)
    assert count(scene) == (3, 2, 1)


def test_places_are_where_the_stones_lie(table: Table) -> None:
    scene = Scene(table, kit_of(), simple_view(dist=(-0.1, 0.03, 0.0, 0.0, 0.0)))
    scene.add_stone(R, 128.0, -80.0)
    scene.add_stone(R, 160.0, 90.0)
    places = sorted(reading(scene).places_mm["red"], key=lambda place: place[1])
    assert np.allclose(places, [(128, -80), (160, 90)], atol=2.0)


def test_touching_stones_of_one_colour_are_told_apart(table: Table) -> None:
    scene = Scene(table, kit_of(), simple_view(960, 540))
    for x, y in ((130, 0), (146.5, 0), (138, 14.5), (154.5, 14.5), (138, -14.5)):
        scene.add_stone(Y, x, y)
    scene.add_stone(R, 130, 60)
    scene.add_stone(B, 139, 73)
    assert count(scene) == (5, 1, 1)


def test_stones_outside_the_zone_and_their_likes_do_not_count(table: Table) -> None:
    scene = Scene(table, kit_of(), simple_view())
    for colour, x, y in ((Y, 140, 20), (R, 60, 20), (B, 104, -40), (Y, 190, -60)):
        scene.add_stone(colour, x, y)
    image = scene.draw()
    ring = scene.view.project([[140 + 11 * np.cos(t), -40 + 11 * np.sin(t), 1] for t in np.linspace(0, 6.28, 40)])
    cv2.polylines(image, [np.rint(ring).astype(np.int32)], True, (30, 180, 220), 5, cv2.LINE_AA)
    pencil = scene.view.project([[118, -70, 3], [160, -95, 3]])
    ends = [(round(float(x)), round(float(y))) for x, y in pencil]
    cv2.line(image, ends[0], ends[1], (30, 110, 230), 9, cv2.LINE_AA)
    finger = scene.view.project([[185, 80, 8], [150, 70, 8]])
    tips = [(round(float(x)), round(float(y))) for x, y in finger]
    cv2.line(image, tips[0], tips[1], (140, 172, 224), 30, cv2.LINE_AA)
    assert count(scene, image) == (1, 0, 0)


def test_a_shadow_across_the_zone_changes_nothing(table: Table) -> None:
    scene = Scene(table, kit_of(), simple_view())
    for index, colour in enumerate((Y, R, B)):
        scene.add_stone(colour, 140, -50 + 40 * index)
    image = scene.draw().astype(np.float64)
    dark = np.ones(image.shape[:2])
    area = np.rint(scene.view.project([[100, -30, 0], [185, -60, 0], [185, 20, 0], [100, 40, 0]])).astype(np.int32)
    cv2.fillConvexPoly(dark, area, (0.6,))
    assert count(scene, np.asarray(image * dark[..., None], np.uint8)) == (1, 1, 1)


@pytest.mark.parametrize(("red", "size"), [((206, 17, 38), 14.0), ((206, 38, 17), 19.0), ((180, 20, 60), 16.0)])
def test_red_on_either_side_of_the_hue_circle(red: tuple[int, int, int], size: float, table: Table) -> None:
    """VIS-2: crimson and orange-red are both red."""
    kit = kit_of(stone=(size, size * 0.55), colours=((240, 196, 30), red, (30, 80, 185)))
    scene = Scene(table, kit, simple_view())
    scene.add_stone(R, 140, 0)
    scene.add_stone(Y, 140, 50)
    assert count(scene) == (1, 1, 0)


def test_swapped_channels_are_never_counted(table: Table) -> None:
    """CAM-2: swapped pictures give a reason and no count."""
    scene = Scene(table, kit_of(), simple_view())
    scene.add_stone(R, 140, 0)
    found = reading(scene, np.ascontiguousarray(scene.draw()[..., ::-1]))
    assert (found.red, found.blue, found.doubts) == (0, 0, (Reason.COLOURS_WRONG,))


def test_zone_outside_the_picture_is_hidden(table: Table) -> None:
    scene = Scene(table, kit_of(), simple_view(target=(-250.0, 0.0, 0.0)))
    assert reading(scene).doubts == (Reason.HIDDEN,)


def test_recorded_stones(bench: Path) -> None:
    wrong = []
    for folder in sorted((bench / "cases").glob("stones-*")):
        case = load_case(folder)
        image = next(iter(case.frames())).image
        pose = find_pose(image, case.camera, case.table).pose
        assert pose is not None
        found = count_stones(image, View(case.camera, pose), case.table, case.kit())
        truth = json.loads((folder / "truth.json").read_text())["stones"]
        if (found.yellow, found.red, found.blue) != tuple(truth[c] for c in ("yellow", "red", "blue")):
            wrong.append(folder.name)
    assert wrong == []
