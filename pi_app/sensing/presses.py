"""Contact edges to presses: debounced on press and on release, stamped at the first edge, in order of time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pi_app.core.observations import Edge

QUIET_NS = 25_000_000
"""A contact counts again once it was quiet this long; arcade switches bounce for under 10 ms (GPIO-1)."""

ORDER_NS = 60_000_000
"""How long presses and tiles are held for an earlier one that is still on its way: a thread's or a poll's delay."""


@dataclass(frozen=True, slots=True)
class Press:
    """One settled change of a buzzer: `at_ns` is the monotonic time of its first edge."""

    button: int
    pressed: bool
    at_ns: int


@dataclass(slots=True)
class _Contact:
    down: bool = False
    raw: bool = False
    raw_since_ns: int = 0
    quiet_from_ns: int | None = None


@dataclass(slots=True)
class Debouncer:
    """Turns the edges of all buttons into presses and releases.

    The first edge after quiet counts at once; edges that follow within `quiet_ns` of each other are bounces. A
    contact that rests in the other position afterwards (a press shorter than the quiet time) is made up for by
    `settle`, stamped at its last edge, so nothing is lost and no button stays held.
    """

    quiet_ns: int = QUIET_NS
    _contacts: dict[int, _Contact] = field(default_factory=dict)

    def feed(self, edge: Edge) -> list[Press]:
        """Take one edge; return the changes it makes known, oldest first."""
        contact = self._contacts.setdefault(edge.button, _Contact())
        known = self._settle(edge.button, contact, edge.at_ns)
        bouncing = contact.quiet_from_ns is not None
        contact.raw, contact.raw_since_ns = edge.pressed, edge.at_ns
        if not bouncing and edge.pressed == contact.down:
            return known
        contact.quiet_from_ns = edge.at_ns + self.quiet_ns
        if not bouncing:
            contact.down = edge.pressed
            known.append(Press(edge.button, edge.pressed, edge.at_ns))
        return known

    def settle(self, now_ns: int) -> list[Press]:
        """Return the changes that became sure because time passed, oldest first."""
        known = [press for button, contact in self._contacts.items() for press in self._settle(button, contact, now_ns)]
        return sorted(known, key=_order)

    def held(self) -> set[int]:
        """Return the buttons that are down."""
        return {button for button, contact in self._contacts.items() if contact.down}

    def _settle(self, button: int, contact: _Contact, now_ns: int) -> list[Press]:
        if contact.quiet_from_ns is None or now_ns < contact.quiet_from_ns:
            return []
        contact.quiet_from_ns = None
        if contact.raw == contact.down:
            return []
        contact.down = contact.raw
        return [Press(button, contact.raw, contact.raw_since_ns)]


class Stamped(Protocol):
    """Anything with the time at which it was sensed."""

    @property
    def at_ns(self) -> int:
        """Return monotonic nanoseconds."""
        ...


Item = TypeVar("Item", bound=Stamped)


class Arbiter(Generic[Item]):
    """Puts what arrives out of order into the order of its times; equal times by `rank`, the lower first.

    Each item is held for `hold_ns`, so that one stamped earlier but delivered later still comes first (GPIO-3).
    """

    def __init__(self, rank: Callable[[Item], int], hold_ns: int = ORDER_NS) -> None:
        self._rank = rank
        self._hold_ns = hold_ns
        self._held: list[Item] = []

    def add(self, item: Item) -> None:
        """Take one item, whatever delay it had."""
        self._held.append(item)

    def take(self, now_ns: int) -> list[Item]:
        """Return what nothing earlier can still overtake, in order."""
        due = [item for item in self._held if item.at_ns + self._hold_ns <= now_ns]
        self._held = [item for item in self._held if item.at_ns + self._hold_ns > now_ns]
        return sorted(due, key=lambda item: (item.at_ns, self._rank(item)))

    @property
    def next_ns(self) -> int | None:
        """When the oldest held item becomes due; None where none is held."""
        return min((item.at_ns + self._hold_ns for item in self._held), default=None)


def _order(press: Press) -> tuple[int, int]:
    return press.at_ns, press.button
