"""Small non-linear least squares, for fits of a few parameters to a few dozen pixels."""

from collections.abc import Callable

import numpy as np

from pi_app.vision.camera import Floats

STEP = 1e-3


def least_squares(residual: Callable[[Floats], Floats], start: Floats, rounds: int = 12) -> Floats:
    """Return the parameters near `start` with the least squared residual (Levenberg-Marquardt, numeric derivatives).

    `residual` maps parameters to residuals, both one-dimensional; parameters should be of the order of 1 to 100.
    """
    best = np.asarray(start, np.float64)
    error = residual(best)
    damping = 1e-3
    for _ in range(rounds):
        slope = np.stack([(residual(best + step) - error) / STEP for step in np.eye(len(best)) * STEP], axis=1)
        normal = slope.T @ slope
        move = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), slope.T @ error)
        moved = residual(best + move)
        if moved @ moved < error @ error:
            best, error, damping = best + move, moved, damping / 5
            if float(np.abs(move).max()) < STEP:
                break
        else:
            damping *= 10
    return best
