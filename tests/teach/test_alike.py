import numpy as np

from pi_app.kit.draw_acrobats import draw_face
from pi_app.teach.alike import alike_pairs


def test_pictures_that_cannot_be_told_apart_are_named_first() -> None:
    face = draw_face(0, 56, 28, 8.0, back=False)
    marked = face.copy()
    marked[200:250, 60:110] = (20, 200, 20)
    other = draw_face(3, 56, 28, 8.0, back=True)
    shifted = np.roll(face, 3, axis=1)
    pairs = alike_pairs(
        {"face": face, "marked": marked, "other": other, "shifted": shifted, "turned": face[::-1, ::-1]}
    )
    named = {(pair.one, pair.other): pair for pair in pairs}
    assert named["face", "shifted"].confusable
    assert named["face", "turned"].confusable
    assert not named["face", "marked"].confusable
    assert ("face", "other") not in named
    assert {pairs[0].one, pairs[0].other} <= {"face", "shifted", "turned"}
    assert "cannot be told apart: 1.00 alike" in str(named["face", "turned"])


def test_what_lies_upright_is_not_turned() -> None:
    face = draw_face(0, 56, 28, 8.0, back=False)
    assert not alike_pairs({"face": face, "turned": face[::-1, ::-1]}, halfway=False)
