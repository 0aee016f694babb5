"""Bytes of any kind: no exception, no false tag (tests/fuzz_wire.py feeds as many as one likes)."""

from tests.fuzz_wire import Fuzz


def test_broken_talk_tells_no_false_tag() -> None:
    fuzz = Fuzz(7)
    fuzz.run(4000)
    assert fuzz.false_tags == []
    assert fuzz.told > 50, "whole frames are understood"
    assert fuzz.talk.garbage > 1000


def test_the_check_can_fail() -> None:
    fuzz = Fuzz(7)
    fuzz._tag = lambda: "04A3C6CAE26180"  # type: ignore[method-assign]  # said, but not noted as sent
    fuzz.run(2000)
    assert fuzz.false_tags
