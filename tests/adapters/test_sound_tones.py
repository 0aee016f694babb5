"""One contract for all that makes tones: simulated, a piezo on mock pins, a card through PortAudio into a file."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPWMPin

from pi_app.adapters.sound import SignalPlayer
from pi_app.adapters.sound_options import open_sound, open_tones
from pi_app.core.clock import ManualClock
from pi_app.core.device import SoundKind, SoundPart
from pi_app.core.effects import Sound
from pi_app.core.ports import ToneSink
from pi_app.sim.sound import SimSpeaker

PIN = 18
LENGTH_S = 0.1
PATIENCE_S = 10.0
RATE_HZ = 48_000
ASOUND = """
pcm.!default {{ type file
 slave.pcm {{ type null }}
 file "{0}"
 format raw }}
"""
"""ALSA's own file plugin: a card that writes down what it is given, as fast as it comes."""

Tone = tuple[float, float] | None
Bench = tuple[Callable[[], ToneSink], Callable[[], Tone]]
"""What opens the part, and what tells Hz and amplitude of the tone that was heard last, None: it is silent."""


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory(pin_class=MockPWMPin)
    yield pins
    pins.close()


@pytest.fixture
def sim() -> Bench:
    clock = ManualClock()
    speaker = SimSpeaker(clock)

    def heard() -> Tone:
        count = len(speaker.heard)
        clock.advance_s(LENGTH_S)
        speaker.sound(None, 0.0, 0.0)
        return next(((one.hz, one.amplitude) for one in speaker.heard[count:]), None)

    return speaker.open, heard


@pytest.fixture
def piezo(factory: MockFactory) -> Bench:
    def heard() -> Tone:
        pin = factory.pin(PIN)
        return (pin.frequency, math.sin(math.pi * pin.state)) if pin.state else None

    return lambda: open_tones(SoundPart(SoundKind.PIEZO, PIN), factory), heard


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """The file holds mono, 16 bit; what was written before the last look is forgotten."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        pytest.skip(f"no sound: {error}")
    written, seen = tmp_path / "heard.raw", [0]
    written.touch()
    (tmp_path / "asound.conf").write_text(ASOUND.format(written))
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    _begin_anew(sounddevice)
    if "default" not in {device["name"] for device in sounddevice.query_devices()}:
        pytest.skip("this PortAudio has no ALSA with a file plugin")

    def heard() -> Tone:
        until_s = time.monotonic() + PATIENCE_S
        wanted = seen[0] + 2 * RATE_HZ * 2
        while written.stat().st_size < wanted and time.monotonic() < until_s:
            threading.Event().wait(0.002)
        data = written.read_bytes()[seen[0] : seen[0] + 2 * RATE_HZ * 2]
        seen[0] = written.stat().st_size // 2 * 2
        return pitch(np.frombuffer(data, "<i2") / 32_767)

    def opened() -> ToneSink:
        seen[0] = 0  # ALSA begins the file anew
        return open_tones(SoundPart(SoundKind.CARD), None)

    yield opened, heard
    monkeypatch.undo()
    _begin_anew(sounddevice)


def _begin_anew(library: object) -> None:
    """Let PortAudio read ALSA's settings again."""
    for name in ("_terminate", "_initialize"):
        getattr(library, name)()


def pitch(samples: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> Tone:
    """Return Hz and amplitude of the one tone among samples; it must be as long as the tests' notes."""
    lit = np.flatnonzero(samples)
    if not len(lit):
        return None
    tone = samples[lit[0] : lit[-1] + 1]
    assert len(tone) / RATE_HZ == pytest.approx(LENGTH_S, abs=0.0005)
    spectrum = np.abs(np.fft.rfft(tone * np.hanning(len(tone)), 1 << 17))
    return float(np.argmax(spectrum)) * RATE_HZ / (1 << 17), float(np.abs(tone).max())


@pytest.fixture(params=["sim", "piezo", "card"])
def bench(request: pytest.FixtureRequest) -> Bench:
    made: Bench = request.getfixturevalue(request.param)
    return made


def test_a_tone_has_its_pitch_and_amplitude_and_a_rest_none(bench: Bench) -> None:
    opener, heard = bench
    sink = opener()
    for hz, amplitude in ((1000.0, 0.5), (2093.0, 0.25)):
        sink.sound(hz, LENGTH_S, amplitude)
        tone = heard()
        assert tone is not None
        assert tone[0] == pytest.approx(hz, abs=2.0)
        assert tone[1] == pytest.approx(amplitude, rel=0.05)
        sink.sound(None, LENGTH_S, 0.0)
        assert heard() is None
    sink.close()


def test_silence_and_close_are_safe_at_any_time(bench: Bench) -> None:
    opener, heard = bench
    sink = opener()
    sink.silence()
    sink.silence()
    sink.sound(1000.0, LENGTH_S, 0.5)
    assert heard() is not None
    sink.silence()
    sink.close()
    sink.close()
    again = opener()
    again.sound(1000.0, LENGTH_S, 0.5)
    assert heard() is not None
    again.close()


def test_silence_ends_a_tone(sim: Bench, piezo: Bench) -> None:
    for opener, heard in (sim, piezo):
        sink = opener()
        sink.sound(1000.0, LENGTH_S, 0.5)
        assert heard() is not None
        sink.silence()
        assert heard() is None


def test_a_pin_of_another_part_is_a_fault_and_not_an_error(factory: MockFactory) -> None:
    taken, told = LED(PIN, pin_factory=factory), list[str | None]()
    clock = ManualClock()
    player = open_sound(SoundPart(SoundKind.PIEZO, PIN), clock, told.append, factory)
    assert player is not None
    assert player.step() == 0.25
    assert len(told) == 1
    assert f"GPIO {PIN}" in str(told[0])
    taken.close()
    clock.advance_s(0.25)
    assert player.step() is None
    assert told[1:] == [None]
    player.play(Sound.STOP)
    player.step()
    assert factory.pin(PIN).state > 0
    player.close()
    assert factory.pin(PIN).state == 0


def test_a_card_that_is_not_there_is_a_fault(card: Bench) -> None:
    with pytest.raises(OSError, match="sound card Nowhere: "):
        open_tones(SoundPart(SoundKind.CARD, card="Nowhere"), None)


def test_without_sound_in_the_settings_there_is_none() -> None:
    assert open_sound(SoundPart(), ManualClock()) is None
    assert isinstance(open_sound(SoundPart(SoundKind.CARD, volume=0.1), ManualClock()), SignalPlayer)
