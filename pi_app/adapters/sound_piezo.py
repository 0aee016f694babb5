"""A piezo on a GPIO pin by gpiozero's PWM: a square wave whose share of the period makes it loud or soft."""

import math

from gpiozero import PWMOutputDevice
from gpiozero.pins import Factory


class PiezoTones:
    """A ToneSink over a passive piezo at `pin` (BCM number); OSError where the pin cannot be had."""

    def __init__(self, pin: int, factory: Factory) -> None:
        self._device: PWMOutputDevice | None = None
        try:
            self._device = PWMOutputDevice(pin, pin_factory=factory)
        except Exception as error:  # gpiozero's errors and those of its pin drivers have no root in common
            raise OSError(f"piezo on GPIO {pin}: {error}") from None

    def sound(self, hz: float | None, length_s: float, amplitude: float) -> None:
        """Begin a tone or a rest; it lasts until the next call."""
        del length_s
        self._set(hz, duty_of(amplitude) if hz is not None else 0.0)

    def silence(self) -> None:
        """Fall silent."""
        self._set(None, 0.0)

    def close(self) -> None:
        """Fall silent and let go of the pin; safe to call twice."""
        device, self._device = self._device, None
        if device is not None:
            device.close()

    def _set(self, hz: float | None, duty: float) -> None:
        if self._device is None:
            return
        try:
            if hz is not None:
                self._device.frequency = round(hz)
            self._device.value = duty
        except Exception as error:  # as above
            raise OSError(f"piezo: {error}") from None


def duty_of(amplitude: float) -> float:
    """Return the share of the period whose square wave has a fundamental of that amplitude, 1 at one half.

    The first Fourier coefficient of a pulse of duty d is proportional to sin(pi d).
    """
    return math.asin(min(1.0, max(0.0, amplitude))) / math.pi
