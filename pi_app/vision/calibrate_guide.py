"""What is still wanted of a calibration's pictures: another place, another tilt, or nothing more."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from pi_app.core.errors import UserError
from pi_app.kit.table import Table
from pi_app.vision.calibrate import FEWEST_VIEWS, Calibration, MatView, calibrate
from pi_app.vision.focal import pinhole
from pi_app.vision.pose import mat_corners

COLUMNS, ROWS = 4, 3
COVERED = 10
"""Of the picture's COLUMNS x ROWS fields, those in which corners were seen at least once."""
TILTED_DEG, SIDES = 20.0, 3
"""Tilts of this much or more towards so many of the mat's four sides."""
VIEWS, MOST_VIEWS = 10, 40
SIGMA = 0.003
NEW, STILL = 0.05, 0.002
"""Parts of the picture's width that the mat must have moved from every view kept, and may move between two frames."""
GUESS = 0.8
PLACES = {0: "top left", 3: "top right", 8: "bottom left", 11: "bottom right"}


@dataclass(eq=False)
class Guide:
    """Takes views of the mat one by one and says what is missing; `solved` is the newest calibration."""

    table: Table
    views: list[MatView] = field(default_factory=list)
    solved: Calibration | None = None
    trouble: str = ""
    _fields: set[int] = field(default_factory=set)
    _sides: set[int] = field(default_factory=set)
    _last: MatView | None = None

    def see(self, view: MatView) -> bool:
        """Take a live view; return whether it was kept: held still, and unlike those that are."""
        last, self._last = self._last, view
        still = last is not None and _moved(last, view) <= STILL * view.size[0]
        if not still or any(_moved(kept, view) < NEW * view.size[0] for kept in self.views):
            return False
        self.add(view)
        return True

    def add(self, view: MatView) -> None:
        """Keep a view, and solve the camera anew where there are enough."""
        self.views.append(view)
        columns, rows = (view.pixels / view.size * (COLUMNS, ROWS)).T.astype(int)
        self._fields |= set((np.clip(rows, 0, ROWS - 1) * COLUMNS + np.clip(columns, 0, COLUMNS - 1)).tolist())
        side = _side(view, self.table)
        if side is not None:
            self._sides.add(side)
        if len(self.views) >= FEWEST_VIEWS:
            self._solve()

    @property
    def coverage(self) -> float:
        """The part of the picture's fields in which the mat's corners were seen."""
        return len(self._fields) / (COLUMNS * ROWS)

    @property
    def complete(self) -> bool:
        """Whether nothing more is wanted, or nothing more would help."""
        return self.wanted() is None or len(self.views) >= MOST_VIEWS

    def wanted(self) -> str | None:
        """Return what to do next, None when the pictures suffice."""
        if len(self._fields) < COVERED:
            missing = [place for number, place in PLACES.items() if number not in self._fields]
            return f"bring the mat to the {missing[0]} of the picture" if missing else "fill the picture with the mat"
        if len(self._sides) < SIDES:
            return "look at the mat from another side, at a slant"
        if len(self.views) < VIEWS:
            return "change place and slant"
        if self.solved is None or self.solved.sigma > SIGMA:
            return "go nearer, and slant more"
        return None

    def line(self) -> str:
        """Return the state in one line for the terminal."""
        told = f"{len(self.views)} pictures, {100 * self.coverage:.0f} % of the picture, {len(self._sides)} slants"
        if self.solved is not None:
            told += f", {self.solved.rms_px:.2f} px, focal length to {100 * self.solved.sigma:.2f} %"
        return f"{told}: {self.wanted() or 'done'}"

    def _solve(self) -> None:
        try:
            self.solved, self.trouble = calibrate(self.views, self.table), ""
        except UserError as error:
            self.solved, self.trouble = None, str(error)


def _moved(before: MatView, after: MatView) -> float:
    """Return how far the markers seen in both have moved, px on average; infinite where there is none."""
    both = before.corners.keys() & after.corners.keys()
    if not both or before.size != after.size:
        return float("inf")
    return float(np.mean([np.linalg.norm(before.corners[i] - after.corners[i], axis=1).mean() for i in both]))


def _side(view: MatView, table: Table) -> int | None:
    """Return the mat's side, 0 to 3, over which a rough camera looks at it; None where it looks straight down."""
    camera = pinhole(GUESS * view.size[0], *view.size)
    chart = mat_corners(table)
    points = np.concatenate([chart[i] for i in view.corners])
    found, rvec, _ = cv2.solvePnP(points, view.pixels, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    towards = np.asarray(cv2.Rodrigues(rvec)[0], np.float64)[2]
    if np.degrees(np.arccos(min(1.0, abs(towards[2])))) < TILTED_DEG:
        return None
    return int(np.floor((np.arctan2(towards[1], towards[0]) + np.pi / 4) / (np.pi / 2))) % 4
