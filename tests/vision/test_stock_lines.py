"""Lines, towers and tunnels of acrobats without markers: right ones pass, every fault fails with its reason."""

from dataclasses import replace

import numpy as np
import pytest

from pi_app.core.names import Colour, Mode, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.kit.art import KitArt
from pi_app.kit.load import load_table
from pi_app.vision.blocks import Place, Stand
from pi_app.vision.reading import PartKind, StructureReading
from pi_app.vision.structure import read_structure
from tests.vision.kits import kit_of
from tests.vision.scenes import STAND, Image, Lamp, Scene, simple_view, with_tower
from tests.vision.test_match_stock import ALIKE, EMPTY, FACES, strange_face
from tests.vision.test_pose import TABLE_FILE

KIT = kit_of()
TALL, WIDE = KIT.acrobat.length_mm, KIT.acrobat.width_mm
STRANGERS = {key: strange_face(key[0]) for key in FACES}
LOW, HIGH = (60.0, 520.0, 210.0), (10.0, 400.0, 460.0)
LEGS = ((-22.0, -34.0), (26.0, -34.0), (-46.0, 34.0), (46.0, 34.0))


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene(load_table(TABLE_FILE), KIT, simple_view(), Lamp(tint=(0.7, 0.9, 1.0), slope=0.2), faces=FACES)


def read(drawn: Scene, task: Task, taught: dict[tuple[int, bool], Image] = FACES) -> StructureReading:
    art = KitArt(taught, {}, EMPTY, {})
    return read_structure(drawn.draw(), drawn.view, drawn.table, KIT, task, None, Mode.STOCK, art)


def line(scene: Scene, gaps: tuple[float, ...] = (1.0, 3.0, 1.0), stones: str = "yrby", bare: int = -1) -> Scene:
    built, stand = replace(scene, parts=[], covers=[]), Stand(5.0, -15.0, np.deg2rad(-12.0))
    us = np.concatenate([[0.0], np.cumsum(np.array(gaps) + WIDE)])
    for index, u in enumerate(us - us.mean()):
        facing = "bare" if index == bare else "front"
        built.add_block(Place(STAND, float(u), TALL / 2), stand, index, facing)
        x, y, _ = stand.to_mat(np.array([[u, 0.0, 0.0]]))[0]
        if stones[index] != "-":
            colour = {"y": Colour.YELLOW, "r": Colour.RED, "b": Colour.BLUE}[stones[index]]
            built.add_stone(colour, float(x), float(y), TALL)
    return built


@pytest.mark.parametrize("faces", [FACES, ALIKE])
def test_line_passes_with_its_widest_gap_measured(faces: dict[tuple[int, bool], Image], scene: Scene) -> None:
    reading = read(line(replace(scene, faces=faces)), Task.LINE, faces)
    assert reading.reasons == (Reason.OK,)
    assert [part.kind for part in reading.parts].count(PartKind.ACROBAT) == 4
    assert next(m.value for m in reading.measures if m.name == "widest gap") == pytest.approx(3.0, abs=1.5)


def test_line_faults(scene: Scene) -> None:
    assert read(line(scene, (1.0, 14.0, 1.0)), Task.LINE).reasons == (Reason.NOT_ADJACENT,)
    assert read(line(scene, stones="yr-y"), Task.LINE).reasons == (Reason.NO_STONE,)
    assert read(line(scene, bare=1), Task.LINE).reasons == (Reason.BARE_SIDE,)
    assert read(line(scene, (1.0, 1.0)), Task.LINE).reasons == (Reason.MISSING_PIECE,)


def test_acrobats_of_another_kit_make_no_line_and_no_tower(scene: Scene) -> None:
    strange = replace(scene, faces=STRANGERS)
    assert read(line(strange), Task.LINE).outcome is not Outcome.PASS
    assert read(tower(strange, "atat"), Task.TOWER).outcome is not Outcome.PASS


def tower(scene: Scene, order: str, second: str = "stand") -> Scene:
    return with_tower(replace(scene, parts=[], covers=[]), order, second)


def test_tower_passes_with_the_tiles_among_its_parts(scene: Scene) -> None:
    reading = read(tower(scene, "atat"), Task.TOWER)
    assert reading.reasons == (Reason.OK,)
    assert [part.kind for part in reading.parts].count(PartKind.TILE) == 2


def test_tower_with_the_second_acrobat_lying(scene: Scene) -> None:
    low = replace(scene, view=simple_view(eye=(10.0, 470.0, 250.0)))
    assert read(tower(low, "atat", "lie"), Task.TOWER).outcome is not Outcome.FAIL


@pytest.mark.parametrize("order", ["at", "ata", "aat", "aatt", "tata", "atta"])
def test_other_orders_never_pass(order: str, scene: Scene) -> None:
    reading = read(tower(scene, order), Task.TOWER)
    assert reading.outcome is not Outcome.PASS
    assert order not in {"at", "ata"} or reading.reasons == (Reason.MISSING_PIECE,)


def tunnel(
    scene: Scene, eye: tuple[float, float, float], legs: dict[int, tuple[float, float]], extra: Place | None = None
) -> StructureReading:
    built, stand = replace(scene, view=simple_view(eye=eye), parts=[], covers=[]), Stand(0.0, -20.0, 0.0)
    for index, (u, n) in legs.items():
        built.add_block(Place(STAND, u, TALL / 2, n), stand, index)
    if extra:
        built.add_block(extra, stand, 5)
    built.add_tile(np.array([0.0, -20.0, TALL]), kind=PartKind.OVERVIEW)
    built.add_block(Place(STAND, 8.0, TALL * 1.5 + KIT.overview.thickness_mm), Stand(0.0, -20.0, 0.1), 4)
    return read(built, Task.TUNNEL)


def test_tunnel_passes_where_something_of_every_leg_is_seen(scene: Scene) -> None:
    reading = tunnel(scene, LOW, dict(enumerate(LEGS)))
    assert reading.reasons == (Reason.OK,)
    assert [part.kind for part in reading.parts].count(PartKind.ACROBAT) == 5


@pytest.mark.parametrize("gone", [0, 1])
def test_tunnel_never_passes_on_three_legs(gone: int, scene: Scene) -> None:
    legs = {index: at for index, at in enumerate(LEGS) if index != gone}
    assert tunnel(scene, LOW, legs).outcome is not Outcome.PASS


@pytest.mark.parametrize(("off", "away"), [(0, (-46.0, -59.0)), (1, (88.0, -34.0)), (3, (89.0, 34.0))])
def test_a_leg_beside_the_tile_does_not_touch_it_wherever_it_stands(
    off: int, away: tuple[float, float], scene: Scene
) -> None:
    assert tunnel(scene, HIGH, dict(enumerate(LEGS)) | {off: away}).reasons == (Reason.NOT_TOUCHING,)


def test_the_sixth_acrobat_before_the_tunnel_is_none_of_its_legs(scene: Scene) -> None:
    before = Place(STAND, 15.0, TALL / 2, 70.0)
    assert tunnel(scene, LOW, dict(enumerate(LEGS)), before).outcome is not Outcome.FAIL
