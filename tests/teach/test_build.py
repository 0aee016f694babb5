"""A kit from a folder of pictures: whole, or nothing and one line that says why."""

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.kit.art import load_art
from pi_app.kit.load import load_kit
from pi_app.kit.model import Card, Kit
from pi_app.teach.build import Learnt, load_lessons, teach_from, what_is_missing
from pi_app.teach.lesson import Lessons
from tests.teach.lay import Laid
from tests.teach.show import write_lessons


def few(kit: Kit) -> Kit:
    """Return a kit of one acrobat, one tile and four cards."""
    tiles, figure = kit.tile.piece[:1], kit.figure[0]
    cards: list[Card] = [kit.card[0], *(card for card in kit.card if card.object == tiles[0].id)]
    cards += [card for card in kit.card if card.figure == figure.id or card.id == "juggler_yrb"]
    return Kit(
        acrobat=kit.acrobat.model_copy(update={"piece": kit.acrobat.piece[:1]}),
        tile=kit.tile.model_copy(update={"piece": tiles}),
        overview=kit.overview,
        stone=kit.stone,
        figure=(figure,),
        card=tuple(cards),
    )


@pytest.fixture(scope="module")
def lessons(stock: Laid, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_lessons(tmp_path_factory.mktemp("teach") / "lessons", few(stock.kit), stock, 3)
    (folder / "teach.toml").write_text(with_sizes(folder), "utf-8")
    return folder


@pytest.fixture(scope="module")
def taught(stock: Laid, lessons: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Learnt]:
    out = tmp_path_factory.mktemp("taught") / "kit"
    return out, teach_from(lessons, out, stock.table, None, lambda _: None)


def with_acrobat(folder: Path) -> str:
    """Return teach.toml with the acrobats' and tiles' sizes given, too."""
    known = "[kit]\nacrobat_mm = [56, 28, 14]\ntile_mm = [48, 2.2]\n"
    return (folder / "teach.toml").read_text("utf-8").replace("[kit]\n", known, 1)


def with_sizes(folder: Path) -> str:
    """Return teach.toml with what need not be measured."""
    given = "stone_mm = [15, 8.5]\noverview_mm = [128, 94, 2.2]\ncard_mm = [60, 86]\n"
    return (folder / "teach.toml").read_text("utf-8").replace("[kit]\n", f"[kit]\n{given}", 1)


def alike(one: np.ndarray, other: np.ndarray) -> float:
    size = (one.shape[1] * 3 // 8, one.shape[0] * 3 // 8)
    small = [cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (one, other)]
    return float(cv2.matchTemplate(small[0], small[1][3:-3, 3:-3], cv2.TM_CCOEFF_NORMED).max())


def test_the_kit_that_was_shown_is_learnt(stock: Laid, taught: tuple[Path, Learnt]) -> None:
    kit, wanted = load_kit(taught[0]), few(stock.kit)
    assert kit == taught[1].kit
    assert kit.acrobat.length_mm == pytest.approx(wanted.acrobat.length_mm, abs=0.5)
    assert kit.acrobat.width_mm == pytest.approx(wanted.acrobat.width_mm, abs=0.3)
    assert kit.acrobat.thickness_mm == pytest.approx(wanted.acrobat.thickness_mm, abs=0.5)
    assert (kit.tile.shape, kit.tile.thickness_mm) == ("round", wanted.tile.thickness_mm)
    assert kit.tile.size_mm == pytest.approx(wanted.tile.size_mm, abs=1.0)
    pairs = zip(kit.figure[0].blocks, wanted.figure[0].blocks, strict=True)
    assert max(max(abs(a.x_mm - b.x_mm), abs(a.z_mm - b.z_mm)) for a, b in pairs) < 0.6
    assert [card.model_dump(exclude={"art"}) for card in kit.card] == [
        card.model_dump(exclude={"art"}) for card in wanted.card
    ]


def test_its_pictures_are_those_that_were_shown(stock: Laid, taught: tuple[Path, Learnt]) -> None:
    art = load_art(taught[0], load_kit(taught[0]))
    for key, face in art.faces.items():
        assert alike(stock.art.faces[key], face) > 0.75
    for name, card in art.cards.items():
        assert alike(stock.art.cards[name], card) > 0.8
        assert np.abs(card.mean(axis=(0, 1)) - stock.art.cards[name].mean(axis=(0, 1))).max() < 8
    assert alike(stock.art.overview, art.overview) > 0.85


def test_the_colours_of_stones_are_their_own(stock: Laid, taught: tuple[Path, Learnt]) -> None:
    for colour in ("yellow", "red", "blue"):
        got, wanted = (np.array(getattr(kit.stone.colours, colour)) for kit in (taught[1].kit, stock.kit))
        assert np.abs(got - wanted).max() < 30


def test_what_is_odd_is_said(taught: tuple[Path, Learnt]) -> None:
    findings = "\n".join(taught[1].findings)
    assert "got 1 acrobats, the rulebook has 6" in findings
    assert "cards in all, the rulebook has 80" in findings


def test_a_bad_picture_leaves_the_old_kit_as_it_is(
    stock: Laid, lessons: Path, taught: tuple[Path, Learnt], tmp_path: Path
) -> None:
    folder = tmp_path / "lessons"
    shutil.copytree(lessons, folder)
    out = tmp_path / "kit"
    shutil.copytree(taught[0], out)
    before = sorted((path.relative_to(out), path.read_bytes()) for path in out.rglob("*") if path.is_file())
    bad = load_lessons(folder).show[2]
    cv2.imwrite(str(folder / bad.file), stock.clear().picture())
    (folder / "teach.toml").write_text(with_acrobat(folder), "utf-8")
    with pytest.raises(UserError, match=rf"{bad.file} \(acrobat 0 front\): got nothing in the zone"):
        teach_from(folder, out, stock.table, None, lambda _: None)
    assert sorted((path.relative_to(out), path.read_bytes()) for path in out.rglob("*") if path.is_file()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kit", "lessons"]


def test_what_is_missing_is_listed(lessons: Path) -> None:
    whole = load_lessons(lessons)
    assert what_is_missing(whole) == []
    less = whole.model_copy(update={"show": whole.show[:3]})
    missing = what_is_missing(less)
    assert missing[0] == "acrobat 0 back"
    assert "the overview tile (kind overview)" in missing
    assert "a red stone (kind stone)" in missing
    unthick = Lessons(show=whole.show, figure=whole.figure)
    assert "the tile's thickness (tile_mm or plate_mm in [kit]; no picture tells it)" in what_is_missing(unthick)
    assert "figure pyramid" in what_is_missing(whole.model_copy(update={"figure": ()}))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[kit", "not a TOML file"),
        ('[[show]]\nfile = "a.png"\nkind = "house"', "house"),
        ('[[show]]\nfile = "../a.png"\nkind = "overview"', "wanted a path inside the folder"),
        ('[[show]]\nfile = "a.png"\nkind = "card"\nid = "f"\ntask = "find"\ncount = 2', "object: missing"),
        ("[kit]\nacrobat_mm = [60, 30]", "acrobat_mm"),
        ("[kit]\ncolour = 3", "there is no such key"),
        ('[[figure]]\nid = "f"', "wanted a drawing, or blocks"),
        ("", "missing: an acrobat"),
    ],
)
def test_a_bad_teach_toml_is_one_line(stock: Laid, tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "teach.toml").write_text(text)
    with pytest.raises(UserError, match=why) as caught:
        teach_from(tmp_path, tmp_path / "kit", stock.table, None, lambda _: None)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "kit").exists()
