"""A simulated table with the sample kit, whose pieces are laid one by one to be learnt."""

from pathlib import Path

import cv2
import pytest

from pi_app.core.names import Mode
from pi_app.kit.sample import write_sample_kit
from pi_app.sim.scene import plain_scene
from tests.teach.lay import Laid
from tests.teach.show import laid_with


@pytest.fixture(autouse=True)
def one_core() -> None:
    cv2.setNumThreads(1)


@pytest.fixture(scope="session")
def kit_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample_kit(tmp_path_factory.mktemp("kit") / "sample")


@pytest.fixture(scope="session")
def stock(kit_folder: Path) -> Laid:
    return laid_with(kit_folder, plain_scene())


@pytest.fixture(scope="session")
def badged(kit_folder: Path) -> Laid:
    return laid_with(kit_folder, plain_scene(), Mode.BADGE)
