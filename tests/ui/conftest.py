"""Sessions that tests leave open are closed."""

from collections.abc import Iterator

import pytest

from tests.session.voila.table import close_tables


@pytest.fixture(autouse=True)
def _closed_tables() -> Iterator[None]:
    yield
    close_tables()
