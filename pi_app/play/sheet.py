"""The contact sheet: every verdict as a small picture, with what was measured and what really happened."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.verdict import Outcome
from pi_app.play.witness import THUMB, Shot

Image = NDArray[np.uint8]
COLUMNS = 4
LINE_PX, MARGIN_PX, FRAME_PX = 18, 10, 4
LINES = 3
INK, PAPER = (30, 30, 30), 245
COLOURS = {Outcome.PASS: (80, 150, 40), Outcome.FAIL: (60, 60, 200), Outcome.UNSURE: (30, 160, 220)}


def contact_sheet(shots: Sequence[Shot]) -> Image:
    """Return all verdicts on one BGR picture, in order."""
    cells = [_cell(number, shot) for number, shot in enumerate(shots, start=1)]
    if not cells:
        return _blank(*THUMB[::-1])
    blank = np.full_like(cells[0], PAPER)
    cells += [blank] * (-len(cells) % COLUMNS if len(cells) > COLUMNS else 0)
    width = min(COLUMNS, len(cells))
    rows = [np.hstack(cells[start : start + width]) for start in range(0, len(cells), width)]
    return np.vstack(rows).astype(np.uint8)


def _cell(number: int, shot: Shot) -> Image:
    width, height = THUMB
    cell = _blank(height + LINES * LINE_PX + 2 * MARGIN_PX, width + 2 * MARGIN_PX)
    cell[MARGIN_PX : MARGIN_PX + height, MARGIN_PX : MARGIN_PX + width] = shot.picture
    colour = COLOURS[shot.given.verdict.outcome]
    corner = (MARGIN_PX + width, MARGIN_PX + height)
    cv2.rectangle(cell, (MARGIN_PX, MARGIN_PX), corner, colour, FRAME_PX)
    for line, text in enumerate(lines_of(number, shot)):
        at = (MARGIN_PX, MARGIN_PX + height + LINE_PX * (line + 1))
        cv2.putText(cell, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, INK, 1, cv2.LINE_AA)
    return cell


def lines_of(number: int, shot: Shot) -> list[str]:
    """Return a verdict's lines of plain ASCII."""
    verdict, truth = shot.given.verdict, shot.compared.truth
    name = f"{shot.given.task} {shot.figure.id}" if shot.figure else str(shot.given.task)
    stood = "" if verdict.stood_for_ns is None else f" {verdict.stood_for_ns / 1e9:.2f} s"
    really = "" if truth.stood_for_s is None else f" {truth.stood_for_s:.2f} s"
    said = f"{verdict.outcome.upper()}{stood}: {', '.join(verdict.reasons)}"
    return [f"{number}. turn {shot.turn}: {name}", said, f"really {truth.outcome}{really}: {', '.join(truth.reasons)}"]


def _blank(height: int, width: int) -> Image:
    return np.full((height, width, 3), PAPER, np.uint8)
