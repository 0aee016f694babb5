"""Answers about the two Vowl dice on the mat."""

from pi_app.core.verdict import Reason
from pi_app.judging.answer import Answer, first_frame, unsure_answer, view_of
from pi_app.judging.case import Case
from pi_app.vision.dice import SeenDie, read_dice


def judge_dice(case: Case) -> Answer:
    """Answer what the upper faces of both dice say; unsure, and why, where either cannot be told."""
    art, frame = case.dice_art(), first_frame(case)
    view = view_of(case, frame)
    if isinstance(view, Reason):
        return unsure_answer(view)
    reading = read_dice(frame.image, view, case.table, art)
    if reading.number is None or reading.mode is None:
        return unsure_answer(reading.reason or Reason.DOUBTFUL) | {"why": reading.why}
    places = {name: _place(die) for name, die in (("number", reading.number), ("mode", reading.mode))}
    return {"number": int(reading.number.face), "mode": reading.mode.face, "dice": places}


def _place(die: SeenDie) -> dict[str, float]:
    return {
        "x_mm": round(die.x_mm, 1), "y_mm": round(die.y_mm, 1), "alike": round(die.alike, 2),
        "rival": round(die.rival, 2),
    }  # fmt: skip
