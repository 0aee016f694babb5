"""The board's parts by themselves, on MicroPython: prints `ok NAME` for each check, ends at the first fault."""

import json
import sys

from frames import NAMES, Deframer, format_message
from pad import EMPTY_READS, EMPTY_US, Pad
from pn532 import ACK, LIST_TAGS, Pn532, data_of, frame_of, tag_in
from rc522 import Rc522
from sim_rc522 import Chip, Tag
from talk import ROOM, Talk
from umpire_board import Clock

POLL_US = 60000


def check_vectors(path):
    """The bytes of tests/vectors/wire.json, made and read here too."""
    with open(path) as file:
        vectors = json.load(file)
    for vector in vectors:
        frame = bytes.fromhex(vector["frame"])
        fields = vector["fields"]
        order = [fields[name] for name in names_of(vector["message"])]
        values = [bytes.fromhex(value[4:]) if isinstance(value, str) else value for value in order]
        assert format_message(vector["message"], *values) == frame, vector
        found = [message for message in fed(frame) if message]
        assert found == [(vector["message"], tuple(values))], vector
    assert len(vectors) >= len(NAMES)


def names_of(message):
    import wire

    return next(fields for _, name, _, fields in wire.TO_BOARD + wire.TO_HOST if name == message)


def fed(data):
    frames = Deframer()
    return [frames.feed(byte) for byte in data]


def check_garbage():
    frames = Deframer()
    noise = 12345
    for _ in range(20000):
        noise = (noise * 1103515245 + 12345) & 0x7FFFFFFF
        assert frames.feed(noise >> 16 & 0xFF) is None
    assert frames.garbage > 30
    frames.feed(0)
    sent = format_message("ask_time", 77)
    assert [message for message in map(frames.feed, sent) if message] == [("ask_time", (77,))]


def check_ids():
    """SER-4: ids of 4, 7 and 10 bytes in full."""
    for text in ("04A3C6CA", "04A3C6CAE26180", "04A3C6CBE26180", "04A3C6CAE26180112233"):
        chip = Chip()
        reader = Rc522(chip)
        assert not reader.is_healthy()
        reader.reset()
        assert reader.is_healthy()
        assert reader.read_tag() is None
        chip.tags = [Tag(bytes.fromhex(text))]
        for _ in range(3):
            assert reader.read_tag() == bytes.fromhex(text), text
        chip.tags.append(Tag(b"\x01\x02\x03\x04"))
        assert reader.read_tag() is None, "two tags at once"


def check_flicker():
    """SER-3: a lying tag that misses every second poll is placed once and never lifted."""
    chip, pad = Chip(), Pad()
    reader = Rc522(chip)
    reader.reset()
    chip.flicker = True
    chip.tags = [Tag(b"\x04\xa3\xc6\xca")]
    told = []
    for number in range(80):
        told += pad.feed(reader.read_tag(), number * POLL_US)
    assert [name for name, _, _ in told] == ["tag_placed"], told
    chip.tags = []
    for number in range(80, 100):
        told += pad.feed(reader.read_tag(), number * POLL_US)
    assert [name for name, _, _ in told] == ["tag_placed", "tag_lifted"], told
    assert told[1][2] in (79 * POLL_US, 80 * POLL_US), "gone since the first poll that missed"


def check_pad():
    pad, one, other = Pad(), b"\x04\x01\x02\x03", b"\x04\x01\x02\x04"
    assert pad.feed(one, 0) == []
    assert pad.feed(other, 1) == []
    assert pad.feed(one, 2) == []
    assert pad.feed(one, 3) == [("tag_placed", one, 2)]
    assert pad.feed(other, 4) == []
    assert pad.feed(other, 5) == [("tag_lifted", one, 4), ("tag_placed", other, 4)]
    told = [pad.feed(None, 6 + n * EMPTY_US) for n in range(EMPTY_READS)]
    assert told[-1] == [("tag_lifted", other, 6)]
    assert pad.forget(9) == []


class Stream:
    """A host that reads or does not."""

    def __init__(self):
        self.reads, self.sent, self.coming = True, [], []

    def take(self):
        return self.coming.pop(0) if self.coming else None

    def give(self, data):
        if self.reads:
            self.sent += [message for message in fed(data) if message]
        return self.reads


def check_talk():
    """SER-5: while the host does not read, nothing waits and little is kept; afterwards the state is told."""
    stream = Stream()
    talk = Talk(stream, (0, 1, 0), bytes(8), 4)
    talk.step(0, 1, None)
    assert [name for name, _ in stream.sent] == ["hello", "state"]
    stream.reads, stream.sent = False, []
    for number in range(40):
        talk.event("button", 1, number % 2, number)
        talk.step(number * 1000, 1, None)
    assert len(talk._waiting) == ROOM
    stream.reads = True
    talk.step(60000000, 1, b"\x04\xa3\xc6\xca")
    assert [name for name, _ in stream.sent] == ["button"] * ROOM + ["state"]
    assert stream.sent[-1][1][4] == 24, "events lost are counted"
    acknowledged = stream.sent[0][1][0]
    stream.coming = list(format_message("acknowledge", acknowledged))
    stream.sent = []
    talk.step(60300000, 1, None)
    assert len(stream.sent) == ROOM - 1, "what was not acknowledged is repeated"
    stream.coming, stream.sent = list(format_message("ask_time", 9)), []
    talk.step(60300001, 1, None)
    assert stream.sent == [("told_time", (9, 60300001))]


def check_clock():
    """ticks_us wraps at 2**30; the board's clock does not."""
    ticks = [2**30 - 5]

    def difference(later, earlier):
        return (later - earlier + 2**29) % 2**30 - 2**29

    clock = Clock(lambda: ticks[0], difference)
    assert clock() == 0
    ticks[0] = 7
    assert clock() == 12
    assert clock.at(5) == 10


class Pn532Bus:
    """A PN532 that answers what is asked for, at the level of its frames."""

    def __init__(self):
        self.tags, self.silent, self._answers = [], False, []

    def write(self, frame):
        command = frame[6]
        data = {0x02: b"\x32\x01\x06\x07", 0x14: b"", 0x32: b"", 0x4A: self._listed()}[command]
        self._answers = [] if self.silent else [ACK, framed(bytes([command + 1]) + data)]

    def ready(self):
        return bool(self._answers)

    def read(self, count):
        return self._answers.pop(0)[:count]

    def _listed(self):
        found = bytes([len(self.tags)])
        for tag in self.tags:
            found += b"\x01\x00\x44\x00" + bytes([len(tag)]) + tag
        return found


def framed(data):
    data = b"\xd5" + data
    return b"\x00\x00\xff" + bytes([len(data), -len(data) & 0xFF]) + data + bytes([-sum(data) & 0xFF, 0])


def check_pn532():
    bus = Pn532Bus()
    reader = Pn532(bus)
    reader.reset()
    assert reader.is_healthy()
    seven = b"\x04\xa3\xc6\xca\xe2\x61\x80"
    for tags, wanted in (([], None), ([seven], seven), ([b"abcd", b"efgh"], None)):
        bus.tags = tags
        assert reader.read_tag() is None
        assert reader.read_tag() == wanted
    bus.silent = True
    assert reader.read_tag() is None
    assert not reader.is_healthy()
    assert frame_of(b"\x02") == b"\x00\x00\xff\x02\xfe\xd4\x02\x2a\x00"
    assert data_of(b"\x00\x00\xff\x03\xfd\xd5\x4b\x00\xe1\x00", LIST_TAGS) is None
    assert tag_in(b"\x01\x01\x00\x44\x00\x03abc") is None


for name, check in sorted(globals().items()):
    if name.startswith("check_"):
        check(sys.argv[1]) if name == "check_vectors" else check()
        print("ok", name)
