"""Answers about the stones on a Juggler card of a recorded scene."""

from pi_app.core.errors import UserError
from pi_app.core.verdict import Reason
from pi_app.judging.answer import Answer, first_frame, unsure_answer, view_of
from pi_app.judging.case import Case, asked_card
from pi_app.kit.model import Card, Kit
from pi_app.vision.juggler import read_juggler


def judge_juggler(case: Case) -> Answer:
    """Answer whether the stones of the case's card, and only those, lie on it; UserError where it names none."""
    kit, frame = case.kit(), first_frame(case)
    card = _juggler_card(case, kit)
    view = view_of(case, frame)
    if isinstance(view, Reason):
        return unsure_answer(view)
    reading = read_juggler(frame.image, view, case.table, kit, case.art(), card)
    counts = {colour.value: count for colour, count in reading.counts.items()}
    return {"outcome": reading.outcome, "reasons": list(reading.reasons), **({"stones": counts} if counts else {})}


def _juggler_card(case: Case, kit: Kit) -> Card:
    card = asked_card(case.entry, kit)
    if card is None or card.stones is None:
        got = repr(case.entry.card) if case.entry.card else "none"
        raise UserError(f"{case.folder / 'case.toml'}: card: got {got}, wanted a Juggler card of the kit")
    return card
