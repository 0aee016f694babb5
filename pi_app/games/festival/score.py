"""Points line by line, and who has won."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pi_app.games.festival.model import Position


class Why(StrEnum):
    """What points are given for."""

    OBJECTIVE = "objective"
    SPECTATOR = "spectator"
    COLOUR = "colour"
    """A visible token of the board's own colour."""
    MOTIF = "motif"
    """A visible token of the board's own motif."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points for one thing: a face by its name, or the visible token of a cell at its level."""

    why: Why
    what: str
    points: int
    cell: int | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One seat's points, what gave them, and how many spectator tiles it has."""

    seat: int
    points: int
    spectators: int
    lines: tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end: all winners (several where even the spectator tiles are equal) and the scores, best first."""

    winners: tuple[int, ...]
    standings: tuple[Score, ...]


def score(position: Position) -> tuple[Score, ...]:
    """Return the scores by seat, as they would be if the game ended here."""
    return tuple(_score_of(position, seat) for seat in range(len(position.players)))


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended, None while it goes on: most points, then most spectator tiles, then shared."""
    if not position.over:
        return None
    standings = tuple(sorted(score(position), key=_rank, reverse=True))
    return Outcome(tuple(sorted(s.seat for s in standings if _rank(s) == _rank(standings[0]))), standings)


def _rank(score_: Score) -> tuple[int, int]:
    return score_.points, score_.spectators


def _score_of(position: Position, seat: int) -> Score:
    lines = tuple(_lines(position, seat))
    return Score(seat, sum(line.points for line in lines), len(position.players[seat].spectators), lines)


def _lines(position: Position, seat: int) -> Iterator[ScoreLine]:
    player, own = position.players[seat], position.setup.own(seat)
    for card in player.done:
        yield ScoreLine(Why.OBJECTIVE, card, position.setup.goal(card).points)
    for face in player.spectators:
        yield ScoreLine(Why.SPECTATOR, face, position.setup.goal(face).points)
    for why, kind in ((Why.COLOUR, own.colour), (Why.MOTIF, own.motif)):
        for cell, pile in enumerate(position.skies[seat]):
            if pile and kind == (pile[-1].colour if why is Why.COLOUR else pile[-1].motif):
                yield ScoreLine(why, str(pile[-1]), len(pile), cell, len(pile))
