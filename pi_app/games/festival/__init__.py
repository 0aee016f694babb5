"""Festival: the complete rules as a pure library: no clock, no file, no random source.

    setup = Setup(seats=("Ann", "Ben"), box=box, boards=("red", "blue"), starting=..., spectators=...)
    position = new_game(setup)
    position = apply(position, TokenPlaced(0, 1, Token("red", "rose"), 4))    # IllegalMove where the rules forbid it
    missing(position, 0)                                # how far each open objective is
    outcome(position)                                   # None until the end, then the scores line by line

A device on the table does this, and needs to know no rule:
- a token on a tray: `placings(position, seat, token, cell)` says which stacks it can be from, or why it cannot be;
- the top of a stack, of a pile: `TopShown`, `ObjectiveShown`, whenever it is seen; nothing needs them to be told;
- after each action `gained(before, after)` is what is announced;
- it keeps the list of applied events; `replay(setup, events)` gives the same position again, and `replaced`,
  `replaced_together`, `inserted`, `removed`, `undone` give both after a correction.

The box is text (`parse_box`, described in box_text.py). `sample` reads the one that comes with the project and `bots`
plays alone; nothing else imports either.
"""

from pi_app.games.festival.apply import Gained, apply, gained, settle
from pi_app.games.festival.box import Box
from pi_app.games.festival.box_text import parse_box
from pi_app.games.festival.correct import (
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
    undone,
)
from pi_app.games.festival.events import (
    Action,
    Event,
    ObjectiveShown,
    ObjectiveTaken,
    TokenPlaced,
    TopShown,
    TurnPassed,
)
from pi_app.games.festival.goals import Goal, GoalBook, GoalKind
from pi_app.games.festival.hints import Hint, Missing, hints, missing
from pi_app.games.festival.legal import discardable, moves, objectives, placings, tops, why_not
from pi_app.games.festival.model import IllegalMove, Impossible, Player, Position, Reason, new_game
from pi_app.games.festival.preview import box_lines, goal_lines
from pi_app.games.festival.score import Outcome, Score, ScoreLine, Why, outcome, score
from pi_app.games.festival.setup import Rules, Setup, StackContents, default_starting
from pi_app.games.festival.sound import faults
from pi_app.games.festival.tokens import CELLS, EMPTY_SKY, Sky, Token

__all__ = [
    "CELLS",
    "EMPTY_SKY",
    "Action",
    "Box",
    "Corrected",
    "Decision",
    "Event",
    "Gained",
    "Goal",
    "GoalBook",
    "GoalKind",
    "Hint",
    "IllegalCorrection",
    "IllegalMove",
    "Impossible",
    "Missing",
    "ObjectiveShown",
    "ObjectiveTaken",
    "Outcome",
    "Player",
    "Position",
    "Reason",
    "Rules",
    "Score",
    "ScoreLine",
    "Setup",
    "Sky",
    "StackContents",
    "Token",
    "TokenPlaced",
    "TopShown",
    "TurnPassed",
    "Why",
    "alternatives",
    "apply",
    "box_lines",
    "decisions",
    "default_starting",
    "discardable",
    "faults",
    "gained",
    "goal_lines",
    "hints",
    "inserted",
    "missing",
    "moves",
    "new_game",
    "objectives",
    "outcome",
    "parse_box",
    "placings",
    "removed",
    "replaced",
    "replaced_together",
    "replay",
    "score",
    "settle",
    "tops",
    "undone",
    "why_not",
]
