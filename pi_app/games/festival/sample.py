"""The box that comes with the project: its own objectives, starting objectives and spectator tiles."""

from functools import cache
from pathlib import Path

from pi_app.games.festival.box import Box
from pi_app.games.festival.box_text import parse_box

FILE = Path(__file__).with_name("sample.txt")


@cache
def sample_box() -> Box:
    """Return the sample box."""
    return parse_box(FILE.read_text("utf-8"), FILE.name)
