"""Fixtures shared by all tests."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def bench() -> Path:
    """Folder of recorded scenes; tests that use it are skipped where it is missing."""
    return _folder(SHARED / "bench")


@pytest.fixture(scope="session")
def real() -> Path:
    """Folder of real pictures; tests that use it are skipped where it is missing."""
    return _folder(SHARED / "real")


def _folder(path: Path) -> Path:
    if not path.is_dir():
        pytest.skip(f"no recorded scenes at {path.name}/ beside the checkout")
    return path
