"""An RC522 with tags on it, at the level of its registers (MicroPython): what the driver's bus reads and writes."""

from rc522 import (
    BIT_FRAMING,
    COM_IRQ,
    COMMAND,
    CONTROL,
    ERROR,
    FIFO_DATA,
    FIFO_LEVEL,
    HALT,
    SELECT,
    SOFT_RESET,
    TRANSCEIVE,
    TX_CONTROL,
    VERSION,
    WAKE_UP,
    crc_a,
)

REQUEST = 0x26


class Tag:
    """A tag by ISO/IEC 14443-3 type A: idle, then ready at some level, then active or halted."""

    def __init__(self, uid):
        parts = {4: [uid], 7: [b"\x88" + uid[:3], uid[3:]], 10: [b"\x88" + uid[:3], b"\x88" + uid[3:6], uid[6:]]}
        self._levels = [part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]]) for part in parts[len(uid)]]
        self._level = None
        self._halted = False

    def hear(self, data, bits):
        """Return what the tag answers, or None."""
        if bits == 7 and data in (bytes([WAKE_UP]), bytes([REQUEST])):
            if self._halted and data[0] == REQUEST:
                return None
            self._level, self._halted = 0, False
            return b"\x44\x00"
        if self._level is None or bits:
            return None
        if data[:2] == bytes([HALT, 0]):
            self._level, self._halted = None, True
            return None
        return self._chosen(data)

    def _chosen(self, data):
        if self._level >= len(self._levels) or data[0] != SELECT[self._level]:
            self._level = None
            return None
        part = self._levels[self._level]
        if data[1:] == b"\x20":
            return part
        if data[1:2] == b"\x70" and data[2:7] == part and data[7:] == crc_a(data[:7]):
            self._level += 1
            sak = b"\x00" if self._level == len(self._levels) else b"\x04"
            return sak + crc_a(sak)
        return None


class Chip:
    """The registers; `dead`: nothing answers on the bus. A tag may miss every second waking (`flicker`)."""

    def __init__(self):
        self.tags = []
        self.dead = self.flicker = False
        self._wakings = 0
        self._power_up()

    def brown_out(self):
        """Lose every setting, as when the supply dips."""
        self._power_up()

    def read(self, register):
        """Return a register, as the bus would."""
        if self.dead:
            return 0
        if register == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        return self._registers[register]

    def write(self, register, value):
        """Set a register, as the bus would."""
        if self.dead:
            return
        if register == FIFO_DATA:
            self._fifo.append(value)
        elif register == FIFO_LEVEL:
            self._fifo = [] if value & 0x80 else self._fifo
        elif register == COM_IRQ:
            self._registers[COM_IRQ] = self._registers[COM_IRQ] & ~value if not value & 0x80 else value
        elif register == COMMAND and value == SOFT_RESET:
            self._power_up()
        else:
            self._registers[register] = value
        if register == BIT_FRAMING and value & 0x80 and self._registers[COMMAND] == TRANSCEIVE:
            self._exchange(bytes(self._fifo), value & 0x07)

    def _power_up(self):
        self._registers, self._fifo = [0] * 64, []
        self._registers[VERSION], self._registers[TX_CONTROL] = 0x92, 0x80

    def _exchange(self, data, bits):
        self._fifo = []
        registers = self._registers
        registers[ERROR] = registers[CONTROL] = 0
        heard = [tag.hear(data, bits) for tag in self.tags if registers[TX_CONTROL] & 0x03 == 0x03]
        answers = [answer for answer in heard if answer is not None]
        if bits == 7 and self.flicker:
            self._wakings += 1
            answers = answers if self._wakings % 2 else []
        if not answers:
            registers[COM_IRQ] |= 0x01  # the timer ran out
            return
        registers[COM_IRQ] |= 0x20
        if len(set(answers)) > 1:
            registers[ERROR] = 0x08  # two tags answered differently
        self._fifo = list(answers[0])
