"""What the device says, in English: one text for each value that a view may hold."""

from pi_app.core.names import Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.session.events import By
from pi_app.session.voila.view import Note, PublicView, VerdictView, Wait

TASKS: dict[Task, str] = {
    Task.THROW: "Throw The Stone",
    Task.FIND: "Find The Object",
    Task.ACROBATS: "The Acrobats",
    Task.TOWER: "The Tower",
    Task.TUNNEL: "The Tunnel",
    Task.LINE: "The Line",
    Task.JUGGLER: "The Juggler",
}
OUTCOMES: dict[Outcome, str] = {Outcome.PASS: "pass", Outcome.FAIL: "fail", Outcome.UNSURE: "unsure"}
REASONS: dict[Reason, str] = {
    Reason.OK: "as it should be",
    Reason.FELL: "it fell",
    Reason.HELD: "held by a hand",
    Reason.WRONG_FIGURE: "wrong figure",
    Reason.BARE_SIDE: "a bare side shows",
    Reason.MISSING_PIECE: "a piece is missing",
    Reason.TOO_SHORT: "stood too short",
    Reason.NOT_ADJACENT: "a gap in the line",
    Reason.NO_STONE: "a stone is missing",
    Reason.NOT_TOUCHING: "not touching",
    Reason.WRONG_ORDER: "wrong order",
    Reason.NOT_THROUGH: "not gone through",
    Reason.DROPPED: "dropped",
    Reason.TOO_LOW: "too low",
    Reason.WRONG_STONES: "wrong stones",
    Reason.NO_MAT: "no mat in view",
    Reason.MAT_HIDDEN: "the mat is hidden",
    Reason.NO_STILL_VIEW: "no still view of it",
    Reason.FROZEN: "the picture is frozen",
    Reason.TOO_DARK: "too dark",
    Reason.HIDDEN: "part of it is hidden",
    Reason.DOUBTFUL: "doubtful",
    Reason.CLIP_ENDS: "the recording ends",
    Reason.COLOURS_WRONG: "colours are wrong",
    Reason.NOT_JUDGED: "not read by the camera",
    Reason.NO_CARD: "no card in its zone",
    Reason.UNKNOWN_CARD: "not a card of this game",
    Reason.NO_DIE: "a die is missing, or does not lie flat",
    Reason.TWO_DICE: "two dice of one kind",
}
BY: dict[By, str] = {
    By.PLAYER: "by a player",
    By.CAMERA: "decided by the camera",
    By.CLOCK: "by the clock",
    By.TIMEKEEPER: "decided by the timekeeper",
}
NOTES: dict[Note, str] = {
    Note.ACTION_FIRST: "Finish the action before Voilà!",
    Note.VOILA_KEPT: "Voilà! counts if the task passes",
    Note.VOILA_EARLY: "That Voilà! came too early",
    Note.STONES_UNCLEAR: "Stones unclear: one at a time, or tell which",
    Note.STONE_EARLY: "Stone drawn before the task was done",
    Note.CARDS_UNCLEAR: "Cards unclear: one at a time, or tell which",
    Note.CARD_UNKNOWN: "Unknown card: tell which it is",
    Note.STRAY_TILE: "Press before you lay a tile",
    Note.UNKNOWN_TILE: "Unknown tile on the pad",
    Note.IMPOSSIBLE: "The bag lacks the stones: go on without this card",
}
RESHUFFLE = "Shuffle all cards but those in play for a new pile"
SHORT_NOTES: dict[Note, str] = {
    Note.ACTION_FIRST: "! finish the action",
    Note.VOILA_KEPT: "! Voilà! noted",
    Note.VOILA_EARLY: "! Voilà! too early",
    Note.STONES_UNCLEAR: "! stones unclear",
    Note.STONE_EARLY: "! stone too early",
    Note.CARDS_UNCLEAR: "! cards unclear",
    Note.CARD_UNKNOWN: "! unknown card",
    Note.STRAY_TILE: "! press, then tile",
    Note.UNKNOWN_TILE: "! unknown tile",
    Note.IMPOSSIBLE: "! bag lacks stones",
}
WAITS: dict[Wait, str] = {
    Wait.PLAYERS: "Press your buzzer to join",
    Wait.TURN: "{active}: press to begin",
    Wait.STONES_BACK: "Stones into the bag",
    Wait.FIRST_STONE: "{active}: draw a stone",
    Wait.STONE_OR_VOILA: "{active}: stone or Voilà!",
    Wait.CARD: "{active}: draw a card",
    Wait.TASK: "{active}: perform the task",
    Wait.TIMEKEEPER: "Timekeeper decides",
    Wait.APPROVAL: "Timekeeper: yes or no?",
    Wait.CLAIMS: "Press when you see it",
    Wait.TILE: "{holder}: lay the tile",
    Wait.BONUS: "{bonus}: lay a bonus card",
    Wait.CONTINUE: "Continue, or replay the turn",
    Wait.NOTHING: "The game is over",
}


def waits(view: PublicView) -> str:
    """Return what the device waits for, with the player's name."""
    active = view.name(view.turn.seat) if view.turn else ""
    holder = view.name(view.claim.holder) if view.claim and view.claim.holder is not None else ""
    bonus = view.name(view.bonus_seat) if view.bonus_seat is not None else ""
    return WAITS[view.waits].format(active=active, holder=holder, bonus=bonus)


def asks(view: PublicView, letters: int) -> str:
    """Return what the device waits for in at most so many letters where possible: without the name if need be."""
    text = waits(view)
    if len(text) <= letters:
        return text
    short = WAITS[view.waits].rpartition(": ")[2]
    return short[0].upper() + short[1:]


def headline(view: PublicView, verdict: VerdictView) -> str:
    """Return a verdict in a few words: what counts, or what the camera says while the timekeeper decides."""
    if verdict.winner is not None:
        return f"{view.name(verdict.winner)} found it"
    if verdict.task is Task.FIND and verdict.passed is False:
        return "nobody found it"
    if verdict.waits or verdict.passed is None:
        return f"camera: {OUTCOMES[verdict.outcome]}" if verdict.outcome else "not judged"
    return "passed" if verdict.passed else "not passed"


def numbers(verdict: VerdictView) -> list[str]:
    """Return what was measured, each with its unit."""
    stood = [] if verdict.stood_for_s is None else [f"stood {verdict.stood_for_s:.2f} s"]
    return [*stood, *(f"{one.name} {one.value:.4g} {one.unit}".strip() for one in verdict.measures)]


def reasons(verdict: VerdictView) -> str:
    """Return why, in words."""
    return ", ".join(REASONS[reason] for reason in verdict.reasons)
