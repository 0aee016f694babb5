"""What the device senses, each with the monotonic nanoseconds at which it was sensed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: `image` is height x width x 3, uint8, BGR; `number` counts the source's frames from 0."""

    number: int
    sensor_ns: int
    image: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Edge:
    """One change of a buzzer's contact, as the kernel stamped it."""

    button: int
    pressed: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class TagRead:
    """One poll of the claim pad's reader: the tag's full id in capital hex, or None for an empty pad.

    `found`: it lay so when the reader was asked after a gap; since when is not known.
    """

    tag: str | None
    at_ns: int
    found: bool = False
