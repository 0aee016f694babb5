"""Faces without markers: compared at a place with the taught ones, and found over the whole build zone."""

from dataclasses import replace

import numpy as np
import pytest

from pi_app.core.names import BlockPose
from pi_app.kit.art import KitArt
from pi_app.kit.load import load_table
from pi_app.vision import scene as seen
from pi_app.vision.blocks import Place, Stand, half_size, on_face
from pi_app.vision.face_art import best_match
from pi_app.vision.face_scan import Level, Sighting, as_badge, find_faces, in_row
from pi_app.vision.faces import FACE_SCORE, FaceState, look
from pi_app.vision.light import read_light
from tests.vision.kits import kit_of
from tests.vision.scenes import LIE, STAND, Image, Lamp, Scene, simple_view
from tests.vision.test_match_stock import ALIKE, EMPTY, FACES, strange_face
from tests.vision.test_pose import TABLE_FILE

KIT = kit_of()
HALF = KIT.acrobat.length_mm / 2
LAMPS = (Lamp(noise=3.0), Lamp(tint=(0.55, 0.85, 1.0), slope=0.35, blur_px=1.1, noise=5.0))
ROW_US = (-49.0, -16.0, 17.5, 50.0)
ROW = Stand(6.0, -18.0, np.deg2rad(14.0))


@pytest.fixture(scope="module")
def drawing() -> Scene:
    return Scene(load_table(TABLE_FILE), KIT, simple_view(960, 540), LAMPS[0], faces=FACES)


def taken(drawing: Scene, taught: dict[tuple[int, bool], Image] = FACES) -> seen.Scene:
    """Return the drawn picture with what the recogniser knows of it."""
    image = drawing.draw()
    paper = read_light(image, drawing.view, drawing.table).paper
    return seen.Scene(image, drawing.view, drawing.table, KIT, paper, KitArt(taught, {}, EMPTY, {}))


def one_block(drawing: Scene, pose: BlockPose, facing: str = "front") -> tuple[Scene, Stand, Place]:
    stand, place = Stand(12.0, -25.0, np.deg2rad(-11.0)), Place(pose, 0.0, half_size(pose, KIT.acrobat)[1])
    built = replace(drawing, parts=[], covers=[])
    built.add_block(place, stand, 3, facing)
    return built, stand, place


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize(("pose", "facing"), [(STAND, "front"), (LIE, "back")])
def test_a_face_is_known_at_its_place(pose: BlockPose, facing: str, lamp: Lamp, drawing: Scene) -> None:
    built, stand, place = one_block(replace(drawing, lamp=lamp), pose, facing)
    match = best_match(taken(built), stand, replace(place, u_mm=place.u_mm - 3.0), 5.0)
    assert match.score > FACE_SCORE
    assert (match.piece, match.back, match.quarter % 2) == (3, facing == "back", int(pose is LIE))
    assert match.du_mm == pytest.approx(3.0, abs=1.0)
    assert match.rival < match.score - 0.2


def test_what_is_not_a_taught_face_is_none(drawing: Scene) -> None:
    strangers = {key: strange_face(key[0]) for key in FACES}
    built, stand, place = one_block(replace(drawing, faces=strangers), STAND)
    assert look(taken(built), stand, place).state is not FaceState.PICTURE
    bare, _, _ = one_block(drawing, STAND, "bare")
    assert look(taken(bare), stand, place).state is FaceState.BARE
    nothing = replace(drawing, parts=[], covers=[])
    assert look(taken(nothing), stand, place).state is FaceState.ABSENT


def test_a_face_whose_upper_part_is_hidden(drawing: Scene) -> None:
    built, stand, place = one_block(drawing, STAND)
    top = stand.to_mat(np.array([[u, 8.0, z] for u, z in ((-22, 62), (22, 62), (22, 34), (-22, 34))], np.float64))
    built.covers.append((built.view.project(top), (240, 238, 230)))
    scene = taken(built)
    assert best_match(scene, stand, place, 2.0).score < FACE_SCORE
    assert best_match(scene, stand, place, 2.0, hidden_top_mm=27.0).score > FACE_SCORE


def row(drawing: Scene, taught: dict[tuple[int, bool], Image]) -> list[Sighting]:
    built = replace(drawing, parts=[], covers=[])
    for index, u in enumerate(ROW_US):
        built.add_block(Place(STAND, u, HALF), ROW, index)
    scene = taken(built, taught)
    return in_row(scene, find_faces(scene, (Level(STAND, 0.0),)))


@pytest.mark.parametrize("faces", [FACES, ALIKE])
def test_every_block_of_a_row_is_found_once_and_in_its_place(
    faces: dict[tuple[int, bool], Image], drawing: Scene
) -> None:
    found = sorted(row(replace(drawing, faces=faces, lamp=LAMPS[1]), faces), key=lambda one: one.stand.x_mm)
    wanted = ROW.to_mat(np.array([[u, 0.0, 0.0] for u in ROW_US]))
    assert len(found) == len(ROW_US)
    for one, (x, y, _) in zip(found, wanted, strict=True):
        assert one.stand.x_mm == pytest.approx(x, abs=1.0)
        assert one.stand.y_mm == pytest.approx(y, abs=2.0)
        assert one.stand.turn_rad == pytest.approx(ROW.turn_rad, abs=np.deg2rad(4))


def test_nothing_is_found_on_an_empty_mat_or_among_strangers(drawing: Scene) -> None:
    empty = taken(replace(drawing, parts=[], covers=[]))
    assert find_faces(empty, (Level(STAND, 0.0),)) == []
    strangers = {key: strange_face(key[0]) for key in FACES}
    assert row(replace(drawing, faces=strangers), FACES) == []


def test_a_sighting_carries_a_badge_in_the_middle_of_its_face(drawing: Scene) -> None:
    built, stand, place = one_block(drawing, STAND)
    scene = taken(built)
    badge = as_badge(find_faces(scene, (Level(STAND, 0.0),))[0], scene)
    assert (badge.piece, badge.pose) == (3, STAND)
    middle = on_face(stand, badge.centre_px.reshape(1, 2), scene.view, KIT.acrobat.thickness_mm / 2)[0]
    assert middle == pytest.approx([place.u_mm, place.z_mm], abs=1.0)
