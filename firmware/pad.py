"""Polls of the reader to tags placed and lifted: two equal reads make a tag, a sustained absence ends it."""

EQUAL_READS = 2
EMPTY_READS = 4
EMPTY_US = 350000
"""A lying tag may miss every second poll; it is gone after so many misses in a row that span so long."""


class Pad:
    """Follows what lies on one reader."""

    def __init__(self):
        self.tag = None
        self._new, self._new_reads, self._new_us = None, 0, 0
        self._misses, self._missed_us = 0, 0

    def feed(self, tag, at_us):
        """Take one poll (an id as bytes, or None); return changes as (event name, tag, since_us), oldest first."""
        if tag is None:
            return self._missed(at_us)
        self._misses = 0
        if tag == self.tag:
            self._new_reads = 0
            return []
        if tag != self._new or not self._new_reads:
            self._new, self._new_reads, self._new_us = tag, 0, at_us
        self._new_reads += 1
        return self._seen() if self._new_reads >= EQUAL_READS else []

    def forget(self, at_us):
        """The reader failed: nothing is known to lie there; return the change, if any."""
        self._new_reads = self._misses = 0
        return self._lifted(at_us)

    def _seen(self):
        lifted = self._lifted(self._new_us)
        self.tag, self._new_reads = self._new, 0
        return lifted + [("tag_placed", self.tag, self._new_us)]

    def _missed(self, at_us):
        if not self._misses:
            self._missed_us = at_us
        self._misses += 1
        if self._misses < EMPTY_READS or at_us - self._missed_us < EMPTY_US:
            return []
        self._new_reads = 0
        return self._lifted(self._missed_us)

    def _lifted(self, at_us):
        gone, self.tag = self.tag, None
        return [] if gone is None else [("tag_lifted", gone, at_us)]
