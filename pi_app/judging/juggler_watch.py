"""Watches the Juggler's card until its stones, and only those, lie on it."""

from pi_app.core.names import Zone
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome, Reason, Verdict, unsure
from pi_app.judging.pacing import STILL_NS
from pi_app.judging.worker import Job, Question, Recogniser
from pi_app.kit.table import Table
from pi_app.vision.juggler import JugglerReading
from pi_app.vision.stillness import Gate

AGAIN_NS = 300_000_000
AGREE = 2
LEFT_ALONE_NS = 2_500_000_000
"""A zone that lies still for so long without a hand is what the player has to show."""
UNSURE_NS = 4_000_000_000


class JugglerWatch:
    """Reads the card zone while it lies still; not for several threads."""

    def __init__(self, table: Table, recogniser: Recogniser, question: Question, at_ns: int) -> None:
        self._table, self._recogniser, self._question, self._asked_ns = table, recogniser, question, at_ns
        self._gate = Gate()
        self._placed = False
        self._offered_ns: int | None = None
        self._moved_ns = at_ns
        self._hand = False
        self._now_ns = at_ns
        self._last: JugglerReading | None = None
        self._since_ns = at_ns
        self._agreed = 0

    def see(self, frame: Frame) -> None:
        """Take the next frame."""
        glance = self._gate.see(frame)
        if frame.sensor_ns < self._asked_ns or not glance.fresh or glance.blind:
            return
        self._now_ns, self._hand = glance.at_ns, self._gate.hands_in(Zone.CARDS)
        self._moved_ns = max(self._asked_ns, glance.at_ns - glance.still_ns[Zone.CARDS])
        due = self._offered_ns is None or glance.at_ns - self._offered_ns >= AGAIN_NS
        if due and (not self._placed or glance.quiet(Zone.CARDS, STILL_NS)):
            job = Job(frame, Zone.CARDS, self._question, self._asked_ns)
            if self._recogniser.offer(job):
                self._offered_ns = glance.at_ns
        self._take()

    def verdict(self) -> Verdict | None:
        """Return pass once the readings agree, or what the zone shows that was left alone."""
        last, still_ns = self._last, self._now_ns - self._moved_ns
        if last is None or self._agreed < AGREE or self._since_ns < self._moved_ns:
            return None
        if last.outcome is Outcome.PASS:
            return Verdict(Outcome.PASS, (Reason.OK,), confirmed_at_ns=self._since_ns)
        if self._hand or not _begun(last, self._question):
            return None
        if last.outcome is Outcome.FAIL and still_ns >= LEFT_ALONE_NS:
            return Verdict(Outcome.FAIL, last.reasons)
        return unsure(*last.reasons) if last.outcome is Outcome.UNSURE and still_ns >= UNSURE_NS else None

    def finish(self) -> Verdict:
        """Return the verdict on what has been seen."""
        self._take()
        last = self._last
        if last is None or self._agreed < AGREE:
            return unsure(Reason.NO_STILL_VIEW)
        return self.verdict() or Verdict(last.outcome, last.reasons)

    def _take(self) -> None:
        for found in self._recogniser.found():
            if found.view is not None and not self._placed:
                self._gate.place(found.view, self._table)
                self._placed = True
            if found.juggler is not None:
                self._see(found.juggler, found.job.frame.sensor_ns)

    def _see(self, reading: JugglerReading, at_ns: int) -> None:
        last = self._last
        same = last is not None and (last.outcome, last.counts) == (reading.outcome, reading.counts)
        if not same or self._since_ns < self._moved_ns:
            self._agreed, self._since_ns = 0, at_ns
        self._agreed, self._last = self._agreed + 1, reading


def _begun(reading: JugglerReading, question: Question) -> bool:
    """Whether as many stones lie there as the card asks for, or nobody can tell; before that it is no failure."""
    card = question.card
    if reading.outcome is Outcome.UNSURE or card is None or card.stones is None:
        return True
    wanted = card.stones.yellow + card.stones.red + card.stones.blue
    return sum(reading.counts.values()) >= wanted
