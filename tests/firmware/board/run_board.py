"""The board's program on MicroPython's unix port: `run_board.py CONTROL`; its serial port is standard input and output.

Over the terminal CONTROL come lines that say what happens at the table: place HEX, lift, flicker, dead, alive,
brownout, press N, release N, stop; each is answered with a line `ok PASSES`.
"""

import select
import sys
import time

from buttons import Buttons
from rc522 import Rc522
from sim_rc522 import Chip, Tag
from umpire_board import Board, Clock
from usb import UsbStream


class Port:
    """A terminal as a stream; neither reading nor writing waits."""

    def __init__(self, path):
        self._file = open(path, "r+b")
        self._in, self._out = select.poll(), select.poll()
        self._in.register(self._file, select.POLLIN)
        self._out.register(self._file, select.POLLOUT)

    def take(self):
        return self._file.read(1)[0] if self._in.poll(0) else None

    def give(self, data):
        if not self._out.poll(0):
            return False
        self._file.write(data)
        return True


class Table:
    """What happens at the table, told in lines."""

    def __init__(self, port, chip, buttons):
        self._port, self._chip, self._buttons = port, chip, buttons
        self._line = b""
        self.running = True

    def step(self, passes):
        byte = self._port.take()
        if byte is None:
            return
        if byte != 10:
            self._line += bytes([byte])
            return
        self._do(self._line.decode().split())
        self._line = b""
        self._port.give(b"ok %d\n" % passes)

    def _do(self, words):
        name, chip = words[0], self._chip
        if name == "place":
            chip.tags = [Tag(bytes.fromhex(word)) for word in words[1:]]
        elif name == "lift":
            chip.tags = []
        elif name == "flicker":
            chip.flicker = True
        elif name in ("dead", "alive"):
            chip.dead = name == "dead"
        elif name == "brownout":
            chip.brown_out()
        elif name in ("press", "release"):
            self._buttons.note(int(words[1]), name == "press")
        elif name == "stop":
            self.running = False


def main(control):
    clock = Clock(time.ticks_us, time.ticks_diff)
    chip, buttons = Chip(), Buttons((1, 2, 3, 4), clock, time.ticks_us)
    board = Board(UsbStream(), Rc522(chip), buttons, b"\xe6\x61\x4c\x31\x1b\x7a\x2f\x28")
    table = Table(Port(control), chip, buttons)
    while table.running:
        board.step(clock())
        table.step(board.passes)
        time.sleep_us(500)


main(*sys.argv[1:])
