from collections.abc import Callable
from itertools import islice, pairwise

import numpy as np

from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.kit.art import KitArt
from pi_app.sim.hands import TICK_S
from pi_app.sim.motion import Mover
from pi_app.sim.parts import SimCamera
from pi_app.sim.picture import TablePicture
from pi_app.sim.scene import Faults, plain_scene

Lay = Callable[[int, float], Mover]


def frames(mover: Mover, art: KitArt, count: int, faults: Faults | None = None) -> list[Frame]:
    table = mover.table
    picture = TablePicture(plain_scene(640, 360), table.table, table.kit, art, table.pieces.values(), Mode.BADGE)
    return list(islice(SimCamera(table, picture, faults), count))


def test_frames_are_thirty_a_second_of_sensor_time(lay: Lay, art: KitArt) -> None:
    mover = lay(1, 1.0)
    seen = frames(mover, art, 16)
    gaps = np.diff([frame.sensor_ns for frame in seen]) / 1e9
    assert np.abs(gaps - 1 / 30).max() < TICK_S
    assert abs(gaps.mean() - 1 / 30) < TICK_S / len(gaps)
    assert [frame.number for frame in seen] == list(range(16))
    assert mover.table.clock.now_ns() >= seen[-1].sensor_ns
    assert seen[0].image.shape == (360, 640, 3)


def test_a_frozen_camera_repeats_picture_and_time(lay: Lay, art: KitArt) -> None:
    seen = frames(lay(1, 1.0), art, 20, Faults(frozen_s=((0.2, 0.4),)))
    repeated = [a.number for a, b in pairwise(seen) if a.sensor_ns == b.sensor_ns]
    assert len(repeated) == 6
    assert all(np.array_equal(seen[n].image, seen[n + 1].image) for n in repeated)


def test_dropped_frames_leave_a_gap(lay: Lay, art: KitArt) -> None:
    seen = frames(lay(1, 1.0), art, 12, Faults(dropped_s=((0.1, 0.2),)))
    gaps = np.diff([frame.sensor_ns for frame in seen]) / 1e9
    assert max(gaps) > 0.12
    assert [frame.number for frame in seen] == list(range(12))


def test_flicker_moves_a_band_down_the_picture(lay: Lay, art: KitArt) -> None:
    steady, flickering = (frames(lay(1, 1.0), art, 2, faults)[1] for faults in (None, Faults(flicker=0.15)))
    ratio = flickering.image.mean(axis=(1, 2)) / steady.image.mean(axis=(1, 2))
    assert ratio.max() > 1.05
    assert ratio.min() < 0.95


def test_the_same_seed_gives_the_same_pictures(lay: Lay, art: KitArt) -> None:
    first, again, other = (frames(lay(seed, 1.0), art, 3, Faults(arms_s=(0.0,)))[-1] for seed in (4, 4, 5))
    assert np.array_equal(first.image, again.image)
    assert first.sensor_ns == again.sensor_ns
    assert not np.array_equal(first.image, other.image)


def test_a_closed_camera_ends(lay: Lay, art: KitArt) -> None:
    mover = lay(1, 1.0)
    table = mover.table
    picture = TablePicture(plain_scene(640, 360), table.table, table.kit, art, table.pieces.values(), Mode.BADGE)
    camera = SimCamera(table, picture)
    for frame in camera:
        if frame.number == 2:
            camera.close()
    assert frame.number == 2
