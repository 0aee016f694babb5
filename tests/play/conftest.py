"""One short simulated game, recorded once for all tests here."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from pi_app.core.names import Mode
from pi_app.play.demo import Played, play
from pi_app.sim.room import Habits
from pi_app.sim.scene import plain_scene
from pi_app.sim.simulation import SimSettings
from pi_app.wiring import open_set, simulated_game

SECONDS = 24.0


@dataclass(frozen=True)
class Recorded:
    """A recording and what the game showed while it was made."""

    folder: Path
    played: Played


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Record the beginning of a game."""
    folder, scratch = tmp_path_factory.mktemp("recorded") / "game", tmp_path_factory.mktemp("scratch")
    settings = SimSettings(2, 1, Habits(skill=1.0, pace=1.6), plain_scene(960, 540), fps=15.0)
    game = simulated_game(open_set(None, None, Mode.BADGE), settings, scratch / "session.db", folder)
    played = play(game, 0.0, lambda _: True, SECONDS)
    game.close()
    return Recorded(folder, played)
