import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.link.framing import Deframer, format_frame, parse_stuffed
from pi_app.link.wire import MAX_FRAME

bodies = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


def fed(pieces: list[bytes]) -> list[bytes]:
    frames = Deframer()
    return [body for piece in pieces for body in frames.feed(piece)]


@given(bodies)
def test_whole_glued_and_byte_by_byte_are_the_same(sent: list[bytes]) -> None:
    stream = b"".join(map(format_frame, sent))
    assert fed([stream]) == sent
    assert fed([stream[at : at + 1] for at in range(len(stream))]) == sent
    assert fed([format_frame(body) for body in sent]) == sent


def test_a_stream_cut_anywhere_gives_the_same_messages() -> None:
    """SER-1: a read that ends in the middle of a message."""
    sent = [b"\x82\x04\xa3\xc6\xca", b"\0\0\0", b"\x90" * 30]
    stream = b"".join(map(format_frame, sent))
    for cut in range(len(stream) + 1):
        assert fed([stream[:cut], stream[cut:]]) == sent


def test_the_next_frame_is_found_after_garbage() -> None:
    frames = Deframer()
    assert frames.feed(b"ls -l\r\n\xff\xfe" + b"\0" + format_frame(b"after")) == [b"after"]
    assert frames.garbage == 1
    assert frames.feed(b"x" * 100_000) == []
    assert frames.feed(b"\0" + format_frame(b"again")) == [b"again"]
    assert frames.garbage == 2


def test_every_changed_bit_is_noticed() -> None:
    frame = format_frame(b"\x90\x01\x04tile")
    for bit in range(8 * len(frame)):
        broken = bytearray(frame)
        broken[bit // 8] ^= 1 << bit % 8
        assert b"\x90\x01\x04tile" not in fed([bytes(broken)])


def test_a_million_random_bytes_are_no_message_and_take_no_room() -> None:
    noise, frames = random.Random(5), Deframer()
    for _ in range(250):
        assert frames.feed(noise.randbytes(4096)) == []
        assert len(frames._held) < MAX_FRAME
    assert frames.garbage > 1000


def test_a_body_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="wanted 64"):
        format_frame(bytes(61))
    assert parse_stuffed(b"\x05ab") is None
    assert parse_stuffed(b"\x03\0b") is None
