"""Which stones, laid on a known print, explain a picture best."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.cards_art import Singles

Mask = NDArray[np.bool_]

LEAST_GAIN = 0.2
MOST_STONES = 10
ROUNDS = 3
APART = 0.9
OVERLAP = 0.1


@dataclass(frozen=True)
class Laid:
    """A stone's middle in pixels of the field, its colour's number, and what it explains: 1 is a whole stone."""

    column: int
    row: int
    colour: int
    gain: float = 0.0


@dataclass(frozen=True, eq=False)
class Costs:
    """What each pixel speaks against bare print, `bare`, and against each colour's stone, `stone`: 0 to 1."""

    bare: Singles
    stone: Singles


class Fit:
    """Lays stones on a field until no further one explains anything; the row grows away from the camera or towards it.

    `stamp` is a stone's outline as seen, its middle is never where `closed` is, `toward` is the camera's direction in
    the field.
    """

    def __init__(self, costs: Costs, stamp: Mask, closed: Mask, apart_px: float, toward: tuple[float, float]) -> None:
        self._costs, self._stamp, self._apart, self._toward = costs, stamp, apart_px, toward
        self._closed = closed
        self._half = stamp.shape[0] // 2
        self._kernel = stamp.astype(np.float32)
        self._area = float(stamp.sum())

    def stones(self) -> tuple[list[Laid], Laid | None]:
        """Return the stones, and the best of those that were not taken."""
        laid: list[Laid] = []
        while True:
            more = self._best(laid)
            if more is None or more.gain < LEAST_GAIN or len(laid) >= MOST_STONES:
                break
            laid = self._settled([*laid, more])
        kept = [stone for stone in laid if stone.gain >= LEAST_GAIN]
        return kept, self._best(kept)

    def _settled(self, laid: list[Laid]) -> list[Laid]:
        """Take each stone away in turn and lay it where it explains most."""
        for _ in range(ROUNDS):
            before = [(stone.column, stone.row, stone.colour) for stone in laid]
            for number in range(len(laid)):
                rest = laid[:number] + laid[number + 1 :]
                again = self._best(rest)
                if again is not None:
                    laid = [*laid[:number], again, *laid[number + 1 :]]
            if before == [(stone.column, stone.row, stone.colour) for stone in laid]:
                break
        return laid

    def _best(self, others: list[Laid]) -> Laid | None:
        """Return the stone that explains most beside others; None where there is no room."""
        now = self.explained(others)
        taken = self._taken(others)
        best: Laid | None = None
        closed = self._closed.astype(np.uint8)
        for stone in others:
            cv2.circle(closed, (stone.column, stone.row), max(1, round(self._apart)), (1,), cv2.FILLED)
        for colour in range(len(self._costs.stone)):
            value = np.where(taken, np.float32(-OVERLAP), now - self._costs.stone[colour])
            gain = cv2.filter2D(value.astype(np.float32), cv2.CV_32F, self._kernel, borderType=cv2.BORDER_CONSTANT)
            gain[closed > 0] = -np.inf
            row, column = np.unravel_index(int(np.argmax(gain)), gain.shape)
            share = float(gain[row, column]) / self._area
            if np.isfinite(share) and (best is None or share > best.gain):
                best = Laid(int(column), int(row), colour, share)
        return best

    def explained(self, laid: list[Laid]) -> Singles:
        """Return what each pixel still speaks against these stones."""
        costs = self._costs.bare.copy()
        for stone in sorted(laid, key=lambda s: s.column * self._toward[0] + s.row * self._toward[1]):
            rows, columns, part = self._window(stone)
            costs[rows, columns][part] = self._costs.stone[stone.colour][rows, columns][part]
        return costs

    def _taken(self, laid: list[Laid]) -> Mask:
        mask = np.zeros(self._costs.bare.shape, bool)
        for stone in laid:
            rows, columns, part = self._window(stone)
            mask[rows, columns] |= part
        return mask

    def unexplained(self, laid: list[Laid], where: Mask) -> float:
        """Return the largest mean over a stone's outline of what still speaks against these stones, inside `where`."""
        left = np.where(where, self.explained(laid), np.float32(0.0)).astype(np.float32)
        patches = cv2.filter2D(left, cv2.CV_32F, self._kernel / self._area, borderType=cv2.BORDER_CONSTANT)
        return float(patches[where].max(initial=0.0))

    def _window(self, stone: Laid) -> tuple[slice, slice, Mask]:
        rows, columns = self._costs.bare.shape
        top, left = stone.row - self._half, stone.column - self._half
        bottom, right = top + self._stamp.shape[0], left + self._stamp.shape[1]
        part = self._stamp[max(0, -top) : len(self._stamp) - max(0, bottom - rows)]
        part = part[:, max(0, -left) : self._stamp.shape[1] - max(0, right - columns)]
        return slice(max(0, top), min(rows, bottom)), slice(max(0, left), min(columns, right)), part
