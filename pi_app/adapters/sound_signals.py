"""The signals as data: what each sound is, told apart by rhythm alone, by pitch for those who hear it.

Pitches lie where small piezos are loud enough and ears that have lost the highest tones still hear them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pi_app.core.effects import Sound


@dataclass(frozen=True, slots=True)
class Note:
    """A tone of `hz`, or a rest where that is None."""

    hz: float | None
    length_s: float


def _beats(*beats: tuple[float | None, int]) -> tuple[Note, ...]:
    """Return notes from Hz and milliseconds."""
    return tuple(Note(hz, ms / 1000) for hz, ms in beats)


C6, E6, G6, A6, C7 = 1046.5, 1318.5, 1568.0, 1760.0, 2093.0
"""Equal temperament, A4 = 440 Hz."""
A5, D5 = 880.0, 587.3

SIGNALS: dict[Sound, tuple[Note, ...]] = {
    Sound.STONE: _beats((A6, 60)),
    Sound.CARD: _beats((A6, 80), (None, 80), (A6, 80)),
    Sound.JOINED: _beats((G6, 150)),
    Sound.START: _beats((E6, 150), (G6, 150)),
    Sound.CLAIM: _beats(*((C7, 60), (None, 60)) * 3, (C7, 60)),
    Sound.PASS: _beats((C6, 100), (None, 80), (G6, 300)),
    Sound.FAIL: _beats((A5, 400), (None, 100), (D5, 400)),
    Sound.ASK: _beats((E6, 150), (None, 150), (E6, 150), (None, 150), (G6, 150)),
    Sound.VOILA: _beats((G6, 80), (None, 60), (G6, 80), (None, 60), (C7, 400)),
    Sound.STOP: _beats((A6, 250), (A5, 250), (A6, 250), (A5, 250)),
    Sound.WINNER: _beats((C6, 150), (None, 70), (E6, 150), (None, 70), (G6, 150), (None, 70), (C7, 600)),
}

_FIRST = (Sound.STOP, Sound.VOILA, Sound.CLAIM)


def importance(sound: Sound) -> int:
    """Return what may not wait: stop before voilà before claim before the rest."""
    return len(_FIRST) - _FIRST.index(sound) if sound in _FIRST else 0


def beats(notes: Sequence[Note]) -> list[tuple[float, float]]:
    """Return from when to when it sounds, in seconds: tones that follow each other without a rest are one beat."""
    found: list[tuple[float, float]] = []
    now_s = 0.0
    for note in notes:
        end_s = now_s + note.length_s
        if note.hz is not None:
            joined = bool(found) and found[-1][1] == now_s
            found.append((found.pop()[0] if joined else now_s, end_s))
        now_s = end_s
    return found
