"""RC522 reader (NXP MFRC522 data sheet, rev. 3.9): the full id of the tag on it, by ISO/IEC 14443-3 type A.

The bus object has `read(register)` and `write(register, value)`; `SpiBus` is the one on real pins.
"""

COMMAND, COM_IRQ, ERROR, STATUS2, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x06, 0x08, 0x09, 0x0A
CONTROL, BIT_FRAMING, COLL, MODE, TX_CONTROL, TX_ASK = 0x0C, 0x0D, 0x0E, 0x11, 0x14, 0x15
RF_GAIN, T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, VERSION = 0x26, 0x2A, 0x2B, 0x2C, 0x2D, 0x37

IDLE, TRANSCEIVE, SOFT_RESET = 0x00, 0x0C, 0x0F
WAKE_UP, HALT = 0x52, 0x50
SELECT = (0x93, 0x95, 0x97)
CASCADE = 0x88
WAITS = 250
"""Register reads before an answer is given up: more than the chip's own 25 ms time-out can take at 1 MHz."""


class SpiBus:
    """Registers over SPI (data sheet 8.1.2): address in bits 6..1, bit 7 for reading."""

    def __init__(self, spi, select):
        self._spi, self._select = spi, select
        self._out, self._in = bytearray(2), bytearray(2)
        select(1)

    def read(self, register):
        """Return a register's value."""
        self._out[0], self._out[1] = 0x80 | register << 1, 0
        self._select(0)
        self._spi.write_readinto(self._out, self._in)
        self._select(1)
        return self._in[1]

    def write(self, register, value):
        """Set a register."""
        self._out[0], self._out[1] = register << 1, value
        self._select(0)
        self._spi.write(self._out)
        self._select(1)


def crc_a(data):
    """Return CRC_A of bytes (ISO/IEC 14443-3 annex B), low byte first."""
    crc = 0x6363
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return bytes([crc & 0xFF, crc >> 8])


class Rc522:
    """One reader; every call ends within some milliseconds."""

    def __init__(self, bus):
        self._bus = bus

    def reset(self):
        """Set the chip up anew and switch its field on."""
        write = self._bus.write
        write(COMMAND, SOFT_RESET)
        for _ in range(WAITS):
            if not self._bus.read(COMMAND) & 0x10:
                break
        for register, value in (
            (T_MODE, 0x80),
            (T_PRESCALER, 0xA9),
            (T_RELOAD_H, 0x00),
            (T_RELOAD_L, 0xFA),  # 25 us x 250 = 6 ms
            (TX_ASK, 0x40),
            (MODE, 0x3D),
            (RF_GAIN, 0x60),
            (COLL, 0x00),
        ):
            write(register, value)
        write(TX_CONTROL, self._bus.read(TX_CONTROL) | 0x03)

    def is_healthy(self):
        """Return whether a chip answers and its field is on: neither loose wires nor a brown-out."""
        return self._bus.read(VERSION) not in (0x00, 0xFF) and self._bus.read(TX_CONTROL) & 0x03 == 0x03

    def read_tag(self):
        """Return the id of the one tag in the field, 4, 7 or 10 bytes; None for none, or two at once."""
        answer = self._exchange(bytes([WAKE_UP]), bits=7)
        if answer is None or len(answer) != 2:
            return None
        tag = self._selected()
        self._exchange(bytes([HALT, 0]) + crc_a(bytes([HALT, 0])))
        return tag

    def _selected(self):
        """Return the id, level by level: a level that begins with the cascade byte is not the last."""
        tag = b""
        for level in SELECT:
            part = self._exchange(bytes([level, 0x20]))
            if part is None or len(part) != 5 or part[0] ^ part[1] ^ part[2] ^ part[3] ^ part[4]:
                return None
            chosen = bytes([level, 0x70]) + part
            known = self._exchange(chosen + crc_a(chosen))
            if known is None or len(known) != 3 or crc_a(known[:1]) != known[1:]:
                return None
            if not known[0] & 0x04:
                return None if part[0] == CASCADE and not tag else tag + part[:4]
            if part[0] != CASCADE:
                return None
            tag += part[1:4]
        return None

    def _exchange(self, data, bits=0):
        """Send bytes (the last one `bits` long, 0 for whole) and return the answer, or None."""
        read, write = self._bus.read, self._bus.write
        write(COMMAND, IDLE)
        write(COM_IRQ, 0x7F)
        write(FIFO_LEVEL, 0x80)
        for byte in data:
            write(FIFO_DATA, byte)
        write(COMMAND, TRANSCEIVE)
        write(BIT_FRAMING, 0x80 | bits)
        for _ in range(WAITS):
            irq = read(COM_IRQ)
            if irq & 0x31:  # received, idle or timer
                break
        write(BIT_FRAMING, bits)
        if not irq & 0x20 or read(ERROR) & 0x1B:  # overflow, collision, parity, protocol
            return None
        if read(CONTROL) & 0x07:
            return None
        return bytes([read(FIFO_DATA) for _ in range(min(read(FIFO_LEVEL), 32))])
