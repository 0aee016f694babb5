"""Exposures that do not flicker (field log CAM-4), and knowing when the automatics have come to rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.adapters.camera_light import Settling, lock, pulse_us

GAINS = (1.0, 16.0)


def told(exposure_us: float, gain: float = 2.0, **more: object) -> dict[str, object]:
    return {"ExposureTime": exposure_us, "AnalogueGain": gain, **more}


@given(
    exposure_us=st.floats(6_500, 60_000),
    gain=st.floats(1.0, 8.0),
    mains_hz=st.sampled_from([50, 60]),
    fps=st.sampled_from([14, 30, 50, 60]),
)
def test_an_exposure_is_whole_pulses_within_a_frame_and_as_bright(
    exposure_us: float, gain: float, mains_hz: int, fps: int
) -> None:
    locked = lock(told(exposure_us, gain), mains_hz, 1e6 / fps, GAINS)
    pulses = locked.exposure_us / pulse_us(mains_hz)
    assert locked.pulses == round(pulses) >= 1
    assert pulses == pytest.approx(locked.pulses, abs=1e-3)
    assert locked.exposure_us <= 1e6 / fps
    bright = locked.exposure_us * locked.gain / (exposure_us * gain)
    assert GAINS[0] <= locked.gain <= GAINS[1]
    assert bright == pytest.approx(1.0, rel=1e-3) or locked.gain in GAINS


def test_light_too_bright_for_one_pulse_is_said() -> None:
    locked = lock(told(900.0, 1.0), 50, 33_333, GAINS)
    assert (locked.pulses, locked.exposure_us, locked.gain) == (0, 900, 1.0)
    assert str(locked) == "exposure = 0.90 ms, no whole pulse of light, gain 1.00"


def test_two_pulses_of_60_hz_do_not_fit_a_60th_of_a_second() -> None:
    assert lock(told(16_000.0), 60, 16_667, GAINS).pulses == 1
    assert lock(told(16_000.0), 50, 1e6 / 120, GAINS).exposure_us < 1e6 / 120


def test_colours_and_focus_are_held() -> None:
    locked = lock(told(20_400.0, 1.5, ColourGains=(1.9, 1.6), LensPosition=2.25), 50, 33_333, GAINS)
    assert (locked.colour_gains, locked.lens_position) == ((1.9, 1.6), 2.25)
    assert str(locked) == "exposure = 2 x 10.00 ms, gain 1.53, focus 2.25 dpt"


def test_settling_waits_for_light_and_focus() -> None:
    settling = Settling()
    rising = [settling.enough(told(1000.0 * n, AfState=1)) for n in range(1, 10)]
    scanning = [settling.enough(told(9_000.0, AfState=1)) for _ in range(5)]
    assert not any(rising + scanning)
    assert settling.enough(told(9_000.0, AfState=2))
    assert settling.settled


def test_a_focus_that_failed_is_not_waited_for_and_not_settled() -> None:
    settling = Settling()
    enough = [settling.enough(told(9_000.0, AfState=3)) for _ in range(8)]
    assert enough == [False] * 7 + [True]
    assert not settling.settled


def test_settling_gives_up() -> None:
    settling = Settling()
    enough = [settling.enough(told(5_000.0 + 1_000 * (n % 2))) for n in range(60)]
    assert enough == [False] * 59 + [True]
    assert not settling.settled
