"""The OLED follows the view of the whole table."""

import threading
from dataclasses import replace

from PIL.Image import Image

from pi_app.play.oled import Oled
from pi_app.session.flow import Audience
from pi_app.session.view import ClockView
from pi_app.session.voila.view import Phase, PublicView, Wait
from pi_app.ui.screens import screen

JOINING = PublicView(Audience.TABLE, Phase.JOINING, Wait.PLAYERS, (), ClockView(45.0))


class Shown:
    """A display that keeps every picture."""

    def __init__(self) -> None:
        self.pictures: list[Image] = []

    def show(self, picture: Image) -> None:
        self.pictures.append(picture)


def test_only_a_view_that_differs_is_drawn() -> None:
    shown, views = Shown(), [JOINING]
    oled = Oled(lambda: views[-1], screen, shown)
    for _ in range(5):
        oled.step()
    views.append(replace(JOINING, faults=(("camera", "gone"),)))
    for _ in range(5):
        oled.step()
    assert [picture.tobytes() for picture in shown.pictures] == [screen(view).tobytes() for view in views]


def test_a_change_ends_the_wait() -> None:
    oled = Oled(lambda: JOINING, screen, Shown())
    oled.changed()

    def wait_thrice() -> None:
        for _ in range(3):
            oled.wait()

    waits = threading.Thread(target=wait_thrice)
    waits.start()
    waits.join(5)
    assert not waits.is_alive(), "a running clock is drawn without a change, too"
