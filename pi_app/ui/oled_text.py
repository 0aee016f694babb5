"""The OLED's picture as text, for a terminal: half blocks where there is room, else Braille, else ASCII."""

from PIL import Image

_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_ASCII = {(0, 0): " ", (1, 0): "'", (0, 1): ".", (1, 1): "#"}
_BRAILLE = 0x2800
_DOTS = ((0, 0, 0x01), (0, 1, 0x02), (0, 2, 0x04), (1, 0, 0x08), (1, 1, 0x10), (1, 2, 0x20), (0, 3, 0x40), (1, 3, 0x80))
"""Column, row and bit of the dots of a Braille cell (Unicode 15, 2800-28FF)."""


def oled_lines(picture: Image.Image, *, ascii_only: bool = False) -> list[str]:
    """Return the picture's lines, two rows of pixels in each: half as many as it has rows, each as wide as it is."""
    letters = _ASCII if ascii_only else _HALVES
    lit = _lit(picture, 2)
    return [
        "".join(letters[pair] for pair in zip(lit[row], lit[row + 1], strict=True)) for row in range(0, len(lit), 2)
    ]


def braille_lines(picture: Image.Image) -> list[str]:
    """Return the picture's lines in Braille: a quarter as many as it has rows, each half as wide as it is."""
    lit = _lit(picture, 4)
    return [
        "".join(_cell(lit, row, column) for column in range(0, picture.width - 1, 2)) for row in range(0, len(lit), 4)
    ]


def _cell(lit: list[list[int]], row: int, column: int) -> str:
    return chr(_BRAILLE + sum(bit for x, y, bit in _DOTS if lit[row + y][column + x]))


def _lit(picture: Image.Image, multiple: int) -> list[list[int]]:
    """Return the pixels row by row, with dark rows below until there is a multiple of so many."""
    pixels = [int(value > 0) for value in picture.convert("1").convert("L").tobytes()]
    lit = [pixels[y * picture.width : (y + 1) * picture.width] for y in range(picture.height)]
    return lit + [[0] * picture.width for _ in range(-picture.height % multiple)]
