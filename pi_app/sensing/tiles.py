"""Polls of the claim pad's reader to tiles placed and lifted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pi_app.core.observations import TagRead

EMPTY_POLLS = 4
"""A lying tag may miss every second poll (SER-3); this many misses in a row are a tile taken away."""

TAG_BYTES = (4, 7, 10)
"""Lengths of an ISO/IEC 14443-3 UID."""

CASCADE = "88"
"""First byte of an id whose second selection step was not done (SER-4); no whole id starts with it."""


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """A tile came onto the pad; `tile` is None where the tag is not one of the kit's."""

    tile: str | None
    tag: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class TileLifted:
    """The pad is empty since `at_ns`, the first poll that missed."""

    tag: str
    at_ns: int


@dataclass(slots=True)
class TilePad:
    """Follows one reader; `tiles` maps the tags' full ids (capital hex) to the kit's tile ids.

    `empty_polls`: so many misses are a tile taken away; 1 for a reader that tells changes and no polls. A tag that was
    found after a gap was laid nobody knows when: it is followed, but not placed.
    """

    tiles: Mapping[str, str] = field(default_factory=dict)
    empty_polls: int = EMPTY_POLLS
    _tag: str | None = None
    _misses: int = 0
    _missed_from_ns: int = 0

    def feed(self, read: TagRead) -> list[TilePlaced | TileLifted]:
        """Take one poll; return what changed on the pad, oldest first."""
        if read.tag is None:
            return self._missed(read.at_ns)
        changes = self._seen(read.tag, read.at_ns)
        return [change for change in changes if isinstance(change, TileLifted)] if read.found else changes

    def forget(self) -> None:
        """Take it that the reader is away: what lies on the pad is unknown."""
        self._tag, self._misses = None, 0

    def _seen(self, tag: str, at_ns: int) -> list[TilePlaced | TileLifted]:
        missed, self._misses = self._misses, 0
        if tag == self._tag:
            return []
        left = [] if self._tag is None else [TileLifted(self._tag, self._missed_from_ns if missed else at_ns)]
        self._tag = tag
        return [*left, TilePlaced(self.tiles.get(tag), tag, at_ns)]

    def _missed(self, at_ns: int) -> list[TilePlaced | TileLifted]:
        if self._tag is None:
            return []
        if self._misses == 0:
            self._missed_from_ns = at_ns
        self._misses += 1
        if self._misses < self.empty_polls:
            return []
        tag, self._tag, self._misses = self._tag, None, 0
        return [TileLifted(tag, self._missed_from_ns)]


def tag_problem(tag: str) -> str | None:
    """Return why a tag's id must not be learnt as a tile's, or None where it is whole."""
    try:
        length = len(bytes.fromhex(tag))
    except ValueError:
        return f"tag {tag!r}: wanted hexadecimal digits"
    if length not in TAG_BYTES:
        return f"tag {tag!r}: got {length} bytes, wanted 4, 7 or 10"
    if tag.startswith(CASCADE):
        return f"tag {tag!r}: got only the first part of a longer id, wanted all of it"
    return None
