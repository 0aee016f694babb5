"""Sizes from the mat's scale, piece by piece."""

import numpy as np
import pytest

from pi_app.core.names import Colour, Task
from pi_app.teach.lesson import Given, ShowAcrobat, ShowBlock, ShowCard, ShowOverview, ShowStone, ShowTile
from pi_app.teach.measure import Kind, Seen, Size, Sizes, given_sizes, see, together
from pi_app.teach.shot import take_shot
from tests.teach.lay import Laid

SIZES = given_sizes(Given(plate_mm=2.2))


def seen(laid: Laid, show: ShowAcrobat | ShowBlock | ShowTile | ShowOverview | ShowCard | ShowStone) -> Seen:
    return see(take_shot(laid.picture(), laid.table, laid.scene.view.camera), show, SIZES)


def off(found: Seen, *wanted: float) -> float:
    return max(abs(size.mm - mm) for size, mm in zip(found.sizes, wanted, strict=False))


def test_a_block_in_three_poses_tells_all_its_sizes(stock: Laid) -> None:
    block = stock.kit.acrobat
    flat = ShowAcrobat(file="a", kind="acrobat", piece=0, side="front")
    found = [
        seen(stock.clear().acrobat(0, -20, -30, 12), flat),
        seen(stock.clear().acrobat(2, 30, -10, -25, pose="edge"), ShowBlock(file="a", kind="block", pose="edge")),
        seen(stock.clear().acrobat(4, 10, 40, 8, pose="stand"), ShowBlock(file="a", kind="block", pose="stand")),
    ]
    for one in found:
        assert off(one, block.length_mm, block.width_mm, block.thickness_mm) < 0.8
    length, width, thickness = together(found, SIZES).get(Kind.ACROBAT)
    assert abs(length.mm - block.length_mm) < 0.4
    assert abs(width.mm - block.width_mm) < 0.3
    assert abs(thickness.mm - block.thickness_mm) < 0.4


def test_a_tile_the_overview_and_a_card_tell_their_sizes(stock: Laid) -> None:
    kit = stock.kit
    tile = seen(stock.clear().tile(kit.tile.piece[3].id, 10, -20), ShowTile(file="a", kind="tile", id="t"))
    assert tile.round
    assert off(tile, kit.tile.size_mm) < 1.0
    assert tile.sizes[1] == Size(2.2, 0.1)
    over = seen(stock.clear().overview(5, -15, 10), ShowOverview(file="a", kind="overview"))
    assert off(over, kit.overview.width_mm, kit.overview.height_mm) < 0.8
    card = kit.card[0]
    art = stock.art.cards[card.id]
    shown = ShowCard(file="a", kind="card", id="c", task=Task.THROW, count=1)
    assert off(seen(stock.clear().card(card.id, -20, -10, 30), shown), art.shape[1] / 8, art.shape[0] / 8) < 0.8


def test_a_stone_tells_its_sizes(stock: Laid) -> None:
    stone = stock.kit.stone
    found = seen(stock.clear().stone(Colour.RED, 143, 10), ShowStone(file="a", kind="stone", colour=Colour.RED))
    assert off(found, stone.diameter_mm, stone.height_mm) < 1.0


def test_one_picture_that_is_wide_of_the_others_moves_nothing(stock: Laid) -> None:
    flat = ShowAcrobat(file="a", kind="acrobat", piece=0, side="front")
    one = seen(stock.clear().acrobat(0, -20, -30, 12), flat)

    def with_length(mm: float) -> Seen:
        return Seen(Kind.ACROBAT, one.ground, one.fitted, (Size(mm, 0.2), *one.sizes[1:]))

    sizes = together([with_length(mm) for mm in (56.0, 56.1, 55.9, 56.2, 61.0)], Sizes())
    length = sizes.get(Kind.ACROBAT)[0]
    assert length.mm == pytest.approx(56.1, abs=0.11)
    assert length.sd_mm < 0.3


def test_what_scatters_is_not_known(stock: Laid) -> None:
    flat = ShowAcrobat(file="a", kind="acrobat", piece=0, side="front")
    one = seen(stock.clear().acrobat(0, -20, -30, 12), flat)
    lengths = np.array([50.0, 53.0, 56.0, 59.0, 62.0])
    shown = [Seen(Kind.ACROBAT, one.ground, one.fitted, (Size(float(mm), 0.2), *one.sizes[1:])) for mm in lengths]
    assert not together(shown, Sizes()).sure(Kind.ACROBAT)


def test_a_size_the_owner_gives_stays() -> None:
    sizes = given_sizes(Given(acrobat_mm=(60, 30, 15), tile_mm=(50, 2)))
    assert sizes.firm(Kind.ACROBAT)
    assert not sizes.firm(Kind.STONE)
    assert together([], sizes) == sizes
