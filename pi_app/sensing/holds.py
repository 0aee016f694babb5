"""How long buttons are held: a long press, and a button that is stuck."""

from dataclasses import dataclass, field

from pi_app.sensing.presses import Press

LONG_NS = 1_500_000_000
"""Nobody holds a buzzer so long by chance while slapping it."""
STUCK_NS = 10_000_000_000
"""Nobody holds a buzzer so long on purpose."""


@dataclass(frozen=True, slots=True)
class HeldLong:
    """A button has been down for `LONG_NS`; said once a press."""

    button: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class Stuck:
    """A button has been down for `STUCK_NS`; said once a press."""

    button: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class Freed:
    """A button that was stuck came up."""

    button: int
    at_ns: int


Hold = HeldLong | Stuck | Freed


@dataclass(slots=True)
class HoldWatch:
    """Follows all buttons; `settle` is told up to when all presses and releases were fed."""

    long_ns: int = LONG_NS
    stuck_ns: int = STUCK_NS
    _down_ns: dict[int, int] = field(default_factory=dict)
    _long: set[int] = field(default_factory=set)
    _stuck: set[int] = field(default_factory=set)

    def feed(self, press: Press) -> list[Hold]:
        """Take a press or a release; return what it makes known."""
        known = self.settle(press.at_ns)
        if press.pressed:
            self._down_ns[press.button] = press.at_ns
            return known
        self._down_ns.pop(press.button, None)
        self._long.discard(press.button)
        if press.button in self._stuck:
            self._stuck.discard(press.button)
            known.append(Freed(press.button, press.at_ns))
        return known

    def rest_down(self, button: int, at_ns: int) -> None:
        """Take it that a button is down from the start: that is no long press, but it may be stuck."""
        self._down_ns[button] = at_ns
        self._long.add(button)

    def settle(self, until_ns: int) -> list[Hold]:
        """Return what became so because time passed, oldest first."""
        known: list[Hold] = []
        for button, down_ns in self._down_ns.items():
            if button not in self._long and until_ns - down_ns >= self.long_ns:
                self._long.add(button)
                known.append(HeldLong(button, down_ns + self.long_ns))
            if button not in self._stuck and until_ns - down_ns >= self.stuck_ns:
                self._stuck.add(button)
                known.append(Stuck(button, down_ns + self.stuck_ns))
        return sorted(known, key=lambda hold: (hold.at_ns, hold.button))
