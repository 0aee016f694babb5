"""Contact edges to presses: debounced on press and on release, free of spikes, stamped at the first edge."""

from dataclasses import dataclass, field

from pi_app.core.observations import Edge

QUIET_NS = 25_000_000
"""A contact counts again once it was quiet this long; arcade switches bounce for under 10 ms (GPIO-1)."""

WIDTH_NS = 500_000
"""A contact that did not rest so long in its new position was no press: spikes from lamps and motors are shorter."""

ORDER_NS = 60_000_000
"""How long presses and tiles are held where no source says up to when it is known: a thread's or a poll's delay."""


@dataclass(frozen=True, slots=True)
class Press:
    """One settled change of a buzzer: `at_ns` is the monotonic time of its first edge."""

    button: int
    pressed: bool
    at_ns: int


@dataclass(slots=True)
class _Contact:
    """`down` is what counts, `raw` what the contact does; a burst of edges is over at `quiet_from_ns`."""

    down: bool = False
    raw: bool = False
    raw_since_ns: int = 0
    begun_ns: int | None = None
    quiet_from_ns: int | None = None


@dataclass(slots=True)
class Debouncer:
    """Turns the edges of all buttons into presses and releases.

    A change counts once the contact rested in its new position for `width_ns`, and is stamped at the first edge after
    quiet; edges that follow within `quiet_ns` of each other are bounces. A contact that rests in the other position
    afterwards (a press shorter than the quiet time) is made up for, stamped at its last edge, so nothing is lost and no
    button stays held. Time is what `settle` is told: up to when all edges are known, never the moment of the call.
    """

    quiet_ns: int = QUIET_NS
    width_ns: int = WIDTH_NS
    spikes: int = 0
    _contacts: dict[int, _Contact] = field(default_factory=dict)

    def rest_down(self, button: int, at_ns: int) -> None:
        """Take it that a contact is closed from the start: it was not pressed in the game."""
        self._contacts[button] = _Contact(down=True, raw=True, raw_since_ns=at_ns)

    def feed(self, edge: Edge) -> list[Press]:
        """Take one edge; return the changes it makes known, oldest first."""
        contact = self._contacts.setdefault(edge.button, _Contact())
        known = self._settle(edge.button, contact, edge.at_ns)
        quiet = contact.quiet_from_ns is None
        if quiet and edge.pressed == contact.down:
            return known
        if quiet:
            contact.begun_ns = edge.at_ns
        contact.raw, contact.raw_since_ns = edge.pressed, edge.at_ns
        contact.quiet_from_ns = edge.at_ns + self.quiet_ns
        return known

    def settle(self, until_ns: int) -> list[Press]:
        """Return the changes that are sure now that every edge stamped before `until_ns` was fed, oldest first."""
        contacts = self._contacts.items()
        known = [press for button, contact in contacts for press in self._settle(button, contact, until_ns)]
        return sorted(known, key=_order)

    def held(self) -> set[int]:
        """Return the buttons that are down."""
        return {button for button, contact in self._contacts.items() if contact.down}

    @property
    def first_open_ns(self) -> int | None:
        """Return the first edge of the oldest change that is not sure yet; None where nothing is open."""
        return min((one.begun_ns for one in self._contacts.values() if one.begun_ns is not None), default=None)

    def _settle(self, button: int, contact: _Contact, until_ns: int) -> list[Press]:
        known = self._rested(button, contact, until_ns)
        if contact.quiet_from_ns is None or until_ns < contact.quiet_from_ns:
            return known
        self.spikes += contact.begun_ns is not None
        contact.begun_ns = contact.quiet_from_ns = None
        if contact.raw == contact.down:
            return known
        contact.down = contact.raw
        return [*known, Press(button, contact.raw, contact.raw_since_ns)]

    def _rested(self, button: int, contact: _Contact, until_ns: int) -> list[Press]:
        """Return the change that a burst began with, once the contact has rested in it."""
        begun_ns, rested_ns = contact.begun_ns, until_ns - contact.raw_since_ns
        if begun_ns is None or contact.raw == contact.down or rested_ns < self.width_ns:
            return []
        contact.down, contact.begun_ns = contact.raw, None
        return [Press(button, contact.down, begun_ns)]


def _order(press: Press) -> tuple[int, int]:
    return press.at_ns, press.button
