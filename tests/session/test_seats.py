"""Seats: taken in order, named, given up; the same in every game."""

import pytest

from pi_app.session.events import SeatJoined, SeatLeft, SeatNamed
from pi_app.session.flow import Refused
from pi_app.session.seats import MAX_NAME, Joined, join, leave, rename, seat_at, seated

ANN, BEN = Joined(4, "Ann"), Joined(2, "Ben")


def test_seats_are_taken_in_order_of_pressing() -> None:
    seats: tuple[Joined, ...] = ()
    for button in (4, 2, 6):
        seats = seated(seats, join(seats, button, ("Ann", "Ben")))
    assert seats == (ANN, BEN, Joined(6, "Player 3"))
    assert [seat_at(seats, button) for button in (4, 2, 6, 1)] == [0, 1, 2, None]


def test_the_last_seat_leaves_first() -> None:
    assert seated((ANN, BEN), leave((ANN, BEN))) == (ANN,)
    with pytest.raises(Refused, match="nobody has joined"):
        leave(())


def test_a_seat_is_named() -> None:
    event = rename((ANN, BEN), 1, " Bé ")
    assert event == SeatNamed(1, "Bé")
    assert seated((ANN, BEN), event) == (ANN, Joined(2, "Bé"))


@pytest.mark.parametrize(
    ("seat", "name", "why"),
    [
        (2, "Cid", "got seat 3, wanted 1 to 2"),
        (-1, "Cid", "got seat 0, wanted 1 to 2"),
        (0, "  ", "wanted 1 to 24 characters"),
        (0, "x" * (MAX_NAME + 1), "wanted 1 to 24 characters"),
        (0, "a\x1b[2J", "wanted 1 to 24 characters"),
    ],
)
def test_what_is_no_name_is_refused(seat: int, name: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        rename((ANN, BEN), seat, name)


def test_every_event_of_seats_is_known() -> None:
    assert seated((), SeatJoined(1, "Ann")) == (Joined(1, "Ann"),)
    assert seated((ANN,), SeatLeft()) == ()
