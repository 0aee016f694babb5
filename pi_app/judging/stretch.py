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
SEEN_NS = 250_000_000
"""A hand the gate saw at the structure all this time is one that it sees: when it is no more seen there it has left."""
GOING_NS = 75_000_000
"""A hand seen this long beside a clear structure, and then no more, has left."""
OPENING_NS = 130_000_000
"""How long after the last part is in place a hand lets go that does not rest."""
PASSING_NS = 1_200_000_000
"""An arm passes in less; in more a part may be taken away and put back."""
WAVER_NS = 150_000_000
"""Edges that a hand's shadow hides for this long while it leaves are not gone."""
GAP_NS = 400_000_000
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
    """The structure stood whole and free from `from_ns` at least until `to_ns`, at most until `until_ns`.

    `sure_ns`: by then the hand was off it for sure; later than `from_ns` where the moment it let go is an estimate.
    """

    from_ns: int
    to_ns: int
    end: End
    until_ns: int
    handled: bool = False
    sure_ns: int = 0

    @property
    def length_ns(self) -> int:
        """How long it stood."""
        return self.to_ns - self.from_ns


@dataclass(frozen=True, slots=True)
class Start:
    """When a structure began to stand, and by when it did for sure."""

    at_ns: int
    sure_ns: int


def stretches(sightings: list[Sighting], wrong_ns: int = 0) -> list[Stretch]:
    """Return the stretches of standing in order; sightings in order of time, all against one structure.

    `wrong_ns`: it was last read as wrong then, so that the next hands at it made it right, however small the change.
    """
    found: list[Stretch] = []
    righted = wrong_ns == 0
    start = _start(sightings[0].at_ns) if sightings and not sightings[0].covered else None
    index, count = 0, len(sightings)
    while index < count:
        run = _run_end(sightings, index)
        event, after = sightings[index:run], sightings[run].at_ns if run < count else None
        if not event[0].covered:
            start = _stand(event if after is None else [*event, sightings[run]], start, found)
        else:
            end = _ends(event, over=after is not None)
            if not righted and event[-1].at_ns > wrong_ns and any(sight.hand for sight in event):
                righted, start = True, None
            if start is not None and end is not None:
                found.append(_ended(start, event, end))
            if start is None or end is not None:
                start = None if after is None else released(event, sightings[run : _run_end(sightings, run)])
        index = run
    if start is not None and not sightings[-1].covered:
        last_ns = sightings[-1].at_ns
        found.append(Stretch(start.at_ns, last_ns, End.OPEN, last_ns, sure_ns=start.sure_ns))
    return found


def _start(at_ns: int) -> Start:
    return Start(at_ns, at_ns)


def _stand(clear: list[Sighting], start: Start | None, found: list[Stretch]) -> Start | None:
    """Return since when it stands after clear sightings; too long a gap between pictures ends a stretch."""
    for earlier, later in pairwise(clear):
        if start is not None and later.at_ns - earlier.at_ns > GAP_NS:
            found.append(Stretch(start.at_ns, earlier.at_ns, End.UNSEEN, later.at_ns, sure_ns=start.sure_ns))
            start = _start(later.at_ns)
    return start


def _ended(start: Start, event: list[Sighting], end: End) -> Stretch:
    touched = next((sight.at_ns for sight in event if sight.gone or not sight.stirred), event[-1].at_ns)
    handled = any(sight.hand for sight in event)
    return Stretch(start.at_ns, event[0].at_ns, end, touched, handled, start.sure_ns)


def released(event: list[Sighting], clear: list[Sighting]) -> Start | None:
    """Return when the hand let go, from the pictures of its being at the structure and the clear ones after them.

    With the parts in place a hand rests, opens and leaves. The moment it opens is the first motion after the first rest
    with the parts in place; a long rest later means that it held them again. Where it never rests it opens a moment
    after they are in place. None where a hand was there and was not seen to leave: the picture taken for a free
    structure may show it.
    """
    after_ns = clear[0].at_ns
    placed = _placed(event, after_ns)
    rests = _rests(event, placed)
    held = [rest for rest in rests if event_time(event, rest[1], after_ns) - event[rest[0]].at_ns >= HOLD_NS]
    if held or rests:
        return _start(event_time(event, (held[-1] if held else rests[0])[1], after_ns))
    if placed == 0 and after_ns - event[0].at_ns >= LEAVING_NS and any(sight.hand for sight in event):
        return _start(event[0].at_ns)
    if _is_seen(event, after_ns) or _is_leaving(clear):
        in_place = next((sight.at_ns for sight in event[placed:] if not sight.hidden and not sight.gone), after_ns)
        return Start(min(after_ns, in_place + OPENING_NS), after_ns)
    return None if any(sight.hand or sight.reached for sight in event[-5:]) else _start(after_ns)


def _is_seen(event: list[Sighting], after_ns: int) -> bool:
    """Return whether the gate saw the hand at the structure all the time until it was gone."""
    late = [sight for sight in event if sight.at_ns >= after_ns - SEEN_NS - LEAVING_NS]
    return bool(late) and late[-1].at_ns - late[0].at_ns >= SEEN_NS and all(sight.hand for sight in late)


def _is_leaving(clear: list[Sighting]) -> bool:
    """Return whether the gate sees the hand go away from the clear structure."""
    near = next((index for index, sight in enumerate(clear) if not sight.hand), 0)
    return near > 0 and clear[near].at_ns - clear[0].at_ns >= GOING_NS


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
    passed = over and event[-1].at_ns - event[0].at_ns < PASSING_NS and any(sight.hand for sight in event)
    if any(sight.gone and not (passed or (over and (sight.reached or sight.hand))) for sight in event):
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
    wavers = after_ns - WAVER_NS
    while may and (not event[may - 1].gone or (event[may - 1].hand and event[may - 1].at_ns >= wavers)):
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
        if any(sight.hand or sight.reached for sight in event[index:end]):
            rests.append((index, end))
        index = end + 1
    return rests
