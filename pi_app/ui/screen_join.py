"""The screen on which players join: who has, and where the page is found, as a QR code with its four digits."""

from dataclasses import dataclass

from PIL import Image

from pi_app.session.voila.view import PublicView
from pi_app.ui.draw import FOOTER_Y, HEIGHT, LETTER_H, ROWS, USED, Canvas

QR_PX = HEIGHT
LEFT = USED - QR_PX
"""Columns beside the code."""
MODULE_PX, QUIET_PX = 2, 3
"""The code's modules are squares of 2 px, with a light border of at least 3 px."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where phones join: what the code holds, and the digits that the page asks for."""

    url: str
    digits: str


def joining(canvas: Canvas, view: PublicView, page: PageAddress | None) -> str:
    """Draw who joined; return what belongs in the line at the bottom."""
    code = qr_picture(page.url) if page else None
    if page and code:
        return _beside_code(canvas, view, page, code)
    canvas.title("Voilà!", page.digits if page else f"{len(view.seats)} joined")
    _names(canvas, view)
    if page:
        canvas.text(0, ROWS[-1], page.url.partition("://")[2] or page.url)
    return _asks(view)


def qr_picture(url: str) -> Image.Image | None:
    """Return the address as a code of 64 x 64 px, dark on light; None where it is too long for that."""
    import segno

    try:
        code = segno.make_qr(url, error="L")
    except segno.DataOverflowError:
        return None
    size = len(code.matrix) * MODULE_PX
    if size + 2 * QUIET_PX > QR_PX:
        return None
    picture = Image.new("1", (QR_PX, QR_PX), 1)
    first = (QR_PX - size) // 2
    picture.paste(_modules(code.matrix).resize((size, size), Image.Resampling.NEAREST), (first, first))
    return picture


def _modules(matrix: tuple[bytearray, ...]) -> Image.Image:
    """Return one pixel a module, dark ones dark."""
    light = bytes(0 if dark else 255 for row in matrix for dark in row)
    return Image.frombytes("L", (len(matrix),) * 2, light).convert("1")


def _beside_code(canvas: Canvas, view: PublicView, page: PageAddress, code: Image.Image) -> str:
    canvas.paste(LEFT, 0, code)
    canvas.used, canvas.footer_rows = LEFT - 2, (FOOTER_Y - LETTER_H, FOOTER_Y)
    canvas.title("Voilà!")
    canvas.text(0, ROWS[0], f"{len(view.seats)} joined")
    canvas.centred(ROWS[1] + 1, page.digits, scale=2)
    return _asks(view)


def _names(canvas: Canvas, view: PublicView) -> None:
    """Draw six seats in two columns."""
    half = canvas.used // 2
    for seat in view.seats[:6]:
        canvas.text(half * (seat.seat % 2), ROWS[seat.seat // 2], f"{seat.seat + 1} {seat.name}", letters=10)


def _asks(view: PublicView) -> str:
    return "1 again: start" if len(view.seats) > 1 else "Press to join"
