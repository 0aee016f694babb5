"""What the public views of all games have in common, as plain values."""

from dataclasses import dataclass
from typing import TypeVar

from pi_app.session.events import By


@dataclass(frozen=True, slots=True)
class DecisionView:
    """One decision that stands: `what` as a command would say it, such as `stone red`."""

    number: int
    turn: int
    seat: int
    what: str
    by: By
    correctable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """What every game's public view has: the decisions that stand, the parts that fail and why, each by its name.

    `refusal`: why the last command was not carried out.
    """

    decisions: tuple[DecisionView, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class ClockView:
    """The turn's time; `remaining_s` is None where it is hidden from this audience or no turn runs."""

    total_s: float
    running: bool = False
    hidden: bool = False
    remaining_s: float | None = None


GameViewT = TypeVar("GameViewT", bound=GameView)
