"""The pin driver: lgpio or none."""

from pathlib import Path

import pytest

from pi_app.adapters.pins_lgpio import open_pins
from pi_app.core.errors import UserError


def test_without_a_chip_no_other_driver_is_taken(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no GPIO chip .* wanted a Raspberry Pi's pins by lgpio"):
        open_pins(tmp_path)


@pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="this machine has GPIO")
def test_a_driver_that_does_not_run_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPS-4: gpiozero's own choice, and any other driver, is left aside."""
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    with pytest.raises(UserError, match=r"the pin driver lgpio does not run \(.+\), and no other is taken"):
        open_pins(tmp_path)
