"""The OLED's picture as text."""

from PIL import Image

from pi_app.ui.oled_text import braille_lines, oled_lines
from pi_app.ui.screens import screen
from tests.ui.views import VIEWS


def _dots(*lit: tuple[int, int], size: tuple[int, int] = (4, 4)) -> Image.Image:
    picture = Image.new("1", size)
    for place in lit:
        picture.putpixel(place, 1)
    return picture


def test_two_rows_make_a_line() -> None:
    assert oled_lines(_dots((0, 0), (1, 1), (2, 0), (2, 1))) == ["▀▄█ ", "    "]
    assert oled_lines(_dots((0, 0), (1, 1), (2, 0), (2, 1)), ascii_only=True) == ["'.# ", "    "]


def test_an_odd_last_row_is_shown() -> None:
    assert oled_lines(_dots((1, 2), size=(3, 3))) == ["   ", " ▀ "]


def test_every_dot_of_a_braille_cell_is_its_own() -> None:
    cells = {braille_lines(_dots((x, y), size=(2, 4)))[0] for x in range(2) for y in range(4)}
    assert cells == {chr(0x2800 + (1 << bit)) for bit in range(8)}
    assert braille_lines(_dots((0, 0), (2, 3))) == ["⠁⡀"]


def test_a_whole_screen_has_the_documented_size() -> None:
    picture = screen(VIEWS["score"])
    assert {len(line) for line in oled_lines(picture)} == {128}
    assert len(oled_lines(picture)) == 32
    assert {len(line) for line in braille_lines(picture)} == {64}
    assert len(braille_lines(picture)) == 16
    assert sum(line.count("█") for line in oled_lines(picture)) > 100
