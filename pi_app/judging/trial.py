"""One structure, once seen whole and free: every buffered and every further picture is compared with it."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from pi_app.judging.stretch import Sighting
from pi_app.vision.alignment import Aligner, undo
from pi_app.vision.motion import Mask, Picture
from pi_app.vision.occlusion import Comparer, Reference, Window, is_reached

MOST_LIGHTS = 4
DISPLACED_PX = 0.4
"""Shift of the small picture's middle that a comparison of cut-outs does not bear."""


@dataclass(frozen=True, eq=False)
class Cut:
    """One picture as a trial needs it: the build zone cut out, and the whole picture small and grey.

    `shaken`: the camera moved since the picture before. `quiet`: nothing moves in the zone. `hands`: the small mask of
    the picture's hands, None where there are none.
    """

    at_ns: int
    picture: Picture
    small: Picture
    shaken: bool = False
    quiet: bool = False
    hands: Mask | None = None


class Trial:
    """Turns cuts into sightings, in order of time; where the camera was bumped, pictures are aligned first."""

    def __init__(self, reference: Reference, taken: Cut, window: Window, cuts: Iterable[Cut]) -> None:
        self._reference = reference
        self._comparers = [Comparer(reference)]
        self._window = window
        self._aligner = Aligner(taken.small)
        self._waiting = deque(cuts)
        self._bumped = any(cut.shaken for cut in self._waiting)
        self.last: Sighting | None = None
        self.bared = False
        """Whether the last picture shows free what the reference showed with something at it."""
        self.lit = False
        """Whether the last picture shows much of it in other light, or from another place, than the reference."""

    def add(self, cut: Cut) -> None:
        """Take the newest cut."""
        self._waiting.append(cut)

    def sightings(self, at_most: int) -> list[Sighting]:
        """Compare the next cuts, oldest first; `at_most` bounds the time this takes."""
        found: list[Sighting] = []
        for _ in range(min(at_most, len(self._waiting))):
            cut = self._waiting.popleft()
            self._bumped |= cut.shaken
            picture = self._aligned(cut) if self._bumped else cut.picture
            if picture is not None:
                found.append(self._sighting(cut, picture))
        return found

    def _aligned(self, cut: Cut) -> Picture | None:
        motion = self._aligner.motion(cut.small)
        if motion is None:
            return None
        step = cut.small.shape[1] / self._window.picture_width
        left, top = self._window.left * step, self._window.top * step
        return undo(cut.picture, motion, self._window.scale / step, left, top)

    def _is_displaced(self, cut: Cut) -> bool:
        """Return whether the camera stands elsewhere than for the reference: a slow bump shakes no single picture."""
        motion = self._aligner.motion(cut.small)
        height, width = cut.small.shape[:2]
        middle = np.array([width / 2, height / 2])
        return motion is not None and bool(np.abs(motion[:, :2] @ middle + motion[:, 2] - middle).max() > DISPLACED_PX)

    def relight(self, cut: Cut) -> None:
        """Take the cut as a further picture of the same structure, in other light: a sighting like either is clear."""
        picture = self._aligned(cut) if self._bumped else cut.picture
        if picture is not None and len(self._comparers) < MOST_LIGHTS:
            self._comparers.append(Comparer(replace(self._reference, picture=picture)))

    def _sighting(self, cut: Cut, picture: Picture) -> Sighting:
        hands = None if cut.hands is None else self._window.part_of(cut.hands)
        resting = hands if cut.quiet else None  # a hand that leaves takes the light on the wood behind it along
        looks = [comparer.look(picture, resting) for comparer in self._comparers]
        fresh = self.last is None or not self.last.gone
        if looks[0].gone and fresh and not self._bumped and self._is_displaced(cut):
            self._bumped = True
            aligned = self._aligned(cut)
            looks = looks if aligned is None else [comparer.look(aligned, resting) for comparer in self._comparers]
        look = next((look for look in looks if not look.covered), looks[0])
        hand = hands is not None and is_reached(self._reference, hands)
        stirred = looks[0].stirred
        self.lit = looks[0].lit or self._bumped
        self.bared = look.reached and look.bared and not look.gone and not hand
        self.last = Sighting(cut.at_ns, look.covered, look.gone, look.hidden, look.reached, stirred, hand)
        return self.last
