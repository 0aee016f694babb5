"""Pictures that are no good are refused in one line that says why."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from pi_app.core.errors import UserError
from pi_app.teach.lesson import Given, Show, ShowAcrobat, ShowBlock, ShowTile
from pi_app.teach.measure import given_sizes, see
from pi_app.teach.shot import take_shot
from pi_app.vision.pose import Image
from tests.teach.lay import Laid

FLAT = ShowAcrobat(file="a", kind="acrobat", piece=0, side="front")
TILE = ShowTile(file="a", kind="tile", id="t")
STAND = ShowBlock(file="a", kind="block", pose="stand")


def darker(image: Image) -> Image:
    return np.asarray(image // 6, np.uint8)


def swapped(image: Image) -> Image:
    return np.ascontiguousarray(image[..., ::-1])


def blurred(image: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 2.6), np.uint8)


def elsewhere(image: Image) -> Image:
    return np.full_like(image, 90)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (darker, "too dark"),
        (swapped, "red and blue swapped"),
        (blurred, "blurred: printed edges are spread over"),
        (elsewhere, "no mat in view"),
        (lambda image: image[:-2], "got a picture of 1280 x 718 px, wanted 1280 x 720"),
    ],
)
def test_a_bad_picture_is_refused(stock: Laid, spoil: Callable[[Image], Image], why: str) -> None:
    image = spoil(stock.clear().acrobat(0, 0, -20).picture())
    with pytest.raises(UserError, match=why):
        take_shot(image, stock.table, stock.scene.view.camera)


@pytest.mark.parametrize(
    ("lay", "show", "why"),
    [
        (lambda laid: laid, FLAT, "got nothing in the zone, wanted acrobat 0 front on it"),
        (lambda laid: laid.acrobat(0, -60, -20).acrobat(1, 40, -20), FLAT, "got 2 things in the zone"),
        (lambda laid: laid.acrobat(0, 98, -20), FLAT, "over the zone's edge"),
        (lambda laid: laid.acrobat(0, 0, -60, pose="stand"), STAND, "seen beyond the mat's paper"),
        (lambda laid: laid.tile(laid.kit.tile.piece[0].id, 0, -20), FLAT, "cannot see acrobat 0 front"),
        (lambda laid: laid.overview(0, -10), TILE, "cannot see tile t"),
        (lambda laid: laid.acrobat(0, 0, -20, pose="edge"), FLAT, "wanted it alone on bare paper, about 28 x 56 x 14"),
    ],
)  # fmt: skip
def test_what_is_not_the_piece_is_refused(stock: Laid, lay: Callable[[Laid], Laid], show: Show, why: str) -> None:
    sizes = given_sizes(Given(acrobat_mm=(56, 28, 14), plate_mm=2.2))
    shot = take_shot(lay(stock.clear()).picture(), stock.table, stock.scene.view.camera)
    with pytest.raises(UserError, match=why):
        see(shot, show, sizes)
