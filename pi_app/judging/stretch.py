"""Stretches of standing: from when to when a structure stood whole and free, and what ended it.

A sighting says how one picture differs from the structure seen whole and free. Sightings in which it is whole and free
are clear; runs of others between them are interruptions. An interruption ends the standing when a hand rests at the
structure, or when a part moved; something that only passes in front does not.
"""

from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

HOLD_NS = 250_000_000
"""A thing at the structure that rests this long holds it; a passing arm turns round faster."""
LEAVE_NS = 500_000_000
"""A hand that lets go has left the structure's outline within this time, unless it is seen to rest there."""
LEAVING_NS = 120_000_000
"""A hand seen this long in front of parts that were in their place all the time has left them when it is gone."""
GAP_NS = 300_000_000
"""A longer gap between pictures hides too much to vouch for."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One picture against the structure seen whole.

    `covered`: part of it looks different, not merely lit differently, or something from outside reaches it (`reached`).
    `gone`: a part is not where it was. `hidden`: a part cannot be seen. `stirred`: what covers it, or is next to it,
    moved since the picture before. `hand`: the gate saw a hand near it.
    """

    at_ns: int
    covered: bool = False
    gone: bool = False
    hidden: bool = False
    reached: bool = False
    stirred: bool = False
    hand: bool = False


class End(Enum):
    """How a stretch of standing ended; OPEN while it lasts, PENDING while what interrupts it may only be passing."""

    OPEN = auto()
    PENDING = auto()
    TOUCHED = auto()
    MOVED = auto()
    UNSEEN = auto()


@dataclass(frozen=True, slots=True)
class Stretch:
    """The structure stood whole and free from `from_ns` at least until `to_ns`, at most until `until_ns`."""

    from_ns: int
    to_ns: int
    end: End
    until_ns: int
    handled: bool = False

    @property
    def length_ns(self) -> int:
        """How long it stood."""
        return self.to_ns - self.from_ns


def stretches(sightings: list[Sighting]) -> list[Stretch]:
    """Return the stretches of standing in order; sightings in order of time, all against one structure."""
    found: list[Stretch] = []
    start = sightings[0].at_ns if sightings and not sightings[0].covered else None
    index, count = 0, len(sightings)
    while index < count:
        run = _run_end(sightings, index)
        event, after = sightings[index:run], sightings[run].at_ns if run < count else None
        if not event[0].covered:
            start = _stand(event if after is None else [*event, sightings[run]], start, found)
        else:
            end = _ends(event, over=after is not None)
            if start is not None and end is not None:
                found.append(_ended(start, event, end))
            if start is None or end is not None:
                start = None if after is None else released_ns(event, after)
        index = run
    if start is not None and not sightings[-1].covered:
        found.append(Stretch(start, sightings[-1].at_ns, End.OPEN, sightings[-1].at_ns))
    return found


def _stand(clear: list[Sighting], start: int | None, found: list[Stretch]) -> int | None:
    """Return since when it stands after clear sightings; too long a gap between pictures ends a stretch."""
    for earlier, later in pairwise(clear):
        if start is not None and later.at_ns - earlier.at_ns > GAP_NS:
            found.append(Stretch(start, earlier.at_ns, End.UNSEEN, later.at_ns))
            start = later.at_ns
    return start


def _ended(start: int, event: list[Sighting], end: End) -> Stretch:
    touched = next((sight.at_ns for sight in event if sight.gone or not sight.stirred), event[-1].at_ns)
    return Stretch(start, event[0].at_ns, end, touched, any(sight.hand for sight in event))


def released_ns(event: list[Sighting], after_ns: int) -> int | None:
    """Return when the hand let go, from the pictures of its being at the structure and the time it was off.

    With the parts in place a hand rests, opens and leaves. The moment it opens is the first motion after the first rest
    with the parts in place; a long rest later means that it held them again. None where a hand was there and was not
    seen to leave: the picture taken for a free structure may show it.
    """
    placed = _placed(event, after_ns)
    rests = _rests(event, placed)
    held = [rest for rest in rests if event_time(event, rest[1], after_ns) - event[rest[0]].at_ns >= HOLD_NS]
    if held or rests:
        return event_time(event, (held[-1] if held else rests[0])[1], after_ns)
    if placed == 0 and after_ns - event[0].at_ns >= LEAVING_NS:
        return event[0].at_ns
    return None if any(sight.hand or sight.reached for sight in event[-5:]) else after_ns


def event_time(event: list[Sighting], index: int, after_ns: int) -> int:
    """Return the time of a sighting of an event; past its end, the time after it."""
    return event[index].at_ns if index < len(event) else after_ns


def _run_end(sightings: list[Sighting], index: int) -> int:
    """Return the index past the run that begins at `index`; one clear picture among covered ones ends no run."""
    covered = sightings[index].covered
    while index < len(sightings) and (sightings[index].covered == covered or (covered and _lone(sightings, index))):
        index += 1
    return index


def _lone(sightings: list[Sighting], index: int) -> bool:
    return index + 1 < len(sightings) and sightings[index + 1].covered


def _ends(event: list[Sighting], *, over: bool) -> End | None:
    """Return how an interruption ended the standing; None where it only passed and all is as before."""
    if any(sight.gone and not (over and (sight.reached or sight.hand)) for sight in event):
        return End.MOVED
    if rested_ns(event) >= HOLD_NS:
        return End.TOUCHED
    return None if over else End.PENDING


def rested_ns(event: list[Sighting]) -> int:
    """Return the longest time that what covers the structure did not stir."""
    longest, since = 0, event[0].at_ns
    for sight in event:
        since = sight.at_ns if sight.stirred else since
        longest = max(longest, sight.at_ns - since)
    return longest


def _placed(event: list[Sighting], after_ns: int) -> int:
    """Return the index from which on every part was, or may have been, in its place."""
    sure = may = len(event)
    while may and not event[may - 1].gone:
        may -= 1
    while sure and not event[sure - 1].gone and not event[sure - 1].hidden:
        sure -= 1
    late = sum(sight.at_ns < after_ns - LEAVE_NS for sight in event)
    return max(may, min(sure, late))


def _rests(event: list[Sighting], first: int) -> list[tuple[int, int]]:
    """Return first and past-last index of every run of sightings from `first` on that did not stir."""
    rests: list[tuple[int, int]] = []
    index = first
    while index < len(event):
        end = index
        while end < len(event) and not event[end].stirred:
            end += 1
        if end > index:
            rests.append((index, end))
        index = end + 1
    return rests
