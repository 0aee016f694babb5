"""State to public view."""

from dataclasses import replace
from typing import assert_never

from pi_app.core.names import Lamp
from pi_app.core.verdict import Verdict
from pi_app.games import voila
from pi_app.games.voila import (
    BonusCardRead,
    CardRevealed,
    ClaimExpired,
    ClaimPressed,
    FindJudged,
    Position,
    StoneDrawn,
    TaskJudged,
    TileLaid,
    TimeUp,
    TurnPaused,
    TurnResumed,
    TurnStarted,
    VoilaCalled,
)
from pi_app.session.flow import RECENT, Audience, Live
from pi_app.session.view import ClockView, DecisionView
from pi_app.session.voila.amend import CORRECTABLE
from pi_app.session.voila.phases import Phase
from pi_app.session.voila.state import Last, State, phase_of
from pi_app.session.voila.view import (
    CardView,
    ClaimPressView,
    ClaimView,
    PublicView,
    SeatView,
    TaskView,
    TurnView,
    VerdictView,
    Wait,
)


def public_view(
    state: State,
    now_ns: int,
    audience: Audience = Audience.TIMEKEEPER,
    live: Live | None = None,
    decisions: int | None = RECENT,
) -> PublicView:
    """Return what `audience` sees at `now_ns`; the last `decisions` decisions, None: all of them."""
    live = live or Live()
    phase = phase_of(state)
    view = PublicView(
        audience=audience,
        phase=phase,
        waits=_waits(state, phase),
        seats=_seats(state, phase),
        clock=_clock(state, now_ns, audience),
        verdict=_verdict(state, state.last) if state.last else None,
        voila_kept=state.voila_ns is not None,
        faults=state.faults,
        note=state.note,
        refusal=live.refusal,
    )
    return view if state.position is None else _with_game(view, state, state.position, now_ns, live, decisions)


def _with_game(
    view: PublicView, state: State, game: Position, now_ns: int, live: Live, decisions: int | None
) -> PublicView:
    legal = voila.legal(game)
    bonus = legal.seat if view.phase is Phase.BONUS else None
    return replace(
        view,
        turn=_turn(game, view.phase),
        task=_task(state, game, live),
        claim=_claim(game, now_ns),
        bonus_seat=bonus,
        bonus_owed=0 if bonus is None else game.bonus_owed[bonus],
        reshuffle=legal.reshuffle,
        decisions=_decisions(state, decisions),
    )


_ALWAYS: dict[Phase, Wait] = {
    Phase.JOINING: Wait.PLAYERS,
    Phase.TASK: Wait.TIMEKEEPER,
    Phase.JUDGING: Wait.TASK,
    Phase.PENDING: Wait.APPROVAL,
    Phase.BONUS: Wait.BONUS,
    Phase.PAUSED: Wait.CONTINUE,
    Phase.RESUME: Wait.CONTINUE,
    Phase.OVER: Wait.NOTHING,
}


def _waits(state: State, phase: Phase) -> Wait:
    if phase in _ALWAYS:
        return _ALWAYS[phase]
    if phase is Phase.READY:
        return Wait.STONES_BACK if any(state.stones_seen) else Wait.TURN
    if phase is Phase.RUNNING:
        return _waits_between_actions(state.game)
    claim = voila.claim_of(state.game)
    return Wait.TILE if claim and claim.holder is not None else Wait.CLAIMS


def _waits_between_actions(game: Position) -> Wait:
    events = voila.legal(game).events
    if CardRevealed in events:
        return Wait.CARD
    return Wait.STONE_OR_VOILA if VoilaCalled in events else Wait.FIRST_STONE


def _seats(state: State, phase: Phase) -> tuple[SeatView, ...]:
    seats = tuple(SeatView(seat, one.name, one.button, lamp=Lamp.ON) for seat, one in enumerate(state.joined))
    return seats if state.position is None else tuple(_playing(seat, state.position, phase) for seat in seats)


def _playing(view: SeatView, game: Position, phase: Phase) -> SeatView:
    score = voila.score(game)[view.seat]
    outcome = voila.outcome(game)
    left = [game.setup.seat_of_turn(number) for number in range(game.turns_ended, game.setup.turns)]
    return replace(
        view,
        points=score.points,
        cards=score.cards,
        at_stake=score.at_stake,
        turns_left=left.count(view.seat),
        active=game.active == view.seat and outcome is None,
        timekeeper=game.timekeeper == view.seat and outcome is None,
        winner=outcome is not None and view.seat in outcome.winners,
        lamp=_lamp(view.seat, game, phase),
    )


def _lamp(seat: int, game: Position, phase: Phase) -> Lamp:
    """Who may press has light: blinking for the one the table waits for."""
    claim = voila.claim_of(game)
    outcome = voila.outcome(game)
    if outcome is not None:
        return Lamp.BLINK if seat in outcome.winners else Lamp.OFF
    if claim is not None:
        may = Lamp.ON if seat in claim.may_press else Lamp.OFF
        return Lamp.BLINK if seat == claim.holder else may
    if seat != game.active:
        return Lamp.OFF
    return Lamp.BLINK if phase is Phase.READY else Lamp.ON


def _clock(state: State, now_ns: int, audience: Audience) -> ClockView:
    turn = state.position.turn if state.position else None
    clock = ClockView(state.settings.turn_s, hidden=state.options.hide_timer and audience is Audience.TABLE)
    if turn is None:
        return clock
    running = turn.paused_ns is None and turn.stopped_ns is None
    at_ns = now_ns if turn.paused_ns is None else turn.paused_ns
    remaining_s = min(max(0, turn.deadline_ns - at_ns) / 1e9, clock.total_s)
    return replace(clock, running=running, remaining_s=None if clock.hidden else remaining_s)


def _turn(game: Position, phase: Phase) -> TurnView | None:
    if phase is Phase.OVER:
        return None
    turn = game.turn
    if turn is None:
        return TurnView(game.turns_ended + 1, game.setup.turns, game.active, running=False)
    cards = tuple(_card(game, card) for card in turn.cards)
    bonus = sum(stone == "yellow" for stone in turn.stones) // 2
    return TurnView(game.turns_ended + 1, game.setup.turns, turn.seat, True, turn.stones, cards, bonus)


def _card(game: Position, card: voila.TurnCard) -> CardView:
    kind = game.setup.kind(card.card_id)
    if kind is None:
        raise ValueError(f"got card {card.card_id!r}, wanted one of the deck")
    return CardView(kind.id, kind.task, kind.points, card.state.value, card.claimed_by)


def _task(state: State, game: Position, live: Live) -> TaskView | None:
    kind = game.open_kind
    if kind is None:
        return None
    by_camera = kind.task in state.options.camera_tasks
    standing_s = live.standing_s if state.asked is not None else None
    return TaskView(kind.id, kind.task, kind.points, kind.figure, kind.object, kind.stones, by_camera, standing_s)


def _claim(game: Position, now_ns: int) -> ClaimView | None:
    claim = voila.claim_of(game)
    if claim is None:
        return None
    order = tuple(
        ClaimPressView(place.seat, place.gap_ns / 1e6, place.out, place.seat == claim.holder, place.tied)
        for place in claim.order
    )
    paused = game.turn is not None and game.turn.paused_ns is not None
    held = claim.holder is not None and not paused
    return ClaimView(order, claim.holder, max(0, claim.until_ns - now_ns) / 1e9 if held else None)


def _verdict(state: State, last: Last) -> VerdictView:
    seen: Verdict | None = last.verdict
    stood_for_ns = seen.stood_for_ns if seen else None
    return VerdictView(
        number=last.number,
        task=last.task,
        card=last.card,
        outcome=seen.outcome if seen else None,
        reasons=seen.reasons if seen else (),
        measures=seen.measures if seen else (),
        stood_for_s=None if stood_for_ns is None else stood_for_ns / 1e9,
        confidence=seen.confidence if seen else None,
        waits=last.waits,
        passed=last.passed,
        by=last.by,
        winner=last.winner,
        fresh=last.waits or bool(state.log and last.decision == state.log[-1].number),
    )


def _decisions(state: State, limit: int | None) -> tuple[DecisionView, ...]:
    log = state.log if limit is None else state.log[-limit:]
    return tuple(
        DecisionView(one.number, one.turn + 1, one.seat, describe(one.move), one.by, isinstance(one.move, CORRECTABLE))
        for one in log
    )


def describe(move: voila.Event) -> str:
    """Return a decision in the words of the commands, seats counted from 1."""
    match move:
        case StoneDrawn(colour):
            return f"stone {colour}"
        case CardRevealed(card) | BonusCardRead(card):
            return f"{'bonus ' if isinstance(move, BonusCardRead) else ''}card {card}"
        case TaskJudged(passed):
            return "passed" if passed else "failed"
        case ClaimPressed(seat):
            return f"claim {seat + 1}"
        case TileLaid(tile):
            return f"tile {tile or 'unknown'}"
        case FindJudged(winner):
            return f"finder {'nobody' if winner is None else winner + 1}"
        case TurnStarted() | VoilaCalled() | TimeUp() | ClaimExpired() | TurnPaused() | TurnResumed():
            return _PLAIN[type(move)]
        case _:
            assert_never(move)


_PLAIN: dict[type, str] = {
    TurnStarted: "turn",
    VoilaCalled: "voila",
    TimeUp: "stop",
    ClaimExpired: "claim expired",
    TurnPaused: "pause",
    TurnResumed: "continue",
}
