"""The text a box of Festival is written in.

    colours green blue red yellow          names of the tokens' colours and motifs; no name twice
    motifs rose star palm fountain
    copies 1                               how often each kind of token is in one stack
    piles 4                                objective cards are dealt on so many piles
    board red rose                         a player board's own colour and motif; one line for each board

    objective fan 3                        name and points; then a pattern of one to three rows of one to three cells
      red  .   red
      .    red .

    starting red-a red 7 fixed             name, colour of its board, points
    spectator wall sydney 4                name, tile (its two sides have the same), points

A cell is `.` (nothing asked), `*` (any token), a colour, a motif, or both as `red/rose`; `@2` after it asks for a
token that is at least the second of its pile. After the points `fixed` forbids turning, `turned` allows it, `mirrored`
and `unmirrored` likewise; without a word the settings hold.

Instead of a pattern there may be conditions, one a line, which must hold together (CELL as above):
    at least 4 red                         visible tokens
    at least 3 different colours           or motifs, or tokens
    2 rows of rose                         `row`, `column`: 1 to 3; `diagonal`, `line`, `square`, `corners`: 1
    1 line of one colour                   or one motif: the same whichever
    1 corners of different motifs          no two alike
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from pi_app.core.errors import UserError
from pi_app.games.festival.box import Box, box_faults, names_of
from pi_app.games.festival.conditions import Area, AtLeast, Condition, Different, Filled, Varied
from pi_app.games.festival.goals import Goal, GoalKind, Grid
from pi_app.games.festival.need import MAX_LEVEL, Need
from pi_app.games.festival.tokens import CELLS, SIDE, Of, Token
from pi_app.games.festival.words import Line, Word, lines_of

MAX_CHARACTERS = 64_000
MAX_GOALS = 200
MAX_POINTS = 99
KINDS = ("colour", "motif", "token")
NO_NAMES = (*GoalKind, "colours", "motifs", "copies", "piles", "board", "at")
OPTIONS = {"fixed": ("turned", False), "turned": ("turned", True)} | {
    "unmirrored": ("mirrored", False),
    "mirrored": ("mirrored", True),
}


def parse_box(text: str, where: str = "box") -> Box:
    """Read a box; UserError names place, what was got and what was wanted."""
    if len(text) > MAX_CHARACTERS:
        raise UserError(f"{where}: got {len(text)} characters, wanted at most {MAX_CHARACTERS}")
    reader = _Reader(where)
    lines = lines_of(text, where)
    heads = [number for number, line in enumerate(lines) if line.first in HEADS]
    if lines and (not heads or heads[0]):
        raise lines[0].fault(lines[0].words[0], f"one of {', '.join(HEADS)}")
    if len(heads) > MAX_GOALS:
        raise UserError(f"{where}: got {len(heads)} entries, wanted at most {MAX_GOALS}")
    for start, stop in pairwise((*heads, len(lines))):
        HEADS[lines[start].first](reader, lines[start], lines[start + 1 : stop])
    return reader.box(text)


@dataclass(slots=True)
class _Reader:
    where: str
    colours: tuple[str, ...] = ()
    motifs: tuple[str, ...] = ()
    numbers: dict[str, int] = field(default_factory=lambda: {"copies": 1, "piles": 4})
    boards: list[Token] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)

    def box(self, text: str) -> Box:
        box = Box(self.colours, self.motifs, tuple(self.boards), **self.numbers, goals=tuple(self.goals), text=text)
        for fault in box_faults(box):
            raise UserError(f"{self.where}: {fault}")
        return box

    def names(self, head: Line, body: tuple[Line, ...]) -> None:
        _no_body(body)
        what = head.first
        names = tuple(head.name(index, f"a name for {what}") for index in range(1, len(head.words)))
        known = {*self.colours, *self.motifs, *NO_NAMES}
        for index, name in enumerate(names, 1):
            if name in known or names.index(name) < index - 1:
                raise head.fault(head.words[index], "a name that means nothing else yet")
        if getattr(self, what) or not 2 <= len(names) <= 16:
            raise head.fault(head.words[0], "colours and motifs once each, with 2 to 16 names")
        setattr(self, what, names)

    def number(self, head: Line, body: tuple[Line, ...]) -> None:
        _no_body(body)
        self.numbers[head.first] = head.number(1, head.first, 1, 8)
        head.end(2)

    def board(self, head: Line, body: tuple[Line, ...]) -> None:
        _no_body(body)
        self.boards.append(Token(head.one_of(1, self.colours), head.one_of(2, self.motifs)))
        head.end(3)

    def goal(self, head: Line, body: tuple[Line, ...]) -> None:
        kind = GoalKind(head.first)
        name = head.name(1, "its name")
        owned = kind is not GoalKind.OBJECTIVE
        owner = head.name(2, "its tile" if kind is GoalKind.SPECTATOR else "its board's colour") if owned else ""
        points = head.number(2 + owned, "its points", 0, MAX_POINTS)
        says: dict[str, bool] = {}
        for index in range(3 + owned, len(head.words)):
            option, value = OPTIONS[head.one_of(index, OPTIONS)]
            says[option] = value
        if not body:
            head.word(len(head.words), "a pattern or conditions on the next lines")
        grid, conditions = self._body(body)
        self.goals.append(Goal(name, kind, points, tuple(map(str, body)), grid, conditions, owner, **says))

    def _body(self, body: tuple[Line, ...]) -> tuple[Grid, tuple[Condition, ...]]:
        if body[0].first == "at" or body[0].first.isdigit():
            return (), tuple(self._condition(line) for line in body)
        return self._grid(body), ()

    def _grid(self, body: tuple[Line, ...]) -> Grid:
        width = min(len(body[0].words), SIDE)
        if len(body) > SIDE:
            raise body[SIDE].fault(body[SIDE].words[0], f"at most {SIDE} rows")
        for line in body:
            line.end(width)
            line.word(width - 1, f"{width} cells as in the first row")
        grid = tuple(tuple(self._cell(line, word) for word in line.words) for line in body)
        if not any(need for row in grid for need in row):
            raise body[0].fault(body[0].words[0], "at least one cell that asks for something")
        return grid

    def _cell(self, line: Line, word: Word) -> Need | None:
        return None if word.text == "." else self._need(line, word)

    def _need(self, line: Line, word: Word) -> Need:
        kind, at, level = word.text.partition("@")
        if at and level not in map(str, range(1, MAX_LEVEL + 1)):
            raise line.fault(Word(level, word.line, word.column + len(kind) + 1), f"a level, 1 to {MAX_LEVEL}")
        least = int(level) if at else 1
        if kind == "*":
            return Need(level=least)
        first, slash, second = kind.partition("/")
        if slash and first in self.colours and second in self.motifs:
            return Need(first, second, least)
        if not slash and first in self.colours:
            return Need(colour=first, level=least)
        if not slash and first in self.motifs:
            return Need(motif=first, level=least)
        raise line.fault(
            word, f". or * or COLOUR or MOTIF or COLOUR/MOTIF of {' '.join((*self.colours, *self.motifs))}"
        )

    def _condition(self, line: Line) -> Condition:
        if line.first == "at":
            return self._counted(line)
        area = AREAS[line.one_of(1, AREAS)]
        line.number(0, "how many", 1, area.most)
        line.one_of(2, ("of",))
        return self._area(line, int(line.first), area)

    def _counted(self, line: Line) -> Condition:
        line.one_of(1, ("least",))
        count = line.number(2, "how many", 1, CELLS)
        if line.word(3, "a cell, or different").text != "different":
            line.end(4)
            return AtLeast(count, self._need(line, line.words[3]))
        of = Of(line.one_of(4, [f"{kind}s" for kind in KINDS]).removesuffix("s"))
        line.end(5)
        line.number(2, f"how many different {of}s", 1, min(CELLS, names_of(self.colours, self.motifs, of)))
        return Different(count, of)

    def _area(self, line: Line, count: int, area: Area) -> Condition:
        word = line.word(3, "a cell, or one, or different").text
        if word == "different":
            of = Of(line.one_of(4, [f"{kind}s" for kind in KINDS]).removesuffix("s"))
            line.end(5)
            if names_of(self.colours, self.motifs, of) < len(area.places[0]):
                raise line.fault(line.words[4], f"something of which there are {len(area.places[0])} different ones")
            return Varied(count, area, of)
        if word != "one":
            line.end(4)
            return Filled(count, area, (self._need(line, line.words[3]),))
        of = Of(line.one_of(4, KINDS))
        line.end(5)
        return Filled(count, area, self._needs(of))

    def _needs(self, of: Of) -> tuple[Need, ...]:
        if of is Of.COLOUR:
            return tuple(Need(colour=name) for name in self.colours)
        if of is Of.MOTIF:
            return tuple(Need(motif=name) for name in self.motifs)
        return tuple(Need(colour, motif) for colour in self.colours for motif in self.motifs)


AREAS = {area.value: area for area in Area} | {"rows": Area.ROW, "columns": Area.COLUMN}
HEADS: dict[str, Callable[[_Reader, Line, tuple[Line, ...]], None]] = {
    "colours": _Reader.names,
    "motifs": _Reader.names,
    "copies": _Reader.number,
    "piles": _Reader.number,
    "board": _Reader.board,
    **dict.fromkeys(GoalKind, _Reader.goal),
}


def _no_body(body: tuple[Line, ...]) -> None:
    if body:
        raise body[0].fault(body[0].words[0], f"one of {', '.join(HEADS)}")
