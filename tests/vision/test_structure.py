"""Structures on drawn pictures: right ones pass, every fault fails with its reason, what cannot be seen is unsure."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.names import Colour, Mode, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.case import asked_figure, load_case
from pi_app.kit.load import load_table
from pi_app.kit.table import Table
from pi_app.vision.blocks import Place, Stand
from pi_app.vision.camera import View
from pi_app.vision.fit import figure_places
from pi_app.vision.pose import find_pose
from pi_app.vision.reading import PartKind, StructureReading
from pi_app.vision.structure import read_structure
from tests.vision.kits import kit_of
from tests.vision.scenes import STAND, Image, Lamp, Scene, simple_view, with_tower
from tests.vision.test_pose import TABLE_FILE

FIGURES = {
    "arch": [
        ("stand", 0.0, 0.0),
        ("stand", 30, 0),
        ("lie", 0, 60),
        ("lie", 0, 90),
        ("stand", 68, 0),
        ("stand", 104, 0),
    ],
    "row": [("stand", 34.0 * i, 0.0) for i in range(6)],
}
KIT = kit_of(figures=FIGURES)
ARCH, ROW = KIT.figure


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE_FILE)


@pytest.fixture(scope="module")
def scene(table: Table) -> Scene:
    return Scene(table, KIT, simple_view(), Lamp(noise=3.0))


def fresh(scene: Scene, **changes: object) -> Scene:
    return replace(scene, parts=[], covers=[], **changes)  # type: ignore[arg-type]


def read(scene: Scene, task: Task = Task.ACROBATS, image: Image | None = None) -> StructureReading:
    figure = ARCH if task is Task.ACROBATS else None
    picture = scene.draw() if image is None else image
    return read_structure(picture, scene.view, scene.table, scene.kit, task, figure, Mode.BADGE)


def build(scene: Scene, places: list[Place], turn_deg: float = 8.0, bare: int = -1, left_out: int = -1) -> Scene:
    stand = Stand(4.0, -20.0, np.deg2rad(turn_deg))
    for index, place in enumerate(places):
        if index != left_out:
            scene.add_block(place, stand, index, "bare" if index == bare else "front")
    return scene


def arch() -> list[Place]:
    return list(figure_places(ARCH, KIT))


@pytest.mark.parametrize("turn_deg", [-24.0, 24.0])
def test_right_figure_passes_with_all_its_parts(turn_deg: float, scene: Scene) -> None:
    reading = read(build(fresh(scene), arch(), turn_deg))
    assert (reading.outcome, reading.reasons) == (Outcome.PASS, (Reason.OK,))
    assert len(reading.parts) == 6
    drawn = build(fresh(scene), arch(), turn_deg).parts
    for part in drawn:
        nearest = min(float(np.linalg.norm(part.centre_mm - seen.centre_mm)) for seen in reading.parts)
        assert nearest < 3.0


def test_mirror_image_is_the_wrong_figure(scene: Scene) -> None:
    mirrored = [replace(place, u_mm=-place.u_mm) for place in arch()]
    reading = read(build(fresh(scene), mirrored))
    assert (reading.outcome, reading.reasons) == (Outcome.FAIL, (Reason.WRONG_FIGURE,))


def test_a_block_off_its_place_is_the_wrong_figure(scene: Scene) -> None:
    moved = arch()
    moved[5] = replace(moved[5], u_mm=moved[5].u_mm + 0.75 * KIT.acrobat.width_mm)
    assert read(build(fresh(scene), moved)).reasons == (Reason.WRONG_FIGURE,)


def test_small_deviations_pass(scene: Scene) -> None:
    rng = np.random.default_rng(4)
    places = [replace(p, u_mm=p.u_mm + rng.uniform(-2, 2), n_mm=rng.uniform(-2, 2)) for p in arch()]
    assert read(build(fresh(scene), places)).outcome is Outcome.PASS


def test_bare_side_and_missing_piece(scene: Scene) -> None:
    assert read(build(fresh(scene), arch(), bare=5)).reasons == (Reason.BARE_SIDE,)
    assert read(build(fresh(scene), arch(), left_out=5)).reasons == (Reason.MISSING_PIECE,)


def test_a_covered_block_is_hidden_not_missing(scene: Scene) -> None:
    built = build(fresh(scene), arch())
    middle = scene.view.project(built.parts[5].centre_mm[None])[0]
    hand = middle + np.array([[-45, -60], [60, -70], [70, 60], [-20, 75]])
    built.covers.append((hand, (60, 40, 90)))
    reading = read(built)
    assert (reading.outcome, reading.reasons) == (Outcome.UNSURE, (Reason.HIDDEN,))


def test_a_row_with_unreadable_badges_is_not_shifted(scene: Scene) -> None:
    built = fresh(scene)
    stand = Stand(0.0, -20.0, 0.0)
    for index, place in enumerate(figure_places(ROW, KIT)):
        built.add_block(place, stand, index)
    reading = read_structure(built.draw(), scene.view, scene.table, KIT, Task.ACROBATS, ROW, Mode.BADGE)
    assert reading.outcome is Outcome.PASS


def line(
    scene: Scene, gaps: tuple[float, float, float] = (1.0, 2.0, 1.0), stones: str = "yrby", bare: int = -1
) -> Scene:
    built, width = fresh(scene), KIT.acrobat.width_mm
    us = np.concatenate([[0.0], np.cumsum(np.array(gaps) + width)])
    stand = Stand(-10.0, -15.0, np.deg2rad(-12))
    for index, u in enumerate(us - us.mean()):
        place = Place(STAND, float(u), KIT.acrobat.length_mm / 2)
        built.add_block(place, stand, index, "bare" if index == bare else "front")
        x, y, _ = stand.to_mat(np.array([[u, 0.0, 0.0]]))[0]
        colour = {"y": Colour.YELLOW, "r": Colour.RED, "b": Colour.BLUE}.get(stones[index])
        if colour:
            built.add_stone(colour, x, y, KIT.acrobat.length_mm)
    return built


def test_line(scene: Scene) -> None:
    reading = read(line(scene), Task.LINE)
    assert reading.reasons == (Reason.OK,)
    assert sum(part.kind is PartKind.STONE for part in reading.parts) == 4


def close_up(bare: int) -> list[float]:
    """Return a row's middles with one block turned by 90 degrees and its neighbours closed up to it."""
    wide, thick = KIT.acrobat.width_mm, KIT.acrobat.thickness_mm
    sizes = [thick if index == bare else wide for index in range(4)]
    edges = np.concatenate([[0.0], np.cumsum(np.array(sizes) + 1.5)])
    return [float(edge + size / 2 - edges[-1] / 2) for edge, size in zip(edges[:-1], sizes, strict=True)]


@pytest.mark.parametrize(("bare", "turn_deg"), [(0, -14.0), (1, 12.0), (2, -14.0), (3, 12.0)])
def test_a_turned_block_anywhere_in_a_closed_line_is_bare(bare: int, turn_deg: float, scene: Scene) -> None:
    built, stand = fresh(scene, cloth=(150, 120, 90)), Stand(5.0, -15.0, np.deg2rad(turn_deg))
    for index, u in enumerate(close_up(bare)):
        place = Place(STAND, u, KIT.acrobat.length_mm / 2)
        built.add_block(place, stand, index, "bare" if index == bare else "front")
        x, y, _ = stand.to_mat(np.array([[u, 0.0, 0.0]]))[0]
        built.add_stone(Colour.RED, x, y, KIT.acrobat.length_mm)
    assert read(built, Task.LINE).reasons == (Reason.BARE_SIDE,)


@pytest.mark.parametrize("gone", [0, 1])
def test_a_line_of_three_is_not_taken_for_a_turned_block(gone: int, scene: Scene) -> None:
    built, stand = fresh(scene), Stand(5.0, -15.0, 0.1)
    for index in {0, 1, 2, 3} - {gone}:
        built.add_block(Place(STAND, (index - 1.5) * 31.5, KIT.acrobat.length_mm / 2), stand, index)
    assert read(built, Task.LINE).reasons == (Reason.MISSING_PIECE,)


def test_line_measures_its_gaps(scene: Scene) -> None:
    gap = next(m.value for m in read(line(scene, (1.0, 5.0, 1.0)), Task.LINE).measures if m.name == "widest gap")
    assert gap == pytest.approx(5.0, abs=1.0)


@pytest.mark.parametrize("cloth", [(210, 160, 100), (60, 90, 60)])
def test_line_faults(cloth: tuple[int, int, int], scene: Scene) -> None:
    on_cloth = fresh(scene, cloth=cloth)
    assert read(line(on_cloth, (1.0, 14.0, 1.0)), Task.LINE).reasons == (Reason.NOT_ADJACENT,)
    assert read(line(on_cloth, stones="yr-y"), Task.LINE).reasons == (Reason.NO_STONE,)
    assert read(line(on_cloth, bare=1), Task.LINE).reasons == (Reason.BARE_SIDE,)


def tower(scene: Scene, order: str, second: str = "stand") -> Scene:
    return with_tower(fresh(scene), order, second)


def test_tower_passes_with_the_tiles_among_its_parts(scene: Scene) -> None:
    reading = read(tower(scene, "atat"), Task.TOWER)
    assert reading.reasons == (Reason.OK,)
    assert sum(part.kind is PartKind.TILE for part in reading.parts) == 2


def test_tower_with_the_second_acrobat_lying(scene: Scene) -> None:
    low = replace(fresh(scene), view=simple_view(eye=(10.0, 470.0, 250.0)))
    assert read(tower(low, "atat", "lie"), Task.TOWER).outcome is not Outcome.FAIL


@pytest.mark.parametrize("order", ["a", "at", "ata", "aat", "aa", "aatt", "taat", "tata", "atta"])
def test_other_orders_never_pass(order: str, scene: Scene) -> None:
    reading = read(tower(scene, order), Task.TOWER)
    assert reading.outcome is not Outcome.PASS
    if order in {"a", "at", "ata", "aa"}:
        assert reading.reasons == (Reason.MISSING_PIECE,)


def test_tower_with_tiles_wider_than_a_block_is_tall(scene: Scene) -> None:
    wide = replace(fresh(scene), kit=kit_of(tile=("square", 66.0), figures=FIGURES))
    assert read(tower(wide, "atat"), Task.TOWER).reasons == (Reason.OK,)
    for order in ("ata", "att"):
        assert read(tower(wide, order), Task.TOWER).reasons == (Reason.MISSING_PIECE,)


LEGS = ((-46.0, -34.0), (46.0, -34.0), (-46.0, 34.0), (46.0, 34.0))
IN_VIEW = ((-22.0, -34.0), (26.0, -34.0), *LEGS[2:])
LOW = (60.0, 520.0, 210.0)
HIGH = (10.0, 400.0, 460.0)


def tunnel(
    scene: Scene, eye: tuple[float, float, float], legs: dict[int, tuple[float, float]], *, fifth: bool = True
) -> StructureReading:
    built = fresh(scene, view=simple_view(eye=eye))
    tall = KIT.acrobat.length_mm
    for index, (u, n) in legs.items():
        built.add_block(Place(STAND, u, tall / 2, n), Stand(0.0, -20.0, 0.0), index)
    built.add_tile(np.array([0.0, -20.0, tall]), kind=PartKind.OVERVIEW)
    if fifth:
        over = tall + KIT.overview.thickness_mm
        built.add_block(Place(STAND, 8.0, over + tall / 2), Stand(0.0, -20.0, 0.1), 4)
    return read(built, Task.TUNNEL)


def test_tunnel_passes_where_something_of_every_leg_is_seen(scene: Scene) -> None:
    reading = tunnel(scene, LOW, dict(enumerate(IN_VIEW)))
    assert reading.reasons == (Reason.OK,)
    assert sum(part.kind is PartKind.ACROBAT for part in reading.parts) == 5


def test_tunnel_is_judged_in_grainy_tinted_light(scene: Scene) -> None:
    grainy = replace(scene, lamp=Lamp(tint=(0.8, 1.0, 1.1), slope=0.4, noise=12.0))
    legs = dict(enumerate(IN_VIEW))
    assert tunnel(grainy, LOW, legs).reasons == (Reason.OK,)
    assert tunnel(grainy, LOW, {index: at for index, at in legs.items() if index != 1}).outcome is not Outcome.PASS


def test_tunnel_is_unsure_where_one_leg_hides_another(scene: Scene) -> None:
    assert tunnel(scene, LOW, dict(enumerate(LEGS))).reasons == (Reason.HIDDEN,)


def test_tunnel_is_unsure_where_the_legs_behind_cannot_be_seen(scene: Scene) -> None:
    reading = tunnel(scene, HIGH, dict(enumerate(LEGS)))
    assert (reading.outcome, reading.reasons) == (Outcome.UNSURE, (Reason.HIDDEN,))


@pytest.mark.parametrize(("gone", "eye"), [(0, LOW), (1, LOW), (0, HIGH), (3, HIGH)])
def test_tunnel_never_passes_on_three_legs(gone: int, eye: tuple[float, float, float], scene: Scene) -> None:
    legs = {index: at for index, at in enumerate(IN_VIEW) if index != gone}
    assert tunnel(scene, eye, legs).outcome is not Outcome.PASS


@pytest.mark.parametrize(
    ("off", "away", "eye"),
    [
        (0, (-22.0, -61.0), LOW),
        (1, (88.0, -34.0), HIGH),
        (2, (-46.0, 58.5), LOW),
        (3, (89.0, 34.0), LOW),
        (3, (89.0, 34.0), HIGH),
    ],
)
def test_tunnel_never_passes_with_a_leg_beside_the_tile(
    off: int, away: tuple[float, float], eye: tuple[float, float, float], scene: Scene
) -> None:
    reading = tunnel(scene, eye, dict(enumerate(IN_VIEW)) | {off: away})
    assert reading.outcome is not Outcome.PASS
    assert off < 2 or reading.reasons == (Reason.NOT_TOUCHING,)


def test_tunnel_without_the_fifth_acrobat_misses_it(scene: Scene) -> None:
    assert tunnel(scene, LOW, dict(enumerate(LEGS)), fifth=False).reasons == (Reason.MISSING_PIECE,)


def test_blocks_beside_the_mat_do_not_count(scene: Scene) -> None:
    built = build(fresh(scene), arch()[:5])
    built.add_block(Place(STAND, 0.0, 30.0), Stand(260.0, 40.0, 0.0), 5)
    assert read(built).reasons == (Reason.MISSING_PIECE,)


def test_nothing_there_and_something_else_is_unsure(scene: Scene) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    images = (fresh(scene).draw(), noise, np.zeros_like(noise))
    for task in (Task.ACROBATS, Task.LINE, Task.TOWER, Task.TUNNEL):
        for image in images:
            assert read(scene, task, image).outcome is Outcome.UNSURE


def test_stock_mode_and_other_tasks_are_not_judged(scene: Scene) -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    for task, mode in ((Task.LINE, Mode.STOCK), (Task.THROW, Mode.BADGE), (Task.ACROBATS, Mode.BADGE)):
        reading = read_structure(image, scene.view, scene.table, KIT, task, None, mode)
        assert reading.outcome is Outcome.UNSURE


def test_blurred_beyond_reading_is_never_passed(scene: Scene) -> None:
    image = np.asarray(cv2.GaussianBlur(build(fresh(scene), arch()).draw(), (0, 0), 6.0), np.uint8)
    assert read(scene, image=image).outcome is Outcome.UNSURE


def test_recorded_structures(bench: Path) -> None:
    wrong = []
    for folder in sorted((bench / "cases").glob("structure-*")):
        case = load_case(folder)
        if case.entry.mode is not Mode.BADGE or case.entry.task is None:
            continue
        kit, image = case.kit(), next(iter(case.frames())).image
        pose = find_pose(image, case.camera, case.table).pose
        assert pose is not None
        figure = asked_figure(case.entry, kit)
        view = View(case.camera, pose)
        reading = read_structure(image, view, case.table, kit, case.entry.task, figure, case.entry.mode)
        truth = json.loads((folder / "truth.json").read_text())["outcome"]
        if reading.outcome.value not in (truth, "unsure"):
            wrong.append(folder.name)
    assert wrong == []
