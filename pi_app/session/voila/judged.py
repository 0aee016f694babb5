"""Verdicts, the timekeeper's word, the kept Voilà! and the clock: how an open task and a turn come to their end."""

from typing import assert_never

from pi_app.core.events import VerdictGiven
from pi_app.core.verdict import Outcome, Reason, Verdict, unsure
from pi_app.games import voila
from pi_app.games.voila import ClaimExpired, Judge, TaskJudged, TimeUp, VoilaCalled
from pi_app.session.events import By
from pi_app.session.voila import amend
from pi_app.session.voila.draft import Draft
from pi_app.session.voila.events import CameraAsked, CameraDropped, Note, VerdictTold, VoilaKept
from pi_app.session.voila.options import Approval
from pi_app.session.voila.phases import Phase
from pi_app.session.voila.state import Asked, State, phase_of

STAND_NS = 2_000_000_000
"""How long a structure has to stand (rulebook)."""


def take_verdict(draft: Draft, given: VerdictGiven) -> None:
    """Take the camera's answer to the question that is asked now; any other answer is out of date."""
    asked = draft.state.asked
    if asked is None or (given.asked_ns, given.task) != (asked.at_ns, asked.task):
        return
    verdict, auto = given.verdict, draft.state.options.approval is Approval.AUTO
    if _repeats_last_failure(draft.state, asked, verdict):
        drop_camera(draft)
        return
    match verdict.outcome:
        case Outcome.PASS:
            _tell(draft, asked, verdict, given.at_ns, waits=not auto)
            if auto:
                _pass(draft, Judge.DEVICE, By.CAMERA, _done_ns(verdict))
        case Outcome.FAIL:
            _tell(draft, asked, verdict, given.at_ns, waits=False)
            if auto:
                draft.move(TaskJudged(False, Judge.DEVICE), By.CAMERA)
            _forget_voila(draft)
        case Outcome.UNSURE:
            _tell(draft, asked, verdict, given.at_ns, waits=True)
        case _:
            assert_never(verdict.outcome)


def judge(draft: Draft, passed: bool) -> None:
    """The timekeeper decides the open task; the camera's answer to it is of no more use."""
    drop_camera(draft)
    if passed:
        _pass(draft, Judge.TIMEKEEPER, By.TIMEKEEPER, None)
    else:
        draft.move(TaskJudged(False, Judge.TIMEKEEPER), By.TIMEKEEPER)
        _forget_voila(draft)


def overrule(draft: Draft, passed: bool, by: str) -> None:
    """The timekeeper changes the verdict that counted last; Refused once the next stone was drawn."""
    amend.amend(draft, amend.last_judgement(draft.state), TaskJudged(passed, Judge.TIMEKEEPER), by)


def keep_voila(draft: Draft, at_ns: int) -> None:
    """Keep a Voilà! that was called while the task waits for its verdict, if it came in time."""
    turn = draft.state.game.turn
    if turn is None or at_ns > turn.deadline_ns - (not draft.state.settings.press_at_deadline_counts):
        return
    draft.add(VoilaKept(at_ns))
    draft.note(Note.VOILA_KEPT)


def pass_time(draft: Draft, until_ns: int) -> None:
    """Let happen what time alone brings, up to and with `until_ns`: everything sensed until then is known."""
    while draft.state.position is not None:
        due = voila.due(draft.state.position)
        if due is None or due.at_ns > until_ns or _is_held_up(draft, due, until_ns):
            return
        draft.move(due, By.CLOCK)


def ask_camera(draft: Draft, at_ns: int) -> None:
    """Let the camera watch the open task, or no longer."""
    state = draft.state
    kind = state.game.open_kind if phase_of(state) is Phase.JUDGING else None
    if kind is None:
        drop_camera(draft)
    if kind is not None and draft.state.asked is None:
        draft.add(CameraAsked(kind.task, kind.id, at_ns))


def drop_camera(draft: Draft) -> None:
    """Stop watching; `ask_camera` may ask anew."""
    if draft.state.asked is not None:
        draft.add(CameraDropped())


def _tell(draft: Draft, asked: Asked, verdict: Verdict, at_ns: int, *, waits: bool) -> None:
    number = draft.state.verdicts + 1
    draft.add(VerdictTold(number, asked.task, asked.card, verdict, waits, at_ns))


def _repeats_last_failure(state: State, asked: Asked, verdict: Verdict) -> bool:
    """What stands wrong keeps standing wrong: one failure of the same kind is enough, the camera looks again."""
    last = state.last
    if last is None or last.verdict is None or last.card != asked.card or last.passed is not False:
        return False
    known = (last.verdict.outcome, last.verdict.reasons) == (verdict.outcome, verdict.reasons)
    return known and state.log[-1].number == last.decision


def _pass(draft: Draft, judge_: Judge, by: By, done_ns: int | None) -> None:
    called_ns = draft.state.voila_ns
    draft.move(TaskJudged(True, judge_), by)
    if called_ns is None:
        return
    if done_ns is not None and called_ns < done_ns:
        draft.note(Note.VOILA_EARLY)
    elif draft.may(VoilaCalled(called_ns)):
        draft.move(VoilaCalled(called_ns), By.PLAYER)
    else:
        draft.note(Note.ACTION_FIRST)


def _done_ns(verdict: Verdict) -> int | None:
    """When the task was done: after two seconds of standing, else when the camera says."""
    return verdict.confirmed_at_ns if verdict.stood_from_ns is None else verdict.stood_from_ns + STAND_NS


def _forget_voila(draft: Draft) -> None:
    if draft.state.voila_ns is not None:
        draft.add(VoilaKept(None))
        draft.note(Note.VOILA_EARLY)


def _is_held_up(draft: Draft, due: TimeUp | ClaimExpired, until_ns: int) -> bool:
    """A Voilà! called in time waits for its task's verdict; the camera's only so long, then the timekeeper is asked."""
    state = draft.state
    if not isinstance(due, TimeUp) or state.voila_ns is None:
        return False
    if state.asked is not None and until_ns >= due.at_ns + round(state.options.verdict_wait_s * 1e9):
        drop_camera(draft)
        _tell(draft, state.asked, unsure(Reason.NO_STILL_VIEW), until_ns, waits=True)
    return True
