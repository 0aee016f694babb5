"""The order of claims on a Find card."""

from dataclasses import dataclass

from pi_app.core.names import Task
from pi_app.games.voila.model import Position, Press, Turn
from pi_app.games.voila.setup import ClaimTie


@dataclass(frozen=True, slots=True)
class ClaimPlace:
    """One press in its place: `gap_ns` after the first press; `out`: laid a wrong tile or none in time."""

    seat: int
    at_ns: int
    gap_ns: int
    out: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """The presses in order, and who may lay a tile from `from_ns` to `until_ns`, both included.

    `holder` is None while nobody who is still in has pressed; `may_press` are the seats that have not pressed yet.
    """

    order: tuple[ClaimPlace, ...]
    holder: int | None
    from_ns: int
    until_ns: int
    may_press: tuple[int, ...]


def claim_of(position: Position) -> Claim | None:
    """Return the state of the claims; None unless a Find card is open."""
    turn, kind = position.turn, position.open_kind
    if turn is None or kind is None or kind.task is not Task.FIND:
        return None
    order = in_order(position, turn)
    pressed = {press.seat for press in order}
    holder = next((press for press in order if press.out_ns is None), None)
    first_ns = order[0].at_ns if order else 0
    from_ns = max([holder.at_ns, *(press.out_ns for press in order if press.out_ns is not None)]) if holder else 0
    runs_from_ns = from_ns if turn.read_ns is None else max(from_ns, turn.read_ns)
    return Claim(
        order=tuple(ClaimPlace(p.seat, p.at_ns, p.at_ns - first_ns, p.out_ns is not None) for p in order),
        holder=holder.seat if holder else None,
        from_ns=from_ns,
        until_ns=runs_from_ns + position.setup.settings.claim_hold_ns if holder else 0,
        may_press=tuple(seat for seat in range(len(position.setup.seats)) if seat not in pressed),
    )


def in_order(position: Position, turn: Turn) -> tuple[Press, ...]:
    """Return the presses by time; equal times by the rule of the settings."""
    seats = len(position.setup.seats)
    first = {
        ClaimTie.FROM_ACTIVE: turn.seat,
        ClaimTie.ACTIVE_LAST: turn.seat + 1,
        ClaimTie.FROM_FIRST_SEAT: 0,
    }[position.setup.settings.claim_tie]
    return tuple(sorted(turn.presses, key=lambda press: (press.at_ns, (press.seat - first) % seats)))
