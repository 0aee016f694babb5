"""What a judge says: pass, fail or unsure, with the reasons and what was measured."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """The three answers; unsure always comes with a reason."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    UNSURE = "unsure"


class Reason(StrEnum):
    """Why. The first group decides pass or fail, the second says why nothing could be decided."""

    OK = "ok"
    FELL = "fell"
    HELD = "held"
    WRONG_FIGURE = "wrong_figure"
    BARE_SIDE = "bare_side"
    MISSING_PIECE = "missing_piece"
    TOO_SHORT = "too_short"
    NOT_ADJACENT = "not_adjacent"
    NO_STONE = "no_stone"
    NOT_TOUCHING = "not_touching"
    WRONG_ORDER = "wrong_order"
    NOT_THROUGH = "not_through"
    DROPPED = "dropped"
    TOO_LOW = "too_low"
    WRONG_STONES = "wrong_stones"

    NO_MAT = "no_mat"
    MAT_HIDDEN = "mat_hidden"
    NO_STILL_VIEW = "no_still_view"
    FROZEN = "frozen"
    TOO_DARK = "too_dark"
    HIDDEN = "hidden"
    DOUBTFUL = "doubtful"
    CLIP_ENDS = "clip_ends"
    COLOURS_WRONG = "colours_wrong"
    NOT_JUDGED = "not_judged"
    NO_CARD = "no_card"
    UNKNOWN_CARD = "unknown_card"
    NO_DIE = "no_die"
    TWO_DICE = "two_dice"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured number with its unit, as the verdict shows it."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judged task.

    Times are the camera's monotonic sensor nanoseconds. `stood_for_ns` is the longest motionless stretch free of
    hands (0 if none), `None` where standing was not asked. `confidence` runs from 0 to 1.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...]
    confidence: float = 1.0
    stood_from_ns: int | None = None
    confirmed_at_ns: int | None = None
    stood_for_ns: int | None = None
    measures: tuple[Measure, ...] = ()


def unsure(*reasons: Reason, measures: tuple[Measure, ...] = ()) -> Verdict:
    """Return the verdict that nothing could be decided, and why."""
    return Verdict(Outcome.UNSURE, reasons, confidence=0.0, measures=measures)
