"""Journals are flushed to the disk at every record: in tests to a disk in memory, where there is one."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.session.voila.table import close_tables

MEMORY = Path("/dev/shm")  # noqa: S108


@contextmanager
def quick_folder(factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty folder, in memory where there is such a disk."""
    if not MEMORY.is_dir():
        yield factory.mktemp("session")
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def _closed_tables() -> Iterator[None]:
    yield
    close_tables()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty folder of the test's own."""
    with quick_folder(tmp_path_factory) as folder:
        yield folder


@pytest.fixture(scope="module")
def module_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty folder of the module's own."""
    with quick_folder(tmp_path_factory) as folder:
        yield folder
