from pathlib import Path

import pytest

from pi_app.config import Config, load_config
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


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load_config(tmp_path / "no.toml")
