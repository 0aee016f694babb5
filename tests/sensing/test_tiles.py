"""Tiles placed on and lifted from the claim pad."""

import pytest

from pi_app.core.observations import TagRead
from pi_app.sensing.tiles import EMPTY_POLLS, TileLifted, TilePad, TilePlaced, tag_problem

CAT, DOG = "04A3C6CAE26180", "04A3C6CBE26180"
TILES = {CAT: "cat", DOG: "dog"}


def _polls(pad: TilePad, *tags: str | None) -> list[TilePlaced | TileLifted]:
    return [change for at_ns, tag in enumerate(tags) for change in pad.feed(TagRead(tag, at_ns))]


def test_a_tag_that_misses_every_second_poll_lies_still() -> None:
    """SER-3: one placed, no lifted; then ten misses: one lifted, stamped at the first miss."""
    pad = TilePad(TILES)
    assert _polls(pad, *[CAT, None] * 25) == [TilePlaced("cat", CAT, 0)]
    assert _polls(pad, CAT, *[None] * 10) == [TileLifted(CAT, 1)]


def test_lifting_takes_the_documented_number_of_misses() -> None:
    pad = TilePad(TILES)
    assert _polls(pad, CAT, *[None] * (EMPTY_POLLS - 1)) == [TilePlaced("cat", CAT, 0)]
    assert pad.feed(TagRead(None, 99)) == [TileLifted(CAT, 1)]


def test_tags_alike_in_their_first_bytes_are_two_tiles() -> None:
    """SER-4: the whole id tells."""
    changes = _polls(TilePad(TILES), CAT, DOG)
    assert changes == [TilePlaced("cat", CAT, 0), TileLifted(CAT, 1), TilePlaced("dog", DOG, 1)]


def test_a_tile_swapped_between_misses_was_lifted_at_the_first_miss() -> None:
    assert _polls(TilePad(TILES), CAT, None, DOG)[1] == TileLifted(CAT, 1)


def test_an_unknown_tag_is_placed_without_a_tile() -> None:
    assert _polls(TilePad(TILES), "DEADBEEF") == [TilePlaced(None, "DEADBEEF", 0)]


def test_an_empty_pad_stays_silent() -> None:
    assert _polls(TilePad(TILES), *[None] * 20) == []


@pytest.mark.parametrize(
    ("tag", "problem"),
    [
        (CAT, None),
        ("DEADBEEF", None),
        ("8804A3C6", "tag '8804A3C6': got only the first part of a longer id, wanted all of it"),
        ("04A3", "tag '04A3': got 2 bytes, wanted 4, 7 or 10"),
        ("no hex", "tag 'no hex': wanted hexadecimal digits"),
    ],
)
def test_ids_that_are_not_whole_are_refused(tag: str, problem: str | None) -> None:
    assert tag_problem(tag) == problem
