from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.games.voila.script import ScenarioError, run

FOLDER = Path(__file__).parent / "scenarios"


def scenarios() -> list[ParameterSet]:
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for part in path.read_text("utf-8").split("\n# "):
            title, _, text = part.partition("\n")
            found.append(pytest.param(text, id=f"{path.stem}: {title.removeprefix('# ')}"))
    return found


@pytest.mark.parametrize("text", scenarios())
def test_scenario(text: str) -> None:
    run(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("start @0\n= phase ready", "line 2: = phase ready: phase: got 'choice', wanted 'ready'"),
        ("start @0\nvoila @1", "line 2: voila @1: VoilaCalled: got it in phase choice"),
        ("start @0\n! stone red : anything", "got it allowed, wanted it refused"),
        ("! stone red : something else", "wanted 'something else'"),
        ("start @0\n= press A @1 is VoilaCalled", "press: got None"),
    ],
)
def test_a_scenario_that_does_not_hold_fails(text: str, fault: str) -> None:
    with pytest.raises(ScenarioError) as error:
        run(text)
    assert fault in str(error.value)
