"""The order of claims on a Find card."""

from dataclasses import dataclass

from pi_app.core.names import Task
from pi_app.games.voila.model import Position, Press, Turn
from pi_app.games.voila.setup import ClaimTie


@dataclass(frozen=True, slots=True)
class ClaimPlace:
    """One press in its place: `gap_ns` after the earliest press; `out`: laid a wrong tile or none in time.

    `tied`: too close to another press for their order to be beyond doubt; the rule of the settings placed them.
    """

    seat: int
    at_ns: int
    gap_ns: int
    out: bool
    tied: bool = False


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
    groups = _tied(position, turn)
    order = [press for group in groups for press in group]
    tied = {press.seat for group in groups if len(group) > 1 for press in group}
    pressed = {press.seat for press in order}
    holder = next((press for press in order if press.out_ns is None), None)
    first_ns = min((press.at_ns for press in order), default=0)
    from_ns = max([holder.at_ns, *(press.out_ns for press in order if press.out_ns is not None)]) if holder else 0
    runs_from_ns = from_ns if turn.read_ns is None else max(from_ns, turn.read_ns)
    return Claim(
        order=tuple(
            ClaimPlace(p.seat, p.at_ns, p.at_ns - first_ns, p.out_ns is not None, p.seat in tied) for p in order
        ),
        holder=holder.seat if holder else None,
        from_ns=from_ns,
        until_ns=runs_from_ns + position.setup.settings.claim_hold_ns if holder else 0,
        may_press=tuple(seat for seat in range(len(position.setup.seats)) if seat not in pressed),
    )


def in_order(position: Position, turn: Turn) -> tuple[Press, ...]:
    """Return the presses by time; tied ones by the rule of the settings."""
    return tuple(press for tied in _tied(position, turn) for press in tied)


def _tied(position: Position, turn: Turn) -> list[list[Press]]:
    """Return the presses in order, those together that are no further than `tie_ns` after the first of them."""
    rules, seats = position.setup.settings, len(position.setup.seats)
    rank = {
        ClaimTie.EARLIER_EDGE: turn.seat,
        ClaimTie.FROM_ACTIVE: turn.seat,
        ClaimTie.ACTIVE_LAST: turn.seat + 1,
        ClaimTie.FROM_FIRST_SEAT: 0,
    }[rules.claim_tie]
    groups: list[list[Press]] = []
    for press in sorted(turn.presses, key=lambda press: (press.at_ns, (press.seat - rank) % seats)):
        if groups and press.at_ns - groups[-1][0].at_ns <= rules.tie_ns:
            groups[-1].append(press)
        else:
            groups.append([press])
    if rules.claim_tie is not ClaimTie.EARLIER_EDGE:
        groups = [sorted(group, key=lambda press: (press.seat - rank) % seats) for group in groups]
    return groups
