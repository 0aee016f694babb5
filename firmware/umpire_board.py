"""The board's program, one pass at a time: poll the reader, note the buttons, talk with the host."""

from pad import Pad
from talk import Talk, tag_fields

VERSION = (0, 1, 0)
POLL_US = 60000
HEALTH_US = 1000000
RETRY_US = 2000000
TRIES = 3
STARTING, READY, DEAD = 0, 1, 2


class Board:
    """All of the board; `step` is called for ever and never waits."""

    def __init__(self, stream, reader, buttons, board_id):
        self._reader, self._buttons = reader, buttons
        self.talk = Talk(stream, VERSION, board_id, len(buttons))
        self.pad = Pad()
        self.state = STARTING
        self.passes = 0
        self._failures = 0
        self._poll_us = self._health_us = self._retry_us = None

    def step(self, now_us):
        """Do what is due at a moment of the board's clock."""
        self.passes += 1
        for button, pressed, at_us in self._buttons.edges():
            self.talk.event("button", button, pressed, at_us)
        self._look_after(now_us)
        if self.state == READY and is_due(self._poll_us, POLL_US, now_us):
            self._poll_us = now_us
            self._tell(self.pad.feed(self._reader.read_tag(), now_us))
        self.talk.step(now_us, self.state, self.pad.tag)

    def _look_after(self, now_us):
        """Watch the reader's health; one that fails is set up again, and is dead after some tries in vain."""
        if self.talk.reset_asked or self.state == STARTING:
            self.talk.reset_asked = False
            self._set_up(now_us)
        elif self.state == READY and is_due(self._health_us, HEALTH_US, now_us):
            self._health_us = now_us
            if not self._reader.is_healthy():
                self._set_up(now_us)
        elif self.state == DEAD and is_due(self._retry_us, RETRY_US, now_us):
            self._set_up(now_us)

    def _set_up(self, now_us):
        self._retry_us = self._health_us = now_us
        self._reader.reset()
        if self._reader.is_healthy():
            self.state, self._failures = READY, 0
            return
        self._failures += 1
        if self._failures >= TRIES and self.state != DEAD:
            self.state = DEAD
            self._tell(self.pad.forget(now_us))
        elif self.state == READY:
            self.state = STARTING

    def _tell(self, changes):
        for name, tag, since_us in changes:
            self.talk.event(name, *tag_fields(tag), since_us)


def is_due(last_us, after_us, now_us):
    """Return whether something that was done at `last_us` (None: never) is to be done again."""
    return last_us is None or now_us - last_us >= after_us


class Clock:
    """Microseconds since the start that never wrap: `ticks_us` does after some minutes."""

    def __init__(self, ticks_us, ticks_diff):
        self._ticks_us, self._ticks_diff = ticks_us, ticks_diff
        self._last = ticks_us()
        self._us = 0

    def __call__(self):
        """Return the time; to be asked at least every few minutes."""
        now = self._ticks_us()
        self._us += self._ticks_diff(now, self._last)
        self._last = now
        return self._us

    def at(self, ticks):
        """Return the time at which the ticks, read a moment ago, were so."""
        return self._us + self._ticks_diff(ticks, self._last)
