from pathlib import Path

import numpy as np
import pytest

from pi_app.judging.case import load_case
from pi_app.kit.load import load_table
from pi_app.vision.focal import solve_camera

TABLE = Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml"


@pytest.mark.parametrize("name", ["stand100", "stones-04", "structure-05"])
def test_focal_length_of_an_unknown_camera_is_solved_from_the_mat(bench: Path, name: str) -> None:
    case = load_case(bench / "cases" / name)
    solved = solve_camera(next(case.frames()).image, case.table)
    assert solved is not None
    assert solved.fx == pytest.approx(case.camera.fx, rel=0.03)


def test_without_a_mat_nothing_is_solved() -> None:
    assert solve_camera(np.full((360, 640, 3), 90, np.uint8), load_table(TABLE)) is None
