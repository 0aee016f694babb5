"""The signals' player over the simulated speaker: rhythm, importance, staleness, faults, threads."""

import threading
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.adapters.retry import LAST_NS
from pi_app.adapters.sound import PAUSE_S, WAITING, SignalPlayer
from pi_app.adapters.sound_signals import SIGNALS, Note, beats, importance
from pi_app.core.clock import ManualClock, SystemClock
from pi_app.core.effects import DropQuestion, PlaySound, Sound
from pi_app.sim.sound import Heard, SimSpeaker

APART_S = 0.08
"""How long one signal sounds while another does not, at least: enough to tell two rhythms apart."""
LONGEST_S = 1.3


def apart_s(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> float:
    """Return for how long only one of two rhythms sounds, both begun together."""
    both = sum(max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a in one for b in other)
    return sum(end - begin for begin, end in one + other) - 2 * both


def test_the_measure_of_rhythms_can_fail() -> None:
    assert apart_s([(0.0, 0.1)], [(0.0, 0.1)]) == pytest.approx(0.0)
    assert apart_s([(0.0, 0.1), (0.2, 0.3)], [(0.05, 0.25)]) == pytest.approx(0.2)
    joined = (Note(1000.0, 0.1), Note(500.0, 0.1))
    assert beats(joined) == [(0.0, 0.2)], "pitch alone is no rhythm"


def test_every_sound_has_a_signal_that_rhythm_alone_tells_apart() -> None:
    assert set(SIGNALS) == set(Sound)
    for one, other in combinations(Sound, 2):
        gap_s = apart_s(beats(SIGNALS[one]), beats(SIGNALS[other]))
        assert gap_s >= APART_S - 1e-9, (one, other, gap_s)


def test_signals_are_short_and_can_be_heard() -> None:
    for sound, notes in SIGNALS.items():
        assert sum(note.length_s for note in notes) <= LONGEST_S, sound
        assert notes[0].hz is not None, sound
        assert all(note.hz is None or 500 <= note.hz <= 2500 for note in notes), sound


class Table:
    """A player and what it is heard to play, in a time that moves by hand."""

    def __init__(self, volume: float = 0.5, *, muted: bool = False) -> None:
        self.clock = ManualClock()
        self.speaker = SimSpeaker(self.clock)
        self.told: list[str | None] = []
        self.player = SignalPlayer(self.speaker.open, self.clock, self.told.append, volume, muted=muted)

    def run(self, seconds: float = 10.0) -> list[tuple[float, float]]:
        """Let time pass; return when it sounded, in seconds after now."""
        begin_ns, known = self.clock.now_ns(), len(self.speaker.heard)
        end_ns = begin_ns + round(seconds * 1e9)
        while self.clock.now_ns() < end_ns:
            pause_s = self.player.step()
            left_ns = end_ns - self.clock.now_ns()
            self.clock.ns += left_ns if pause_s is None else min(left_ns, round(pause_s * 1e9))
        return [_s(heard, begin_ns) for heard in self.speaker.heard[known:]]


def _s(heard: Heard, begin_ns: int) -> tuple[float, float]:
    return (heard.from_ns - begin_ns) / 1e9, (heard.until_ns - begin_ns) / 1e9


def pitches(*sounds: Sound) -> list[float]:
    return [note.hz for sound in sounds for note in SIGNALS[sound] if note.hz is not None]


@pytest.mark.parametrize("sound", Sound)
def test_a_signal_sounds_as_it_is_written(sound: Sound) -> None:
    table = Table(volume=0.3)
    table.player.carry_out(PlaySound(sound))
    table.player.carry_out(DropQuestion())
    played = table.run()
    assert [heard.hz for heard in table.speaker.heard] == pitches(sound)
    assert {heard.amplitude for heard in table.speaker.heard} == {0.3}
    assert played[-1][1] == pytest.approx(beats(SIGNALS[sound])[-1][1])
    assert table.player.step() is None


def test_two_signals_are_kept_apart() -> None:
    table = Table()
    table.player.play(Sound.JOINED)
    table.player.play(Sound.JOINED)
    first, second = table.run()
    assert second[0] - first[1] == pytest.approx(PAUSE_S)


def test_what_matters_more_cuts_in_and_comes_first() -> None:
    table = Table()
    table.player.play(Sound.FAIL)
    table.run(0.1)
    for sound in (Sound.CARD, Sound.CLAIM, Sound.STOP):
        table.player.play(sound)
    table.run()
    assert [heard.hz for heard in table.speaker.heard] == [
        SIGNALS[Sound.FAIL][0].hz, *pitches(Sound.STOP, Sound.CLAIM, Sound.CARD)
    ]  # fmt: skip
    assert table.speaker.heard[1].from_ns == 100_000_000, "at once"


def test_a_lesser_signal_waits_its_turn() -> None:
    table = Table()
    table.player.play(Sound.STOP)
    table.run(0.1)
    table.player.play(Sound.VOILA)
    table.run()
    assert [heard.hz for heard in table.speaker.heard] == pitches(Sound.STOP, Sound.VOILA)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(Sound), min_size=1, max_size=12))
def test_of_too_many_the_most_important_are_played_the_newest_of_them(sounds: list[Sound]) -> None:
    table = Table()
    for sound in sounds:
        table.player.play(sound)
    table.run(1.9)
    played = [heard.hz for heard in table.speaker.heard]
    ranked = sorted(enumerate(sounds), key=lambda item: (-importance(item[1]), -item[0]))[:WAITING]
    wanted = pitches(*(sound for _, sound in sorted(ranked, key=lambda item: (-importance(item[1]), item[0]))))
    assert played
    assert played == wanted[: len(played)]


def test_a_signal_that_comes_too_late_is_not_played() -> None:
    table = Table()
    table.speaker.broken = True
    table.player.play(Sound.PASS)
    table.run(2.5)
    table.speaker.broken = False
    assert table.run() == []
    table.player.play(Sound.PASS)
    assert len(table.run()) == 2


def test_a_fault_is_told_once_and_so_is_its_end() -> None:
    table = Table()
    table.run(1.0)
    assert table.speaker.opened == 1, "it is opened before there is anything to play"
    table.player.play(Sound.WINNER)
    table.run(0.2)
    table.speaker.broken = True
    table.run(20.0)
    assert table.told == ["[Errno 19] No such device"]
    table.speaker.broken = False
    table.run(LAST_NS / 1e9 + 0.1)
    assert table.told == ["[Errno 19] No such device", None]
    assert table.speaker.opened == 2
    table.player.play(Sound.STONE)
    assert table.run() != []


def test_muted_it_plays_nothing_until_it_is_not() -> None:
    table = Table(muted=True)
    table.player.play(Sound.STOP)
    assert table.run() == []
    table.player.muted = False
    table.player.play(Sound.STOP)
    assert table.run() != []


def test_closed_it_is_silent_at_once() -> None:
    table = Table()
    table.player.play(Sound.STOP)
    table.player.step()
    table.clock.advance_s(0.01)
    table.player.close()
    assert [heard.until_ns for heard in table.speaker.heard] == [10_000_000]
    table.player.close()


class Telling(SimSpeaker):
    """A speaker that tells when it falls silent; its thread can be held inside a call, as a driver may."""

    quiet: threading.Event
    held: threading.Event

    def silence(self) -> None:
        """Fall silent, and tell."""
        self.held.wait(10)
        super().silence()
        if self.heard:
            self.quiet.set()


def test_a_part_that_hangs_does_not_hold_whoever_plays() -> None:
    speaker = Telling(SystemClock())
    speaker.quiet, speaker.held = threading.Event(), threading.Event()
    player = SignalPlayer(speaker.open, SystemClock())
    player.start()
    for _ in range(200):
        player.play(Sound.STONE)
    speaker.held.set()
    assert speaker.quiet.wait(10)
    player.close()
    assert {heard.hz for heard in speaker.heard} == set(pitches(Sound.STONE))
    assert len(speaker.heard) <= WAITING + 1
