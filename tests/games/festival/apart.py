"""Festival once more as a second, deliberately plain and slow program: it shares nothing with the rules but the box.

Goals are read from their text, patterns are tried by turning coordinates, a table is a dict of lists that is changed.
"""

from copy import deepcopy
from functools import cache
from itertools import combinations
from typing import Any

from pi_app.games.festival import Action, Box, ObjectiveTaken, Position, Setup, TokenPlaced
from pi_app.games.festival.setup import StackContents

State = dict[str, Any]
Tops = list[list[tuple[str, str, int] | None]]


def opening(setup: Setup) -> State:
    """Return the table before the first turn."""
    seats = range(len(setup.seats))
    sizes = setup.box.pile_sizes()
    return {
        "cells": [[[] for _ in range(9)] for _ in seats],
        "open": [[setup.starting[seat]] for seat in seats],
        "done": [[] for _ in seats],
        "tiles": [[] for _ in seats],
        "free": list(setup.spectators),
        "stacks": [sorted(map(str, setup.box.stack)) for _ in seats],
        "cards": [goal.id for goal in setup.box.goals if goal.kind == "objective"],
        "piles": list(sizes),
        "moves": 0,
    }


def act(setup: Setup, old: State, kind: str, where: int, what: str, cell: int | str | None) -> State:
    """Return the table after one action of the seat whose turn it is."""
    new = deepcopy(old)
    change(setup, new, kind, where, what, cell)
    return new


def change(setup: Setup, new: State, kind: str, where: int, what: str, cell: Any) -> None:
    """Do one action on the table itself."""
    who = whose(setup, new)
    if kind == "token":
        new["stacks"][where].remove(what)
        new["cells"][who][cell].append(what)
    if kind == "card":
        if cell is not None:
            new["open"][who].remove(cell)
        new["piles"][where] -= 1
        new["cards"].remove(what)
        new["open"][who].append(what)
    tops = seen(new, who)
    for card in list(new["open"][who]):
        if fulfilled(setup, card, tops):
            new["open"][who].remove(card)
            new["done"][who].append(card)
    for face in list(new["free"]):
        if fulfilled(setup, face, tops):
            new["free"].remove(face)
            new["tiles"][who].append(face)
    new["moves"] += 1


def follow(setup: Setup, table: State, action: Action) -> None:
    """Do an action of the rules on the table itself."""
    if isinstance(action, TokenPlaced):
        change(setup, table, "token", action.stack, str(action.token), action.cell)
    elif isinstance(action, ObjectiveTaken):
        change(setup, table, "card", action.pile, action.card_id, action.discarded)
    else:
        change(setup, table, "pass", 0, "", None)


def whose(setup: Setup, table: State) -> int:
    """Return whose turn it is."""
    return int((setup.first_seat + table["moves"]) % len(setup.seats))


def ended(setup: Setup, table: State) -> bool:
    """Return whether the game is over."""
    announced = min(map(len, table["stacks"])) == 0 or max(map(len, table["done"])) >= setup.rules.objectives_to_end
    return announced and table["moves"] % len(setup.seats) == 0


def following(setup: Setup, old: State) -> list[State]:
    """Return every table one action later, in a game whose order of tokens and cards is unknown."""
    assert setup.rules.stack_contents is StackContents.EVERY_KIND
    if ended(setup, old):
        return []
    who, seats = whose(setup, old), len(setup.seats)
    tables = []
    for stack in {who, (who + seats - 1) % seats}:
        for token in sorted(set(old["stacks"][stack])):
            tables += [act(setup, old, "token", stack, token, cell) for cell in range(9)]
    gives: list[str | None] = [None] if len(old["open"][who]) < setup.rules.max_open else list(old["open"][who])
    for pile, left in enumerate(old["piles"]):
        if left:
            tables += [act(setup, old, "card", pile, card, give) for card in old["cards"] for give in gives]
    return tables or [act(setup, old, "pass", 0, "", None)]


def seen(table: State, who: int) -> Tops:
    """Return what lies visible on a board, by row and column: colour, motif, level."""
    tops = [(*pile[-1].split("/"), len(pile)) if pile else None for pile in table["cells"][who]]
    return [tops[row * 3 : row * 3 + 3] for row in range(3)]


def fulfilled(setup: Setup, name: str, tops: Tops) -> bool:
    """Return whether the visible tokens fulfil a goal of the box."""
    goal = setup.goal(name)
    if goal.lines[0].split()[0] == "at" or goal.lines[0][0].isdigit():
        return all(_condition(setup.box, line.split(), tops) for line in goal.lines)
    turns = setup.rules.turned and (setup.rules.starting_turned or goal.kind != "starting")
    turns = turns if goal.turned is None else goal.turned
    mirror = setup.rules.mirrored if goal.mirrored is None else goal.mirrored
    return any(
        all(_cell(word, tops[y][x]) for y, x, word in way)
        for flip in ((False, True) if mirror else (False,))
        for quarter in range(4 if turns else 1)
        for way in _ways(goal.lines, flip, quarter)
    )


@cache
def _ways(lines: tuple[str, ...], flip: bool, quarter: int) -> list[list[tuple[int, int, str]]]:
    cells = [(y, -x if flip else x, word) for y, line in enumerate(lines) for x, word in enumerate(line.split())]
    for _ in range(quarter):
        cells = [(x, -y, word) for y, x, word in cells]
    up, left = min(y for y, _, _ in cells), min(x for _, x, _ in cells)
    cells = [(y - up, x - left, word) for y, x, word in cells]
    high, wide = max(y for y, _, _ in cells), max(x for _, x, _ in cells)
    return [
        [(y + down, x + right, word) for y, x, word in cells] for down in range(3 - high) for right in range(3 - wide)
    ]


def _cell(word: str, top: tuple[str, str, int] | None) -> bool:
    if word == ".":
        return True
    if top is None:
        return False
    kind, _, level = word.partition("@")
    return top[2] >= int(level or 1) and all(part == "*" or part in top[:2] for part in kind.split("/"))


def _condition(box: Box, words: list[str], tops: Tops) -> bool:
    flat = [top for row in tops for top in row]
    if words[0] == "at":
        count = int(words[2])
        if words[3] == "different":
            return len({_by(words[4], top) for top in flat if top}) >= count
        return sum(_cell(words[3], top) for top in flat) >= count
    rows = tops
    columns = [[tops[y][x] for y in range(3)] for x in range(3)]
    diagonals = [[tops[i][i] for i in range(3)], [tops[i][2 - i] for i in range(3)]]
    squares = [[tops[y + a][x + b] for a in (0, 1) for b in (0, 1)] for y in (0, 1) for x in (0, 1)]
    areas = {
        "row": rows, "column": columns, "diagonal": diagonals, "line": rows + columns + diagonals, "square": squares,
        "corners": [[tops[0][0], tops[0][2], tops[2][0], tops[2][2]]],
    }[words[1] if words[1] == "corners" else words[1].removesuffix("s")]  # fmt: skip
    return sum(_area(words[3:], area) for area in areas) >= int(words[0])


def _area(words: list[str], area: list[tuple[str, str, int] | None]) -> bool:
    if None in area:
        return False
    if words[0] == "one":
        return len({_by(words[1], top) for top in area}) == 1
    if words[0] == "different":
        return all(_by(words[1], a) != _by(words[1], b) for a, b in combinations(area, 2))
    return all(_cell(words[0], top) for top in area)


def _by(word: str, top: tuple[str, str, int] | None) -> object:
    assert top
    return {"colour": top[0], "motif": top[1], "token": top[:2]}[word.removesuffix("s")]


def points(setup: Setup, table: State) -> list[int]:
    """Return each seat's points."""
    worth = {goal.id: goal.points for goal in setup.box.goals}
    totals = []
    for who, colour in enumerate(setup.boards):
        motif = {board.colour: board.motif for board in setup.box.boards}[colour]
        total = sum(worth[name] for name in table["done"][who] + table["tiles"][who])
        for pile in table["cells"][who]:
            if pile:
                total += len(pile) * pile[-1].split("/").count(colour)
                total += len(pile) * pile[-1].split("/").count(motif)
        totals.append(total)
    return totals


def winners(setup: Setup, table: State) -> tuple[int, ...]:
    """Return who has won."""
    ranks = [(total, len(tiles)) for total, tiles in zip(points(setup, table), table["tiles"], strict=True)]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))


def told(setup: Setup, table: State) -> str:
    """Return what people at the table can tell apart."""
    seats = [
        f"{table['cells'][who]} {sorted(table['open'][who])} {sorted(table['done'][who])} {sorted(table['tiles'][who])}"
        for who in range(len(setup.seats))
    ]
    return " | ".join([*seats, str(table["stacks"]), str(sorted(table["cards"])), str(table["piles"])])


def told_of(position: Position) -> str:
    """Return the same of a position of the rules."""
    setup = position.setup
    seats = [
        f"{[[str(token) for token in pile] for pile in sky]} {sorted(p.open)} {sorted(p.done)} {sorted(p.spectators)}"
        for sky, p in zip(position.skies, position.players, strict=True)
    ]
    stacks = [sorted(map(str, position.tokens_left(stack).elements())) for stack in range(len(setup.seats))]
    gone = {card for cards in position.gone for card in cards}
    piles = [position.cards_left(pile) for pile in range(setup.box.piles)]
    return " | ".join([*seats, str(stacks), str(sorted(setup.deck - gone)), str(piles)])
