"""The wire between the umpire and its reader board: every message in one table, read by both ends.

This file runs on CPython and on MicroPython; `umpire firmware install` copies it to the board as it is. A frame is one
message's number and fields (little endian, no padding), CRC-16/CCITT (start 0xFFFF, low byte first), the whole in
COBS (Cheshire and Baker, 1999), then a zero byte. A zero byte never occurs inside a frame, so both ends find the next
frame after any garbage.
"""

PROTOCOL = 1

MAX_FRAME = 64
"""Bytes from one zero byte to the next; anything longer is garbage."""

TAG_BYTES = 10
"""Room for the longest id (ISO/IEC 14443-3); a shorter one is filled up with zeros."""

TO_BOARD = (
    # number, name, struct, fields
    (0x01, "ask_hello", "<", ()),
    (0x02, "acknowledge", "<B", ("event",)),
    (0x03, "ask_time", "<H", ("token",)),
    (0x04, "reset_reader", "<", ()),
)

TO_HOST = (
    # up_us: microseconds since the board started, at the moment the message tells of.
    (0x81, "hello", "<BBBBB8sQ", ("protocol", "major", "minor", "patch", "buttons", "board", "up_us")),
    (0x82, "told_time", "<HQ", ("token", "up_us")),
    (0x83, "state", "<BBB10sHQ", ("reader", "last_event", "tag_length", "tag", "lost", "up_us")),
    # Events are numbered and repeated until acknowledged.
    (0x90, "tag_placed", "<BB10sQ", ("event", "tag_length", "tag", "up_us")),
    (0x91, "tag_lifted", "<BB10sQ", ("event", "tag_length", "tag", "up_us")),
    (0x92, "button", "<BBBQ", ("event", "button", "pressed", "up_us")),
)

EVENTS = ("tag_placed", "tag_lifted", "button")

READER_STATES = ("starting", "ready", "dead")
"""What `reader` of a state message counts from 0; "ready" with `tag_length` 0 is an empty pad, "dead" is none."""

LAST_EVENT = 255
"""Events are numbered 1, 2 .. 255, 1 ..; 0 is the one before the first."""
