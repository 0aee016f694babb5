"""What counts as new beside a structure: things, not lamps and shades."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.occlusion import Reference, evened, is_new_at, tinted

Image = NDArray[np.uint8]
PAPER = (226.0, 232.0, 235.0)
SKINS = {"dark": (52.0, 78.0, 120.0), "brown": (70.0, 104.0, 160.0), "light": (132.0, 165.0, 215.0)}


def paper(seed: int, gains: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Image:
    """Return white paper with a camera's noise, lit by a lamp."""
    noise = np.random.default_rng(seed).normal(0, 2.0, (160, 240, 3))
    return np.clip(np.array(PAPER) * gains + noise, 0, 255).astype(np.uint8)


def built(image: Image) -> tuple[Image, Image]:
    """Return the picture with a coloured structure that fills most of the rows it stands in, and its labels."""
    labels = np.zeros(image.shape[:2], np.uint8)
    for part in range(6):
        cv2.rectangle(labels, (15 + 36 * part, 70), (44 + 36 * part, 130), (part + 1,), cv2.FILLED)
    structure = image.copy()
    structure[labels > 0] = (60, 120, 200)
    return structure, labels


def with_fingertip(image: Image, skin: tuple[float, float, float]) -> Image:
    """Return the picture with a fingertip that comes from above and ends at a block's top."""
    touched = image.copy()
    cv2.line(touched, (118, 0), (124, 64), skin, 13, cv2.LINE_AA)
    return touched


def test_a_lamps_change_is_evened_out_whatever_was_built_meanwhile() -> None:
    calm, gains = paper(1), (0.8, 0.75, 0.7)
    now, labels = built(paper(2, gains))
    outside = np.asarray((labels == 0) * np.uint8(255), np.uint8)
    assert np.abs(evened(calm, now, outside).astype(float) - paper(3, gains)).mean() < 3.0


def test_shade_is_not_a_tint_and_skin_of_any_colour_is() -> None:
    calm = paper(1)
    assert tinted(calm, paper(2, (0.45, 0.42, 0.38))).mean() < 1.0
    for skin in SKINS.values():
        there = tinted(calm, with_fingertip(paper(2), skin))[5:55, 114:124]
        assert there.mean() > 200.0


def test_a_fingertip_on_the_structure_is_new_and_a_shadow_is_not() -> None:
    calm = paper(1)
    structure, labels = built(paper(2))
    assert not is_new_at(Reference(structure, labels, 1.0), calm)
    shaded = structure.copy()
    shaded[:, :90] = (shaded[:, :90] * np.array((0.6, 0.58, 0.55))).astype(np.uint8)
    assert not is_new_at(Reference(shaded, labels, 1.0), calm)
    for skin in SKINS.values():
        assert is_new_at(Reference(with_fingertip(structure, skin), labels, 1.0), calm)
