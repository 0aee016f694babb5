"""The service's files: right by systemd's own judgement, and the installer by the shell's."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pi_app.config import load_config

SYSTEMD = Path(__file__).parents[2] / "systemd"
LEAST_SAFE = 3.0
"""Highest exposure level that systemd-analyze may give."""


def told(*command: str) -> tuple[int, str]:
    """Run a program that must exist; return its status and all it said."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} on this machine")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def unit_with(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """Return a copy of the unit, its program one that exists here."""
    text = (SYSTEMD / "umpire.service").read_text()
    for old, new in (("/opt/umpire/venv/bin/umpire", "/usr/bin/env"), *changes):
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "umpire.service"
    path.write_text(text)
    return path


def test_the_unit_is_clean(tmp_path: Path) -> None:
    assert told("systemd-analyze", "verify", str(unit_with(tmp_path))) == (0, "")


def test_the_check_of_the_unit_can_fail(tmp_path: Path) -> None:
    _, said = told("systemd-analyze", "verify", str(unit_with(tmp_path, ("WatchdogSec=20", "WatchDogSecs=20"))))
    assert "WatchDogSecs" in said


def test_the_service_may_do_little() -> None:
    _, said = told("systemd-analyze", "security", "--offline=true", "--no-pager", str(SYSTEMD / "umpire.service"))
    level = re.search(r"exposure level for \S+ ([0-9.]+)", said)
    assert level is not None, said
    assert float(level[1]) <= LEAST_SAFE


def test_the_service_is_started_again_for_ever_and_watched() -> None:
    unit = (SYSTEMD / "umpire.service").read_text().splitlines()
    for line in ("Type=notify", "Restart=always", "StartLimitIntervalSec=0", "StateDirectory=umpire", "User=umpire"):
        assert line in unit
    assert any(line.startswith("WatchdogSec=") for line in unit)
    assert "Environment=LG_WD=/run/umpire" in unit  # OPS-4


@pytest.mark.parametrize("script", ["install.sh", "../tests/systemd/install_in_root.sh"])
def test_the_scripts_are_sound(script: str) -> None:
    assert told("shellcheck", str(SYSTEMD / script)) == (0, "")


def test_the_installer_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "sh", str(SYSTEMD / "install.sh")], capture_output=True, text=True, check=False
    )
    if "setpriv" in done.stderr:
        done = subprocess.run(["sh", str(SYSTEMD / "install.sh")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "wanted root" in done.stderr


def test_the_settings_that_are_installed_are_valid() -> None:
    load_config(SYSTEMD / "umpire.toml")
