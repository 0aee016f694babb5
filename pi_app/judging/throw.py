"""Was the stone thrown high enough and caught? Spots of many pictures in, throws and a verdict out.

A throw is a flight that begins upwards: from where the stone leaves its way with the hand, to where it leaves free
flight. It was caught when the stone then stays there, above the table; dropped when it came down to the table, or goes
on downwards. Several tries may follow one another; one good one is a pass.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from pi_app.core.verdict import Measure, Outcome, Reason, Verdict, unsure
from pi_app.judging.throw_flight import Cloud, Flight, cloud_of, guess_flights
from pi_app.judging.throw_landing import Landing, landing_of
from pi_app.judging.throw_release import released
from pi_app.judging.throw_track import GUESS_MISS, Eyesight, Track, follow
from pi_app.vision.throw import Spots

WANTED_MM = 100.0
SURE_SIGMAS, SURE_MM = 2.0, 4.0
"""How far from the wanted height a throw must be to be judged."""
LEAST_RISE_MM = 22.0
"""Less is a hand that moves a stone, or plays with it."""
LEAST_FALL_MM, LEAST_FALL = 25.0, 0.25
"""How far a stone must be seen to fall again, also in parts of its rise, before a hand can have caught it: a hand that
carries a stone moves like a flight for a while.
"""
SEARCH_S = 0.62
KEPT_S = 3.0
SETTLE_S = 0.16
"""A flight has ended when nothing more of it has been seen for this long."""
LANDED_S = 0.5
"""How long what follows a flight is watched before it is judged."""
GAPS_S = ((0.055, 0.055), (0.09, 0.09), (0.06, 0.36))
"""Between three sightings from which a flight is guessed: in full view, or with its top outside the picture."""
LEAST_SCORE = 3.2
GUESS_EVERY_S = 0.03
MOST_FOLLOWED = 6
"""Guesses of one throw, the best first, of which the first that holds is taken."""
BESIDE_S = 0.045
"""How near the three sightings the pictures are that sort out most guesses."""


@dataclass(frozen=True)
class Throw:
    """One throw: `height_mm` is how far it rose above the place of its release, with its standard error.

    `caught` is None where that could not be seen; `caught_ns` is when free flight ended in a hand.
    """

    released_ns: int
    caught_ns: int | None
    height_mm: float
    sigma_mm: float
    caught: bool | None

    @property
    def high(self) -> bool | None:
        """Whether it rose high enough; None where that is too close to tell."""
        margin = max(SURE_MM, SURE_SIGMAS * self.sigma_mm)
        return None if abs(self.height_mm - WANTED_MM) < margin else self.height_mm > WANTED_MM


@dataclass(frozen=True, eq=False)
class _Guess:
    """A flight that many spots bear out, and when it was guessed."""

    score: float
    at_s: float
    flight: Flight


class ThrowJudge:
    """Judges one question: `ask`, then `see` the pictures' spots as they come; `verdict`; `finish`."""

    def __init__(self, sight: Eyesight) -> None:
        self._sight = sight
        self.ask(0)

    def ask(self, at_ns: int) -> None:
        """Forget everything; only what is sensed at `at_ns` or later counts."""
        self.asked_ns = at_ns
        self.throws: list[Throw] = []
        self._pictures: deque[Spots] = deque()
        self._clouds: deque[Cloud] = deque()
        self._count = 0
        self._guesses: list[_Guess] = []
        self._tracks: list[Track] = []
        self._judged_s = self._guessed_s = -1.0

    def see(self, spots: Spots) -> list[Throw]:
        """Take the next picture's spots and return the throws that have been decided by now."""
        if spots.at_ns < self.asked_ns or (self._pictures and spots.at_ns <= self._pictures[-1].at_ns):
            return []
        self._pictures.append(spots)
        self._clouds.append(self._moving(cloud_of([spots], self.asked_ns, self._count)))
        self._count += 1
        while self._pictures[0].at_ns < spots.at_ns - KEPT_S * 1e9:
            self._pictures.popleft()
            self._clouds.popleft()
        self._guess()
        return self._settled(self._now_s())

    def finish(self) -> list[Throw]:
        """Return the last throws, with what has been seen of them."""
        return self._settled(float("inf")) if self._pictures else []

    def verdict(self) -> Verdict | None:
        """Return the pass once there is a good throw; it stays."""
        good = next((throw for throw in self.throws if throw.caught and throw.high), None)
        if good is None:
            return None
        return Verdict(Outcome.PASS, (Reason.OK,), confirmed_at_ns=good.caught_ns, measures=_measures(good))

    def final(self) -> Verdict:
        """Return the verdict when no more pictures come."""
        passed = self.verdict()
        if passed is not None:
            return passed
        if not self.throws:
            return unsure(Reason.HIDDEN)
        if any(throw.caught is None and throw.high is not False for throw in self.throws):
            return unsure(Reason.HIDDEN)
        if any(throw.caught and throw.high is None for throw in self.throws):
            return unsure(Reason.DOUBTFUL)
        reasons = {Reason.DROPPED: any(throw.caught is False for throw in self.throws)}
        reasons[Reason.TOO_LOW] = any(throw.high is False for throw in self.throws)
        best = max(self.throws, key=lambda throw: throw.height_mm)
        return Verdict(Outcome.FAIL, tuple(r for r, is_so in reasons.items() if is_so), measures=_measures(best))

    def _now_s(self) -> float:
        return (self._pictures[-1].at_ns - self.asked_ns) / 1e9

    def _times_s(self) -> list[float]:
        return [(spots.at_ns - self.asked_ns) / 1e9 for spots in self._pictures]

    def _moving(self, cloud: Cloud) -> Cloud:
        """Leave out the spots that were in the same place in two pictures before."""
        if not len(cloud.at_s):
            return cloud
        at_s = float(cloud.at_s[0])
        close = 0.2 * self._sight.stone_mm / float(np.linalg.norm(self._sight.eye))
        still = np.ones(len(cloud.at_s), bool)
        for ago_s in (0.045, 0.09):
            old = next((old for old in reversed(self._pictures) if old.at_ns / 1e9 <= _abs(self, at_s) - ago_s), None)
            if old is None or not len(old.rays):
                return cloud
            apart = np.linalg.norm(cloud.rays[:, None] - old.rays[None], axis=2)
            still &= (apart < close).any(axis=1)
        return cloud.chosen(~still)

    def _guess(self) -> None:
        newest, now_s = self._clouds[-1], self._now_s()
        if not len(newest.at_s) or now_s < self._guessed_s + GUESS_EVERY_S:
            return
        times, miss_mm = self._times_s(), GUESS_MISS * self._sight.stone_mm
        self._guessed_s = now_s
        window: Cloud | None = None
        for late_s, early_s in GAPS_S:
            second = _at(times, now_s - late_s)
            first = _at(times, now_s - late_s - early_s)
            if first is None or second is None or not first < second < len(times) - 1:
                continue
            three = (self._clouds[first], self._clouds[second], newest)
            guesses = guess_flights(three, self._sight.eye, self._sight.stone_mm)
            if guesses is None:
                continue
            beside = [abs(np.array(times) - times[n]) < BESIDE_S for n in (first, second, len(times) - 1)]
            few = [self._clouds[n] for n in np.flatnonzero(np.any(beside, axis=0))]
            guesses = guesses.best(_joined(few), self._sight.eye, miss_mm)
            window = window or _joined([c for c in self._clouds if len(c.at_s) and c.at_s[0] > now_s - SEARCH_S])
            scores = guesses.scores(window, self._sight.eye, miss_mm)
            index = int(scores.argmax())
            if scores[index] >= LEAST_SCORE:
                self._guesses.append(_Guess(float(scores[index]), now_s, guesses.flight(index)))

    def _settled(self, now_s: float) -> list[Throw]:
        self._guesses.sort(key=lambda guess: -guess.score)
        if self._guesses and now_s > self._guesses[0].at_s + SETTLE_S:
            tracks = (self._follow(guess.flight) for guess in self._guesses[:MOST_FOLLOWED])
            for track in [track for track in tracks if track is not None]:
                self._add(track)
            self._guesses = []
        decided = []
        while self._tracks and now_s > self._tracks[0].to_s + LANDED_S:
            track = self._tracks.pop(0)
            throw = self._throw(track)
            if throw is not None:
                decided.append(throw)
        self.throws += decided
        return decided

    def _follow(self, guess: Flight) -> Track | None:
        cloud = cloud_of(list(self._pictures), self.asked_ns, self._count - len(self._pictures))
        return follow(guess, cloud, np.array(self._times_s()), self._sight)

    def _add(self, track: Track) -> None:
        overlapping = [o for o in self._tracks if o.from_s < track.to_s and track.from_s < o.to_s]
        if all(track.worth > other.worth for other in overlapping):
            self._tracks = [o for o in self._tracks if o not in overlapping] + [track]
            self._tracks.sort(key=lambda one: one.from_s)

    def _throw(self, track: Track) -> Throw | None:
        cloud = cloud_of(list(self._pictures), self.asked_ns, self._count - len(self._pictures))
        times = np.array(self._times_s())
        release, flight = released(track, cloud, times, self._sight)
        height = flight.rise_mm(release.at_s)
        if height < LEAST_RISE_MM or release.at_s <= self._judged_s:
            return None
        self._judged_s = track.to_s
        landing, landed_s = landing_of(track, cloud, times, self._sight)
        caught = {Landing.CAUGHT: True, Landing.DROPPED: False, Landing.UNSEEN: None}[landing]
        speed = 9810.0 * (flight.top_s - release.at_s)
        sigma = float(np.hypot(speed * release.sigma_s, flight.height_sigma_mm(release.at_s)))
        if caught and flight.rise_mm(2 * flight.top_s - track.to_s) < max(LEAST_FALL_MM, LEAST_FALL * height):
            caught = None
        caught_ns = self.asked_ns + round(landed_s * 1e9) if caught else None
        return Throw(self.asked_ns + round(release.at_s * 1e9), caught_ns, height, sigma, caught)


def _abs(judge: ThrowJudge, at_s: float) -> float:
    return judge.asked_ns / 1e9 + at_s


def _at(times: list[float], at_s: float) -> int | None:
    """Return the last picture at or before a moment; None where there is none."""
    index = int(np.searchsorted(times, at_s + 1e-6)) - 1
    return index if index >= 0 else None


def _joined(clouds: list[Cloud]) -> Cloud:
    columns = ("at_s", "frames", "rays", "colours", "widths", "levels")
    return Cloud(*(np.concatenate([getattr(cloud, column) for cloud in clouds]) for column in columns))


def _measures(throw: Throw) -> tuple[Measure, ...]:
    return (Measure("height", throw.height_mm, "mm"),)
