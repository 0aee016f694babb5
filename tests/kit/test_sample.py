import tomllib
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.kit.art import KitArt, load_art
from pi_app.kit.check import check_kit
from pi_app.kit.draw import sheet
from pi_app.kit.draw_acrobats import draw_face
from pi_app.kit.draw_cards import draw_card
from pi_app.kit.draw_letters import strokes, width_of
from pi_app.kit.draw_objects import OBJECTS, draw_tile
from pi_app.kit.load import load_kit
from pi_app.kit.model import Kit
from pi_app.kit.sample import PX_PER_MM, ensure_sample_kit, sample_kit, write_sample_kit
from pi_app.kit.save import kit_toml


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample_kit(tmp_path_factory.mktemp("sample") / "kit")


@pytest.fixture(scope="module")
def art(folder: Path) -> KitArt:
    return load_art(folder, load_kit(folder))


def test_it_loads_as_it_was_described(folder: Path) -> None:
    assert load_kit(folder) == sample_kit()
    assert check_kit(load_kit(folder)) == []


def test_the_deck_has_80_cards_and_says_that_their_split_is_a_guess(folder: Path) -> None:
    assert sum(card.count for card in load_kit(folder).card) == 80
    assert "check with your copy" in (folder / "kit.toml").read_text("utf-8")


def test_nothing_but_the_kit_is_left(folder: Path) -> None:
    assert [path.name for path in folder.parent.iterdir()] == ["kit"]
    assert sorted(path.name for path in folder.iterdir()) == ["art", "kit.toml"]


def test_pictures_are_8_px_per_mm(art: KitArt) -> None:
    kit = sample_kit()
    for face in art.faces.values():
        assert face.shape == (kit.acrobat.length_mm * PX_PER_MM, kit.acrobat.width_mm * PX_PER_MM, 3)
    for tile in art.tiles.values():
        assert tile.shape == (kit.tile.size_mm * PX_PER_MM, kit.tile.size_mm * PX_PER_MM, 3)
    assert art.overview.shape == (kit.overview.height_mm * PX_PER_MM, kit.overview.width_mm * PX_PER_MM, 3)


def test_all_faces_differ_from_each_other(art: KitArt) -> None:
    for one, other in combinations(art.faces.values(), 2):
        assert np.abs(one.astype(int) - other).mean() > 12


def test_all_tiles_differ_from_each_other(art: KitArt) -> None:
    for one, other in combinations(art.tiles.values(), 2):
        assert np.abs(one.astype(int) - other).mean() > 12


def test_all_cards_differ_from_each_other(art: KitArt) -> None:
    small = [card[::4, ::4].astype(int) for card in art.cards.values()]
    for one, other in combinations(small, 2):
        assert np.abs(one - other).mean() > 0.5


def test_stickers_leave_bare_wood_around_them(art: KitArt) -> None:
    """The face's rim is wood: light, warm, and without the sticker's outline."""
    for face in art.faces.values():
        rim = np.concatenate([face[:4].reshape(-1, 3), face[-4:].reshape(-1, 3), face[:, :4].reshape(-1, 3)])
        blue, green, red = rim.mean(axis=0)
        assert red > green > blue > 100
        assert rim.std(axis=0).max() < 14


def test_faces_have_enough_to_recognise(art: KitArt) -> None:
    detector = cv2.ORB.create(500)
    for face in art.faces.values():
        assert len(detector.detect(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), None)) > 100


def test_drawing_again_gives_the_same_pixels(art: KitArt) -> None:
    kit = sample_kit()

    face = draw_face(3, kit.acrobat.length_mm, kit.acrobat.width_mm, PX_PER_MM, back=True)
    assert np.array_equal(face, art.faces[3, True])
    assert np.array_equal(draw_tile("clock", kit.tile.size_mm, PX_PER_MM), art.tiles["clock"])
    for name in ("tunnel", "acrobats_altar", "juggler_rbb"):
        assert np.array_equal(draw_card(kit.card_named(name), kit, PX_PER_MM), art.cards[name])


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(UserError, match="got a folder that is not empty, wanted a new one for the sample kit"):
        write_sample_kit(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UserError, match=r"file/kit: cannot write the sample kit: "):
        write_sample_kit(tmp_path / "file" / "kit")


def test_a_failure_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pi_app.kit.sample.draw_overview", full)
    with pytest.raises(UserError, match="cannot write the sample kit: No space left on device"):
        write_sample_kit(tmp_path / "kit")

    assert not list(tmp_path.iterdir())


def test_an_existing_sample_kit_is_taken_as_it_is(folder: Path) -> None:
    before = (folder / "kit.toml").stat().st_mtime_ns

    assert ensure_sample_kit(folder) == folder
    assert (folder / "kit.toml").stat().st_mtime_ns == before


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_stay_within_their_tile(name: str) -> None:
    pen = sheet(60, 60, 4, (255, 255, 255))
    OBJECTS[name](pen.at(30, 30))
    rows, columns = np.nonzero((pen.finished() < 250).any(axis=2))

    radii = np.hypot(rows / 4 - 30, columns / 4 - 30)
    assert 14 < radii.max() < 23


def test_letters_stand_one_beside_the_other() -> None:
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789":
        lines = strokes(letter)
        assert lines, f"{letter} has no strokes"
        assert all(-1e-9 <= x <= width_of(letter) + 1e-9 and 0 <= y <= 1 for line in lines for x, y in line)
    assert width_of("AB") > 2 * width_of("A")


def test_any_kit_written_out_reads_back_the_same(bench: Path) -> None:
    folders = [path for path in sorted((bench / "kits").iterdir()) if "[acrobat]" in (path / "kit.toml").read_text()]

    assert folders
    for kit in map(load_kit, folders):
        assert Kit.model_validate(tomllib.loads(kit_toml(kit))) == kit
