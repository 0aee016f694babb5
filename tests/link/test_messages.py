import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.link.framing import Deframer, format_frame
from pi_app.link.messages import (
    _CLASSES,
    Acknowledge,
    Button,
    Hello,
    Message,
    MessageError,
    State,
    TagPlaced,
    format_message,
    parse_message,
    tag_fields,
    tag_of,
)
from pi_app.link.wire import TO_BOARD, TO_HOST

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "wire.json").read_text("utf-8"))


def message_of(vector: dict[str, Any]) -> Message:
    given: dict[str, Any] = {
        name: bytes.fromhex(value.removeprefix("hex:")) if isinstance(value, str) else value
        for name, value in vector["fields"].items()
    }
    return _CLASSES[vector["message"]](**given)


def test_values_and_table_have_the_same_fields() -> None:
    table = {name: names for _, name, _, names in (*TO_BOARD, *TO_HOST)}
    assert {name: tuple(field.name for field in fields(kind)) for name, kind in _CLASSES.items()} == table
    assert len({number for number, *_ in (*TO_BOARD, *TO_HOST)}) == len(table)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["message"])
def test_the_bytes_on_the_wire_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    message, frame = message_of(vector), bytes.fromhex(vector["frame"])
    assert format_frame(format_message(message)) == frame
    assert [parse_message(body) for body in Deframer().feed(frame)] == [message]


def test_every_message_has_a_vector() -> None:
    assert {vector["message"] for vector in VECTORS} == set(_CLASSES)


@given(st.binary(max_size=40))
def test_any_body_is_a_message_or_refused(body: bytes) -> None:
    try:
        message = parse_message(body)
    except MessageError:
        return
    assert format_message(message) == body


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (TagPlaced(0, *tag_fields("04A3C6CA"), 1), "event 0"),
        (TagPlaced(1, *tag_fields("04A3C6"), 1), "tag of 3 bytes"),
        (TagPlaced(1, 4, b"\x04\xa3\xc6\xca\x01" + bytes(5), 1), "bytes behind"),
        (State(7, 0, *tag_fields(None), 0, 1), "reader 7"),
        (Button(1, 1, 2, 1), "pressed 2"),
    ],
)
def test_what_no_board_would_say_is_refused(message: Message, why: str) -> None:
    with pytest.raises(MessageError, match=why):
        parse_message(format_message(message))


def test_a_message_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(MessageError, match="acknowledge: got 3 bytes, wanted 2"):
        parse_message(format_message(Acknowledge(3)) + b"\0")


def test_ids_of_all_lengths_are_whole() -> None:
    """SER-4: two ids that differ only behind their first three bytes."""
    for tag in ("04A3C6CA", "04A3C6CAE26180", "04A3C6CBE26180", "04A3C6CAE26180112233"):
        assert tag_of(TagPlaced(1, *tag_fields(tag), 0)) == tag
    assert tag_of(State(1, 0, *tag_fields(None), 0, 0)) is None


def test_a_version_reads_as_people_write_it() -> None:
    assert Hello(1, 0, 3, 11, 4, bytes(8), 0).version == "0.3.11"
