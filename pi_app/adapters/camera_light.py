"""Which exposures do not flicker under mains light, and what the sensor is locked to once it has settled.

Lamps pulse at twice the mains' frequency; a row that is exposed for a whole number of pulses gets the same light as
every other row, so only multiples of 10 ms (50 Hz) or 8.33 ms (60 Hz) show no bands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

EXPOSED = 0.97
"""The part of a frame for which a sensor can expose; it needs the rest for itself."""
TOO_BRIGHT = 1.6
"""A picture may come out so many times brighter than the automatic exposure had it before evenness is given up."""


@dataclass(frozen=True, slots=True)
class Locked:
    """The exposure and gains to hold: `pulses` of the light, 0 where it is too bright, or too fast, for a whole one."""

    exposure_us: int
    gain: float
    pulses: int
    colour_gains: tuple[float, float] | None
    lens_position: float | None

    def __str__(self) -> str:
        """Return what the log shows."""
        each = self.exposure_us / max(self.pulses, 1) / 1000
        even = f"{self.pulses} x {each:.2f} ms" if self.pulses else f"{each:.2f} ms, no whole pulse of light"
        focus = "" if self.lens_position is None else f", focus {self.lens_position:.2f} dpt"
        return f"exposure = {even}, gain {self.gain:.2f}{focus}"


def pulse_us(mains_hz: int) -> float:
    """Return the time from one pulse of the light to the next in microseconds."""
    return 1e6 / (2 * mains_hz)


def lock(metadata: Mapping[str, Any], mains_hz: int, longest_us: float, gains: tuple[float, float]) -> Locked:
    """Return what keeps the brightness that a settled picture's metadata report.

    `longest_us`: what the frame rate allows; `gains`: the sensor's smallest and largest analogue gain. As many pulses
    as come nearest to the settled exposure, one at least, unless no gain would keep the brightness with them.
    """
    light = metadata["ExposureTime"] * metadata["AnalogueGain"] * metadata.get("DigitalGain", 1.0)
    pulse = pulse_us(mains_hz)
    most = int(EXPOSED * longest_us // pulse)
    pulses = min(max(1, round(metadata["ExposureTime"] / pulse)), max(1, most))
    while pulses > 1 and light / (pulses * pulse) < gains[0]:
        pulses -= 1
    while pulses < most and light / (pulses * pulse) > gains[1]:
        pulses += 1
    exposure_us = pulses * pulse
    if most < 1 or exposure_us * gains[0] > TOO_BRIGHT * light:
        pulses, exposure_us = 0, min(light / gains[0], EXPOSED * longest_us)
    gain = min(max(light / exposure_us, gains[0]), gains[1])
    colours = metadata.get("ColourGains")
    return Locked(
        round(exposure_us),
        float(gain),
        pulses,
        (float(colours[0]), float(colours[1])) if colours else None,
        metadata.get("LensPosition"),
    )


class Settling:
    """Told each picture's metadata, knows when the automatics have come to rest; gives up after LONGEST pictures."""

    FEWEST, LONGEST = 8, 60
    STEADY = 0.02
    FOCUSED, FOCUS_FAILED = 2, 3

    def __init__(self) -> None:
        self._lights: list[float] = []
        self.settled = False

    def enough(self, metadata: Mapping[str, Any]) -> bool:
        """Take one picture's metadata; return whether to wait no longer."""
        self._lights.append(metadata["ExposureTime"] * metadata["AnalogueGain"] * metadata.get("DigitalGain", 1.0))
        recent = self._lights[-self.FEWEST // 2 :]
        steady = len(self._lights) >= self.FEWEST and max(recent) <= (1 + self.STEADY) * min(recent)
        focus = metadata.get("AfState", self.FOCUSED)
        self.settled = steady and focus == self.FOCUSED
        return (steady and focus in (self.FOCUSED, self.FOCUS_FAILED)) or len(self._lights) >= self.LONGEST
