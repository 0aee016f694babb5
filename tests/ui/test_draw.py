"""No screen overflows and nothing on it overlaps, whatever the names and numbers."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pi_app.core.names import Task
from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.session.events import By
from pi_app.session.voila.view import ClaimPressView, ClaimView, Note, PublicView, SeatView, VerdictView
from pi_app.ui.draw import HEIGHT, USED, Canvas
from pi_app.ui.screen_join import LEFT, PageAddress, qr_picture
from pi_app.ui.screens import draw, screen
from tests.ui.views import VIEWS

Box = tuple[int, int, int, int]


class Watched(Canvas):
    """A canvas that keeps the box of everything drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[Box] = []

    def paste(self, x: int, y: int, mask: Image.Image) -> None:
        self.boxes.append((x, y, x + mask.width, y + mask.height))
        super().paste(x, y, mask)


def faults_of(boxes: list[Box]) -> list[str]:
    """Return which boxes leave the used part of the picture, and which overlap."""
    found = [f"{box} leaves" for box in boxes if box[0] < 0 or box[1] < 0 or box[2] > USED or box[3] > HEIGHT]
    pairs = [(one, two) for number, one in enumerate(boxes) for two in boxes[number + 1 :]]
    return found + [f"{one} overlaps {two}" for one, two in pairs if _overlap(one, two)]


def _overlap(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def test_the_check_sees_what_leaves_and_what_overlaps() -> None:
    canvas = Watched()
    canvas.text(0, 0, "one")
    canvas.text(0, 10, "below")
    assert faults_of(canvas.boxes) == []
    canvas.text(12, 9, "across")
    canvas.paste(100, 60, Image.new("1", (10, 10)))
    assert len(faults_of(canvas.boxes)) == 3


NAMES = st.text(min_size=1, max_size=40) | st.sampled_from(["Élodie-Ångström ÇgÿQ", "W" * 60, "名前", "a: b", " "])
HUGE = st.integers(0, 10**9)
REASONS = st.lists(st.sampled_from(Reason), max_size=6).map(tuple)
MEASURES = st.lists(st.builds(Measure, NAMES, st.floats(0, 1e12), st.sampled_from(["mm", "s", ""])), max_size=4)


@st.composite
def any_view(draw_from: st.DrawFn) -> PublicView:
    """Return one of the stored views with other people, numbers, verdicts, faults and claims."""
    view = VIEWS[draw_from(st.sampled_from(sorted(VIEWS)))]
    count = draw_from(st.integers(3, 6))
    people = tuple(
        SeatView(seat, draw_from(NAMES), seat + 1, draw_from(HUGE), draw_from(HUGE), winner=draw_from(st.booleans()))
        for seat in range(count)
    )
    faults = tuple(draw_from(st.lists(st.tuples(NAMES, NAMES), max_size=6)))
    note = draw_from(st.none() | st.sampled_from(Note))
    view = replace(view, seats=people, faults=faults, note=note, bonus_owed=draw_from(HUGE))
    return replace(view, verdict=_verdict(draw_from, view), claim=_claim(draw_from, view, count))


def _verdict(draw_from: st.DrawFn, view: PublicView) -> VerdictView | None:
    old = view.verdict
    if old is None:
        return None
    return replace(
        old,
        task=draw_from(st.sampled_from(Task)),
        outcome=draw_from(st.none() | st.sampled_from(Outcome)),
        reasons=draw_from(REASONS),
        measures=tuple(draw_from(MEASURES)),
        stood_for_s=draw_from(st.none() | st.floats(0, 1e9)),
        passed=draw_from(st.none() | st.booleans()),
        by=draw_from(st.sampled_from(By)),
        winner=draw_from(st.none() | st.integers(0, 2)),
    )


def _claim(draw_from: st.DrawFn, view: PublicView, count: int) -> ClaimView | None:
    if view.claim is None:
        return None
    places = tuple(
        ClaimPressView(seat, draw_from(st.floats(0, 1e9)), draw_from(st.booleans()), seat == 1) for seat in range(count)
    )
    return ClaimView(places, 1, draw_from(st.none() | st.floats(0, 1e6)))


PAGES = st.none() | st.builds(
    PageAddress, st.sampled_from(["http://10.0.0.2/", "http://table.local:8080/" + "a" * 80]), st.just("0815")
)


@settings(max_examples=150, deadline=None)
@given(view=any_view(), page=PAGES)
def test_nothing_overflows_or_overlaps(view: PublicView, page: PageAddress | None) -> None:
    canvas = Watched()
    draw(canvas, view, page)
    assert faults_of(canvas.boxes) == []


def test_numbers_at_the_right_are_whole_and_names_give_way() -> None:
    canvas, plain = Watched(), Watched()
    canvas.row(0, "W" * 40, "123456 7")
    plain.text(USED - 8 * 6, 0, "123456 7")
    right = (USED - 8 * 6, 0, USED, 10)
    assert canvas.picture.crop(right).tobytes() == plain.picture.crop(right).tobytes()
    assert faults_of(canvas.boxes) == []


@pytest.mark.parametrize(
    "url", ["http://192.168.178.23:8080/", "http://10.0.0.7/j", "http://table-umpire.local:8080/?code=4711"]
)
def test_the_code_is_read_off_the_screen(url: str) -> None:
    picture = screen(VIEWS["joining"], PageAddress(url, "4711"))
    pixels = np.asarray(picture.convert("L").resize((512, 256), Image.Resampling.NEAREST))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(pixels)
    assert text == url


def test_an_address_too_long_for_a_code_is_written_instead() -> None:
    assert qr_picture("http://" + "a" * 60) is None
    assert qr_picture("http://" + "a" * 5000) is None
    page = PageAddress("http://" + "a" * 60, "4711")
    picture = screen(VIEWS["joining"], page)
    assert (
        picture.crop((LEFT, 20, USED, HEIGHT)).tobytes()
        != screen(VIEWS["joining"]).crop((LEFT, 20, USED, 64)).tobytes()
    )


@pytest.mark.parametrize("letters", [0, 1, 5])
def test_a_cut_text_is_never_longer_than_its_room(letters: int) -> None:
    canvas = Canvas()
    canvas.text(0, 0, "overlong", letters=letters)
    box = canvas.picture.getbbox()
    assert (box[2] if box else 0) <= 6 * letters
