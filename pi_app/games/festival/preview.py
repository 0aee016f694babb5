"""Goals drawn as text, for a terminal."""

from collections.abc import Iterator

from pi_app.games.festival.box import Box
from pi_app.games.festival.goals import Goal, GoalKind, Grid

CELL = 12
"""Letters of a drawn cell; longer text is cut."""
TITLES = {GoalKind.OBJECTIVE: "Objectives", GoalKind.STARTING: "Starting objectives", GoalKind.SPECTATOR: "Spectators"}


def box_lines(box: Box) -> Iterator[str]:
    """Yield a whole box as lines of at most 80 letters: names and counts, then every face drawn."""
    yield f"colours   {', '.join(box.colours)}"
    yield f"motifs    {', '.join(box.motifs)}"
    yield f"boards    {', '.join(map(str, box.boards))}"
    yield f"stacks    {len(box.stack)} tokens, each kind {box.copies} times"
    yield f"piles     {' + '.join(map(str, box.pile_sizes()))} objectives"
    for kind, title in TITLES.items():
        yield from ("", f"{title} ({len(box.of_kind(kind))})")
        for goal in box.of_kind(kind):
            yield from ("", *goal_lines(goal))


def goal_lines(goal: Goal) -> Iterator[str]:
    """Yield one face: its name, points and options, then its pattern drawn, or its conditions."""
    notes = [f"{goal.points} point{'' if goal.points == 1 else 's'}"]
    notes += [f"of {goal.owner}"] if goal.owner else []
    notes += [] if goal.turned is None else ["turned" if goal.turned else "not turned"]
    notes += [] if goal.mirrored is None else ["mirrored" if goal.mirrored else "not mirrored"]
    yield f"{goal.id}: {', '.join(notes)}"
    yield from _drawn(goal.grid) if goal.grid else (f"  {line}" for line in goal.lines)


def _drawn(grid: Grid) -> Iterator[str]:
    edge = "─" * CELL
    columns = len(grid[0])
    yield f"  ┌{'┬'.join([edge] * columns)}┐"
    for number, row in enumerate(grid):
        if number:
            yield f"  ├{'┼'.join([edge] * columns)}┤"
        kinds = ["" if need is None else "/".join(filter(None, (need.colour, need.motif))) or "*" for need in row]
        heights = ["" if need is None or need.level == 1 else f"level {need.level}+" for need in row]
        yield from (f"  │{'│'.join(map(_centred, texts))}│" for texts in (kinds, heights) if any(texts) or number >= 0)
    yield f"  └{'┴'.join([edge] * columns)}┘"


def _centred(text: str) -> str:
    return (text if len(text) <= CELL else text[: CELL - 1] + "…").center(CELL)
