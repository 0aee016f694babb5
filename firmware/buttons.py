"""Buttons on the board's own pins, for tables without GPIO: every edge with its time; the host debounces."""

ROOM = 32


class Buttons:
    """Edges are noted by the pins' interrupts, in raw ticks, into a ring that is never made larger."""

    def __init__(self, pins, clock, ticks_us):
        self._pins, self._clock, self._ticks_us = pins, clock, ticks_us
        self._edges = [(0, 0, 0)] * ROOM
        self._written = self._read = 0
        self.lost = 0

    def __len__(self):
        return len(self._pins)

    def watch(self, rising_and_falling):
        """Begin; a pressed button pulls its pin down."""
        for number, pin in enumerate(self._pins):
            pin.irq(lambda pin, button=number + 1: self.note(button, not pin.value()), rising_and_falling)

    def note(self, button, pressed):
        """Take one edge, in an interrupt."""
        if self._written - self._read >= ROOM:
            self.lost += 1
            return
        self._edges[self._written % ROOM] = (button, int(pressed), self._ticks_us())
        self._written += 1

    def edges(self):
        """Return the edges since the last call as (button, pressed, at_us)."""
        found = []
        while self._read < self._written:
            button, pressed, ticks = self._edges[self._read % ROOM]
            found.append((button, pressed, self._clock.at(ticks)))
            self._read += 1
        return found
