"""What the recognisers return: parts with their place on the mat, and whether they make what was asked for.

Block axes: x along the width, y along the thickness, z along the length; the picture faces are at y = +-thickness/2.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pi_app.core.verdict import Measure, Outcome, Reason

Floats = NDArray[np.float64]


class PartKind(StrEnum):
    """Kinds of pieces a structure is built from."""

    ACROBAT = "acrobat"
    TILE = "tile"
    OVERVIEW = "overview"
    STONE = "stone"


@dataclass(frozen=True, eq=False)
class SeenPart:
    """One piece in the mat frame.

    `rotation` 3 x 3 turns part axes into the mat frame, `centre_mm` is the part's middle, `size_mm` is along the
    part's axes. `piece` is the kit's id where it was told apart; `facing` is "front", "back", "bare" or "" (not an
    acrobat, or not seen).
    """

    kind: PartKind
    centre_mm: Floats
    rotation: Floats
    size_mm: tuple[float, float, float]
    piece: str = ""
    facing: str = ""
    confidence: float = 1.0

    def corners_mm(self) -> Floats:
        """Return the 8 corners of the part's box, 8 x 3, in the mat frame."""
        half = np.array(self.size_mm) / 2
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        return np.asarray(self.centre_mm + (signs * half) @ self.rotation.T)


@dataclass(frozen=True, eq=False)
class StructureReading:
    """Does what stands in the build zone match the task: pass, fail with reasons, or unsure with reasons."""

    outcome: Outcome
    reasons: tuple[Reason, ...]
    confidence: float
    parts: tuple[SeenPart, ...] = ()
    measures: tuple[Measure, ...] = ()


@dataclass(frozen=True)
class StoneCount:
    """Stones inside the stone zone; `places_mm` are their x, y on the mat by colour name."""

    yellow: int
    red: int
    blue: int
    confidence: float
    places_mm: dict[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    doubts: tuple[Reason, ...] = ()
