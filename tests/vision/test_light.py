"""Reading the reference strip: lamps, shadows, swapped channels, dark pictures."""

import cv2
import numpy as np
import pytest

from pi_app.core.verdict import Reason
from pi_app.kit.load import load_table
from pi_app.kit.table import Table
from pi_app.vision.camera import View
from pi_app.vision.light import opponent, read_light, srgb_linear, to_lab
from tests.vision.kits import kit_of
from tests.vision.scenes import Image, Lamp, Scene, simple_view
from tests.vision.test_pose import TABLE_FILE

TINTS = [(1.0, 1.0, 1.0), (0.4, 0.7, 1.0), (1.0, 0.8, 0.5), (0.2, 0.25, 0.25)]


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE_FILE)


@pytest.fixture(scope="module")
def view() -> View:
    return simple_view()


def drawn(table: Table, view: View, lamp: Lamp) -> Image:
    return Scene(table, kit_of(), view, lamp).draw()


@pytest.mark.parametrize("tint", TINTS)
def test_paper_takes_the_lamps_colour(tint: tuple[float, float, float], table: Table, view: View) -> None:
    light = read_light(drawn(table, view, Lamp(tint)), view, table)
    assert light.reason is None
    assert light.patches == 8
    assert light.error < 6.0
    wanted = srgb_linear(table.mat.paper_srgb) * tint
    assert np.allclose(light.paper, wanted, rtol=0.15)


@pytest.mark.parametrize("tint", TINTS)
def test_swapped_red_and_blue_are_refused(tint: tuple[float, float, float], table: Table, view: View) -> None:
    """CAM-2: the colour strip tells that red and blue come in the wrong order."""
    image = drawn(table, view, Lamp(tint))
    swapped = np.ascontiguousarray(image[..., ::-1])
    assert read_light(swapped, view, table).reason is Reason.COLOURS_WRONG


def test_a_picture_without_colour_is_refused(table: Table, view: View) -> None:
    grey = cv2.cvtColor(drawn(table, view, Lamp()), cv2.COLOR_BGR2GRAY)
    image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    assert read_light(image, view, table).reason is Reason.COLOURS_WRONG


def test_too_dark(table: Table, view: View) -> None:
    assert read_light(drawn(table, view, Lamp((0.006, 0.006, 0.006))), view, table).reason is Reason.TOO_DARK


def test_shadow_across_and_a_covered_part_of_the_strip(table: Table, view: View) -> None:
    image = drawn(table, view, Lamp()).astype(np.float64)
    edge = round(float(view.project([[0.0, 104.0, 0.0]])[0][0]))
    image[:, :edge] *= 0.6
    finger = np.rint(view.project([[50, 90, 0], [80, 90, 0], [80, 120, 0], [50, 120, 0]])).astype(np.int32)
    cv2.fillConvexPoly(image, finger, (130.0, 160.0, 220.0))
    light = read_light(image.astype(np.uint8), view, table)
    assert light.reason is None


def test_strip_outside_the_picture_checks_nothing(table: Table) -> None:
    away = simple_view(target=(0.0, 0.0, 900.0))
    light = read_light(np.full((720, 1280, 3), 128, np.uint8), away, table)
    assert (light.patches, light.reason) == (0, None)


def test_lab_of_known_colours() -> None:
    white, black = to_lab(np.ones(3)), to_lab(np.zeros(3))
    assert np.allclose(white, (100, 0, 0), atol=0.05)
    assert np.allclose(black, (0, 0, 0), atol=1e-6)
    red = to_lab(srgb_linear((255, 0, 0)))
    assert np.allclose(red, (53.24, 80.09, 67.20), atol=0.1)


def test_shade_and_gloss_do_not_turn_hue() -> None:
    colour = srgb_linear((200, 30, 40))
    plain, changed = opponent(colour), opponent(0.3 * colour + 0.4)
    assert np.isclose(np.arctan2(*plain), np.arctan2(*changed))
