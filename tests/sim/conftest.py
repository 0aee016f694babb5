"""The sample kit and the product's own mat, and tables laid with them."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_app.kit import table as kit_table
from pi_app.kit.art import KitArt, load_art
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.model import Kit
from pi_app.kit.sample import write_sample_kit
from pi_app.kit.table import Table
from pi_app.sim.acts import start_mm
from pi_app.sim.hands import Hand
from pi_app.sim.motion import Mover
from pi_app.sim.table import SimTable

Lay = Callable[[int, float], Mover]


@pytest.fixture(autouse=True)
def one_core() -> None:
    cv2.setNumThreads(1)


@pytest.fixture(scope="session")
def kit_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample_kit(tmp_path_factory.mktemp("kit") / "sample")


@pytest.fixture(scope="session")
def kit(kit_folder: Path) -> Kit:
    return load_kit(kit_folder)


@pytest.fixture(scope="session")
def art(kit_folder: Path, kit: Kit) -> KitArt:
    return load_art(kit_folder, kit)


@pytest.fixture(scope="session")
def mat() -> Table:
    return load_table(Path(kit_table.__file__).parent / "table.toml")


@pytest.fixture
def lay(kit: Kit, mat: Table) -> Lay:
    """Lay a table from a seed, with one hand at rest that moves at a pace."""

    def laid(seed: int, pace: float) -> Mover:
        table = SimTable(kit, mat, seed)
        hand = Hand(np.array([0.0, -620.0, 250.0]), np.zeros(3))
        table.hands.append(hand)
        mover = Mover(table, hand, pace)
        start_mm(mover)
        return mover

    return laid
