"""Covering a coloured patch with copies of one known shape that do not overlap."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]

MOVES = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
STEPS_PX = (2, 1)
ROUNDS = 8
OVERLAP_COST = 0.7
OUTSIDE_COST = 0.9
MORE_GAIN = 0.02
MAX_COUNT = 40


@dataclass(frozen=True)
class Discs:
    """Middles (column, row) in pixels, and how well each fits: 0 to 1, intersection over union of its neighbourhood."""

    centres: list[tuple[int, int]]
    fits: list[float]


def fit_discs(patch: Bools, free: Bools, stamp: Bools, apart_px: float) -> Discs:
    """Return the copies of `stamp` that cover a patch best, their middles at least `apart_px` apart.

    Pixels of `free` may be covered or not: something else is there.

    Tries the numbers that the patch's area allows, and keeps the one with the best overlap.
    """
    box = _box(patch, stamp)
    cover = _Cover(patch[box], free[box] & ~patch[box], stamp, apart_px)
    about = cover.count / stamp.sum()
    fewest = max(1, int(about * 0.85))
    numbers = range(fewest, min(MAX_COUNT, max(fewest, round(about * 1.1))) + 1)
    best: tuple[float, list[tuple[int, int]]] = (-1.0, [])
    for number in numbers:
        centres = cover.settle(cover.greedy(number))
        overlap = cover.overlap(centres)
        if overlap > best[0] + MORE_GAIN:
            best = (overlap, centres)
    left, top = box[1].start, box[0].start
    fits = [cover.fit(best[1], index) for index in range(len(best[1]))]
    return Discs([(x + left, y + top) for x, y in best[1]], fits)


def _box(patch: Bools, stamp: Bools) -> tuple[slice, slice]:
    half = stamp.shape[0] // 2 + 2
    rows, columns = np.flatnonzero(patch.any(axis=1)), np.flatnonzero(patch.any(axis=0))
    return (
        slice(max(0, int(rows[0]) - half), min(patch.shape[0], int(rows[-1]) + half + 1)),
        slice(max(0, int(columns[0]) - half), min(patch.shape[1], int(columns[-1]) + half + 1)),
    )


class _Cover:
    """A patch with a border as wide as the stamp, and the gain of stamps laid on it."""

    def __init__(self, patch: Bools, free: Bools, stamp: Bools, apart_px: float) -> None:
        self._apart_px = apart_px
        self._half = stamp.shape[0] // 2
        self._stamp = stamp
        self._patch = np.pad(patch, self._half)
        self._free = np.pad(free, self._half)
        value = np.where(self._patch, 1.0, np.where(self._free, 0.0, -OUTSIDE_COST))
        self._value = value.astype(np.float32)
        self.count = int(patch.sum())

    def greedy(self, number: int) -> list[tuple[int, int]]:
        """Lay stamps one by one where each gains most."""
        kernel = self._stamp.astype(np.float32)
        value = self._value.copy()
        closed = np.ones(np.subtract(value.shape, 2 * self._half), np.float32)
        centres: list[tuple[int, int]] = []
        for _ in range(number):
            gain = cv2.filter2D(value, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT)
            gain = gain[self._half : -self._half, self._half : -self._half]
            gain = np.where(closed > 0, gain, -np.inf)
            y, x = np.unravel_index(int(np.argmax(gain)), gain.shape)
            centres.append((int(x), int(y)))
            value[self._window(centres[-1])][self._stamp] = -OVERLAP_COST
            cv2.circle(closed, centres[-1], max(1, round(self._apart_px)), (0.0,), cv2.FILLED)
        return centres

    def settle(self, centres: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Move each stamp in turn as long as that gains."""
        laid = np.zeros(self._value.shape, np.int16)
        for centre in centres:
            laid[self._window(centre)] += self._stamp
        moved = list(centres)
        for step in STEPS_PX:
            for _ in range(ROUNDS):
                if not sum(self._move(moved, index, step, laid) for index in range(len(moved))):
                    break
        return moved

    def _move(self, centres: list[tuple[int, int]], index: int, step: int, laid: NDArray[np.int16]) -> bool:
        here = centres[index]
        laid[self._window(here)] -= self._stamp
        options = [here, *((here[0] + step * dx, here[1] + step * dy) for dx, dy in MOVES)]
        rest = [centre for other, centre in enumerate(centres) if other != index]
        gains = [self._gain(option, laid, rest) for option in options]
        best = int(np.argmax(gains))
        centres[index] = options[best]
        laid[self._window(options[best])] += self._stamp
        return best != 0

    def _gain(self, centre: tuple[int, int], laid: NDArray[np.int16], rest: list[tuple[int, int]]) -> float:
        rows, columns = self._patch.shape
        if not (0 <= centre[0] < columns - 2 * self._half and 0 <= centre[1] < rows - 2 * self._half):
            return -np.inf
        near = min((math.dist(centre, other) for other in rest), default=math.inf)
        if near < self._apart_px:
            return -1e6 + near
        window = self._window(centre)
        again = laid[window] > 0
        return float(np.where(again, -OVERLAP_COST, self._value[window])[self._stamp].sum())

    def overlap(self, centres: list[tuple[int, int]]) -> float:
        """Return intersection over union of all stamps with the patch."""
        laid = self._laid(centres)
        union = ((laid | self._patch) & ~(self._free & ~self._patch)).sum()
        return float((laid & self._patch).sum() / max(int(union), 1))

    def fit(self, centres: list[tuple[int, int]], index: int) -> float:
        """Return intersection over union within one stamp and a narrow border around it."""
        laid = self._laid(centres)
        near = cv2.dilate(self._stamp.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
        window = self._window(centres[index])
        care = near & ~(self._free[window] & ~self._patch[window])
        union = ((laid[window] | self._patch[window]) & care).sum()
        return float((laid[window] & self._patch[window] & care).sum() / max(int(union), 1))

    def _laid(self, centres: list[tuple[int, int]]) -> Bools:
        laid = np.zeros(self._patch.shape, bool)
        for centre in centres:
            laid[self._window(centre)] |= self._stamp
        return laid

    def _window(self, centre: tuple[int, int]) -> tuple[slice, slice]:
        size = 2 * self._half + 1
        return slice(centre[1], centre[1] + size), slice(centre[0], centre[0] + size)
