"""Which stone was drawn, from what lies in the stone zone.

The zone may hold less than was drawn (a stone is being thrown) and other stones than were drawn (left from the turn
before, or read or corrected to another colour); only one more stone than that is a draw.
"""

from dataclasses import dataclass

from pi_app.core.names import Colour
from pi_app.session.voila.state import Counts, State, drawn_counts


@dataclass(frozen=True, slots=True)
class Reading:
    """`new`: the one stone that was drawn; `unclear`: there is more than that, or another than was known."""

    new: Colour | None = None
    unclear: bool = False


def surplus(state: State) -> Counts:
    """Return by how much the zone differs from what is accounted for, by colour."""
    parts = zip(state.stones_seen, drawn_counts(state), state.stones_other, strict=True)
    yellow, red, blue = (seen - drawn - other for seen, drawn, other in parts)
    return yellow, red, blue


def read(state: State) -> Reading:
    """Return what the zone says about the next draw."""
    differs = surplus(state)
    if sorted(differs) == [0, 0, 1]:
        return Reading(new=list(Colour)[differs.index(1)])
    return Reading(unclear=max(differs) > 0)


def other_after(state: State, seen: Counts) -> Counts:
    """Return the other stones that can still be there once the zone holds `seen`: what was taken away is gone."""
    parts = zip(seen, drawn_counts(state), state.stones_other, strict=True)
    yellow, red, blue = (min(other, max(0, now - drawn)) if other > 0 else other for now, drawn, other in parts)
    return yellow, red, blue


def other_as_seen(state: State) -> Counts:
    """Return the other stones if all that lies there is accounted for: after a stone was corrected or taken back."""
    parts = zip(state.stones_seen, drawn_counts(state), strict=True)
    yellow, red, blue = (seen - drawn for seen, drawn in parts)
    return yellow, red, blue
