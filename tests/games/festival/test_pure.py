import ast
from pathlib import Path

from pi_app.games import festival

ALLOWED = {
    "__future__",
    "collections",
    "collections.abc",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "re",
    "typing",
}
OWN = ("pi_app.core.errors", "pi_app.games.festival")
BESIDE = {"bots.py", "sample.py"}
"""What plays and what reads the sample; the rules import neither."""


def imports(source: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def forbidden(source: str) -> set[str]:
    beside = {f"pi_app.games.festival.{name.removesuffix('.py')}" for name in BESIDE}
    return {n for n in imports(source) if n in beside or not (n in ALLOWED or n.startswith(OWN))}


def test_the_rules_know_no_clock_no_file_and_no_chance() -> None:
    paths = [path for path in Path(festival.__file__).parent.glob("*.py") if path.name not in BESIDE]
    assert len(paths) > 10
    assert {path.name: forbidden(path.read_text("utf-8")) for path in paths} == {path.name: set() for path in paths}


def test_the_check_can_fail() -> None:
    source = "import random\nfrom time import monotonic\nfrom pi_app.games.festival.bots import play\nimport re"
    assert forbidden(source) == {"random", "time", "pi_app.games.festival.bots"}
