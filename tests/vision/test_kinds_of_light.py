"""One scene in every kind of light: the same stones, card and Juggler, or unsure with a reason, no other answer."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pi_app.core.names import Colour, Mode
from pi_app.core.verdict import Outcome
from pi_app.kit.art import KitArt, load_art
from pi_app.kit.load import load_kit, load_table
from pi_app.kit.model import Kit
from pi_app.kit.sample import write_sample_kit
from pi_app.sim.lights import RoomLight, flickered, in_light, lamp_on
from pi_app.sim.picture import TablePicture
from pi_app.sim.pieces import Piece, Placed
from pi_app.sim.scene import Scene, random_scene
from pi_app.sim.shapes import Capsule, CardShown, Snapshot
from pi_app.sim.textures import Picture
from pi_app.vision.cards import read_card
from pi_app.vision.juggler import read_juggler
from pi_app.vision.reading import PartKind
from pi_app.vision.stones import count_stones
from tests.vision.test_pose import TABLE_FILE

Y, R, B = Colour.YELLOW, Colour.RED, Colour.BLUE
CARD = CardShown("juggler_yyb", -140.0, -10.0, 0.0)
ON_CARD = ((Y, -155.0, 14.0), (Y, -140.0, 16.0), (B, -125.0, -30.0))
SKIN, RING, PENCIL = (132.0, 165.0, 215.0), (60.0, 180.0, 225.0), (40.0, 40.0, 200.0)
PLAIN = 7


def same(picture: Picture) -> Picture:
    return picture


def swinging(picture: Picture) -> Picture:
    return flickered(picture, 0.15, 2.5, 1.0)


def room(kind: RoomLight) -> Scene:
    return in_light(random_scene(PLAIN), kind, np.random.default_rng(PLAIN))


def cast(blue: float, green: float, red: float) -> Scene:
    scene = random_scene(PLAIN)
    gains = np.array(scene.white_balance) * (blue, green, red)
    return replace(scene, white_balance=(float(gains[0]), float(gains[1]), float(gains[2])))


@pytest.fixture(scope="module")
def kit_art(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kit, KitArt]:
    folder = write_sample_kit(tmp_path_factory.mktemp("kit") / "sample")
    kit = load_kit(folder)
    return kit, load_art(folder, kit)


def table_with(kit: Kit) -> tuple[list[Piece], dict[str, Placed], tuple[Capsule, ...]]:
    """Return stones on the card and in their zone, two of them touching, a ringed finger and a red pencil beside."""
    zone, across, high = load_table(TABLE_FILE).zones.stones, kit.stone.diameter_mm, kit.stone.height_mm
    x = (zone.x0 + zone.x1) / 2
    heap = ((R, x, -50.0), (R, x, -50.0 + across), (Y, x, 40.0))
    stones = (*ON_CARD, *heap)
    size = (across, across, high)
    pieces = [Piece(str(n), PartKind.STONE, colour, size, round=True) for n, (colour, _, _) in enumerate(stones)]
    places = {str(n): Placed(np.array([sx, sy, high / 2 + 0.3]), np.eye(3)) for n, (_, sx, sy) in enumerate(stones)}
    tip, back = np.array([x, 2.0, 8.0]), np.array([x + 30.0, -4.0, 9.0])
    finger = Capsule(back + np.array([90.0, -10.0, 40.0]), tip, 9.0, 7.5, SKIN)
    ring = Capsule(back, back + np.array([3.0, -0.4, 1.4]), 9.4, 9.4, RING)
    pencil = Capsule(np.array([x - 8, 75.0, 4.0]), np.array([x + 120.0, 110.0, 4.0]), 3.5, 3.5, PENCIL)
    return pieces, places, (finger, ring, pencil)


@pytest.mark.parametrize(
    ("scene", "seen"),
    [
        (random_scene(PLAIN), same),
        *((room(kind), same) for kind in RoomLight if kind not in (RoomLight.PLAIN, RoomLight.CAST)),
        (lamp_on(random_scene(PLAIN)), same),
        (random_scene(PLAIN), swinging),
        (cast(1.15, 1.0, 0.85), same),
        (cast(0.85, 1.0, 1.15), same),
        (cast(0.93, 1.15, 0.93), same),
    ],
    ids=["plain", *(k for k in RoomLight if k not in ("plain", "cast")), "lamp on", "flicker", "blue", "red", "green"],
)
def test_light_changes_no_answer(scene: Scene, seen: Callable[[Picture], Picture], kit_art: tuple[Kit, KitArt]) -> None:
    kit, art = kit_art
    table, (pieces, places, limbs) = load_table(TABLE_FILE), table_with(kit)
    snapshot = Snapshot(places, limbs, (CARD,))
    image = seen(TablePicture(scene, table, kit, art, pieces, Mode.STOCK).draw(snapshot))
    juggler = read_juggler(image, scene.view, table, kit, art, kit.card_named(CARD.card))
    assert juggler.reasons
    assert juggler.outcome is not Outcome.FAIL
    assert juggler.outcome is Outcome.UNSURE or juggler.counts == {Y: 2, R: 0, B: 1}
    cards = read_card(image, scene.view, table, art)
    assert [card.card for card in cards.cards] == [CARD.card] or (not cards.cards and cards.reason is not None)
    stones = count_stones(image, scene.view, table, kit)
    assert stones.doubts or (stones.yellow, stones.red, stones.blue) == (1, 2, 0)
    if scene == random_scene(PLAIN) and seen is same:
        assert (juggler.outcome, stones.doubts) == (Outcome.PASS, ())
