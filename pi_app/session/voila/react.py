"""Event and the state after it to effects: pure; the screen, the lamps and the page follow the public view instead."""

from typing import assert_never

from pi_app.core.effects import AskCamera, DropQuestion, Effect, KeepPictures, PlaySound, Sound
from pi_app.games import voila
from pi_app.games.voila import (
    BonusCardRead,
    CardRevealed,
    CardState,
    ClaimExpired,
    ClaimPressed,
    FindJudged,
    StoneDrawn,
    TaskJudged,
    TileLaid,
    TimeUp,
    TurnPaused,
    TurnResumed,
    TurnStarted,
    VoilaCalled,
)
from pi_app.session.events import FaultNoted, GameStarted, SeatJoined, SeatLeft, SeatNamed
from pi_app.session.voila.events import (
    Amended,
    CameraAsked,
    CameraDropped,
    CardsNoted,
    Decided,
    Noted,
    RestartNoted,
    SessionEvent,
    SessionOpened,
    StonesNoted,
    TurnTakenBack,
    VerdictTold,
    VoilaKept,
)
from pi_app.session.voila.state import State

_SOUNDS: dict[type, Sound] = {
    TurnStarted: Sound.START,
    StoneDrawn: Sound.STONE,
    CardRevealed: Sound.CARD,
    BonusCardRead: Sound.CARD,
    ClaimPressed: Sound.CLAIM,
    VoilaCalled: Sound.VOILA,
    TimeUp: Sound.STOP,
}


def react(event: SessionEvent, state: State) -> tuple[Effect, ...]:
    """Return what is to be done about an event, given the state after it."""
    match event:
        case SeatJoined():
            return (PlaySound(Sound.JOINED),)
        case Decided(_, move, _):
            return _moved(move, state)
        case CameraAsked(task, card, at_ns):
            return (AskCamera(task, card, _figure(state, card), at_ns),)
        case CameraDropped():
            return (DropQuestion(),)
        case VerdictTold(number, _, _, _, waits, at_ns):
            kept = KeepPictures(number, at_ns)
            return (kept, PlaySound(Sound.ASK)) if waits else (kept,)
        case (
            SessionOpened() | SeatLeft() | SeatNamed() | GameStarted() | Amended() | TurnTakenBack() | VoilaKept()
            | StonesNoted() | CardsNoted() | FaultNoted() | Noted() | RestartNoted()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(event)


def _moved(move: voila.Event, state: State) -> tuple[Effect, ...]:
    over = (PlaySound(Sound.WINNER),) if voila.outcome(state.game) else ()
    match move:
        case TaskJudged(passed):
            return (PlaySound(Sound.PASS if passed else Sound.FAIL),)
        case TileLaid() | ClaimExpired() | FindJudged():
            return (PlaySound(Sound.PASS if _was_found(state) else Sound.FAIL), *over)
        case TurnPaused() | TurnResumed():
            return ()
        case _:
            return (PlaySound(_SOUNDS[type(move)]), *over)


def _was_found(state: State) -> bool:
    cards = state.game.turn.cards if state.game.turn else ()
    return bool(cards) and cards[-1].state in (CardState.DONE, CardState.CLAIMED)


def _figure(state: State, card: str) -> str | None:
    kind = state.game.setup.kind(card)
    return kind.figure if kind else None
