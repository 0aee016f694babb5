"""Frames of the wire on the board: the same bytes as pi_app/link/framing.py, on MicroPython."""

import struct

from wire import MAX_FRAME, TO_BOARD, TO_HOST

NUMBERS = {name: (number, layout, len(fields)) for number, name, layout, fields in TO_BOARD + TO_HOST}
NAMES = {number: (name, layout) for number, name, layout, _ in TO_BOARD + TO_HOST}


def crc16(data):
    """Return CRC-16/CCITT of bytes, started with 0xFFFF."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def format_message(name, *fields):
    """Return the frame of a message, its zero byte included."""
    number, layout, count = NUMBERS[name]
    if len(fields) != count:
        raise ValueError("%s: got %d fields, wanted %d" % (name, len(fields), count))
    body = bytes([number]) + struct.pack(layout, *fields)
    return stuff(body + struct.pack("<H", crc16(body))) + b"\0"


def parse_message(stuffed):
    """Return (name, fields) of what lay between two zero bytes, or None where it is no message."""
    plain = unstuff(stuffed)
    if plain is None or len(plain) < 3:
        return None
    body = plain[:-2]
    if struct.unpack("<H", plain[-2:])[0] != crc16(body) or body[0] not in NAMES:
        return None
    name, layout = NAMES[body[0]]
    if len(body) != 1 + struct.calcsize(layout):
        return None
    return name, struct.unpack(layout, body[1:])


def stuff(plain):
    """Return the bytes without zeros (COBS; runs are shorter than 254 here)."""
    return b"".join([bytes([len(run) + 1]) + run for run in plain.split(b"\0")])


def unstuff(stuffed):
    """Return the bytes behind COBS, or None where they are none."""
    runs, at = [], 0
    while at < len(stuffed):
        code = stuffed[at]
        run = stuffed[at + 1 : at + code]
        if code == 0 or len(run) != code - 1 or b"\0" in run:
            return None
        runs.append(run)
        at += code
    return b"\0".join(runs)


class Deframer:
    """Finds frames in bytes that come one by one; holds at most one frame."""

    def __init__(self):
        self.garbage = 0
        self._held = bytearray()
        self._too_long = False

    def feed(self, byte):
        """Take one byte; return a message that it completes, or None."""
        if byte:
            if len(self._held) >= MAX_FRAME - 1:
                self._too_long = True
            else:
                self._held.append(byte)
            return None
        held, too_long = bytes(self._held), self._too_long
        self._held, self._too_long = bytearray(), False
        message = None if too_long else parse_message(held)
        if message is None and (held or too_long):
            self.garbage += 1
        return message
