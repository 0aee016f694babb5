"""Text of a known width for terminals: wide letters count twice, what moves the cursor never gets through."""

import unicodedata

MAX_COLUMNS = 130
"""Longer lines are hard to read."""

RESET, BOLD, DIM, INVERSE = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[7m"


def plain(text: str) -> str:
    """Return the text without control letters."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def letter_width(letter: str) -> int:
    """Return how many columns a letter takes."""
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def width(text: str) -> int:
    """Return how many columns a text without control letters takes."""
    return sum(letter_width(letter) for letter in text)


def cut(text: str, columns: int) -> str:
    """Return the text in at most so many columns; a cut one ends in a tilde."""
    text = plain(text)
    if width(text) <= columns:
        return text
    kept, room = "", columns - 1
    for letter in text:
        room -= letter_width(letter)
        if room < 0:
            break
        kept += letter
    return f"{kept}~" if columns > 0 else ""


def fit(text: str, columns: int) -> str:
    """Return the text in exactly so many columns."""
    text = cut(text, columns)
    return text + " " * (columns - width(text))


def columns_of(cells: list[tuple[str, int]]) -> str:
    """Return cells of given widths, negative ones set to the right, with a space between."""
    return " ".join(_cell(text, columns) for text, columns in cells)


def _cell(text: str, columns: int) -> str:
    if columns >= 0:
        return fit(text, columns)
    text = cut(text, -columns)
    return " " * (-columns - width(text)) + text
