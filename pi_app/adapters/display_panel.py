"""A panel of which only what changed is sent.

luma.core's own differ (luma.core.framebuffer.diff_to_previous) serves colour panels; its drivers for one-bit panels
send the whole picture each time. Their memory has pages of eight rows, one byte a column, the top row in the lowest bit
(SSD1306 data sheet 8.7, SH1106 data sheet "Display Data RAM").
"""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from PIL.Image import Image

from pi_app.adapters.display_luma import Light

Pages = npt.NDArray[np.uint8]
"""Bytes by page and column."""

COLUMN_ADDRESS, PAGE_ADDRESS = 0x21, 0x22
"""SSD1306 data sheet 10.1.4 and 10.1.5: window for data that follow."""
PAGE_START = 0xB0
"""SH1106: page for data that follow; the column goes in two nibbles, 0x00 and 0x10."""
SH1106_FIRST_COLUMN = 2
"""The SH1106 has memory for 132 columns, panels of 128 are connected in the middle."""
JOIN = 10
"""Unchanged bytes worth sending rather than another window: what its commands and their addressing take."""
FULL_CONTRAST, DIM_CONTRAST = 0xCF, 0x08


class Interface(Protocol):
    """What is used of luma.core.interface.serial's classes."""

    def command(self, *cmd: int) -> None:
        """Send commands."""

    def data(self, data: list[int]) -> None:
        """Send bytes of the picture."""

    def cleanup(self) -> None:
        """Let go of the bus."""


class PartialPanel:
    """A one-bit panel behind luma's driver, which has set it up and cleared it; `paged`: addressed as the SH1106 is.

    Raises what the interface raises; what the panel shows is then unknown and it has to be opened again.
    """

    mode = "1"

    def __init__(self, device: Any, interface: Interface, *, paged: bool) -> None:
        self._device, self._interface, self._paged = device, interface, paged
        self._sent: Pages = np.zeros((device.height // 8, device.width), np.uint8)
        self.persist = False

    def display(self, image: Image) -> None:
        """Send what differs from the picture before."""
        pages = pages_of(self._device.preprocess(image))
        for page, first, last in changes(self._sent, pages):
            self._window(page, first, last)
            self._interface.data(pages[page, first:last].tolist())
        self._sent = pages

    def light(self, light: Light) -> None:
        """Set the brightness; the picture stays in the panel's memory while it is off."""
        if light is Light.OFF:
            self._device.hide()
            return
        self._device.contrast(FULL_CONTRAST if light is Light.FULL else DIM_CONTRAST)
        self._device.show()

    def cleanup(self) -> None:
        """Switch the panel off unless its picture is to persist, and let go of the bus whatever happens.

        luma keeps every device it ever made until the program ends, to switch it off then; so that a panel that comes
        and goes all evening takes no memory, nothing is left in the device.
        """
        try:
            if not self.persist:
                self._device.hide()
        finally:
            self._interface.cleanup()
            vars(self._device).clear()

    def _window(self, page: int, first: int, last: int) -> None:
        if self._paged:
            column = first + SH1106_FIRST_COLUMN
            self._interface.command(PAGE_START | page, column & 0x0F, 0x10 | column >> 4)
        else:
            self._interface.command(COLUMN_ADDRESS, first, last - 1, PAGE_ADDRESS, page, page)


def pages_of(image: Image) -> Pages:
    """Return a one-bit picture as the panel's memory holds it."""
    lit = np.asarray(image, dtype=bool)
    rows, columns = lit.shape
    return np.packbits(lit.reshape(rows // 8, 8, columns), axis=1, bitorder="little")[:, 0]


def changes(old: Pages, new: Pages) -> Iterator[tuple[int, int, int]]:
    """Yield page, first column and the one after the last of each stretch to send."""
    for page in range(len(new)):
        changed = np.flatnonzero(old[page] != new[page]).tolist()
        yield from ((page, first, last) for first, last in _stretches(changed))


def _stretches(columns: list[int]) -> Iterator[tuple[int, int]]:
    first, last = None, 0
    for column in columns:
        if first is not None and column - last > JOIN:
            yield first, last
            first = None
        first, last = column if first is None else first, column + 1
    if first is not None:
        yield first, last
