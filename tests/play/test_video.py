"""A whole game's beginning over a recorded video, told by lines on stdin, and gone on with from its journal."""

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "pi_app", "play", "voila"]


def played(clip: Path, kit: Path, journal: Path, lines: list[str]) -> subprocess.CompletedProcess[str]:
    """Run `umpire play` over a clip with these lines typed."""
    command = [*COMMAND, str(clip / "clip.mp4"), "--source", "video", "--times", str(clip / "times.csv")]
    return subprocess.run(
        [*command, "--kit", str(kit), "--journal", str(journal)],
        input="\n".join(lines) + "\n", capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_a_structure_in_a_video_is_judged_and_the_game_is_gone_on_with(bench: Path, tmp_path: Path) -> None:
    clip, kit, journal = bench / "cases" / "stand100", bench / "kits" / "A", tmp_path / "game.db"
    begin = ["press 1", "press 2", "press 1", "press 1", "stone red", "card acrobats_bridge_top"]
    first = played(clip, kit, journal, begin)
    assert first.returncode == 0, first.stderr
    assert "passed (decided by the camera)" in first.stdout
    again = played(clip, kit, journal, ["continue", "quit"])
    assert again.returncode == 0, again.stderr
    assert "card acrobats_bridge_top" in again.stdout, "what was decided before is still there"
