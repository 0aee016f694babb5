"""Figures of acrobats without markers: right ones pass, every fault fails with its reason, and strangers never pass."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pi_app.core.names import Mode, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.judging.case import asked_figure, load_case
from pi_app.kit.art import KitArt
from pi_app.kit.draw_acrobats import draw_face
from pi_app.kit.load import load_table
from pi_app.vision.blocks import Place, Stand, acrobat_part
from pi_app.vision.camera import View
from pi_app.vision.fit import figure_places
from pi_app.vision.pose import find_pose
from pi_app.vision.reading import StructureReading
from pi_app.vision.structure import read_structure
from tests.vision.kits import kit_of
from tests.vision.scenes import LIE, STAND, Image, Lamp, Scene, simple_view
from tests.vision.test_pose import TABLE_FILE

FIGURES = {
    "arch": [("stand", 0.0, 0.0), ("stand", 31.0, 0.0), ("lie", 0.0, 60.0), ("lie", 0.0, 90.0), ("stand", 68.0, 0.0)]
}
KIT = kit_of(figures=FIGURES)
ARCH = KIT.figure[0]
BENT = (Lamp(noise=3.0), Lamp(tint=(0.55, 0.85, 1.0), slope=0.3, noise=4.0))
EMPTY = np.zeros((8, 8, 3), np.uint8)


def drawn_faces(*, alike: bool = False) -> dict[tuple[int, bool], Image]:
    return {
        (i, back): draw_face(0 if alike else i, 60.0, 30.0, 8.0, back=back) for i in range(6) for back in (False, True)
    }


def strange_face(seed: int) -> Image:
    """Return a face of some other kit: coloured squares on wood."""
    random = np.random.default_rng(seed)
    face = np.full((480, 240, 3), (135, 184, 222), np.uint8)
    face[20:460, 20:220] = np.kron(random.integers(20, 250, (11, 5, 3)), np.ones((40, 40, 1), np.int64))
    return face


FACES, ALIKE = drawn_faces(), drawn_faces(alike=True)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene(load_table(TABLE_FILE), KIT, simple_view(960, 540), BENT[0], faces=FACES)


def build(scene: Scene, places: list[Place], turn_deg: float = 8.0, bare: int = -1, left_out: int = -1) -> Scene:
    stand = Stand(4.0, -20.0, np.deg2rad(turn_deg))
    built = replace(scene, parts=[], covers=[])
    for index, place in enumerate(places):
        facing = "bare" if index == bare else ("back" if index % 2 else "front")
        if index != left_out:
            built.add_block(place, stand, index, facing)
    return built


def arch() -> list[Place]:
    return list(figure_places(ARCH, KIT))


def read(scene: Scene, taught: dict[tuple[int, bool], Image] = FACES) -> StructureReading:
    art = KitArt(taught, {}, EMPTY, {})
    return read_structure(scene.draw(), scene.view, scene.table, KIT, Task.ACROBATS, ARCH, Mode.STOCK, art)


@pytest.mark.parametrize(("turn_deg", "lamp"), [(-23.0, BENT[0]), (23.0, BENT[1])])
def test_right_figure_passes_with_all_its_parts(turn_deg: float, lamp: Lamp, scene: Scene) -> None:
    built = build(replace(scene, lamp=lamp), arch(), turn_deg)
    reading = read(built)
    assert (reading.outcome, reading.reasons) == (Outcome.PASS, (Reason.OK,))
    assert [(part.piece, part.facing) for part in reading.parts] == [(p.piece, p.facing) for p in built.parts]
    for seen, part in zip(reading.parts, built.parts, strict=True):
        assert float(np.linalg.norm(part.centre_mm - seen.centre_mm)) < 3.0


def test_acrobats_that_are_all_alike(scene: Scene) -> None:
    alike = replace(scene, faces=ALIKE)
    assert read(build(alike, arch()), ALIKE).reasons == (Reason.OK,)
    moved = arch()
    moved[4] = replace(moved[4], u_mm=moved[4].u_mm + 0.7 * KIT.acrobat.width_mm)
    assert read(build(alike, moved), ALIKE).reasons == (Reason.WRONG_FIGURE,)


def test_mirror_image_and_another_pose_are_the_wrong_figure(scene: Scene) -> None:
    mirrored = [replace(place, u_mm=-place.u_mm) for place in arch()]
    assert read(build(scene, mirrored)).reasons == (Reason.WRONG_FIGURE,)
    laid = arch()
    laid[4] = Place(LIE, laid[4].u_mm + 15.0, 15.0)
    assert read(build(scene, laid)).reasons == (Reason.WRONG_FIGURE,)


def test_bare_side_and_missing_piece(scene: Scene) -> None:
    assert read(build(scene, arch(), bare=4)).reasons == (Reason.BARE_SIDE,)
    assert read(build(scene, arch(), left_out=4)).reasons == (Reason.MISSING_PIECE,)


def test_a_covered_block_is_hidden_not_missing(scene: Scene) -> None:
    built = build(scene, arch())
    middle = scene.view.project(built.parts[4].centre_mm[None])[0]
    built.covers.append((middle + np.array([[-50, -45], [16, -45], [16, 45], [-50, 50]]), (60, 40, 90)))
    reading = read(built)
    assert (reading.outcome, reading.reasons) == (Outcome.UNSURE, (Reason.HIDDEN,))


def test_faces_of_another_kit_never_pass(scene: Scene) -> None:
    strange = {key: strange_face(2 * key[0] + key[1]) for key in FACES}
    assert read(build(replace(scene, faces=strange), arch())).outcome is not Outcome.PASS
    one = FACES | {(2, False): strange[2, False]}
    assert read(build(replace(scene, faces=one), arch())).outcome is not Outcome.PASS


@pytest.mark.parametrize("flat", [False, True])
def test_one_acrobat_too_many_in_the_zone_is_not_the_figure(flat: bool, scene: Scene) -> None:
    built = build(scene, arch())
    more = acrobat_part(Place(STAND, 0.0, 30.0), Stand(-80.0, -5.0, 0.3), KIT, "5", "front")
    if flat:
        lean = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
        more = replace(more, rotation=more.rotation @ lean, centre_mm=np.array([20.0, 40.0, 7.5]))
    built.parts.append(more)
    assert read(built).reasons == (Reason.WRONG_FIGURE,)


def test_an_acrobat_beside_the_mat_does_not_count(scene: Scene) -> None:
    built = build(scene, arch())
    built.add_block(Place(STAND, 0.0, 30.0), Stand(-20.0, -170.0, 0.0), 5)
    assert read(built).reasons == (Reason.OK,)


def test_nothing_there_and_noise_are_unsure(scene: Scene) -> None:
    assert read(replace(scene, parts=[])).reasons == (Reason.HIDDEN,)
    noise = np.random.default_rng(0).integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    art = KitArt(FACES, {}, EMPTY, {})
    reading = read_structure(noise, scene.view, scene.table, KIT, Task.ACROBATS, ARCH, Mode.STOCK, art)
    assert reading.outcome is Outcome.UNSURE


def test_recorded_figures(bench: Path) -> None:
    answers = {}
    for folder in sorted((bench / "cases").glob("structure-*")):
        case = load_case(folder)
        if case.entry.mode is not Mode.STOCK or case.entry.task is not Task.ACROBATS:
            continue
        kit, image = case.kit(), next(iter(case.frames())).image
        pose = find_pose(image, case.camera, case.table).pose
        assert pose is not None
        figure, view = asked_figure(case.entry, kit), View(case.camera, pose)
        reading = read_structure(image, view, case.table, kit, Task.ACROBATS, figure, Mode.STOCK, case.art())
        truth = json.loads((folder / "truth.json").read_text())
        answers[folder.name] = ([reading.outcome.value], [*reading.reasons]), ([truth["outcome"]], truth["reasons"])
    assert all(got == wanted for got, wanted in answers.values()), answers
