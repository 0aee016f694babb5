"""Answers about the card that lies in the card zone of a recorded scene."""

from pi_app.core.verdict import Reason
from pi_app.judging.answer import Answer, first_frame, unsure_answer, view_of
from pi_app.judging.case import Case
from pi_app.vision.cards import read_card


def judge_card(case: Case) -> Answer:
    """Answer which of the kit's cards lies in the card zone; unsure where none, several or no known one does."""
    frame = first_frame(case)
    view = view_of(case, frame)
    if isinstance(view, Reason):
        return unsure_answer(view)
    reading = read_card(frame.image, view, case.table, case.art())
    if len(reading.cards) != 1 or reading.reason is not None:
        several = [{"card": card.card, "x_mm": round(card.x_mm), "y_mm": round(card.y_mm)} for card in reading.cards]
        reasons = [reading.reason or Reason.DOUBTFUL]
        return unsure_answer(*reasons) | ({"cards": several} if several else {})
    card = reading.cards[0]
    place = {"x_mm": round(card.x_mm, 1), "y_mm": round(card.y_mm, 1), "turn_deg": round(card.turn_deg, 1)}
    return {"card": card.card, **place, "second": card.second, "alike": round(card.alike, 2)}
