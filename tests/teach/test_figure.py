"""A figure that was built once is learnt as it stands."""

import pytest

from pi_app.core.errors import UserError
from pi_app.kit.model import Figure
from pi_app.teach.figure import see_figure
from pi_app.teach.lesson import ShowFigure
from pi_app.teach.shot import take_shot
from tests.teach.lay import Laid

SHOW = ShowFigure(file="a", kind="figure", id="learnt")


def seen(laid: Laid) -> Figure:
    return see_figure(take_shot(laid.picture(), laid.table, laid.scene.view.camera), SHOW, laid.kit.acrobat, {})


@pytest.mark.parametrize("name", ["lighthouse", "tiara", "sofas"])
def test_a_figure_is_read_from_its_badges(badged: Laid, name: str) -> None:
    figure = badged.kit.figure_named(name)
    found = seen(badged.clear().figure(figure, 5, -15, 9))
    wanted = sorted((block.pose, block.z_mm, block.x_mm) for block in figure.blocks)
    got = sorted((block.pose, block.z_mm, block.x_mm) for block in found.blocks)
    assert [pose for pose, _, _ in got] == [pose for pose, _, _ in wanted]
    assert max(abs(a[1] - b[1]) for a, b in zip(got, wanted, strict=True)) < 0.1
    assert max(abs(a[2] - b[2]) for a, b in zip(got, wanted, strict=True)) < 2.2


def test_no_figure_and_one_in_the_air_are_refused(badged: Laid) -> None:
    with pytest.raises(UserError, match="got no acrobat with a badge"):
        seen(badged.clear())
    figure = badged.kit.figure_named("lighthouse")
    badged.clear().figure(figure, 0, -15)
    del badged.pieces["acrobat 2"]
    with pytest.raises(UserError, match="got a block in the air"):
        seen(badged)
