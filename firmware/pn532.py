"""PN532 reader (NXP PN532 user manual UM0701-02): the full id of the tag on it, as the second choice to an RC522.

The bus object has `write(frame)`, `ready()` and `read(count)`; `SpiBus` is the one on real pins. One call starts a
question, the next ones ask for its answer, so that nothing waits for the chip.
"""

TO_CHIP, FROM_CHIP = 0xD4, 0xD5
GET_VERSION, SET_SAM, SET_RETRIES, LIST_TAGS = 0x02, 0x14, 0x32, 0x4A
ACK = b"\x00\x00\xff\x00\xff\x00"
WAITS = 200


def frame_of(command):
    """Return the frame that carries a command's bytes."""
    data = bytes([TO_CHIP]) + command
    length = len(data)
    head = bytes([0x00, 0x00, 0xFF, length, -length & 0xFF])
    return head + data + bytes([-sum(data) & 0xFF, 0x00])


def data_of(frame, command):
    """Return an answer's bytes behind its command's number, or None where the frame is none."""
    if frame[:3] != b"\x00\x00\xff" or len(frame) < 7:
        return None
    length = frame[3]
    data = frame[5 : 5 + length]
    if (length + frame[4]) & 0xFF or len(data) != length or len(frame) < 6 + length:
        return None
    if (sum(data) + frame[5 + length]) & 0xFF or data[:2] != bytes([FROM_CHIP, command + 1]):
        return None
    return data[2:]


class SpiBus:
    """Frames over SPI, low bit first by turning every byte round (UM0701-02, 6.2.5)."""

    def __init__(self, spi, select):
        self._spi, self._select = spi, select
        select(1)

    def write(self, frame):
        """Send a frame."""
        self._talk(bytes([0x01]) + frame, 0)

    def ready(self):
        """Return whether the chip has something to say."""
        return bool(self._talk(b"\x02", 1)[0] & 0x01)

    def read(self, count):
        """Return so many bytes of what the chip says."""
        return self._talk(b"\x03", count)

    def _talk(self, out, count):
        self._select(0)
        self._spi.write(bytes([turned(byte) for byte in out]))
        answer = self._spi.read(count) if count else b""
        self._select(1)
        return bytes([turned(byte) for byte in answer])


def turned(byte):
    """Return a byte with its bits in the other order."""
    return int("{:08b}".format(byte)[::-1], 2)


class Pn532:
    """One reader; every call ends within some milliseconds."""

    def __init__(self, bus):
        self._bus = bus
        self._asked = False
        self._silent = 0

    def reset(self):
        """Set the chip up anew: no waking pins, and one try for a tag instead of for ever."""
        self._asked, self._silent = False, 0
        self._command(bytes([SET_SAM, 0x01, 0x00, 0x00]), 8)
        self._command(bytes([SET_RETRIES, 0x05, 0xFF, 0x01, 0x01]), 8)

    def is_healthy(self):
        """Return whether the chip answers."""
        if self._asked:
            return self._silent < WAITS
        version = self._command(bytes([GET_VERSION]), 12)
        return version is not None and len(version) == 4

    def read_tag(self):
        """Return the id of the one tag in the field; None for none, or while the chip still looks."""
        if not self._asked:
            self._bus.write(frame_of(bytes([LIST_TAGS, 0x01, 0x00])))
            self._asked = self._acknowledged()
            return None
        if not self._bus.ready():
            self._silent += 1
            return None
        self._asked, self._silent = False, 0
        return tag_in(data_of(self._bus.read(32), LIST_TAGS))

    def _command(self, command, count):
        self._bus.write(frame_of(command))
        if not self._acknowledged():
            return None
        for _ in range(WAITS):
            if self._bus.ready():
                return data_of(self._bus.read(count), command[0])
        return None

    def _acknowledged(self):
        for _ in range(WAITS):
            if self._bus.ready():
                return self._bus.read(6) == ACK
        return False


def tag_in(found):
    """Return the id in the chip's list of tags (UM0701-02, 7.3.5), or None where it holds not just one."""
    if not found or found[0] != 1 or len(found) < 6:
        return None
    length = found[5]
    tag = found[6 : 6 + length]
    return tag if length in (4, 7, 10) and len(tag) == length else None
