"""The board's USB serial port, which is its standard input and output."""

import select
import sys

import micropython


class UsbStream:
    """The USB serial port; neither reading nor writing waits."""

    def __init__(self):
        micropython.kbd_intr(-1)
        self._in, self._out = select.poll(), select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out.register(sys.stdout, select.POLLOUT)

    def take(self):
        """Return the next byte that came, or None."""
        return sys.stdin.buffer.read(1)[0] if self._in.poll(0) else None

    def give(self, data):
        """Write, or return False where the host does not read."""
        if not self._out.poll(0):
            return False
        sys.stdout.buffer.write(data)
        return True
