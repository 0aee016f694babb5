"""Capitals, digits and a few marks as strokes, so that pictures need no font and look the same with every OpenCV."""

from __future__ import annotations

Stroke = list[tuple[float, float]]

# A glyph is its strokes on a grid 4 wide and 6 high, each point two digits: column, row from the top.
_GLYPHS = {
    "A": "06 20 46|14 34", "B": "06 00 20 31 32 23 03|23 33 44 45 36 06", "C": "41 30 10 01 05 16 36 45",
    "D": "06 00 20 41 45 26 06", "E": "40 00 06 46|03 33", "F": "40 00 06|03 33",
    "G": "41 30 10 01 05 16 36 45 43 23", "H": "00 06|40 46|03 43", "I": "20 26", "J": "40 45 36 16 05",
    "K": "00 06|40 03 46", "L": "00 06 46", "M": "06 00 23 40 46", "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10", "P": "06 00 30 41 42 33 03", "Q": "10 30 41 45 36 16 05 01 10|24 46",
    "R": "06 00 30 41 42 33 03|23 46", "S": "41 30 10 01 02 13 33 44 45 36 16 05", "T": "00 40|20 26",
    "U": "00 05 16 36 45 40", "V": "00 26 40", "W": "00 16 22 36 40", "X": "00 46|40 06", "Y": "00 23 40|23 26",
    "Z": "00 40 06 46", "0": "10 30 41 45 36 16 05 01 10", "1": "11 20 26", "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 44 45 36 16 05|33 23", "4": "36 30 04 44", "5": "40 00 03 33 44 45 36 06",
    "6": "41 30 10 01 05 16 36 45 44 33 03", "7": "00 40 16", "8": "10 30 41 42 33 13 02 01 10|13 04 05 16 36 45 44 33",
    "9": "05 16 36 45 41 30 10 01 02 13 43", "-": "13 33", ".": "26 26", "!": "20 24|26 26", "+": "23 25|14 34",
    " ": "",
}  # fmt: skip
_NARROW = {"I": (2, 0.0), ".": (2, 0.0), "!": (2, 0.0), "1": (1, 1 / 6), " ": (0, 0.2)}
_GAP = 0.26
_WIDTH = 4 / 6


def strokes(text: str) -> list[Stroke]:
    """Return the lines of a text in units of its height: x from the text's left edge, y from its top."""
    lines: list[Stroke] = []
    pen = 0.0
    for letter in text:
        start = _NARROW[letter][0] / 6 if letter in _NARROW else 0.0
        lines += [
            [(pen + int(point[0]) / 6 - start, int(point[1]) / 6) for point in stroke.split()]
            for stroke in filter(None, _GLYPHS.get(letter, "").split("|"))
        ]
        pen += advance(letter)
    return lines


def width_of(text: str) -> float:
    """Return a text's width in units of its height."""
    return sum(advance(letter) for letter in text) - _GAP if text else 0.0


def advance(letter: str) -> float:
    """Return how far the next letter starts, in units of the height."""
    return (_NARROW[letter][1] if letter in _NARROW else _WIDTH) + _GAP
