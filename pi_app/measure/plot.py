"""A picture of confusions: one table each, truth down, answer across."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.measure.confusion import Confusion

Image = NDArray[np.uint8]
CELL_PX, MARGIN_PX, TITLE_PX, CHAR_PX = 34, 14, 40, 8
INK, GRID = (40, 30, 20), (200, 200, 200)
RIGHT, WRONG = np.array([110, 160, 60], float), np.array([60, 60, 210], float)


def plot(confusions: Sequence[Confusion]) -> Image:
    """Return all confusions below each other, BGR; the diagonal is green, the rest red, both by their share."""
    pictures = [_one(confusion) for confusion in confusions]
    width = max(picture.shape[1] for picture in pictures)
    padded = [cv2.copyMakeBorder(p, 0, 0, 0, width - p.shape[1], cv2.BORDER_CONSTANT, value=_WHITE) for p in pictures]
    return np.asarray(np.vstack(padded), np.uint8)


_WHITE = (255.0, 255.0, 255.0)


def _one(confusion: Confusion) -> Image:
    truths, answers = confusion.truths, confusion.answers
    left = MARGIN_PX + CHAR_PX * max(len(label) for label in answers) + MARGIN_PX
    high, wide = CELL_PX * len(truths), CELL_PX * len(answers)
    size = (TITLE_PX + high + left, max(left + wide + MARGIN_PX, left + 60 * CHAR_PX))
    image: Image = np.full((*size, 3), 255, np.uint8)
    _write(image, f"{confusion.name}: {confusion.right} of {confusion.scenes} right", (MARGIN_PX, 26), 0.55)
    for row, truth in enumerate(truths):
        top = TITLE_PX + row * CELL_PX
        _write(image, truth, (MARGIN_PX, top + 22))
        total = sum(count for (true, _), count in confusion.pairs.items() if true == truth)
        for column, said in enumerate(answers):
            count = confusion.pairs[truth, said]
            _cell(image, (left + column * CELL_PX, top), count, count / max(total, 1), truth == said)
    _write_down(image, answers, left, TITLE_PX + high)
    return image


def _cell(image: Image, at: tuple[int, int], count: int, share: float, same: bool) -> None:
    left, top = at
    tint = 255 - (255 - (RIGHT if same else WRONG)) * share
    inside = (slice(top, top + CELL_PX), slice(left, left + CELL_PX))
    image[inside] = tint
    cv2.rectangle(image, (left, top), (left + CELL_PX, top + CELL_PX), GRID, 1)
    if count:
        _write(image, str(count), (left + 8, top + 22))


def _write_down(image: Image, labels: Sequence[str], left: int, top: int) -> None:
    """Write the labels of the columns from top to bottom."""
    for column, label in enumerate(labels):
        strip: Image = np.full((CELL_PX, image.shape[0] - top, 3), 255, np.uint8)
        _write(strip, label, (4, 22))
        place = (slice(top, image.shape[0]), slice(left + column * CELL_PX, left + (column + 1) * CELL_PX))
        image[place] = np.asarray(cv2.rotate(strip, cv2.ROTATE_90_CLOCKWISE), np.uint8)


def _write(image: Image, text: str, at: tuple[int, int], scale: float = 0.42) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)
