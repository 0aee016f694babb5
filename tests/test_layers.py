"""Imports point down only, and the pure packages stay light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "pi_app"
LAYERS = [
    {"core"},
    {"kit"},
    {"vision"},
    {"judging", "teach", "games", "sensing", "link"},
    {"session"},
    {"adapters", "sim", "ui", "web"},
]
LEVEL = {package: level for level, packages in enumerate(LAYERS) for package in packages}
HEAVY = {"cv2", "numpy", "mujoco", "gpiozero", "luma", "serial", "picamera2", "PIL", "pygame"}
PURE = ["pi_app", "pi_app.core.ports", "pi_app.core.observations", "pi_app.core.verdict", "pi_app.kit.load"]
PURE_PACKAGES = ["games", "session", "sensing", "link"]


def imported(path: Path) -> set[str]:
    """Return the modules a file imports anywhere in it."""
    tree = ast.parse(path.read_text("utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}


def wrong_imports(package: str, modules: set[str]) -> set[str]:
    """Return which of the modules a package may not import: anything above it, its siblings, the top level."""

    def allowed(module: str) -> bool:
        parts = module.split(".")
        if parts[0] != "pi_app" or parts == ["pi_app"] or parts[1:2] == [package]:
            return True
        return parts[1] in LEVEL and LEVEL[parts[1]] < LEVEL[package]

    return {module for module in modules if not allowed(module)}


def test_the_check_can_fail() -> None:
    assert wrong_imports("vision", {"pi_app.session.voila.engine"}) == {"pi_app.session.voila.engine"}
    assert wrong_imports("games", {"pi_app.judging.stand"}) == {"pi_app.judging.stand"}
    assert wrong_imports("games", {"pi_app.wiring"}) == {"pi_app.wiring"}
    assert wrong_imports("session", {"pi_app.core.names", "pi_app.session.voila.view", "json"}) == set()


@pytest.mark.parametrize("package", sorted(LEVEL))
def test_imports_point_down(package: str) -> None:
    found = {
        str(path.relative_to(ROOT)): wrong
        for path in sorted((ROOT / package).rglob("*.py"))
        if (wrong := wrong_imports(package, imported(path)))
    }
    assert not found


def pure_modules() -> list[str]:
    """Return every module that must load without any hardware or vision library."""
    inside = [
        ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        for package in PURE_PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    ]
    return PURE + [name.removesuffix(".__init__") for name in inside]


def test_pure_packages_stay_light() -> None:
    program = f"import sys\nimport {', '.join(pure_modules())}\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert not HEAVY & {name.split(".")[0] for name in loaded.split()}
