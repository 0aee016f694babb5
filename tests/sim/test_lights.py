"""Kinds of room light change colours and shadows as they do in a room, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from pi_app.core.names import Mode
from pi_app.kit.art import KitArt
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.sim.lights import RoomLight, in_light, room_scene, tint_of
from pi_app.sim.picture import TablePicture
from pi_app.sim.scene import Scene, Screen, plain_scene
from pi_app.sim.shapes import CardShown, Snapshot
from pi_app.sim.textures import Picture


def drawn(scene: Scene, kit: Kit, art: KitArt, mat: Table, snapshot: Snapshot | None = None) -> Picture:
    steady = replace(scene, noise=0.0)
    return TablePicture(steady, mat, kit, art, (), Mode.STOCK).draw(snapshot or Snapshot({}))


def test_a_warm_lamp_is_red_and_daylight_is_white() -> None:
    blue, green, red = tint_of(2700.0)
    assert red > 1.5
    assert green == 1.0
    assert blue < 0.5
    assert tint_of(6500.0) == pytest.approx((1.0, 1.0, 1.0))


def test_the_light_changes_with_the_kind_and_the_camera_does_not() -> None:
    scenes = {kind: room_scene(3, kind) for kind in RoomLight}
    assert len({scene.view.pose.eye.tobytes() for scene in scenes.values()}) == 1
    assert scenes[RoomLight.DIM].exposure < 0.6 * scenes[RoomLight.PLAIN].exposure
    assert scenes[RoomLight.HALF_SHADOW].light.screen is not None
    assert scenes[RoomLight.WINDOW].light.lamps[0].place_mm[1] < -600
    assert len({(str(s.light), s.exposure, s.white_balance) for s in scenes.values()}) == len(RoomLight)


def test_a_cast_is_fifteen_per_cent_at_most() -> None:
    scene = plain_scene()
    for seed in range(5):
        off = np.array(in_light(scene, RoomLight.CAST, np.random.default_rng(seed)).white_balance)
        assert np.abs(off - 1).max() == pytest.approx(0.15)


def test_half_of_all_rooms_are_plain() -> None:
    pairs = [(room_scene(seed), room_scene(seed, RoomLight.PLAIN)) for seed in range(60)]
    plain = sum(
        (one.light, one.exposure, one.white_balance) == (other.light, other.exposure, other.white_balance)
        for one, other in pairs
    )
    assert 18 < plain < 42


def test_a_screen_darkens_its_half_of_the_mat(kit: Kit, art: KitArt, mat: Table) -> None:
    scene = plain_scene(640, 360)
    screen = Screen((0.0, 0.0), 0.0, 10.0)
    full = drawn(scene, kit, art, mat)
    half = drawn(replace(scene, light=replace(scene.light, screen=screen)), kit, art, mat)
    sunny, shady = (scene.view.project([(x, 20.0, 0.0)])[0].astype(int) for x in (-60.0, 60.0))
    assert abs(int(half[sunny[1], sunny[0], 1]) - int(full[sunny[1], sunny[0], 1])) <= 1
    assert int(half[shady[1], shady[0], 1]) < 0.85 * int(full[shady[1], shady[0], 1])


def test_a_card_in_the_shade_is_as_dark_as_the_mat_beside_it(kit: Kit, art: KitArt, mat: Table) -> None:
    scene = plain_scene(640, 360)
    card = Snapshot({}, cards=(CardShown(kit.card[0].id, -140.0, 0.0),))
    shaded = replace(scene, light=replace(scene.light, screen=Screen((0.0, 0.0), 180.0, 10.0)))
    at = scene.view.project([(-140.0, 0.0, 0.0), (-100.0, 0.0, 0.0)]).astype(int)
    levels = [[drawn(one, kit, art, mat, card)[y - 3 : y + 4, x - 3 : x + 4].mean() for x, y in at]
              for one in (scene, shaded)]  # fmt: skip
    card_share, mat_share = (levels[1][n] / levels[0][n] for n in (0, 1))
    assert card_share < 0.9
    assert card_share == pytest.approx(mat_share, abs=0.05)


def test_a_window_behind_the_player_mirrors_in_a_card(kit: Kit, art: KitArt, mat: Table) -> None:
    scene = plain_scene(640, 360)
    lamp = replace(scene.light.lamps[0], place_mm=(-400.0, -800.0, 450.0))
    low = replace(scene, light=replace(scene.light, lamps=(lamp,)), exposure=0.6)
    name = max(art.cards, key=lambda card: -float(art.cards[card][200:400].mean()))
    places = [Snapshot({}, cards=(CardShown(name, x, y),)) for x, y in ((-145.0, 0.0), (120.0, -60.0))]
    seen = []
    for place in places:
        card = place.cards[0]
        x, y = scene.view.project([(card.x_mm, card.y_mm, 0.0)])[0].astype(int)
        seen.append(drawn(low, kit, art, mat, place)[y - 6 : y + 7, x - 6 : x + 7].min())
    assert seen[0] > seen[1] + 8
