"""The tokens on the scoring board: taking points, meeting, the end."""

from dataclasses import dataclass, replace
from enum import StrEnum

from pi_app.games.vowl.events import PointsTaken, Reward
from pi_app.games.vowl.legal import Phase, phase
from pi_app.games.vowl.model import Position
from pi_app.games.vowl.setup import BothMeet, MetByOther


class Ending(StrEnum):
    """How the game ended."""

    MET = "met"
    """The winner's scoring token met the victory token."""
    PASSED = "passed"
    """The winner's scoring token went past the victory token."""
    CARDS_RAN_OUT = "cards_ran_out"
    """No green card can be drawn: whoever is closest to the own victory token wins."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end: all winners, and how it came."""

    winners: tuple[int, ...]
    ending: Ending


def take_points(position: Position, event: PointsTaken) -> Position:
    """Move the tokens for a success that is owed, and see who has won; without one owed nothing moves."""
    if event.seat not in position.owed:
        return position
    place = position.owed.index(event.seat)
    owed = (*position.owed[:place], *position.owed[place + 1 :])
    one = event.reward is Reward.ONE
    scoring = _moved(position.scoring, event.seat, 1 if one else 2)
    victory = position.victory
    if one and event.other is not None:
        victory = _moved(_moved(victory, event.seat, -1), event.other, -1)
    moved = replace(position, scoring=scoring, victory=victory, owed=owed)
    winners = _winners(moved, event)
    return replace(moved, winners=winners, owed=() if winners else owed)


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended, None while it goes on."""
    if phase(position) is not Phase.OVER:
        return None
    gaps = [victory - scoring for victory, scoring in zip(position.victory, position.scoring, strict=True)]
    if not position.winners:
        nearest = tuple(seat for seat, gap in enumerate(gaps) if gap == min(gaps))
        return Outcome(nearest, Ending.CARDS_RAN_OUT)
    passed = all(gaps[seat] < 0 for seat in position.winners)
    return Outcome(position.winners, Ending.PASSED if passed else Ending.MET)


def _moved(tokens: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """Move one token; the board has no space below 0."""
    return tuple(max(0, space + by) if owner == seat else space for owner, space in enumerate(tokens))


def _winners(position: Position, event: PointsTaken) -> tuple[int, ...]:
    rulings = position.setup.rulings
    met = [seat for seat in (event.seat, event.other) if seat is not None and _meets(position, seat)]
    if rulings.met_by_other is MetByOther.NEEDS_SUCCESS:
        met = [seat for seat in met if seat == event.seat]
    if event.seat in met and rulings.both_meet is BothMeet.SCORER:
        return (event.seat,)
    return tuple(sorted(set(met)))


def _meets(position: Position, seat: int) -> bool:
    return position.scoring[seat] >= position.victory[seat]
