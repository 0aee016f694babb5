"""The OLED's pictures: public view in, 128 x 64 one-bit picture out.

Nothing is told by light alone: stones are letters, claims have marks and numbers, winners a star. Every screen returns
what belongs in the line at the bottom, None where it has no room for one; what the device has to say of itself comes
first there.
"""

from PIL import Image

from pi_app.session.voila.view import Phase, PublicView
from pi_app.ui import screen_voila, words
from pi_app.ui.draw import ROWS, Canvas
from pi_app.ui.screen_join import PageAddress, joining

__all__ = ["PageAddress", "draw", "goodbye", "screen"]


def screen(view: PublicView, page: PageAddress | None = None) -> Image.Image:
    """Return the picture for a view; made for Audience.TABLE, it shows digits only where the view has them.

    `page` is where phones join, shown while players do.
    """
    canvas = Canvas()
    draw(canvas, view, page)
    return canvas.picture


def draw(canvas: Canvas, view: PublicView, page: PageAddress | None = None) -> None:
    """Draw a view's screen."""
    if len(view.faults) > 1 and view.phase in _BETWEEN:
        canvas.footer(_faults(canvas, view))
        return
    asks = joining(canvas, view, page) if view.phase is Phase.JOINING else screen_voila.body(canvas, view)
    if asks is not None:
        canvas.footer(_said(view) or asks)


def goodbye() -> Image.Image:
    """Return the last picture: everything is saved, the device may be unplugged."""
    canvas = Canvas()
    canvas.centred(ROWS[0], "Goodbye", scale=2)
    canvas.footer("Safe to unplug")
    return canvas.picture


_BETWEEN = (Phase.JOINING, Phase.PAUSED, Phase.RESUME)
"""When nobody plays against the clock there is room for all faults."""


def _faults(canvas: Canvas, view: PublicView) -> str:
    canvas.title("Faults", str(len(view.faults)))
    for y, (part, fault) in zip(ROWS, view.faults, strict=False):
        canvas.text(0, y, f"{part}: {fault}")
    return words.asks(view, canvas.letters)


def _said(view: PublicView) -> str | None:
    """Return what the device has to say before all else."""
    if view.faults:
        (part, fault), more = view.faults[0], len(view.faults) - 1
        return f"! {f'{more + 1}: ' if more else ''}{part}: {fault}"
    if view.note is not None:
        return words.SHORT_NOTES[view.note]
    return "! shuffle a new pile" if view.reshuffle else None
