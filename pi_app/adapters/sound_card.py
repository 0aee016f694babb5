"""A sound card by PortAudio (python-sounddevice): a sine, cut to the sample, played by PortAudio's own thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from types import ModuleType

RATE_HZ = 48_000
RAMP_S = 0.004
"""Rise and fall of a tone; without them it clicks."""


class CardTones:
    """A ToneSink over the card whose name holds `card` (empty: the system's choice); OSError where there is none."""

    def __init__(self, card: str = "") -> None:
        self._left = b""
        self._stream: Any = None
        self._library = _loaded()
        _look_again(self._library)
        try:
            self._stream = self._library.RawOutputStream(
                RATE_HZ, device=card or None, channels=1, dtype="int16", latency="low", callback=self._fill
            )
        except (self._library.PortAudioError, ValueError) as error:
            raise OSError(f"sound card {card or '(the default)'}: {_one_line(error)}") from None

    def sound(self, hz: float | None, length_s: float, amplitude: float) -> None:
        """Begin a tone or a rest; it ends by itself."""
        if self._stream is None:
            return
        self._left = tone(hz, length_s, amplitude)
        try:
            if self._stream.stopped:
                self._stream.start()
        except self._library.PortAudioError as error:
            raise OSError(f"sound card: {_one_line(error)}") from None
        if not self._stream.active:
            raise OSError("sound card: it stopped")

    def silence(self) -> None:
        """Fall silent; the card rests until the next tone."""
        self._left = b""
        if self._stream is not None:
            self._stream.stop(ignore_errors=True)

    def close(self) -> None:
        """Fall silent and let go of the card; safe to call twice."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close(ignore_errors=True)

    def _fill(self, out: Any, _frames: int, _time: object, _status: object) -> None:
        """Give PortAudio its next samples; called by its thread."""
        left = self._left
        now, rest = left[: len(out)], left[len(out) :]
        if self._left is left:
            self._left = rest
        out[:] = now.ljust(len(out), b"\0")


def tone(hz: float | None, length_s: float, amplitude: float) -> bytes:
    """Return a sine's samples, 16 bit, mono, at `RATE_HZ`; None: silence."""
    count = round(length_s * RATE_HZ)
    if hz is None:
        return bytes(2 * count)
    at = np.arange(count)
    ramp = np.clip(np.minimum(at, count - 1 - at) / (RAMP_S * RATE_HZ), 0.0, 1.0)
    wave = amplitude * ramp * np.sin(2 * np.pi * hz / RATE_HZ * at)
    samples: bytes = np.round(32_767 * wave).astype("<i2").tobytes()
    return samples


def _loaded() -> ModuleType:
    """Return python-sounddevice; OSError where it or PortAudio is missing."""
    try:
        import sounddevice
    except ImportError as error:
        raise OSError(f"sound card: {error}: install the extra `sound`") from None
    except OSError as error:
        raise OSError(f"sound card: {error}: install libportaudio2") from None
    return sounddevice  # type: ignore[no-any-return]


def _look_again(library: ModuleType) -> None:
    """Let PortAudio find cards that came since it looked: it looks only when it begins.

    Beginning anew ends every stream of this program; a microphone that may be in use is left alone.
    """
    devices = library.query_devices()
    if not any(device["max_input_channels"] for device in devices):
        library._terminate()
        library._initialize()


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
