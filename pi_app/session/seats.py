"""Who sits where: seats are taken by pressing, in seat order, each at the button that was pressed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from pi_app.session.events import SeatJoined, SeatLeft, SeatNamed
from pi_app.session.flow import Refused

MAX_NAME = 24
SeatEvent = SeatJoined | SeatLeft | SeatNamed


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat: its button and its player's name."""

    button: int
    name: str


def seat_at(joined: Sequence[Joined], button: int) -> int | None:
    """Return the seat that joined with this button."""
    return next((seat for seat, one in enumerate(joined) if one.button == button), None)


def join(joined: Sequence[Joined], button: int, names: Sequence[str]) -> SeatJoined:
    """Return the event of the next seat's joining, named by `names` in the order of joining."""
    seat = len(joined)
    return SeatJoined(button, names[seat] if seat < len(names) else f"Player {seat + 1}")


def leave(joined: Sequence[Joined]) -> SeatLeft:
    """Return the event of the last seat's leaving; Refused where nobody has joined."""
    if not joined:
        raise Refused("nobody has joined")
    return SeatLeft()


def rename(joined: Sequence[Joined], seat: int, name: str) -> SeatNamed:
    """Return the event of naming a seat; Refused where there is no such seat or it is no name."""
    if seat not in range(len(joined)):
        raise Refused(f"got seat {seat + 1}, wanted 1 to {len(joined)}")
    if not 0 < len(name.strip()) <= MAX_NAME or not name.isprintable():
        raise Refused(f"got the name {name[:40]!r}, wanted 1 to {MAX_NAME} characters")
    return SeatNamed(seat, name.strip())


def seated(joined: tuple[Joined, ...], event: SeatEvent) -> tuple[Joined, ...]:
    """Return the seats after an event."""
    match event:
        case SeatJoined(button, name):
            return (*joined, Joined(button, name))
        case SeatLeft():
            return joined[:-1]
        case SeatNamed(seat, name):
            return tuple(replace(one, name=name) if index == seat else one for index, one in enumerate(joined))
        case _:
            assert_never(event)
