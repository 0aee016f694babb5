"""The seams between the program and its parts; each has a real and a simulated side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PIL.Image import Image

    from pi_app.core.observations import Edge, Frame, TagRead


class Clock(Protocol):
    """Monotonic time; real clocks also say which boot it belongs to."""

    def now_ns(self) -> int:
        """Return monotonic nanoseconds."""
        ...

    def boot_id(self) -> str:
        """Return what names this run of the monotonic clock."""
        ...


class FrameSource(Protocol):
    """A camera or a recording: frames in order of sensor time; ends when the source does."""

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames until the source ends."""
        ...

    def close(self) -> None:
        """Let go of the device; safe to call twice."""
        ...


class EdgeSource(Protocol):
    """The buzzers: every edge, in order, none dropped."""

    def edges(self) -> list[Edge]:
        """Return the edges since the last call, oldest first."""
        ...


class TagSource(Protocol):
    """The claim pad."""

    def reads(self) -> list[TagRead]:
        """Return the polls since the last call, oldest first."""
        ...


class ScreenSink(Protocol):
    """The OLED: shows the newest picture it was given."""

    def show(self, picture: Image) -> None:
        """Show a 1-bit picture of the display's size; never blocks."""
        ...
