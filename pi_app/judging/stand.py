"""Did the structure stand free of hands for two seconds? Votes and sightings over sensor time in, a verdict out."""

from dataclasses import dataclass, field

from pi_app.core.verdict import Measure, Outcome, Reason, Verdict, unsure
from pi_app.judging.stretch import GAP_NS, HOLD_NS, End, Sighting, Stretch, rested_ns, stretches

STAND_NS = 2_000_000_000
WRONG_NS, INCOMPLETE_NS, UNCLEAR_NS = 2_000_000_000, 3_000_000_000, 4_000_000_000
"""How long a wrong, a started and an unreadable structure has been left alone when people are told, or asked."""
BROKEN_NS = 1_000_000_000
"""How long nothing has moved when what stood has broken for good; while hands mend it nothing is said."""
STARTED_SHARE = 0.5
"""With fewer of its parts than this nobody has a structure to be judged."""
ENOUGH_VOTES, UNCLEAR_VOTES = 2, 3
BRIEF_NS = 900_000_000
"""Let go for less than this at the end of the pictures, after it was held, it was held."""
FINAL_STILL_NS = 1_000_000_000
"""A wrong structure has been left like that when nothing has moved for this long at the end."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What the recogniser said of one picture; `share` of the parts that were asked for are there."""

    at_ns: int
    outcome: Outcome
    reasons: tuple[Reason, ...]
    confidence: float = 1.0
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Ending:
    """What is known now, or at the last picture: how long the build zone is still, whether a hand rests there.

    `rested_ns`: the longest time a hand has rested there since the question; `rested_until_ns`: until when.
    """

    at_ns: int
    still_ns: int = 0
    hand: bool = False
    blind: Reason | None = None
    rested_ns: int = 0
    rested_until_ns: int = 0


@dataclass(slots=True)
class StandJudge:
    """Judges one question: `ask`, then `vote` and `see` as they come; `verdict` is None until it passes; `finish`.

    `left_alone` says at a live table that it has failed, or cannot be told, once hands have left it like that.
    """

    asked_ns: int = 0
    votes: list[Vote] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    _whole_ns: int = 0
    _earlier: list[Stretch] = field(default_factory=list)
    _verdict: Verdict | None = None

    def ask(self, at_ns: int) -> None:
        """Forget everything; only what is sensed at `at_ns` or later counts."""
        self.asked_ns, self._verdict = at_ns, None
        self.votes, self.sightings, self._earlier, self._whole_ns = [], [], [], 0

    def vote(self, vote: Vote) -> None:
        """Take what the recogniser said; a vote on a picture from before the question is not used."""
        if vote.at_ns >= self.asked_ns:
            self.votes.append(vote)

    def restart(self, whole_ns: int) -> None:
        """Begin again with a structure newly seen whole at that time; stretches of the one before stay on record."""
        self._earlier += self._stretches()
        self.sightings, self._whole_ns = [], whole_ns

    def see(self, sighting: Sighting) -> None:
        """Take the next sighting; one from before the question, or not later than the last, is not used."""
        if sighting.at_ns >= self.asked_ns and (not self.sightings or sighting.at_ns > self.sightings[-1].at_ns):
            self.sightings.append(sighting)

    def progress_s(self) -> float:
        """Return how long the structure has been standing now, 0 where it does not."""
        last = self._stretches()[-1:]
        return last[0].length_ns / 1e9 if last and last[0].end is End.OPEN else 0.0

    def verdict(self) -> Verdict | None:
        """Return the pass once it is due; it stays whatever happens afterwards."""
        if self._verdict is None and self._agreed() is Outcome.PASS:
            found = self._stretches()
            first = next((stretch for stretch in found if stretch.to_ns - stretch.sure_ns >= STAND_NS), None)
            self._verdict = self._passed(first) if first else None
        return self._verdict

    def left_alone(self, now: Ending) -> Verdict | None:
        """Return why it has not passed once that is certain or hopeless; what has not moved since the question is not
        judged anew.
        """
        since_ns = now.at_ns - now.still_ns
        if since_ns <= self.asked_ns or now.blind is not None:
            return None
        if any(stretch.end is not End.OPEN for stretch in [*self._earlier, *self._stretches()]):
            return self._broken(now)
        if now.hand or self.progress_s() > 0:
            return None
        votes = [vote for vote in self.votes if vote.at_ns >= since_ns]
        sure = [vote for vote in votes if vote.outcome is not Outcome.UNSURE]
        agreed = len(sure) >= ENOUGH_VOTES and len({(vote.outcome, vote.reasons) for vote in sure}) == 1
        if agreed and sure[-1].outcome is Outcome.FAIL:
            return self._wrong(sure[-1], now)
        if len(votes) < UNCLEAR_VOTES or now.still_ns < UNCLEAR_NS:
            return None
        return unsure(votes[-1].reasons[0] if votes[-1].outcome is Outcome.UNSURE else Reason.DOUBTFUL)

    def _broken(self, now: Ending) -> Verdict | None:
        """Return why what stood before stands no more; None while it may be mended, or stands again."""
        last = self.sightings[-1] if self.sightings else None
        if last is None or not last.covered or now.at_ns - last.at_ns > GAP_NS or now.still_ns < BROKEN_NS:
            return None
        if now.hand and (last.gone or now.still_ns < STAND_NS):
            return None
        return self.finish(now)

    def _wrong(self, vote: Vote, now: Ending) -> Verdict | None:
        patience_ns = WRONG_NS if vote.share >= 1 and Reason.MISSING_PIECE not in vote.reasons else INCOMPLETE_NS
        if now.still_ns < patience_ns or vote.share < STARTED_SHARE:
            return None
        return Verdict(Outcome.FAIL, vote.reasons, self._confidence(), stood_for_ns=0, measures=_measures(0))

    def finish(self, ending: Ending) -> Verdict:
        """Return the verdict at the end of the pictures."""
        passed = self.verdict()
        if passed is not None:
            return self._with_length(passed)
        found = [*self._earlier, *self._stretches()]
        longest_ns = max((stretch.length_ns for stretch in found), default=0)
        reason, sure = self._why(found, ending)
        if not sure:
            return unsure(reason, measures=_measures(longest_ns))
        reasons = self._last_reasons() if reason is Reason.WRONG_FIGURE else (reason,)
        return Verdict(
            Outcome.FAIL, reasons, self._confidence(), stood_for_ns=longest_ns, measures=_measures(longest_ns)
        )

    def stands(self) -> bool:
        """Return whether the structure has been seen to stand free at some time since it was seen whole."""
        return bool(self._stretches())

    def _why(self, found: list[Stretch], ending: Ending) -> tuple[Reason, bool]:
        """Return why it did not pass, and whether that is sure."""
        if self.sightings:
            return self._why_not_longer(found, ending)
        if ending.blind is not None:
            return ending.blind, False
        if ending.hand and ending.still_ns >= STAND_NS:
            return Reason.HELD, True
        last = self.votes[-1] if self.votes else None
        if last is None:
            return Reason.NO_STILL_VIEW, False
        if last.outcome is not Outcome.FAIL:
            if ending.rested_ns >= STAND_NS > ending.at_ns - ending.rested_until_ns:
                return Reason.HELD, True  # it was not seen free, and there was no time left to stand
            return (last.reasons[0] if last.outcome is Outcome.UNSURE else Reason.NO_STILL_VIEW), False
        if ending.still_ns < FINAL_STILL_NS or last.at_ns < ending.at_ns - ending.still_ns:
            return Reason.CLIP_ENDS, False
        return Reason.WRONG_FIGURE, True

    def _why_not_longer(self, found: list[Stretch], ending: Ending) -> tuple[Reason, bool]:
        """Return why a structure that was right did not pass, and whether that is sure."""
        last = self.sightings[-1]
        if self._agreed() is not Outcome.PASS:
            return Reason.DOUBTFUL, False
        if any(_is_close(stretch) for stretch in found):
            return Reason.DOUBTFUL, False
        if self._let_go_late(found):
            return Reason.HELD, True
        if ending.at_ns - last.at_ns > GAP_NS:
            return (ending.blind or Reason.NO_STILL_VIEW), False
        if last.covered and ending.hand and ending.still_ns >= HOLD_NS and not last.gone:
            return Reason.HELD, bool(found) or ending.still_ns >= STAND_NS
        if not last.covered or not found or found[-1].end in (End.OPEN, End.PENDING):
            return Reason.CLIP_ENDS, False
        return (Reason.TOO_SHORT if found[-1].handled else Reason.FELL), True

    def _let_go_late(self, found: list[Stretch]) -> bool:
        """Return whether it was held, or held again, until a moment before the last picture."""
        if not found or found[-1].end is not End.OPEN or found[-1].length_ns >= BRIEF_NS:
            return False
        if len(found) > 1:
            return found[-2].end is End.TOUCHED or (found[-2].end is End.MOVED and found[-2].handled)
        before = [sight for sight in self.sightings if sight.at_ns < found[-1].from_ns]
        return bool(before) and rested_ns(before) >= STAND_NS and before[-1].hand

    def _stretches(self) -> list[Stretch]:
        wrong = (vote.at_ns for vote in self.votes if vote.outcome is Outcome.FAIL and vote.at_ns < self._whole_ns)
        return stretches(self.sightings, max(wrong, default=0))

    def _agreed(self) -> Outcome:
        """Return what the votes on the standing structure say together; unsure ones are left out."""
        covered = {sight.at_ns for sight in self.sightings if sight.covered}
        votes = [vote for vote in self.votes if vote.at_ns >= self._whole_ns and vote.at_ns not in covered]
        passes = sum(vote.outcome is Outcome.PASS for vote in votes)
        fails = sum(vote.outcome is Outcome.FAIL for vote in votes)
        if passes > 2 * fails:
            return Outcome.PASS
        return Outcome.FAIL if fails > 2 * passes else Outcome.UNSURE

    def _passed(self, stretch: Stretch) -> Verdict:
        due = stretch.from_ns + STAND_NS
        confirmed = next((sight.at_ns for sight in self.sightings if sight.at_ns >= due), stretch.to_ns)
        return Verdict(
            Outcome.PASS,
            (Reason.OK,),
            self._confidence(),
            stretch.from_ns,
            confirmed,
            stretch.length_ns,
            _measures(stretch.length_ns),
        )

    def _with_length(self, passed: Verdict) -> Verdict:
        """Return the pass with the full length of its stretch, as far as it was seen."""
        length = next(
            (stretch.length_ns for stretch in self._stretches() if stretch.from_ns == passed.stood_from_ns),
            passed.stood_for_ns or 0,
        )
        return Verdict(
            passed.outcome,
            passed.reasons,
            passed.confidence,
            passed.stood_from_ns,
            passed.confirmed_at_ns,
            length,
            _measures(length),
        )

    def _last_reasons(self) -> tuple[Reason, ...]:
        return next(
            (vote.reasons for vote in reversed(self.votes) if vote.outcome is Outcome.FAIL), (Reason.WRONG_FIGURE,)
        )

    def _confidence(self) -> float:
        sure = [vote.confidence for vote in self.votes if vote.outcome is not Outcome.UNSURE]
        return sum(sure) / len(sure) if sure else 0.5


def _is_close(stretch: Stretch) -> bool:
    """Return whether the stretch may, or may not, have lasted long enough."""
    if stretch.end is End.OPEN:
        return False
    return stretch.to_ns - stretch.sure_ns < STAND_NS <= stretch.until_ns - stretch.from_ns


def _measures(length_ns: int) -> tuple[Measure, ...]:
    return (Measure("stood", length_ns / 1e9, "s"),)
