"""Voilà!: the complete rules as a pure library: no clock, no file, no random source.

    setup = Setup(seats=("Ann", "Ben"), deck=deck_of(kit))
    position = new_game(setup)
    position = apply(position, TurnStarted(at_ns))      # IllegalMove where the rules forbid it
    legal(position)                                     # what the game waits for
    outcome(position)                                   # None until every seat had its turns

A device on the table does this, and needs to know no rule:
- a press: `event_for_press(position, seat, at_ns)`, applied unless it is None;
- a stone, a card, a verdict, a tile: the event of that name, when `legal(position).events` holds it;
- the clock: apply `due(position)` once its `at_ns` has passed and all inputs sensed up to then are in;
- it keeps the list of applied events; `replay(setup, events)` gives the same position again, and `replaced`,
  `replaced_together`, `inserted`, `removed`, `undone`, `turn_replayed` give both after a correction, and `decisions`
  lists what may be corrected to what.
"""

from pi_app.games.voila.apply import apply, is_impossible, settle
from pi_app.games.voila.claims import Claim, ClaimPlace, claim_of
from pi_app.games.voila.correct import (
    Corrected,
    Decision,
    IllegalCorrection,
    alternatives,
    decisions,
    inserted,
    removed,
    replaced,
    replaced_together,
    replay,
    turn_replayed,
    undone,
)
from pi_app.games.voila.events import (
    BonusCardRead,
    CardRevealed,
    ClaimExpired,
    ClaimPressed,
    Event,
    FindJudged,
    Judge,
    StoneDrawn,
    TaskJudged,
    TileLaid,
    TimeUp,
    TurnPaused,
    TurnResumed,
    TurnStarted,
    VoilaCalled,
)
from pi_app.games.voila.legal import Legal, Phase, due, event_for_press, legal, moves, phase
from pi_app.games.voila.model import (
    Banked,
    CardState,
    How,
    IllegalMove,
    Position,
    Press,
    Turn,
    TurnCard,
    Won,
    new_game,
)
from pi_app.games.voila.score import Outcome, Score, outcome, score
from pi_app.games.voila.setup import (
    CardKind,
    ClaimTie,
    EverybodyOut,
    Settings,
    Setup,
    TimeUpInClaim,
    deck_of,
)
from pi_app.games.voila.sound import faults

__all__ = [
    "Banked",
    "BonusCardRead",
    "CardKind",
    "CardRevealed",
    "CardState",
    "Claim",
    "ClaimExpired",
    "ClaimPlace",
    "ClaimPressed",
    "ClaimTie",
    "Corrected",
    "Decision",
    "Event",
    "EverybodyOut",
    "FindJudged",
    "How",
    "IllegalCorrection",
    "IllegalMove",
    "Judge",
    "Legal",
    "Outcome",
    "Phase",
    "Position",
    "Press",
    "Score",
    "Settings",
    "Setup",
    "StoneDrawn",
    "TaskJudged",
    "TileLaid",
    "TimeUp",
    "TimeUpInClaim",
    "Turn",
    "TurnCard",
    "TurnPaused",
    "TurnResumed",
    "TurnStarted",
    "VoilaCalled",
    "Won",
    "alternatives",
    "apply",
    "claim_of",
    "decisions",
    "deck_of",
    "due",
    "event_for_press",
    "faults",
    "inserted",
    "is_impossible",
    "legal",
    "moves",
    "new_game",
    "outcome",
    "phase",
    "removed",
    "replaced",
    "replaced_together",
    "replay",
    "score",
    "settle",
    "turn_replayed",
    "undone",
]
