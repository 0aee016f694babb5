import numpy as np
import pytest

from pi_app.vision.camera import Camera, View, look_at

CAMERA = Camera(1280, 720, 1000.0, 1010.0, 640.0, 360.0, (-0.1, 0.03, 0.0005, -0.0003, 0.0))
VIEW = View(CAMERA, look_at((30.0, 500.0, 400.0), (0.0, 0.0, 20.0), roll_deg=3.0))


def test_pixels_go_back_to_where_they_came_from() -> None:
    places = np.array([[x, y, 0.0] for x in (-200, 0, 180) for y in (-140, 0, 140)])
    assert np.allclose(VIEW.on_plane(VIEW.project(places)), places[:, :2], atol=0.01)


def test_eye_is_where_it_was_put_and_the_target_in_the_middle() -> None:
    assert np.allclose(VIEW.pose.eye, (30.0, 500.0, 400.0))
    assert np.allclose(VIEW.project([(0.0, 0.0, 20.0)]), [(640.0, 360.0)], atol=1e-6)


def test_up_on_the_table_is_up_in_the_picture_and_the_players_right_is_left() -> None:
    level = View(CAMERA, look_at((0.0, 500.0, 400.0), (0.0, 0.0, 0.0)))
    origin, up, right = level.project([(0, 0, 0), (0, 0, 50), (50, 0, 0)])
    assert up[1] < origin[1]
    assert right[0] < origin[0]


def test_a_line_of_sight_above_the_horizon_meets_no_table() -> None:
    level = View(CAMERA, look_at((0.0, 500.0, 50.0), (0.0, 0.0, 50.0)))
    assert np.isnan(level.on_plane([(640.0, 10.0)])).all()


@pytest.mark.parametrize("factor", [0.5, 0.75, 2.0])
def test_scaled_camera_sees_the_same_at_another_size(factor: float) -> None:
    small = View(CAMERA.scaled(round(1280 * factor), round(720 * factor)), VIEW.pose)
    places = np.array([[-100.0, 50.0, 0.0], [80.0, -60.0, 30.0]])
    assert np.allclose((VIEW.project(places) + 0.5) * factor - 0.5, small.project(places), atol=1e-6)
