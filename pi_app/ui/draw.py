"""Drawing on a 128 x 64 one-bit picture with Pillow's built-in bitmap font (6 x 11 px a letter, Latin-1)."""

import unicodedata
from functools import cache

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 128, 64
LETTER_W, LETTER_H = 6, 11
LETTERS = WIDTH // LETTER_W


class Canvas:
    """A picture in the making: 1 is lit, the origin is at the top left, lengths are in px."""

    def __init__(self) -> None:
        self.picture = Image.new("1", (WIDTH, HEIGHT), 0)
        self._draw = ImageDraw.Draw(self.picture)

    def text(self, x: int, y: int, text: str, *, width: int = LETTERS, lit: bool = True, scale: int = 1) -> None:
        """Write one line of at most `width` letters, `scale` times as large."""
        self.picture.paste(int(lit), (x, y), _letters(shown(text, width), scale))

    def centred(self, y: int, text: str, *, scale: int = 1, lit: bool = True) -> None:
        """Write one line in the middle."""
        text = shown(text, LETTERS // scale)
        self.text((WIDTH - len(text) * LETTER_W * scale) // 2, y, text, scale=scale, lit=lit)

    def title(self, left: str, right: str = "") -> None:
        """Draw the bar at the top with dark letters."""
        self.box(0, 0, WIDTH, LETTER_H + 1, lit=True)
        room = LETTERS - len(right) - bool(right)
        self.text(1, 0, left, width=room, lit=False)
        self.text(WIDTH - len(right) * LETTER_W - 1, 0, right, lit=False)

    def footer(self, text: str) -> None:
        """Write the line at the bottom, over whatever is there."""
        self.box(0, HEIGHT - LETTER_H, WIDTH, LETTER_H, lit=False)
        self.text(0, HEIGHT - LETTER_H, text)

    def box(self, x: int, y: int, width: int, height: int, *, lit: bool) -> None:
        """Fill a rectangle."""
        self._draw.rectangle((x, y, x + width - 1, y + height - 1), fill=int(lit))

    def bar(self, y: int, height: int, part: float) -> None:
        """Draw a bar over the whole width, filled up to `part` (0 to 1)."""
        self._draw.rectangle((0, y, WIDTH - 1, y + height - 1), outline=1, fill=0)
        filled = round(min(max(part, 0.0), 1.0) * (WIDTH - 4))
        if filled:
            self.box(2, y + 2, filled, height - 4, lit=True)


def shown(text: str, width: int) -> str:
    """Return the text in letters the font has, cut to `width` letters."""
    plain = "".join(_latin(letter) for letter in unicodedata.normalize("NFC", text))
    return plain if len(plain) <= width else f"{plain[: max(0, width - 1)]}~"


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


def _letters(text: str, scale: int) -> Image.Image:
    """Return a mask of the text."""
    mask = Image.new("1", (max(1, len(text) * LETTER_W), LETTER_H), 0)
    ImageDraw.Draw(mask).text((0, 0), text, fill=1, font=_font())
    return mask if scale == 1 else mask.resize((mask.width * scale, mask.height * scale), Image.Resampling.NEAREST)
