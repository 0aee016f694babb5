"""Make the README's picture: what the simulated camera saw at a verdict, the OLED at that moment, and the verdict.

python tests/readme_picture.py OUT.jpg [SEED]
"""

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.session.flow import Audience
from pi_app.session.voila.view import PublicView
from pi_app.sim.room import Habits
from pi_app.sim.simulation import SimSettings
from pi_app.ui.screens import screen
from pi_app.wiring import open_set, simulated_game

Image = NDArray[np.uint8]
SIZE = (960, 540)
OLED_SCALE = 3
LIT, DARK = (255, 230, 150), (24, 20, 16)
SIDE_PX, MARGIN_PX = 128 * OLED_SCALE + 40, 20
AFTER_FRAMES = 6


def main(out: Path, seed: int) -> None:
    """Play to the first verdict that passes and draw it."""
    with tempfile.TemporaryDirectory() as scratch:
        settings = SimSettings(2, seed, Habits(skill=1.0))
        game = simulated_game(open_set(None, None, Mode.BADGE), settings, Path(scratch) / "session.db", None)
        shown: list[Image] = []
        for frame in game.frames:
            view = game.game.beat(frame)
            for command in game.sim.look(view):
                game.game.runner.command(command)
            standing = view.task.standing_s if view.task else None
            if standing is not None and 1.4 < standing < 1.6 and not shown:
                shown.append(oled(game.game.runner.view(Audience.TABLE)))
            if frame is not None and view.verdict and view.verdict.passed and view.verdict.stood_for_s:
                shown.append(oled(game.game.runner.view(Audience.TABLE)))
                cv2.imwrite(str(out), picture(frame, shown), [cv2.IMWRITE_JPEG_QUALITY, 88])
                break
        game.close()


def picture(frame: Frame, shown: list[Image]) -> Image:
    """Return the camera's picture with the OLED's screens beside it."""
    seen = cv2.resize(frame.image, SIZE, interpolation=cv2.INTER_AREA)
    side = np.full((SIZE[1], SIDE_PX, 3), 250, np.uint8)
    y = (SIZE[1] - len(shown) * (64 * OLED_SCALE + MARGIN_PX)) // 2
    for oled_picture in shown:
        height, width = oled_picture.shape[:2]
        side[y : y + height, MARGIN_PX : MARGIN_PX + width] = oled_picture
        y += height + MARGIN_PX
    return np.hstack([seen, side]).astype(np.uint8)


def oled(view: PublicView) -> Image:
    """Return an OLED screen enlarged, in the colours of a white panel."""
    lit = np.asarray(screen(view).convert("L")) > 0
    colours = np.where(lit[:, :, None], np.array(LIT), np.array(DARK)).astype(np.uint8)
    return cv2.resize(colours, None, fx=OLED_SCALE, fy=OLED_SCALE, interpolation=cv2.INTER_NEAREST).astype(np.uint8)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2)
