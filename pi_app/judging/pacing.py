"""When a picture of the build zone is worth a reading, which costs as much as a dozen looks at every frame."""

from collections.abc import Sequence
from dataclasses import dataclass

from pi_app.core.verdict import Outcome
from pi_app.judging.stand import Vote

STILL_NS, RESTING_NS = 100_000_000, 350_000_000
"""How long a zone has been still when it is read; with a hand in it, how long the hand rests."""
AGAIN_NS, DOUBT_AGAIN_NS = 400_000_000, 800_000_000
"""How long to wait before reading what was right again, and what was wrong or unclear."""
BUSY_NS, NOTHING_NEW_NS = 400_000_000, 1_600_000_000
"""How long to wait while hands are in the zone; and while nothing was put down since the zone was empty of them."""
NEWS_PIXELS, NEWS_SHARE = 60, 0.15
"""Small pixels that a part put down changes; less than this share more or less is still the same."""
ENOUGH_VOTES, MOST_VOTES = 2, 6


@dataclass(frozen=True, slots=True)
class Scenery:
    """The build zone in one picture: how long it has been still, whether a hand is in it, what was put down since.

    `followed`: the structure was seen whole and every picture is compared with it. `covered`: a hand is at it.
    """

    at_ns: int
    still_ns: int
    moving: bool
    hand: bool
    news: int
    followed: bool = False
    covered: bool = False


@dataclass(slots=True)
class Pacing:
    """Says when to read; `read` notes that it was done."""

    asked_ns: int = 0
    _read: Scenery | None = None

    def ask(self, at_ns: int) -> None:
        """Begin anew with a question."""
        self.asked_ns, self._read = at_ns, None

    def read(self, scenery: Scenery) -> None:
        """Note a reading."""
        self._read = scenery

    def wants(self, now: Scenery, votes: Sequence[Vote]) -> bool:
        """Return whether a reading of this picture can help, given the votes so far."""
        if now.at_ns < self.asked_ns or now.covered:
            return False
        if now.moving or (now.hand and not now.followed):
            right = bool(votes) and votes[-1].outcome is Outcome.PASS  # but a hand was at it
            return self._wants_busy(now, right=right)
        if now.still_ns < (RESTING_NS if now.hand else STILL_NS):
            return False
        lately = [vote for vote in votes if vote.at_ns >= now.at_ns - now.still_ns]
        doubtful = bool(lately) and lately[-1].outcome is not Outcome.PASS
        return self._due(now, DOUBT_AGAIN_NS if doubtful else AGAIN_NS) and undecided(lately, followed=now.followed)

    def _wants_busy(self, now: Scenery, *, right: bool) -> bool:
        """Return whether something was put down, and let go, among the hands."""
        if now.followed or now.at_ns < self.asked_ns + BUSY_NS or (not now.moving and now.still_ns < RESTING_NS):
            return False
        before = self._read.news if self._read is not None else 0
        changed = abs(now.news - before) >= NEWS_SHARE * max(now.news, before)
        new = now.news >= NEWS_PIXELS and (changed or right)
        return self._due(now, BUSY_NS if new else NOTHING_NEW_NS)

    def _due(self, now: Scenery, after_ns: int) -> bool:
        return self._read is None or now.at_ns - self._read.at_ns >= after_ns


def undecided(votes: Sequence[Vote], *, followed: bool) -> bool:
    """Return whether another vote can help: not where enough agree on what has been still all the time."""
    sure = [vote for vote in votes if vote.outcome is not Outcome.UNSURE]
    if not followed and sure and sure[-1].outcome is Outcome.PASS:
        return True  # right, but not yet seen free of hands
    agreed = len(sure) >= ENOUGH_VOTES and len({vote.outcome for vote in sure}) == 1
    return not agreed and len(votes) < MOST_VOTES
