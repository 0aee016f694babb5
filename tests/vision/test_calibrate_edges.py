import cv2
import numpy as np
import pytest

from pi_app.vision.calibrate_edges import edge_corners, softened
from pi_app.vision.pose import dictionary

TRUE = np.array([[60.3, 50.7], [101.9, 58.2], [95.4, 97.1], [52.8, 92.6]])


def drawn(seed: int) -> np.ndarray:
    """Draw a marker with its quiet zone so that its corners lie at TRUE, with blur and noise."""
    marker = np.full((180, 180), 245, np.uint8)
    marker[20:160, 20:160] = cv2.aruco.generateImageMarker(dictionary("DICT_5X5_100"), 7, 140)
    corners = np.array([[19.5, 19.5], [159.5, 19.5], [159.5, 159.5], [19.5, 159.5]], np.float32)
    fine = (TRUE.astype(np.float32) + 0.5) * 4 - 0.5
    way = cv2.getPerspectiveTransform(corners, fine)
    picture = cv2.warpPerspective(marker, way, (640, 600), flags=cv2.INTER_AREA, borderValue=(245,))
    reduced = cv2.GaussianBlur(cv2.resize(picture, (160, 150), interpolation=cv2.INTER_AREA), (0, 0), 0.6)
    noise = np.random.default_rng(seed).normal(0, 3, reduced.shape)
    return np.asarray(np.clip(reduced + noise, 0, 255), np.uint8)


def test_edges_meet_at_the_corners() -> None:
    errors = []
    for seed in range(20):
        rough = TRUE + np.random.default_rng(seed).uniform(-0.8, 0.8, TRUE.shape)
        found = edge_corners(softened(drawn(seed)), rough)
        assert found is not None
        errors.append(np.linalg.norm(found - TRUE, axis=1))
    assert np.sqrt(np.mean(np.square(errors))) < 0.12
    assert np.max(errors) < 0.35


@pytest.mark.parametrize("level", [0, 128])
def test_nothing_is_made_of_a_plain_picture(level: int) -> None:
    plain = np.full((150, 160), level, np.uint8)
    assert edge_corners(softened(plain), TRUE) is None
