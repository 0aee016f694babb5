"""Calm pictures of the build zone, and hands that rest in it."""

import numpy as np

from pi_app.judging.calm import CalmPictures, HandRest
from pi_app.vision.motion import Picture

MS = 1_000_000


def picture(level: int) -> Picture:
    return np.full((4, 4, 3), level, np.uint8)


def level(calm: CalmPictures) -> int | None:
    best = calm.best()
    return None if best is None else int(best[0, 0, 0])


def test_a_picture_since_the_question_goes_before_an_earlier_one_and_that_before_the_first() -> None:
    calm = CalmPictures()
    calm.ask()
    assert level(calm) is None
    calm.begin(picture(1))
    calm.begin(picture(2))
    assert level(calm) == 1
    calm.rest(picture(3), 0)
    calm.ask()
    calm.begin(picture(4))
    assert level(calm) == 3
    calm.not_right(picture(5))
    assert level(calm) == 5
    calm.forget()
    assert level(calm) is None


def test_between_questions_a_picture_a_second_is_enough() -> None:
    calm = CalmPictures()
    assert calm.wants(0)
    calm.rest(picture(1), 0)
    assert not calm.wants(900 * MS)
    assert calm.wants(1_000 * MS)


def test_the_longest_rest_of_a_hand_is_known_after_it_has_left() -> None:
    rest = HandRest()
    for at_ms, resting in ((0, True), (2_100, True), (2_140, False), (2_500, True), (3_000, True)):
        rest.see(at_ms * MS, resting=resting)
    assert (rest.longest_ns, rest.until_ns) == (2_100 * MS, 2_100 * MS)
