"""What lies in the stone zone and in the card zone, read between tasks while it lies still."""

from dataclasses import dataclass

from pi_app.core.names import Zone
from pi_app.core.verdict import Reason
from pi_app.judging.card_zone import CardsLying, CardZoneJudge
from pi_app.judging.pacing import STILL_NS
from pi_app.kit.model import StoneCounts
from pi_app.vision.cards import CardReading
from pi_app.vision.reading import StoneCount
from pi_app.vision.stillness import Glance

AGAIN_NS = 400_000_000
"""How long to wait before the next reading of a zone."""
STONES_AGREE = 2
NO_COLOURS = (Reason.COLOURS_WRONG, Reason.TOO_DARK)
"""Doubts about the camera itself, not about what lies in a zone: they are told as its state."""


@dataclass(frozen=True, slots=True)
class StonesLying:
    """The stones lying in the stone zone have changed: agreed by several readings of the zone lying still."""

    counts: StoneCounts
    at_ns: int


class Lying:
    """Says which zone is to be read next, and what the readings tell. Not for several threads."""

    def __init__(self, *, cards: bool) -> None:
        """`cards`: the card zone is read too."""
        self._zones = (Zone.STONES, Zone.CARDS) if cards else (Zone.STONES,)
        self._read_ns: dict[Zone, int] = {}
        self._stones: list[StoneCounts] = []
        self._told: StoneCounts | None = None
        self._cards = CardZoneJudge()
        self.fault: Reason | None = None

    def wanted(self, glance: Glance) -> Zone | None:
        """Return the zone to read in this picture, if any."""
        known = {Zone.STONES: self._stones_agree(), Zone.CARDS: self._cards.settled}
        return next((zone for zone in self._zones if self._wants(zone, glance, known=known[zone])), None)

    def offered(self, zone: Zone, at_ns: int) -> None:
        """A picture of that moment is being read."""
        self._read_ns[zone] = at_ns

    def see_stones(self, count: StoneCount, at_ns: int) -> StonesLying | None:
        """Take a reading of the stone zone; return what lies there once it is agreed and new."""
        if count.doubts:
            self._stones = []
            self.fault = next((doubt for doubt in count.doubts if doubt in NO_COLOURS), None)
            return None
        self.fault = None
        counts = StoneCounts(yellow=count.yellow, red=count.red, blue=count.blue)
        self._stones = [*self._stones[-STONES_AGREE + 1 :], counts]
        if not self._stones_agree() or counts == self._told:
            return None
        self._told = counts
        return StonesLying(counts, at_ns)

    def see_cards(self, reading: CardReading, still_from_ns: int) -> CardsLying | None:
        """Take a reading of the card zone, which lies still since then; return what lies there once agreed and new."""
        self.fault = reading.reason if reading.reason in NO_COLOURS else None
        return self._cards.see(reading, still_from_ns)

    def _wants(self, zone: Zone, glance: Glance, *, known: bool) -> bool:
        if not glance.quiet(zone, STILL_NS):
            return False
        read_ns = self._read_ns.get(zone)
        if read_ns is None:
            return True
        moved_since = read_ns < glance.at_ns - glance.still_ns[zone]
        return glance.at_ns - read_ns >= AGAIN_NS and (moved_since or not known)

    def _stones_agree(self) -> bool:
        return len(self._stones) >= STONES_AGREE and len({str(counts) for counts in self._stones}) == 1
