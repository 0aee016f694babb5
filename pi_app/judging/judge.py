"""Judge a recorded scene: the same recognisers and judges as at the table, on pictures from a folder."""

from collections.abc import Callable

from pi_app.core.verdict import Reason
from pi_app.judging.case import Case

Answer = dict[str, object]


def judge_case(case: Case) -> Answer:
    """Return what `umpire judge` prints for the case: the fields of its kind, or outcome `unsure` with reasons."""
    judge = JUDGES.get(case.entry.kind)
    return {"id": case.entry.id, **(judge(case) if judge else not_judged(case))}


def not_judged(_case: Case) -> Answer:
    """Answer for a kind that has no judge yet."""
    return {"outcome": "unsure", "reasons": [Reason.NOT_JUDGED]}


JUDGES: dict[str, Callable[[Case], Answer]] = {}
