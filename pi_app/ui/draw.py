"""Drawing on a 128 x 64 one-bit picture with Pillow's built-in bitmap font (6 x 10 px a letter, Latin-1).

One grid for every game's screens: a title over a rule, four lines, a line at the bottom. The two columns at the right
stay dark, so that a panel's owner may move the picture that far. Large lit areas would age the panel: letters are lit
on dark, never the other way round.
"""

import textwrap
import unicodedata
from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 128, 64
USED = 126
"""Columns that screens draw on."""
LETTER_W, LETTER_H = 6, 10
LETTERS = USED // LETTER_W
RULE_Y = 11
ROWS = (13, 23, 33, 43)
"""Upper edges of the lines below the title."""
FOOTER_Y = HEIGHT - LETTER_H
FONT_H = 11
"""Rows of the font's cell; the uppermost holds nothing but the tip of accents on capitals and is left out."""


class Canvas:
    """A picture in the making: 1 is lit, the origin is at the top left, lengths are in px.

    Text is written on the columns from 0 to `used`; what does not fit is cut and ends in a tilde.
    """

    def __init__(self) -> None:
        self.picture = Image.new("1", (WIDTH, HEIGHT), 0)
        self.used = USED
        self.footer_rows: tuple[int, ...] = (FOOTER_Y,)

    @property
    def letters(self) -> int:
        """Return how many letters a line holds."""
        return self.used // LETTER_W

    def text(self, x: int, y: int, text: str, *, letters: int | None = None, scale: int = 1) -> None:
        """Write one line of at most `letters` letters (None: up to the edge), `scale` times as large."""
        room = (self.used - x) // (LETTER_W * scale)
        text = shown(text, room if letters is None else min(letters, room))
        if text:
            self.paste(x, y, _mask(text, scale))

    def row(self, y: int, left: str, right: str = "") -> None:
        """Write a line whose right part is whole and at the right edge; the left part has what room is left."""
        right = shown(right, self.letters)
        self.text(0, y, left, letters=self.letters - len(right) - bool(right))
        self.text(self.used - len(right) * LETTER_W, y, right)

    def centred(self, y: int, text: str, *, scale: int = 1) -> None:
        """Write one line in the middle, smaller than `scale` where it would not fit."""
        text = shown(text, self.letters)
        while scale > 1 and len(text) * LETTER_W * scale > self.used:
            scale -= 1
        self.text((self.used - len(text) * LETTER_W * scale) // 2, y, text, scale=scale)

    def block(self, rows: Sequence[int], texts: Sequence[str]) -> None:
        """Write texts one below the other, each folded between words; what finds no row is left out."""
        lines = [line for text in texts for line in textwrap.wrap(shown(text), self.letters)]
        for y, line in zip(rows, lines, strict=False):
            self.text(0, y, line)

    def title(self, left: str, right: str = "") -> None:
        """Write the line at the top, and rule it off."""
        self.row(0, left, right)
        self.fill(0, RULE_Y, self.used, 1)

    def footer(self, text: str) -> None:
        """Write the line at the bottom, folded where the canvas has several rows for it."""
        rows = self.footer_rows
        folded = textwrap.wrap(shown(text), self.letters, max_lines=len(rows), placeholder="~")
        for y, line in zip(rows, folded if len(rows) > 1 else [text], strict=False):
            self.text(0, y, line)

    def bar(self, y: int, height: int, part: float) -> None:
        """Draw a bar over the whole width, filled up to `part` (0 to 1)."""
        bar = Image.new("1", (self.used, height), 0)
        draw = ImageDraw.Draw(bar)
        draw.rectangle((0, 0, self.used - 1, height - 1), outline=1)
        filled = round(min(max(part, 0.0), 1.0) * (self.used - 4))
        if filled:
            draw.rectangle((2, 2, filled + 1, height - 3), fill=1)
        self.paste(0, y, bar)

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light a rectangle."""
        self.paste(x, y, Image.new("1", (width, height), 1))

    def paste(self, x: int, y: int, mask: Image.Image) -> None:
        """Light what is lit in a one-bit picture whose upper left corner comes to (x, y); all drawing ends here."""
        self.picture.paste(1, (x, y), mask)


def shown(text: str, letters: int | None = None) -> str:
    """Return the text in letters the font has, cut to so many."""
    plain = "".join(_latin(letter) for letter in unicodedata.normalize("NFC", text))
    if letters is None or len(plain) <= letters:
        return plain
    return f"{plain[: letters - 1]}~" if letters > 0 else ""


def _latin(letter: str) -> str:
    if letter in "\u2026\u2013\u2019":
        return {"\u2026": "...", "\u2013": "-", "\u2019": "'"}[letter]
    if ord(letter) < 256:
        return letter if letter.isprintable() else " "
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if ord(base) < 256 else "?"


@cache
def _font() -> ImageFont.ImageFont:
    return ImageFont.load_default_imagefont()


def _mask(text: str, scale: int) -> Image.Image:
    """Return the letters lit on dark."""
    cells = Image.new("1", (len(text) * LETTER_W, FONT_H), 0)
    ImageDraw.Draw(cells).text((0, 0), text, fill=1, font=_font())
    mask = cells.crop((0, FONT_H - LETTER_H, cells.width, FONT_H))
    return mask if scale == 1 else mask.resize((mask.width * scale, mask.height * scale), Image.Resampling.NEAREST)
