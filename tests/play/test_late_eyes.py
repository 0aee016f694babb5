"""Eyes that open late: what is asked before is kept, a missing mat is said once."""

from typing import cast

import numpy as np

from pi_app.core.effects import AskCamera, DropQuestion, Effect
from pi_app.core.events import PartFault, Sensed
from pi_app.core.names import Task
from pi_app.core.observations import Frame
from pi_app.play.eyes import Eyes
from pi_app.play.late_eyes import NO_MAT, LateEyes

PICTURE = np.zeros((2, 2, 3), np.uint8)
ASKED = AskCamera(Task.TOWER, "t", None, 5)
STEP_NS = 100_000_000


class Opened:
    """What the eyes were given, in order."""

    def __init__(self) -> None:
        self.got: list[Effect | int] = []

    def carry_out(self, effect: Effect) -> None:
        self.got.append(effect)

    def see(self, frame: Frame) -> None:
        self.got.append(frame.number)


class Mat:
    """A mat that comes into view with frame `first`; `tries` counts the searches."""

    def __init__(self, first: int) -> None:
        self.first, self.tries = first, 0
        self.opened = Opened()
        self.told: list[Sensed] = []
        self.eyes = LateEyes(self.make, self.told.append)

    def make(self, frame: Frame) -> Eyes | None:
        self.tries += 1
        return cast("Eyes", self.opened) if frame.number >= self.first else None

    def see(self, first: int, last: int) -> None:
        for number in range(first, last):
            self.eyes.see(Frame(number, number * STEP_NS, PICTURE))


def test_a_mat_in_view_opens_the_eyes_with_the_first_picture() -> None:
    mat = Mat(0)
    mat.see(0, 3)
    assert (mat.opened.got, mat.tries, mat.told) == ([0, 1, 2], 1, [])


def test_what_is_asked_before_is_asked_then_in_its_order() -> None:
    mat = Mat(10)
    mat.see(0, 9)
    for effect in (DropQuestion(), ASKED):
        mat.eyes.carry_out(effect)
    mat.see(9, 12)
    assert mat.opened.got == [DropQuestion(), ASKED, 10, 11]
    mat.eyes.carry_out(DropQuestion())
    mat.see(12, 13)
    assert mat.opened.got[-2:] == [DropQuestion(), 12]


def test_a_missing_mat_is_said_once_after_a_while_and_so_is_its_coming() -> None:
    mat = Mat(100)
    mat.see(0, 120)
    assert mat.told == [PartFault("camera", NO_MAT, 20 * STEP_NS), PartFault("camera", None, 100 * STEP_NS)]
    assert mat.tries == 21, "two searches a second"
    assert mat.opened.got[0] == 100


def test_a_camera_that_is_lost_before_is_said_and_the_mat_again_after_it() -> None:
    mat = Mat(10**6)
    mat.see(0, 30)
    mat.eyes.lost("unplugged", 3_000_000_000)
    mat.eyes.found(4_000_000_000)
    mat.see(40, 70)
    assert [told.fault for told in mat.told if isinstance(told, PartFault)] == [NO_MAT, "unplugged", None, NO_MAT]
