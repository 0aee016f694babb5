"""The order of what was sensed: by time, whatever way it came (GPIO-3)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


@dataclass(frozen=True, slots=True)
class Known:
    """Up to when the senses are known: every press, every tile stamped before these times has been handed on."""

    presses_ns: int
    tiles_ns: int


class Stamped(Protocol):
    """Anything with the time at which it was sensed."""

    @property
    def at_ns(self) -> int:
        """Return monotonic nanoseconds."""
        ...


Item = TypeVar("Item", bound=Stamped)


class Arbiter(Generic[Item]):
    """Puts what arrives out of order into the order of its times; equal times by `rank`, the lower first.

    The first is given out once its taker says that nothing earlier can follow; until then it, and all behind it, wait.
    """

    def __init__(self, rank: Callable[[Item], int]) -> None:
        self._rank = rank
        self._held: list[Item] = []

    def add(self, item: Item) -> None:
        """Take one item, whatever delay it had."""
        self._held.append(item)
        self._held.sort(key=lambda one: (one.at_ns, self._rank(one)))

    @property
    def first(self) -> Item | None:
        """Return the earliest item that is held; None where none is."""
        return self._held[0] if self._held else None

    def take(self) -> Item:
        """Return the earliest item and hold it no longer; IndexError where none is held."""
        return self._held.pop(0)
