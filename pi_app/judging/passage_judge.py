"""Did the sixth acrobat pass through the tunnel? Readings of the tunnel and sights of the acrobat in, a verdict out.

In at one side and out at the opposite one: it must be seen to lie beyond an edge after it was seen under the tile, on
its way from the other side, with the tunnel right and standing. Whatever hides a step of this makes the answer unsure.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pi_app.core.verdict import Measure, Outcome, Reason, Verdict, unsure
from pi_app.judging.stand import Ending, Vote
from pi_app.vision.passage import Reach, Side, Sight, Spot

GOOD_FIT, ROUGH_FIT = 0.55, 0.5
"""Least agreement of an acrobat's silhouette with what is seen: at rest, and while it moves partly hidden."""
IN_VIEW, BACK_IN_VIEW = 0.6, 0.35
"""Least share of it in view; behind the tile it is never seen whole."""
SLIDES_FIT = 0.7
RESTING, AT_REST_MM = 3, 5.0
"""Sights in a row, and how far apart they are, with which it lies still."""
INSIDE_SIGHTS, TRAVEL_MM, LAST_SIGHTS = 2, 12.0, 4
FIRST_SHARE = 0.8
LEFT_SHARE = {Side.FRONT: 1.0, Side.BACK: 0.0, Side.LEFT: 0.3, Side.RIGHT: 0.3}
"""How far towards an edge, as a share of the way from the tile's middle, what leaves there is seen to reach: legs hide
what is beside it, and the tile what is behind it.
"""
BROKEN_SIGHTS, BREAKS_NS = 3, 500_000_000
SOON_NS = 400_000_000
"""What is flicked through is beyond the tile so soon after it was seen under it."""
NEXT_NS = 150_000_000
"""Sights less than this apart follow each other."""


@dataclass(frozen=True, slots=True)
class _Inside:
    """A sight of something under the tile, how far it reaches, and whether a hand covers some of the tunnel."""

    at_ns: int
    reach: Reach
    veiled: bool

    def lead(self, side: Side) -> float:
        """Return how far it reaches towards an edge from the tile's middle."""
        left, right, back, front = self.reach
        return {Side.LEFT: -left, Side.RIGHT: right, Side.BACK: -back, Side.FRONT: front}[side]


@dataclass(slots=True)
class PassageJudge:
    """Judges one question: `ask`, then `vote` and `see` in order of time; `verdict` is None until it is due."""

    half_mm: tuple[float, float] = (0.0, 0.0)
    asked_ns: int = 0
    votes: list[Vote] = field(default_factory=list)
    _inside: list[_Inside] = field(default_factory=list)
    _rests: list[tuple[int, Spot]] = field(default_factory=list)
    _start: Spot | None = None
    _row: list[tuple[int, Spot]] = field(default_factory=list)
    _beyond: list[tuple[int, int, Spot]] = field(default_factory=list)
    _out: tuple[int, int, Spot] | None = None
    _broken: int = 0
    _broken_ns: int | None = None
    _clear_ns: int | None = None
    _stays: int = 0
    _seen: int = 0
    _hidden: int = 0
    _hands: int = 0

    def ask(self, at_ns: int) -> None:
        """Forget everything; only what is sensed at `at_ns` or later counts."""
        self.asked_ns, self.votes = at_ns, []
        self.forget()

    def forget(self) -> None:
        """Forget the sights: they are seen anew."""
        self._inside, self._rests, self._row, self._beyond, self._start, self._out = [], [], [], [], None, None
        self._broken, self._broken_ns, self._clear_ns = 0, None, None
        self._seen = self._hidden = self._hands = self._stays = 0

    def begin(self, again_ns: int | None = None) -> None:
        """Begin with a whole tunnel; readings of what was there before do not count. `again_ns`: it was built again."""
        self.votes = []
        self.forget()
        self.asked_ns = self.asked_ns if again_ns is None else again_ns

    def mend(self) -> None:
        """Take it that the tunnel stands as it did: it was only seen badly."""
        self._broken, self._broken_ns = 0, None

    @property
    def is_broken(self) -> bool:
        """Whether the tunnel has fallen, or was taken apart."""
        return self._broken_ns is not None

    def vote(self, vote: Vote) -> None:
        """Take what the recogniser said of the tunnel."""
        if vote.at_ns >= self.asked_ns:
            self.votes.append(vote)

    def see(self, sight: Sight) -> None:
        """Take the next sight."""
        if sight.at_ns < self.asked_ns:
            return
        self._seen += 1
        self._hands += sight.hand
        self._hidden += not sight.clear and sight.under is None
        self._stands(sight)
        for spot in sight.left:
            if self._start is None and spot.whole and spot.score >= GOOD_FIT:
                self._start = spot
        self._stays = self._stays + 1 if sight.under is not None and not sight.hand else 0
        if sight.under is not None:
            self._inside.append(_Inside(sight.at_ns, sight.under, sight.veiled))
            self._clear_ns = None
        elif sight.clear and self._clear_ns is None:
            self._clear_ns = sight.at_ns
        self._follow(sight)
        self._out = self._out or self._out_of()

    def miss(self) -> None:
        """Take it that a picture could not be used: something may have happened in it."""
        self._seen, self._hidden, self._row = self._seen + 1, self._hidden + 1, []

    def _stands(self, sight: Sight) -> None:
        self._broken = self._broken + 1 if sight.broken else 0
        if self._broken == BROKEN_SIGHTS and self._broken_ns is None:
            self._broken_ns = sight.at_ns

    def _follow(self, sight: Sight) -> None:
        """Note where the acrobat comes to rest."""
        best = max(sight.spots, key=lambda spot: spot.score * spot.visible, default=None)
        least = BACK_IN_VIEW if best is not None and best.side is Side.BACK else IN_VIEW
        if best is None or best.score < GOOD_FIT or best.visible < least:
            self._row = []
            return
        if self._row and _apart(self._row[-1][1], best) > AT_REST_MM:
            self._slides(sight.at_ns, best)
            self._row = []
        self._row.append((sight.at_ns, best))
        if len(self._row) == RESTING:
            self._rests.append(self._row[0])
        if len(self._row) >= RESTING and sight.under is None:
            self._reach_out(self._row[0][0], sight.at_ns, best)

    def _slides(self, at_ns: int, spot: Spot) -> None:
        """Take what slides beyond an edge, free of hands and well seen twice, for out already."""
        before_ns, before = self._row[-1]
        if spot.side is before.side and before.whole and min(_clearness(spot), _clearness(before)) >= SLIDES_FIT:
            self._reach_out(before_ns, at_ns, spot)

    def _reach_out(self, from_ns: int, at_ns: int, spot: Spot) -> None:
        if spot.whole and self._out is None:
            self._beyond = [one for one in self._beyond if one[0] != from_ns] + [(from_ns, at_ns, spot)]

    def _out_of(self) -> tuple[int, int, Spot] | None:
        """Return when it was first seen beyond the edge it came out at: where it began may be known later only."""
        for from_ns, at_ns, spot in self._beyond:
            if spot.side is not None and self._came_through(spot, from_ns):
                return self._passed_ns(from_ns, spot.side), at_ns, spot
        return None

    def _came_through(self, beyond: Spot, at_ns: int) -> bool:
        """Return whether what lies beyond an edge was seen on its way there from the opposite side."""
        side, inside = beyond.side, [one for one in self._inside if one.at_ns < at_ns]
        if side is None or len(inside) < INSIDE_SIGHTS:
            return False
        before = self._before(inside[0].at_ns)
        if before is not None and before.side is not side.opposite:
            return False
        ways = [one.lead(side) for one in _unveiled(inside)]
        if before is None and (side is Side.BACK or ways[0] > FIRST_SHARE * self._half(side)):
            return False
        if before is not None and at_ns - inside[-1].at_ns <= SOON_NS:
            return True
        return max(ways) - min(ways) >= TRAVEL_MM and self._leaves(inside, side)

    def _leaves(self, inside: list[_Inside], side: Side) -> bool:
        """Return whether what is under the tile was last seen to reach an edge, and not to draw back from it."""
        least = LEFT_SHARE[side] * self._half(side)
        usable = _unveiled(inside)
        seen = [n for n, one in enumerate(inside) if one in usable and one.lead(side) >= least]
        if not seen:
            return False
        last, after = inside[seen[-1]], inside[seen[-1] + 1 : seen[-1] + 2]
        return not any(not one.veiled and one.at_ns - last.at_ns < NEXT_NS for one in after)

    def _before(self, at_ns: int) -> Spot | None:
        """Return where the acrobat lay before it came under the tile."""
        rests = [spot for rest_ns, spot in self._rests if rest_ns < at_ns and spot.side is not None]
        return rests[-1] if rests else self._start

    def _half(self, side: Side) -> float:
        return self.half_mm[0] if side in (Side.LEFT, Side.RIGHT) else self.half_mm[1]

    def _passed_ns(self, seen_ns: int, side: Side) -> int:
        """Return about when all of it was beyond the tile: between the last sight of it there and the first beyond."""
        least = LEFT_SHARE[side] * self._half(side)
        before = [one for one in self._inside if one.at_ns < seen_ns]
        there = [one for one in before if one.lead(side) >= least] or before
        last_ns = max((one.at_ns for one in there), default=seen_ns)
        return last_ns + round(0.5 * (seen_ns - last_ns))

    def verdict(self) -> Verdict | None:
        """Return the pass once it is certain."""
        if self._out is None or self._fell_before() or self._agreed() is not Outcome.PASS:
            return None
        return self._passed()

    def left_alone(self, now: Ending) -> Verdict | None:
        """Return why it has not passed, once hands have left it like that."""
        if now.hand or now.blind is not None or now.still_ns < LEFT_NS or not (self._rests or self._inside):
            return None
        found = self.finish(now)
        return found if found.outcome is Outcome.FAIL else None

    def finish(self, now: Ending) -> Verdict:
        """Return the verdict at the end of the pictures."""
        structure = self._agreed()
        if structure is Outcome.FAIL:
            return self._failed(*self._structure_reasons())
        if self._fell_before():
            return self._failed(Reason.FELL)
        if self._out is not None and structure is Outcome.PASS:
            return self._passed()
        if not self._seen:
            return unsure(now.blind or self._why_unread())
        if self._out is not None:
            return unsure(self._why_unread())
        return self._not_through(now)

    def _fell_before(self) -> bool:
        """Return whether the tunnel broke before the acrobat was out."""
        return self._broken_ns is not None and (self._out is None or self._broken_ns <= self._out[1])

    def _not_through(self, now: Ending) -> Verdict:
        """Return whether it surely did not pass."""
        last = self._inside[-1] if self._inside else None
        final = self._row[-1][1] if self._row else None
        if final is not None and len(self._row) >= RESTING:
            if not final.whole or last is None or self._is_wrong_side(final):
                return self._failed(Reason.NOT_THROUGH)
            return unsure(Reason.DOUBTFUL)
        if self._stays >= RESTING:
            return self._failed(Reason.NOT_THROUGH)
        if self._hands and not now.hand and self._clear_ns is not None:
            if last is None and self._hidden <= HIDDEN_AT_MOST * self._seen:
                return self._failed(Reason.NOT_THROUGH)
            if last is not None and self._turned_back():
                return self._failed(Reason.NOT_THROUGH)
        if last is None and not self._hands:
            return self._failed(Reason.NOT_THROUGH)
        return unsure(Reason.HIDDEN if not now.hand else Reason.CLIP_ENDS)

    def _is_wrong_side(self, final: Spot) -> bool:
        """Return whether it lies where it came from, or beside the way."""
        before = self._before(self._inside[0].at_ns) if self._inside else self._start
        return before is not None and before.side is not None and final.side is not before.side.opposite

    def _turned_back(self) -> bool:
        """Return whether what was under the tile never reached an edge in view, and is away: it left as it came."""
        before, last = self._before(self._inside[0].at_ns), _unveiled(self._inside)[-LAST_SIGHTS:]
        sides = [side for side in LEFT_SHARE if before is None or side is not before.side]
        return all(
            max(one.lead(side) for one in last) < LEFT_SHARE[side] * self._half(side)
            for side in sides
            if side is not Side.BACK or before is not None
        )

    def _passed(self) -> Verdict:
        assert self._out is not None
        return Verdict(
            Outcome.PASS,
            (Reason.OK,),
            self._confidence(),
            confirmed_at_ns=self._out[0],
            measures=self._measures(),
        )

    def _failed(self, *reasons: Reason) -> Verdict:
        return Verdict(Outcome.FAIL, reasons, self._confidence(), measures=self._measures())

    def _agreed(self) -> Outcome:
        """Return what the votes on the tunnel, as long as it stood, say together; unsure ones are left out."""
        votes = [vote.outcome for vote in self._valid()]
        passes, fails = votes.count(Outcome.PASS), votes.count(Outcome.FAIL)
        if passes > 2 * fails:
            return Outcome.PASS
        return Outcome.FAIL if fails > 2 * passes else Outcome.UNSURE

    def _structure_reasons(self) -> tuple[Reason, ...]:
        return next(vote.reasons for vote in reversed(self._valid()) if vote.outcome is Outcome.FAIL)

    def _valid(self) -> list[Vote]:
        """Return the votes from before the tunnel broke, all of them where there are none."""
        stood = [vote for vote in self.votes if self._broken_ns is None or vote.at_ns < self._broken_ns - BREAKS_NS]
        return stood or self.votes

    def _why_unread(self) -> Reason:
        doubts = [vote.reasons[0] for vote in self.votes if vote.outcome is Outcome.UNSURE and vote.reasons]
        return doubts[-1] if doubts else Reason.NO_STILL_VIEW

    def _confidence(self) -> float:
        sure = [vote.confidence for vote in self.votes if vote.outcome is not Outcome.UNSURE]
        return sum(sure) / len(sure) if sure else 0.5

    def _measures(self) -> tuple[Measure, ...]:
        return (Measure("sights under the tile", len(self._inside), ""),)


LEFT_NS = 1_500_000_000
HIDDEN_AT_MOST = 0.25
"""Where the opening was out of view for a larger part of the time, something may have passed unseen."""


def _unveiled(inside: list[_Inside]) -> list[_Inside]:
    """Return the sights that no hand disturbs, all of them where each is disturbed."""
    return [one for one in inside if not one.veiled] or inside


def _clearness(spot: Spot) -> float:
    return spot.score * spot.visible


def _apart(one: Spot, two: Spot) -> float:
    return max(abs(one.u_mm - two.u_mm), abs(one.n_mm - two.n_mm))


def judged(sights: Iterable[Sight], votes: Iterable[Vote], half_mm: tuple[float, float], now: Ending) -> Verdict:
    """Return the verdict on sights and votes that are all known."""
    judge = PassageJudge(half_mm)
    for vote in votes:
        judge.vote(vote)
    for sight in sights:
        judge.see(sight)
    return judge.finish(now)
