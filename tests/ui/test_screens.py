"""Every OLED picture against its stored one. To make them anew: delete the files and run this test twice."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from pi_app.session.voila.view import Phase
from pi_app.ui.screens import PageAddress, goodbye, screen
from tests.ui.views import VIEWS

SCREENS = Path(__file__).parents[1] / "screens"
PAGE = PageAddress("http://192.168.178.23:8080/", "4711")
LONG_PAGE = PageAddress(f"http://table-umpire.{'a' * 40}.example/", "4711")
PICTURES: dict[str, Callable[[], Image.Image]] = {
    **{name: lambda view=view: screen(view) for name, view in VIEWS.items()},  # type: ignore[misc]
    "joining-page": lambda: screen(VIEWS["joining"], PAGE),
    "joining-page-fault": lambda: screen(replace(VIEWS["joining"], faults=(("camera", "lost"),)), PAGE),
    "joining-long-page": lambda: screen(VIEWS["joining"], LONG_PAGE),
    "goodbye": goodbye,
}


def difference(picture: Image.Image, stored: Path) -> str | None:
    """Return how a picture differs from the stored one, None where it does not."""
    with Image.open(stored) as opened:
        golden = opened.copy()
    if (picture.size, picture.mode) != (golden.size, golden.mode):
        return f"got {picture.mode} {picture.size}, wanted {golden.mode} {golden.size}"
    box = ImageChops.logical_xor(picture, golden).getbbox()
    return f"pixels differ within {box}" if box else None


@pytest.mark.parametrize("name", PICTURES)
def test_the_screen_is_as_stored(name: str) -> None:
    picture, stored = PICTURES[name](), SCREENS / f"{name}.png"
    if not stored.exists():
        picture.save(stored)
        pytest.fail(f"{stored.name} was missing and is made now: look at it")
    assert difference(picture, stored) is None


def test_the_comparison_sees_a_single_pixel_and_another_size(tmp_path: Path) -> None:
    picture = screen(VIEWS["score"])
    picture.save(tmp_path / "same.png")
    assert difference(picture, tmp_path / "same.png") is None
    other = picture.copy()
    other.putpixel((127, 63), 1 - int(bool(other.getpixel((127, 63)))))
    assert difference(other, tmp_path / "same.png") == "pixels differ within (127, 63, 128, 64)"
    assert difference(picture.resize((64, 32)), tmp_path / "same.png") is not None
    assert difference(picture.convert("L"), tmp_path / "same.png") is not None


def test_every_phase_has_a_screen_and_every_stored_file_a_picture() -> None:
    assert {view.phase for view in VIEWS.values()} == set(Phase)
    assert {path.stem for path in SCREENS.glob("*.png")} == PICTURES.keys()


def test_the_screens_differ_from_each_other() -> None:
    assert len({made().tobytes() for made in PICTURES.values()}) == len(PICTURES)


def test_without_digits_the_picture_does_not_depend_on_the_time() -> None:
    view = VIEWS["running-hidden"]
    early, late = (replace(view, clock=replace(view.clock, remaining_s=None, total_s=s)) for s in (45.0, 20.0))
    assert screen(early).tobytes() == screen(late).tobytes()


def test_little_is_lit_and_the_right_edge_stays_dark_where_the_picture_may_drift() -> None:
    """Burn-in: less than a quarter is lit but for the code that phones read."""
    for name, made in PICTURES.items():
        picture = made()
        assert picture.crop((126, 0, 128, 64)).getbbox() is None, name
        lit = sum(bool(value) for value in picture.convert("L").tobytes())
        assert lit < 128 * 64 / 4 or "page" in name, name
