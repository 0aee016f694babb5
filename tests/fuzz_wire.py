"""Feed the host's parser with random, cut and glued byte strings: no exception, no tag that no board has told.

    python tests/fuzz_wire.py [COUNT] [SEED]

Half of the strings are noise; the others are frames of a board's talk, cut, glued, with bytes changed, left out or
doubled. A tag may only be told if a whole, unchanged frame with it was sent.
"""

import random
import sys

from pi_app.core.observations import TagRead
from pi_app.link.conversation import Conversation
from pi_app.link.framing import format_frame
from pi_app.link.messages import Hello, Message, State, TagPlaced, ToldTime, format_message, tag_fields
from pi_app.link.wire import MAX_FRAME, PROTOCOL

TAGS = ("04A3C6CA", "04A3C6CAE26180", "04A3C6CBE26180112233")
MS = 1_000_000


class Fuzz:
    """One conversation that hears all of it; `false_tags` were told though no board said them."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)
        self.talk = Conversation()
        self.now_ns = 0
        self.sent: set[str | None] = {None}
        self.told = 0
        self.false_tags: list[str | None] = []

    def run(self, count: int) -> None:
        """Feed so many strings."""
        for _ in range(count):
            self.now_ns += self.source.randrange(1, 30) * MS
            events = self.talk.feed(self._string(), self.now_ns) + self.talk.poll(self.now_ns)
            self.talk.to_send()
            for tag in (event.tag for event in events if isinstance(event, TagRead)):
                self.told += 1
                if tag not in self.sent:
                    self.false_tags.append(tag)
        held = len(self.talk._frames._held)
        assert held < MAX_FRAME, f"{held} bytes are held"

    def _string(self) -> bytes:
        if self.source.random() < 0.5:
            return self.source.randbytes(self.source.randrange(80))
        frames = [format_frame(format_message(self._message())) for _ in range(self.source.randrange(1, 4))]
        glued = bytearray(b"".join(frames))
        if self.source.random() < 0.5:
            self._break(glued)
        return bytes(glued)

    def _break(self, data: bytearray) -> None:
        for _ in range(self.source.randrange(1, 4)):
            at = self.source.randrange(len(data) + 1)
            match self.source.randrange(4):
                case 0:
                    del data[at:]
                case 1:
                    data[at:at] = self.source.randbytes(self.source.randrange(1, 5))
                case 2:
                    del data[at : at + self.source.randrange(1, 5)]
                case _ if at < len(data):
                    data[at] ^= 1 << self.source.randrange(8)

    def _message(self) -> Message:
        up_us = self.now_ns // 1000
        match self.source.randrange(40):
            case 0:
                return Hello(PROTOCOL, 0, 1, 0, 4, bytes(8), up_us)
            case 1 | 2 | 3 | 4 | 5:
                return State(1, self.source.randrange(256), *tag_fields(self._tag()), 0, up_us)
            case 6 | 7 | 8 | 9 | 10:
                return TagPlaced(self.source.randrange(1, 256), *tag_fields(self._tag()), up_us)
            case _:
                return ToldTime(self.talk._token, up_us)

    def _tag(self) -> str:
        tag = self.source.choice(TAGS)
        self.sent.add(tag)
        return tag


if __name__ == "__main__":
    fuzz = Fuzz(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    fuzz.run(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    print(f"{fuzz.told} tags told, {len(fuzz.false_tags)} of them false; {fuzz.talk.garbage} pieces of garbage")
    sys.exit(bool(fuzz.false_tags))
