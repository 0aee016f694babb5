"""One whole short game on the simulated table, recorded once for all tests here."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pi_app.config import Config
from pi_app.core.names import Mode
from pi_app.games.voila import Settings
from pi_app.play.demo import Played, play
from pi_app.sim.room import Habits
from pi_app.sim.scene import plain_scene
from pi_app.sim.simulation import SimSettings
from pi_app.wiring import open_set, simulated_game

QUICK = Settings(turn_s=16.0, turns_each=1)


@dataclass(frozen=True)
class Recorded:
    """A recording and what the game showed while it was made."""

    folder: Path
    played: Played


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Play and record a game of two short turns by quick players."""
    folder, scratch = tmp_path_factory.mktemp("recorded") / "game", tmp_path_factory.mktemp("scratch")
    settings = SimSettings(2, 16, Habits(skill=1.0, pace=2.0), plain_scene(960, 540), fps=15.0)
    lying = replace(open_set(None, None, Mode.BADGE), config=Config(voila=QUICK))
    game = simulated_game(lying, settings, scratch / "session.db", folder)
    played = play(game, 0.0, lambda _: True)
    game.close()
    return Recorded(folder, played)
