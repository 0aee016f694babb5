"""The seams between the program and its parts; each has a real and a simulated side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PIL.Image import Image

    from pi_app.core.names import Lamp
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

    def on_edge(self, wake: Callable[[], None]) -> None:
        """Call `wake` with every edge from now on, from whatever thread hears of it; it must not block."""
        ...

    def known_ns(self, now_ns: int) -> int:
        """Return up to when the edges are known: the next `edges` holds every one stamped before, not yet returned."""
        ...

    def edges(self) -> list[Edge]:
        """Return the edges since the last call, oldest first."""
        ...

    def down(self) -> frozenset[int]:
        """Return the buttons that were down when the source was opened: of those there was no edge."""
        ...


class TagSource(Protocol):
    """The claim pad."""

    def known_ns(self, now_ns: int) -> int:
        """Return up to when the pad is known: the next `reads` holds every read stamped before, not yet returned."""
        ...

    def reads(self) -> list[TagRead]:
        """Return the polls since the last call, oldest first."""
        ...


class LampSink(Protocol):
    """The buzzers' lamps."""

    def show(self, lamps: Sequence[Lamp]) -> None:
        """Keep what each lamp is to show, in the order of the buttons; lamps beyond the last are off."""
        ...

    def step(self, now_ns: int) -> None:
        """Switch what is to be switched at that time; called a few times a second at least, by one thread."""
        ...

    def close(self) -> None:
        """Switch all off and let go of the pins; safe to call twice."""
        ...


class ScreenSink(Protocol):
    """The OLED: shows the newest picture it was given."""

    def show(self, picture: Image) -> None:
        """Show a 1-bit picture of the display's size; never blocks."""
        ...


class ToneSink(Protocol):
    """What makes the signals' tones, one at a time; every method raises OSError where the part fails."""

    def sound(self, hz: float | None, length_s: float, amplitude: float) -> None:
        """Begin a tone in place of the one before, or a rest (None); returns at once.

        `amplitude` is 0 to 1. Whoever calls begins the next after `length_s`; until then it may go on or end by itself.
        """
        ...

    def silence(self) -> None:
        """Fall silent, with nothing to come soon."""
        ...

    def close(self) -> None:
        """Fall silent and let go of the part; safe to call twice."""
        ...
