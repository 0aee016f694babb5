"""How well calibration finds lenses that are known: `python -m tests.lenses [SEEDS]` prints a line a lens and seed."""

import sys
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.kit.load import load_table
from pi_app.vision.calibrate import calibrate, mat_view
from tests.vision.charts import LENSES, lens, mat_pictures

TABLE = Path(__file__).parents[1] / "pi_app" / "kit" / "table.toml"
PICTURES = 12


def main(seeds: int, sizes: tuple[tuple[int, int], ...] = ((1280, 720), (960, 540))) -> None:
    """Print the errors of focal length (%) and principal point (px), and the reprojection (px)."""
    table = load_table(TABLE)
    for name in LENSES:
        for size in sizes:
            for seed in range(seeds):
                true = lens(name, *size)
                views = [
                    view for image in mat_pictures(true, table, PICTURES, seed) if (view := mat_view(image, table))
                ]
                try:
                    found = calibrate(views, table)
                except UserError as error:
                    print(f"{name:9} {size[0]:5} seed {seed}: {error}", flush=True)
                    continue
                off = f"fx {_percent(found.camera.fx, true.fx)}, fy {_percent(found.camera.fy, true.fy)}"
                axis = f"axis {found.camera.cx - true.cx:+.2f} {found.camera.cy - true.cy:+.2f} px"
                told = f"rms {found.rms_px:.3f} px, sigma {100 * found.sigma:.3f} %"
                print(f"{name:9} {size[0]:5} seed {seed}: {found.views} views, {off}, {axis}, {told}", flush=True)


def _percent(found: float, true: float) -> str:
    return f"{100 * (found / true - 1):+.3f} %"


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 3)
