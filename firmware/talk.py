"""The board's half of the talk with the host: events are numbered and repeated until acknowledged, nothing waits.

The stream has `take()`, which returns the next byte or None, and `give(data)`, which returns False where the host does
not read: then nothing is written and nothing is lost but old states.
"""

from frames import Deframer, format_message
from wire import LAST_EVENT, PROTOCOL, TAG_BYTES

ROOM = 16
REPEAT_US = 200000
STATE_US = 500000
BYTES_A_STEP = 128


def tag_fields(tag):
    """Return the fields tag_length and tag."""
    plain = tag or b""
    return len(plain), plain + bytes(TAG_BYTES - len(plain))


class Talk:
    """One talk over one stream."""

    def __init__(self, stream, version, board, buttons):
        self._stream, self._version, self._board, self._buttons = stream, version, board, buttons
        self._frames = Deframer()
        self._waiting = []
        self._last_event = 0
        self._hello = True
        self._state_us = None
        self.lost = 0
        self.reset_asked = False

    def event(self, name, *fields):
        """Say something that must arrive; where too much waits, the oldest is lost and counted."""
        self._last_event = self._last_event % LAST_EVENT + 1
        if len(self._waiting) >= ROOM:
            self._waiting.pop(0)
            self.lost = min(self.lost + 1, 0xFFFF)
        self._waiting.append([self._last_event, format_message(name, self._last_event, *fields), None])

    def step(self, now_us, reader, tag):
        """Take what came, and write what is due as far as the host reads; `reader` is its state's number."""
        for _ in range(BYTES_A_STEP):
            byte = self._stream.take()
            if byte is None:
                break
            message = self._frames.feed(byte)
            if message is not None:
                self._obey(message[0], message[1], now_us)
        self._write(now_us, reader, tag)

    def _obey(self, name, fields, now_us):
        if name == "ask_hello":
            self._hello = True
        elif name == "acknowledge":
            self._waiting = [one for one in self._waiting if one[0] != fields[0]]
        elif name == "ask_time":
            self._stream.give(format_message("told_time", fields[0], now_us))
        elif name == "reset_reader":
            self.reset_asked = True

    def _write(self, now_us, reader, tag):
        if self._hello:
            hello = format_message("hello", PROTOCOL, *self._version, self._buttons, self._board, now_us)
            self._hello = not self._stream.give(hello)
            if self._hello:
                return
        for one in self._waiting:
            if one[2] is None or now_us - one[2] >= REPEAT_US:
                if not self._stream.give(one[1]):
                    return
                one[2] = now_us
        if self._state_us is None or now_us - self._state_us >= STATE_US:
            state = format_message("state", reader, self._last_event, *tag_fields(tag), self.lost, now_us)
            if self._stream.give(state):
                self._state_us = now_us
