from pathlib import Path

from pi_app.games import vowl
from tests.games.voila.test_pure import forbidden

OWN = ("pi_app.core.errors", "pi_app.games.vowl")


def imported(path: Path) -> set[str]:
    return {name for name in forbidden(path.read_text("utf-8")) if not name.startswith(OWN)}


def test_the_rules_know_no_clock_no_file_and_no_chance() -> None:
    files = sorted(Path(vowl.__file__).parent.glob("*.py"))
    assert len(files) > 10
    assert {path.name: imported(path) for path in files} == {path.name: set() for path in files}
