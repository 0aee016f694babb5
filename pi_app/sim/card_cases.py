"""Simulated stills of cards in the card zone: one, two or none, another game's, partly covered, stones laid on them."""

from dataclasses import replace

import cv2
import numpy as np

from pi_app.core.names import Colour, Mode, Task
from pi_app.core.observations import Frame
from pi_app.kit.art import PX_PER_MM, KitArt
from pi_app.kit.model import Card, Kit
from pi_app.kit.table import Table
from pi_app.sim.cases import Case, KitAt
from pi_app.sim.picture import TablePicture
from pi_app.sim.pieces import Floats, Piece, Placed, turn_z
from pi_app.sim.scene import Scene, random_scene
from pi_app.sim.shapes import Capsule, CardShown, Snapshot
from pi_app.sim.textures import Picture
from pi_app.vision.reading import PartKind

STRANGER = "stranger"
"""The name under which a card that is not of the kit is drawn."""
WHAT = ("one", "one", "one", "one", "covered", "covered", "stone", "two", "none", "unknown")
HIGH_MM = 500.0
WARM = (1.45, 1.0, 0.62)
"""A lamp of 2700 K before a camera set to daylight, as gains of B, G, R; its inverse is a blue shade."""


def card_case(at: KitAt, table: Table, seed: int, mode: Mode) -> Case:
    """Return one still of the card zone; the truth names the one card, or null where none of the kit lies there."""
    random = np.random.default_rng((seed, 24))
    scene = _lit(random_scene(seed), random)
    what = WHAT[int(random.integers(len(WHAT)))]
    cards = _laid(at.kit, table, random, what)
    art = replace(at.art, cards={**at.art.cards, STRANGER: _stranger(at.art, random)})
    stones = {} if what != "stone" else _stones_near(at.kit, random, cards[0], 1)
    limbs = _finger(random, cards[0], scene) if what == "covered" else ()
    frames = iter([Frame(0, 0, _drawn(scene, table, at.kit, art, Snapshot(stones, limbs, cards), mode, random))])
    names = [card.card for card in cards if card.card != STRANGER]
    truth: dict[str, object] = {"card": names[0] if len(names) == 1 else None, "cards": names, "notes": what}
    return Case({"kit": at.name, "kind": "card"}, scene, frames, lambda _: truth, still=True)


def juggler_case(at: KitAt, table: Table, seed: int, mode: Mode) -> Case:
    """Return one still of a Juggler card with stones on it, right or wrong, others beside it and in their own zone."""
    random = np.random.default_rng((seed, 25))
    scene = _lit(random_scene(seed), random)
    choices = [card for card in at.kit.card if card.task is Task.JUGGLER and card.stones is not None]
    card = choices[int(random.integers(len(choices)))]
    shown = _placed(card.id, table, random)
    wanted = _wanted(card)
    lying = _changed(wanted, random) if random.random() < 0.5 else wanted
    stones = _on_card(at, lying, shown, random) | _elsewhere(at.kit, table, random, shown, at.art)
    limbs = _finger(random, shown, scene) if random.random() < 0.1 else ()
    frames = iter([Frame(0, 0, _drawn(scene, table, at.kit, at.art, Snapshot(stones, limbs, (shown,)), mode, random))])
    counts = {colour.value: lying.count(colour) for colour in Colour}
    right = sorted(lying) == sorted(wanted)
    truth: dict[str, object] = {
        "outcome": "pass" if right else "fail", "stones": counts, "reasons": ["ok" if right else "wrong_stones"],
    }  # fmt: skip
    values = {"kit": at.name, "kind": "juggler", "task": "juggler", "card": card.id}
    return Case(values, scene, frames, lambda _: truth, still=True)


def _lit(scene: Scene, random: np.random.Generator) -> Scene:
    """Return a scene under a warmer, colder or dimmer light, its white balance up to 15 % off."""
    warm = np.array(WARM) ** random.uniform(-0.5, 1.0)
    off = random.uniform(0.85, 1.15, 3)
    blue, green, red = (float(gain) for gain in warm * off)
    return replace(
        scene, white_balance=(blue, green, red), exposure=scene.exposure * float(random.choice((1.0, 1.0, 0.5, 0.3)))
    )


def _placed(name: str, table: Table, random: np.random.Generator) -> CardShown:
    zone = table.zones.cards
    x, y = random.uniform((zone.x0 + 4, zone.y0 + 4), (zone.x1 - 4, zone.y1 - 4))
    x = float(np.clip(x, zone.x0 + 12, zone.x1 - 4))
    turn = float(random.choice((0.0, 180.0, 90.0, 270.0))) + float(random.normal(0, 8))
    return CardShown(name, x, float(y), float(random.uniform(0, 360)) if random.random() < 0.3 else turn)


def _laid(kit: Kit, table: Table, random: np.random.Generator, what: str) -> tuple[CardShown, ...]:
    names = [kit.card[int(n)].id for n in random.permutation(len(kit.card))[:2]]
    match what:
        case "none":
            return ()
        case "unknown":
            return (_placed(STRANGER, table, random),)
        case "two":
            first, second = (_placed(name, table, random) for name in names)
            near = float(random.uniform(-95, -45))
            return (replace(first, y_mm=near), replace(second, y_mm=near + float(random.uniform(100, 130))))
        case _:
            return (_placed(names[0], table, random),)


def _stranger(art: KitArt, random: np.random.Generator) -> Picture:
    """Return a card that is not of the kit: a back, a printed leaflet, or a card of the kit repainted."""
    names = list(art.cards)
    model = art.cards[names[int(random.integers(len(names)))]]
    picture = np.empty_like(model)
    ground = random.integers(60, 255, 3)
    picture[:] = ground
    match int(random.integers(3)):
        case 0:
            ink = [int(c) for c in 255 - ground]
            for column in range(-model.shape[0], model.shape[1], 40):
                cv2.line(picture, (column, 0), (column + model.shape[0], model.shape[0]), ink, 9, cv2.LINE_AA)
        case 1:
            picture[:] = 245
            for row in range(40, model.shape[0] - 60, 24):
                right = int(random.integers(model.shape[1] // 2, model.shape[1] - 40))
                cv2.line(picture, (40, row), (right, row), (60, 60, 60), 8, cv2.LINE_AA)
        case _:
            picture = model[:, ::-1, ::-1]
    return np.ascontiguousarray(picture, np.uint8)


def _finger(random: np.random.Generator, card: CardShown, scene: Scene) -> tuple[Capsule, ...]:
    """Return a finger that reaches over the card's edge, from outside the mat."""
    turn = random.uniform(0, 2 * np.pi)
    way = np.array([np.cos(turn), np.sin(turn)])
    tip = np.array([card.x_mm, card.y_mm]) + way * random.uniform(24.0, 42.0)
    far = tip + way * 120.0
    skin = scene.look.skin_bgr
    return (
        Capsule(np.array([*far, 60.0]), np.array([*(tip + way * 25), 22.0]), 12.0, 9.0, skin),
        Capsule(np.array([*(tip + way * 25), 22.0]), np.array([*tip, 8.0]), 9.0, 7.5, skin),
    )


def _wanted(card: Card) -> list[Colour]:
    assert card.stones is not None, "a Juggler card names its stones"
    return [colour for colour in Colour for _ in range(card.stones.of(colour))]


def _changed(stones: list[Colour], random: np.random.Generator) -> list[Colour]:
    changed = list(stones)
    match int(random.integers(3)):
        case 0:
            changed.pop(int(random.integers(len(changed))))
        case 1:
            changed.append(list(Colour)[int(random.integers(3))])
        case _:
            place = int(random.integers(len(changed)))
            others = [colour for colour in Colour if colour is not changed[place]]
            changed[place] = others[int(random.integers(2))]
    return changed


def _on_card(at: KitAt, lying: list[Colour], shown: CardShown, random: np.random.Generator) -> dict[str, Placed]:
    picture, stone = at.art.cards[shown.card], at.kit.stone
    room = np.array([picture.shape[1], picture.shape[0]]) / PX_PER_MM / 2 - stone.diameter_mm * 0.6
    spots: list[Floats] = []
    while len(spots) < len(lying):
        spot = random.uniform(-room, room) * (1.0, 0.75)
        if all(np.hypot(*(spot - other)) > stone.diameter_mm * 1.02 for other in spots):
            spots.append(spot)
    turn = turn_z(shown.turn_deg)[:2, :2]
    middles = [turn @ spot + (shown.x_mm, shown.y_mm) for spot in spots]
    return _named(lying, middles, at.kit, random, "on")


def _stones_near(kit: Kit, random: np.random.Generator, card: CardShown, count: int) -> dict[str, Placed]:
    colours = [list(Colour)[int(random.integers(3))] for _ in range(count)]
    middles = [np.array([card.x_mm, card.y_mm]) + random.uniform(-26, 26, 2) for _ in colours]
    return _named(colours, middles, kit, random, "near")


def _elsewhere(kit: Kit, table: Table, random: np.random.Generator, card: CardShown, art: KitArt) -> dict[str, Placed]:
    """Return stones in their own zone and, now and then, one beside the card."""
    zone, colours = table.zones.stones, list(Colour)
    middles = [random.uniform((zone.x0 + 8, y - 8), (zone.x1 - 8, y + 8)) for y in (-60.0, 0.0, 60.0)]
    middles = middles[: int(random.integers(0, 4))]
    if random.random() < 0.4:
        picture = art.cards[card.card]
        out = np.array([picture.shape[1] / PX_PER_MM / 2 + kit.stone.diameter_mm * random.uniform(0.7, 1.0), 0.0])
        middles.append(turn_z(card.turn_deg + 180 * int(random.integers(2)))[:2, :2] @ out + (card.x_mm, card.y_mm))
    return _named([colours[int(random.integers(3))] for _ in middles], middles, kit, random, "far")


def _named(
    colours: list[Colour], middles: list[Floats], kit: Kit, random: np.random.Generator, prefix: str
) -> dict[str, Placed]:
    high = kit.stone.height_mm / 2 + 0.3
    pairs = enumerate(zip(colours, middles, strict=True))
    return {
        f"{prefix} {n} {colour}": Placed(np.array([*middle, high]), turn_z(float(random.uniform(0, 90))))
        for n, (colour, middle) in pairs
    }


def _drawn(
    scene: Scene, table: Table, kit: Kit, art: KitArt, snapshot: Snapshot, mode: Mode, random: np.random.Generator
) -> Picture:
    size = (kit.stone.diameter_mm, kit.stone.diameter_mm, kit.stone.height_mm)
    pieces = [Piece(name, PartKind.STONE, name.split()[-1], size, round=True) for name in snapshot.pieces]
    shaded = replace(snapshot, limbs=(*snapshot.limbs, *_shade(table, scene, random)))
    picture = TablePicture(scene, table, kit, art, pieces, mode).draw(shaded)
    return _gloss(picture, scene, snapshot.cards, random) if random.random() < 0.25 else picture


def _shade(table: Table, scene: Scene, random: np.random.Generator) -> tuple[Capsule, ...]:
    """Return now and then something high over the table, out of the picture, whose shadow's edge crosses the cards."""
    if random.random() < 0.6:
        return ()
    zone, lamp = table.zones.cards, np.array(scene.light.lamps[0].place_mm)
    spot = np.array([random.uniform(zone.x0, zone.x1), random.uniform(zone.y0, zone.y1), 0.0])
    middle = spot + (lamp - spot) * (HIGH_MM / lamp[2])
    turn = random.uniform(0, 2 * np.pi)
    way = np.array([np.cos(turn), np.sin(turn), 0.0]) * 150.0
    bar = Capsule(middle - way, middle + way, 22.0, 22.0, (60.0, 60.0, 60.0))
    return () if _in_view(bar, scene) else (bar,)


def _in_view(bar: Capsule, scene: Scene) -> bool:
    """Return whether a bar may be seen, or is too close to the camera to be drawn."""
    points = np.linspace(bar.start_mm, bar.end_mm, 9)
    pose, camera = scene.view.pose, scene.view.camera
    if ((points @ pose.rotation.T + pose.translation)[:, 2] < 100.0).any():
        return True
    pixels, far = scene.view.project(points), 80.0
    return bool(((pixels > -far) & (pixels < (camera.width + far, camera.height + far))).all(axis=1).any())


def _gloss(picture: Picture, scene: Scene, cards: tuple[CardShown, ...], random: np.random.Generator) -> Picture:
    """Return the picture with a lamp mirrored on a card."""
    spots = [[card.x_mm + random.uniform(-25, 25), card.y_mm + random.uniform(-25, 25), 0.3] for card in cards]
    shine = np.zeros(picture.shape[:2], np.float32)
    for x, y in scene.view.project(spots) if spots else []:
        axes = random.uniform(8.0, 22.0) * scene.view.camera.width / 1000
        cv2.ellipse(shine, (round(x), round(y)), (round(1.6 * axes), round(axes)), 0, 0, 360, (1.0,), cv2.FILLED)
    shine = cv2.GaussianBlur(shine, (0, 0), 6.0) * np.float32(random.uniform(40, 150))
    return np.asarray(np.clip(picture + shine[..., None], 0, 255), np.uint8)
