"""Frames to bytes and back: bytes are fed as they come, cut anywhere; memory is bounded, garbage is counted."""

import binascii
from dataclasses import dataclass, field

from pi_app.link.wire import MAX_FRAME

END = b"\0"
CRC_START = 0xFFFF
CRC_BYTES = 2


def format_frame(body: bytes) -> bytes:
    """Return the bytes that carry a message's body; ValueError where it is too long for the wire."""
    frame = _stuff(body + _crc(body)) + END
    if len(frame) > MAX_FRAME:
        raise ValueError(f"got a body of {len(body)} bytes, which makes a frame of {len(frame)}, wanted {MAX_FRAME}")
    return frame


@dataclass(slots=True)
class Deframer:
    """Finds frames in a stream; `garbage` counts what was between zero bytes and no frame."""

    garbage: int = 0
    _held: bytearray = field(default_factory=bytearray)
    _too_long: bool = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes as they came; return the bodies of the frames they complete."""
        bodies = []
        *ended, rest = data.split(END)
        for piece in ended:
            self._hold(piece)
            body = self._complete()
            if body is not None:
                bodies.append(body)
        self._hold(rest)
        return bodies

    def _hold(self, piece: bytes) -> None:
        if len(self._held) + len(piece) >= MAX_FRAME:
            self._too_long = True
            self._held.clear()
        elif not self._too_long:
            self._held += piece

    def _complete(self) -> bytes | None:
        held, too_long = bytes(self._held), self._too_long
        self._held.clear()
        self._too_long = False
        if not held and not too_long:
            return None
        body = None if too_long else parse_stuffed(held)
        self.garbage += body is None
        return body


def parse_stuffed(stuffed: bytes) -> bytes | None:
    """Return the body in what lay between two zero bytes, or None where it is no whole frame."""
    plain = _unstuff(stuffed)
    if plain is None or len(plain) <= CRC_BYTES:
        return None
    body, crc = plain[:-CRC_BYTES], plain[-CRC_BYTES:]
    return body if crc == _crc(body) else None


def _crc(body: bytes) -> bytes:
    return binascii.crc_hqx(body, CRC_START).to_bytes(CRC_BYTES, "little")


def _stuff(plain: bytes) -> bytes:
    """Return the bytes without zeros: each run up to a zero behind its length plus one (runs are under 254 here)."""
    return b"".join(bytes([len(run) + 1]) + run for run in plain.split(END))


def _unstuff(stuffed: bytes) -> bytes | None:
    runs, at = [], 0
    while at < len(stuffed):
        code = stuffed[at]
        run = stuffed[at + 1 : at + code]
        if code == 0 or len(run) != code - 1 or END in run:
            return None
        runs.append(run)
        at += code
    return END.join(runs)
