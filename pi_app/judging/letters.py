"""Answers about the Vowl card in the card zone, and what the words say to a close reading."""

from collections.abc import Callable
from dataclasses import replace

from pi_app.core.verdict import Reason
from pi_app.judging.answer import Answer, first_frame, unsure_answer, view_of
from pi_app.judging.case import Case
from pi_app.vision.letters import LettersReading, read_letters

Solvable = Callable[[str], bool]


def judge_letters(case: Case) -> Answer:
    """Answer which consonants and tier the card in the card zone has; unsure, and why, where it cannot be told."""
    kit, frame = case.vowl_kit(), first_frame(case)
    view = view_of(case, frame)
    if isinstance(view, Reason):
        return unsure_answer(view)
    reading = read_letters(frame.image, view, case.table, kit.card)
    if reading.reason is not None or reading.tier is None:
        seen = {"why": reading.why, "maybe": list(reading.close)}
        return unsure_answer(reading.reason or Reason.DOUBTFUL) | {key: value for key, value in seen.items() if value}
    return {"letters": reading.letters, "tier": reading.tier, "sure": round(reading.sure, 3)}


def with_words(reading: LettersReading, solvable: Solvable) -> LettersReading:
    """Return a reading after asking whether any word fits: it chooses between close readings, and never adds one.

    A sure reading that no word fits becomes doubtful; of doubtful ones the only one that a word fits is taken.
    """
    fitting = tuple(dict.fromkeys(letters for letters in reading.close if solvable(letters)))
    if reading.reason is None:
        return reading if solvable(reading.letters) else _asked(reading, fitting)
    if reading.reason is Reason.DOUBTFUL and reading.tier is not None and len(fitting) == 1:
        return replace(reading, letters=fitting[0], reason=None, why="", close=())
    return reading


def _asked(reading: LettersReading, fitting: tuple[str, ...]) -> LettersReading:
    question = f": is it {' or '.join(fitting)}?" if fitting else ""
    why = f"no word fits {reading.letters}{question}"
    return replace(reading, letters="", reason=Reason.DOUBTFUL, why=why, close=(reading.letters, *fitting))
