"""The least-squares solver."""

import numpy as np

from pi_app.vision.camera import Floats
from pi_app.vision.solve import least_squares


def test_finds_the_parameters_of_a_curve() -> None:
    x = np.linspace(0, 3, 20)
    wanted = np.array([2.0, 0.7, -1.0])

    def residual(p: Floats) -> Floats:
        return np.asarray(p[0] * np.exp(-p[1] * x) + p[2] - (wanted[0] * np.exp(-wanted[1] * x) + wanted[2]))

    assert np.allclose(least_squares(residual, np.array([1.0, 1.0, 0.0]), 40), wanted, atol=1e-3)
