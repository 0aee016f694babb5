"""A painted tunnel: boxes of one colour on white paper, seen by a camera across the table."""

import cv2
import numpy as np
import pytest

from pi_app.core.names import BlockPose
from pi_app.kit.model import Acrobat, Kit
from pi_app.kit.sample import sample_kit
from pi_app.vision.blocks import Place, Stand, acrobat_part
from pi_app.vision.camera import Camera, Floats, View, look_at
from pi_app.vision.motion import Picture
from pi_app.vision.occlusion import Window
from pi_app.vision.passage import PassageEye, Side, Sight, tunnel_of
from pi_app.vision.passage_fit import Fitter, Lying
from pi_app.vision.reading import PartKind, SeenPart

KIT: Kit = sample_kit()
BLOCK: Acrobat = KIT.acrobat
CAMERA = Camera(1280, 720, 1000.0, 1000.0, 639.5, 359.5, (0.0,) * 5)
VIEW = View(CAMERA, look_at((20.0, 470.0, 320.0), (0.0, -10.0, 30.0)))
WINDOW = Window(200, 40, 1100, 680, 0.5, 1280)
PAPER, WOOD, SKIN = (225, 232, 235), (120, 165, 205), (90, 120, 190)
MIDDLE = np.array([0.0, -20.0])


def upright(x_mm: float, y_mm: float, foot_mm: float = 0.0) -> SeenPart:
    place = Place(BlockPose.STAND, 0.0, foot_mm + BLOCK.length_mm / 2)
    return acrobat_part(place, Stand(x_mm, y_mm, 0.0), KIT)


def tunnel_parts() -> tuple[SeenPart, ...]:
    over = KIT.overview
    size = (over.width_mm, over.height_mm, over.thickness_mm)
    high = BLOCK.length_mm + over.thickness_mm
    tile = SeenPart(PartKind.OVERVIEW, np.array([*MIDDLE, high - over.thickness_mm / 2]), np.eye(3), size, "", "", 1.0)
    corners = [(a, MIDDLE[1] + b) for b in (-30.0, 30.0) for a in (-45.0, 45.0)]
    return (*(upright(*corner) for corner in corners), tile, upright(0.0, float(MIDDLE[1]), high))


def box_mm(lying: Lying) -> Floats:
    foot = lying.footprint(BLOCK)
    high = BLOCK.thickness_mm if lying.pose is BlockPose.STAND else BLOCK.width_mm
    return np.concatenate([np.column_stack([foot, np.full(4, z)]) for z in (0.0, high)])


def lying(x_mm: float, y_mm: float, turn_deg: float = 90.0, pose: BlockPose = BlockPose.STAND) -> Lying:
    return Lying(x_mm, y_mm, float(np.deg2rad(turn_deg)), pose, 1.0, 1.0)


def paint(parts: tuple[SeenPart, ...], acrobat: Lying | None = None, hand_mm: Floats | None = None) -> Picture:
    """Return the cut-out: the farthest box first; `hand_mm` are points of a hand, before everything."""
    picture = np.full((720, 1280, 3), PAPER, np.uint8)
    boxes = [(part.corners_mm(), np.array(WOOD) - 14.0 * (n % 3)) for n, part in enumerate(parts)]
    if acrobat is not None:
        boxes.append((box_mm(acrobat), np.array([60.0, 150.0, 220.0])))
    eye = VIEW.pose.eye
    flat = [box for box in boxes if np.ptp(box[0][:, 2]) < 5.0]
    rest = [box for box in boxes if np.ptp(box[0][:, 2]) >= 5.0]
    low = sorted((b for b in rest if b[0][:, 2].min() < 5.0), key=lambda b: -float(np.linalg.norm(b[0].mean(0) - eye)))
    for corners, colour in (*low, *flat, *(b for b in rest if b[0][:, 2].min() >= 5.0)):
        fill(picture, VIEW.project(corners), colour.tolist())
    if hand_mm is not None:
        fill(picture, VIEW.project(hand_mm), list(SKIN))
    noise = np.random.default_rng(5).normal(0, 1.0, picture.shape)
    return WINDOW.cut(np.clip(cv2.GaussianBlur(picture, (3, 3), 0.7) + noise, 0, 255).astype(np.uint8))


def fill(picture: Picture, pixels: Floats, colour: list[float]) -> None:
    cv2.fillConvexPoly(picture, cv2.convexHull(np.rint(pixels).astype(np.int32)), colour)


def looked(*pictures: Picture) -> list[Sight]:
    tunnel = tunnel_of(tunnel_parts(), VIEW)
    assert tunnel is not None
    eye = PassageEye(tunnel, VIEW, WINDOW, KIT, pictures[0])
    return [eye.look(n, picture) for n, picture in enumerate(pictures)]


ALONE = paint(tunnel_parts())


@pytest.mark.parametrize("pose", list(BlockPose))
@pytest.mark.parametrize(("x", "y", "turn"), [(0.0, 75.0, 80.0), (-110.0, -10.0, 10.0), (105.0, 20.0, 150.0)])
def test_a_lying_acrobat_is_placed_to_a_few_millimetres(pose: BlockPose, x: float, y: float, turn: float) -> None:
    real = lying(x, y, turn, pose)
    blob = np.zeros(ALONE.shape[:2], np.uint8)
    cv2.fillConvexPoly(blob, cv2.convexHull(WINDOW.place(VIEW.project(box_mm(real)))), (1,))
    fit = Fitter(VIEW, WINDOW, BLOCK, (), (ALONE.shape[0], ALONE.shape[1])).fit(blob)
    assert fit is not None
    assert fit.score > 0.85
    assert np.hypot(fit.x_mm - x, fit.y_mm - y) < 4.0
    assert abs((np.degrees(fit.turn_rad) - turn + 90) % 180 - 90) < 12.0


def test_a_tunnel_alone_is_clear() -> None:
    sight = looked(ALONE, paint(tunnel_parts()))[-1]
    assert sight.clear
    assert not sight.spots
    assert [sight.hand, sight.broken] == [False, False]


def test_beyond_the_front_edge() -> None:
    (spot,) = looked(ALONE, paint(tunnel_parts(), lying(0.0, 75.0)))[-1].spots
    assert (spot.side, spot.whole) == (Side.FRONT, True)
    assert abs(spot.n_mm - 95.0) < 5.0


def test_across_the_front_edge_is_not_beyond_it() -> None:
    sight = looked(ALONE, paint(tunnel_parts(), lying(0.0, 30.0)))[-1]
    assert sight.under is not None
    assert sight.under[3] > KIT.overview.height_mm / 2
    assert not any(spot.whole for spot in sight.spots)


def test_under_the_tile_between_the_legs() -> None:
    sight = looked(ALONE, paint(tunnel_parts(), lying(0.0, -12.0, 0.0)))[-1]
    assert sight.under is not None
    assert not sight.clear
    assert not any(spot.whole for spot in sight.spots)


def test_what_lay_there_and_is_away_is_told_once() -> None:
    before = paint(tunnel_parts(), lying(-110.0, -20.0, 0.0))
    first, second, third = looked(before, ALONE, ALONE)
    assert not first.left
    assert [spot.side for spot in second.left] == [Side.LEFT]
    assert not third.left


def test_a_hand_from_outside_is_no_acrobat() -> None:
    arm = np.array(
        [[x, y, z] for x, y in ((0.0, 60.0), (260.0, 60.0), (260.0, 110.0), (0.0, 110.0)) for z in (20.0, 50.0)]
    )
    sight = looked(ALONE, paint(tunnel_parts(), None, arm))[-1]
    assert sight.hand
    assert not sight.spots


def test_a_fifth_acrobat_that_is_gone_breaks_the_tunnel() -> None:
    assert looked(ALONE, paint(tunnel_parts()[:-1]))[-1].broken


def test_parts_without_a_tile_are_no_tunnel() -> None:
    assert tunnel_of(tunnel_parts()[:4], VIEW) is None
