import subprocess
import sys
from pathlib import Path

import pytest

from pi_app.config import Config, load_config
from pi_app.core.device import (
    ButtonParts,
    CameraKind,
    DeviceParts,
    DisplayPart,
    ReaderKind,
    ReaderPart,
    SoundKind,
    SoundPart,
)
from pi_app.core.device_check import device_faults
from pi_app.core.errors import UserError
from pi_app.games.voila import ClaimTie, Settings
from pi_app.session.voila.options import Approval, Options


def test_without_a_file_or_with_an_empty_one_the_defaults_hold(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("")
    assert load_config(None) == load_config(tmp_path / "empty.toml") == Config(Settings(), Options())


def test_every_setting_can_be_set(tmp_path: Path) -> None:
    path = tmp_path / "umpire.toml"
    path.write_text(
        '[voila]\nturn_s = 30\nclaim_tie = "active_last"\nwon_cards_break_ties = false\n'
        '[session]\napproval = "timekeeper"\nhide_timer = false\nnames = ["Ann", "Ben"]\ncamera_tasks = ["tower"]\n'
    )
    config = load_config(path)
    assert config.voila == Settings(turn_s=30.0, claim_tie=ClaimTie.ACTIVE_LAST, won_cards_break_ties=False)
    assert (config.session.approval, config.session.hide_timer) == (Approval.TIMEKEEPER, False)
    assert config.session.names == ("Ann", "Ben")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[voila]\nturns = 3", "voila.turns: got 3, but there is no such key"),
        ("[voila]\nturn_s = 'long'", "voila.turn_s: got 'long'"),
        ("[voila]\nturn_s = -1", "voila.turn_s: got -1.0, wanted more than 0"),
        ("[session]\napproval = 'dice'", "session.approval: got 'dice'"),
        ("[session]\nverdict_wait_s = 1e9", "session.verdict_wait_s: got 1000000000.0, wanted 0 to 60"),
        ("[vowl]\n", "vowl: got"),
        ("voila = 3", "voila: got 3"),
        ("[voila", "not a TOML file"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "umpire.toml"
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        load_config(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_the_parts_of_the_device_can_be_set(tmp_path: Path) -> None:
    path = tmp_path / "umpire.toml"
    path.write_text(
        "[device.buttons]\npins = [5, 6, 13]\nlamps = [12, 16, 20]\n"
        '[device.display]\non = true\narguments = ["--interface=spi"]\n'
        '[device.sound]\nkind = "piezo"\npin = 18\nvolume = 1\n'
        '[device.reader]\nkind = "url"\nurl = "socket://table:4000"\ntiles = {04A3C6CAE26180 = "cat"}\n'
        '[device.camera]\nkind = "picamera2"\nmains_hz = 60\n'
    )
    parts = load_config(path).device
    assert parts.buttons == ButtonParts((5, 6, 13), (12, 16, 20))
    assert (parts.sound.kind, parts.sound.pin, parts.sound.volume) == (SoundKind.PIEZO, 18, 1.0)
    assert (parts.reader.kind, dict(parts.reader.tiles)) == (ReaderKind.URL, {"04A3C6CAE26180": "cat"})
    assert (parts.camera.kind, parts.camera.mains_hz) == (CameraKind.PICAMERA2, 60)


def test_everything_wrong_is_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "umpire.toml"
    path.write_text(
        "[voila]\nturn_s = -1\nclaim_hold_s = 0\nturns = 3\n"
        "[device.buttons]\npins = [5, 99, 5, 2, true]\n"
        '[device.display]\non = true\nsize = 3\n[device.sound]\nkind = "piezo"\nvolume = 2.5\n'
        '[device.reader]\nkind = "url"\nurl = "ftp://table"\ntiles = {88A3C6CA = "cat", zz = "dog"}\n'
        "[device.camera]\nfps = 0\nmains_hz = 55\n[device.oven]\n"
    )
    with pytest.raises(UserError) as caught:
        load_config(path)
    lines = str(caught.value).splitlines()
    wanted = [
        "voila.turns: got 3, but there is no such key",
        "device.buttons.pins[4]: got true, wanted a whole number",
        "device.display.size: got 3, but there is no such key",
        "device.oven: got a table, but there is no such key",
        "voila.turn_s: got -1.0, wanted more than 0 and at most 3600 seconds",
        "voila.claim_hold_s: got 0.0, wanted more than 0 and at most 3600 seconds",
        'device.sound.pin: missing, wanted the pin of the piezo (kind = "piezo")',
        "device.sound.volume: got 2.5, wanted 0 to 1",
        "device.reader.url: got 'ftp://table', wanted one of alt://, cp2110://",
        "device.reader.tiles: got the tag '88A3C6CA', the first part of a longer id",
        "device.reader.tiles: got the tag 'zz', wanted 8, 14 or 20 digits of capital hex",
        "device.camera.fps: got 0.0, wanted 5 to 240",
        "device.camera.mains_hz: got 55, wanted 50 or 60",
    ]
    missing = [text for text in wanted if not any(line.startswith(f"{path}: {text}") for line in lines)]
    assert not missing, lines
    assert len(lines) == len(set(lines)) == len(wanted)


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        (DeviceParts(ButtonParts((5, 99))), "device.buttons.pins[1]: got 99, wanted a BCM number of the 40-pin header"),
        (DeviceParts(ButtonParts((0, 5))), "device.buttons.pins[0]: got 0, wanted a BCM number of the 40-pin header"),
        (DeviceParts(ButtonParts((5, 5))), "device.buttons.pins[1]: got 5, which device.buttons.pins[0] uses already"),
        (
            DeviceParts(ButtonParts((5, 6), (12, 6))),
            "device.buttons.lamps[1]: got 6, which device.buttons.pins[1] uses already",
        ),
        (
            DeviceParts(ButtonParts((5, 6), (12,))),
            "device.buttons.lamps: got 1 pins, wanted none, or one each for 2",
        ),
        (DeviceParts(ButtonParts((5,))), "device.buttons.pins: got 1 pins, wanted none, or 2 to 6"),
        (
            DeviceParts(ButtonParts((5, 3)), DisplayPart(True)),
            "device.buttons.pins[1]: got 3, which the display's I2C bus uses already",
        ),
        (
            DeviceParts(ButtonParts((5, 24)), DisplayPart(True, ("--interface", "spi"))),
            "device.buttons.pins[1]: got 24, which device.display.arguments --gpio-data-command uses already",
        ),
        (
            DeviceParts(ButtonParts((5, 6)), sound=SoundPart(SoundKind.PIEZO, 6)),
            "device.sound.pin: got 6, which device.buttons.pins[1] uses already",
        ),
        (DeviceParts(reader=ReaderPart(ReaderKind.URL, url="socket://")), "device.reader.url: got 'socket://', wanted"),
        (DeviceParts(reader=ReaderPart(url="/dev/ttyACM0")), "device.reader.url: got '/dev/ttyACM0', but it is only"),
    ],
)
def test_parts_that_cannot_be_are_named(parts: DeviceParts, fault: str) -> None:
    (found,) = device_faults(parts)
    assert found.startswith(fault)


def test_pins_of_parts_that_are_not_there_are_free() -> None:
    spi = DisplayPart(True, ("--interface=spi", "--gpio-reset=22"))
    assert device_faults(DeviceParts(ButtonParts((2, 3)))) == []
    assert device_faults(DeviceParts(ButtonParts((2, 25)), spi)) == []


def test_every_fault_is_a_line_of_its_own_and_the_status_is_2(tmp_path: Path) -> None:
    path = tmp_path / "umpire.toml"
    path.write_text("[device.buttons]\npins = [5, 99]\n[device.sound]\nvolume = -1\n")
    command = [sys.executable, "-m", "pi_app", "play", "voila", "--source", "camera", "--config", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert [line.split(": ")[2] for line in lines] == ["device.sound.volume", "device.buttons.pins[1]"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load_config(tmp_path / "no.toml")
