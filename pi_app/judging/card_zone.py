"""Readings of the card zone over time: what lies there, once two of them agree."""

from collections import Counter
from dataclasses import dataclass

from pi_app.core.verdict import Reason
from pi_app.vision.cards import CardReading, SeenCard

SAME_PLACE_MM = 10.0
AGREE = 2
CLEAR = (None, Reason.NO_CARD, Reason.UNKNOWN_CARD)
"""Readings that say what lies there; any other says that something could not be seen, and changes nothing."""


@dataclass(frozen=True, slots=True)
class CardsLying:
    """The cards in the zone by the kit's ids, sorted, and how many strangers; they came to rest at `at_ns`."""

    cards: tuple[str, ...]
    unknown: int
    at_ns: int


class CardZoneJudge:
    """Takes readings in order of time; not for several threads."""

    def __init__(self) -> None:
        self._told: tuple[SeenCard, ...] | None = None
        self._told_unknown = 0
        self._told_ns = 0
        self._last: tuple[Counter[str], int] | None = None
        self._agreed = 0

    @property
    def settled(self) -> bool:
        """Return whether the last readings agreed, so that none is wanted before the zone moves."""
        return self._agreed >= AGREE

    def see(self, reading: CardReading, still_ns: int) -> CardsLying | None:
        """Take a reading of the zone, which lies still since `still_ns`; return what lies there where that is new."""
        if reading.reason not in CLEAR:
            self._last, self._agreed = None, 0
            return None
        cards, unknown = Counter(card.card for card in reading.cards), int(reading.reason is Reason.UNKNOWN_CARD)
        self._agreed = self._agreed + 1 if self._last == (cards, unknown) else 1
        self._last = cards, unknown
        if not self.settled or self._is_told(cards, unknown) or self._is_misread(reading, still_ns):
            return None
        self._told, self._told_unknown, self._told_ns = reading.cards, unknown, still_ns
        return CardsLying(tuple(sorted(cards.elements())), unknown, still_ns)

    def _is_told(self, cards: Counter[str], unknown: int) -> bool:
        told = None if self._told is None else Counter(card.card for card in self._told)
        return told == cards and unknown == self._told_unknown

    def _is_misread(self, reading: CardReading, still_ns: int) -> bool:
        """Whether as many cards lie where they lay and nothing has moved: a card becomes no other by itself."""
        if self._told is None or still_ns > self._told_ns or len(reading.cards) != len(self._told):
            return False
        pairs = zip(reading.cards, self._told, strict=True)
        near = all(abs(a.x_mm - b.x_mm) + abs(a.y_mm - b.y_mm) < SAME_PLACE_MM for a, b in pairs)
        return near and bool(self._told)
