import ast
from pathlib import Path

from pi_app.games import voila

ALLOWED = {"collections", "collections.abc", "dataclasses", "enum", "typing"}
OWN = ("pi_app.core.names", "pi_app.core.errors", "pi_app.kit.model", "pi_app.games.voila")


def forbidden(source: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name for name in found if name not in ALLOWED and not name.startswith(OWN)}


def test_the_rules_know_no_clock_no_file_and_no_chance() -> None:
    folder = Path(voila.__file__).parent
    assert {path.name: forbidden(path.read_text("utf-8")) for path in folder.glob("*.py")} == {
        path.name: set() for path in folder.glob("*.py")
    }


def test_the_check_can_fail() -> None:
    assert forbidden("import random\nfrom time import monotonic\nfrom enum import Enum") == {"random", "time"}
