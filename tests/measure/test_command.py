import subprocess
import sys
from pathlib import Path

from pi_app.core.names import Mode
from pi_app.measure.bench import measure
from pi_app.measure.confusion import Confusion
from pi_app.sim.scenario import Kind


def test_simulated_stones_are_judged_and_counted() -> None:
    confusion = Confusion("stones")
    list(measure(confusion, Kind.STONES, Mode.BADGE, 2, 3, ()))
    assert confusion.scenes == 2
    assert confusion.wrong == 0


def test_bad_options_are_refused_in_one_line(tmp_path: Path) -> None:
    for options in (
        ["towers"],
        ["stones", "--plot", "x.txt"],
        ["--plot", str(tmp_path / "no" / "x.png")],
        ["--kit", "no"],
    ):
        done = subprocess.run([sys.executable, "-m", "pi_app", "bench", *options], capture_output=True, text=True)
        assert done.returncode == 2, options
        assert len(done.stderr.splitlines()) == 1, done.stderr
