"""Vowl: the complete rules as a pure library: no clock, no file, no random source, no word list.

    setup = Setup(seats=("Ann", "Ben", "Cleo"), side=Side.GREEN, box=box)
    position = new_game(setup)
    position = apply(position, DiceRolled(4, Face.OWLS))    # IllegalMove where the rules forbid it
    legal(position)                                         # what the game waits for
    outcome(position)                                       # None until a scoring token meets its victory token

A device on the table applies what it senses in sensed order: whether an answer fits its card is decided before it
becomes CardSolved. Time: apply `due(position)` once its `at_ns` has passed and all inputs sensed up to then are in; a
straggler is `inserted` where it belongs. The list of applied events is the record; every correction folds it anew.
`setup.box.unchecked` names what is assumed of the owner's copy until it is checked with their board.
"""

from pi_app.games.vowl.apply import apply, settle
from pi_app.games.vowl.correct import (
    Corrected,
    Decision,
    IllegalCorrection,
    alternatives,
    decisions,
    inserted,
    prepared_anew,
    removed,
    replaced,
    replaced_together,
    replay,
    turn_replayed,
    undone,
)
from pi_app.games.vowl.events import (
    CardPassed,
    CardsDiscarded,
    CardSolved,
    CardTakenUp,
    CardTurned,
    DiceRolled,
    Event,
    PileLaid,
    Placement,
    PlayerChosen,
    PointsTaken,
    Reward,
    SandRanOut,
    TieCardGivenUp,
    TieCardSolved,
    TieCardTurned,
    TimerContinued,
    TimerFlipped,
    TimerStopped,
    WhyStopped,
)
from pi_app.games.vowl.legal import Legal, Phase, due, legal, phase
from pi_app.games.vowl.model import Clock, IllegalMove, Pile, PlayMode, Position, Puzzle, PuzzleState, Turn, new_game
from pi_app.games.vowl.moves import moves
from pi_app.games.vowl.refuse import why_not
from pi_app.games.vowl.setup import (
    Board,
    BothMeet,
    Box,
    Deck,
    DeckRunsOut,
    Face,
    MetByOther,
    Rulings,
    Setup,
    Side,
    SolvedCards,
    TieCardUnsolved,
    Tier,
    Timer,
    Unchecked,
    UnsolvedCards,
    starting_seat,
)
from pi_app.games.vowl.sound import faults
from pi_app.games.vowl.tokens import Ending, Outcome, outcome

__all__ = [
    "Board",
    "BothMeet",
    "Box",
    "CardPassed",
    "CardSolved",
    "CardTakenUp",
    "CardTurned",
    "CardsDiscarded",
    "Clock",
    "Corrected",
    "Decision",
    "Deck",
    "DeckRunsOut",
    "DiceRolled",
    "Ending",
    "Event",
    "Face",
    "IllegalCorrection",
    "IllegalMove",
    "Legal",
    "MetByOther",
    "Outcome",
    "Phase",
    "Pile",
    "PileLaid",
    "Placement",
    "PlayMode",
    "PlayerChosen",
    "PointsTaken",
    "Position",
    "Puzzle",
    "PuzzleState",
    "Reward",
    "Rulings",
    "SandRanOut",
    "Setup",
    "Side",
    "SolvedCards",
    "TieCardGivenUp",
    "TieCardSolved",
    "TieCardTurned",
    "TieCardUnsolved",
    "Tier",
    "Timer",
    "TimerContinued",
    "TimerFlipped",
    "TimerStopped",
    "Turn",
    "Unchecked",
    "UnsolvedCards",
    "WhyStopped",
    "alternatives",
    "apply",
    "decisions",
    "due",
    "faults",
    "inserted",
    "legal",
    "moves",
    "new_game",
    "outcome",
    "phase",
    "prepared_anew",
    "removed",
    "replaced",
    "replaced_together",
    "replay",
    "settle",
    "starting_seat",
    "turn_replayed",
    "undone",
    "why_not",
]
