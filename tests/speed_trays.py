"""What reading four full trays in one picture costs, in detections of markers in the same picture; `make speed`."""

import time
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np

from pi_app.kit.festival import CELLS, PLAYERS
from pi_app.sim.festival_picture import FestivalPicture
from pi_app.sim.festival_scene import FestivalShown, TokenShown, TrayShown, festival_scene
from pi_app.vision.camera import Camera
from pi_app.vision.pose import Image, detector
from pi_app.vision.tray import find_trays
from pi_app.vision.tray_reading import Look, read_tray
from tests.festival_kit import art, kit_at, table

SEED, RUNS = 4, 9
AWAY_MM = 105.0
WANTED = "at most 6"


def print_trays() -> None:
    """Print the ratio for trays whose piles are known, and for trays never seen before."""
    scene = festival_scene(SEED, PLAYERS)
    trays = full_trays(np.random.default_rng(SEED))
    image = FestivalPicture(scene, table(), art(), kit_at().sheets).draw(FestivalShown(trays, mat=False))
    detect = partial(detector(table().markers.family).detectMarkers, image)
    for name, level in (("piles known", 1), ("never seen", 0)):
        work = partial(tops, image, scene.view.camera, level)
        assert work() == [[pile[-1].colour + pile[-1].motif for pile in tray.piles] for tray in trays]
        pairs = [(seconds(work), seconds(detect)) for _ in range(RUNS)]
        ratio = median(work_s for work_s, _ in pairs) / median(detect_s for _, detect_s in pairs)
        print(f"{f'four full trays, {name} / one detectMarkers':62} {ratio:>8.2f}   {WANTED}")


def full_trays(random: np.random.Generator) -> tuple[TrayShown, ...]:
    """Return a tray for each player with a token of any kind, at any turn, on each cell."""
    trays, kinds = [], list(art().pieces)
    for player in range(PLAYERS):
        at_mm = ((-AWAY_MM, AWAY_MM)[player % 2], (-AWAY_MM, AWAY_MM)[player // 2])
        tray = TrayShown(player, at_mm, 90.0 * player)
        for cell in range(CELLS):
            x, y, turn = (float(value) for value in random.uniform((-2, -2, 0), (2, 2, 360)))
            tray = tray.placed(cell, TokenShown(*kinds[int(random.integers(len(kinds)))], (x, y), turn))
        trays.append(tray)
    return tuple(trays)


def tops(image: Image, camera: Camera, level: int) -> list[list[str]]:
    """Find and read the four trays; return each cell's token, or how it looks."""
    sights = find_trays(image, camera, table())
    readings = [read_tray(image, sight, table(), art(), (level,) * CELLS) for sight in sights]
    return [
        [cell.colour + cell.motif if cell.look is Look.TOKEN else str(cell.look) for cell in reading.cells]
        for reading in readings
    ]


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds of this process that some work took."""
    start_s = time.process_time()
    work()
    return time.process_time() - start_s
