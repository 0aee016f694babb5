import pytest
from hypothesis import given, settings

from pi_app.games.festival import Box, GoalBook, GoalKind, Rules, Sky, Token, parse_box
from pi_app.games.festival.goals import variants
from pi_app.games.festival.sample import sample_box
from pi_app.games.festival.tokens import CELLS, EMPTY_SKY, placed
from tests.games.festival import apart
from tests.games.festival.small import NAMES, game, skies, sky

HEAD = (
    NAMES.format(copies=1, piles=1)
    .replace("red blue\n", "red blue green\n", 1)
    .replace("rose star\n", "rose star palm\n", 1)
)
EVERY_WORD = HEAD + """
objective one-cell 1
  red/rose@3
objective mirrored-l 2 mirrored
  red  .
  rose .
  star *
objective upright 2 fixed
  red blue
objective ring 9
  *    red  *
  blue .    blue
  *    red  *
spectator rows a 1
  2 rows of red
spectator columns b 1
  3 columns of one motif
spectator diagonal c 1
  1 diagonal of different tokens
spectator line d 1
  1 line of *@2
spectator square e 1
  1 square of one token
spectator corners f 1
  1 corners of rose@2
spectator kinds g 1
  at least 7 different tokens
spectator counted h 1
  at least 5 blue/star@2
spectator pairs i 1
  2 columns of different colours
"""  # fmt: skip


def book(box: Box, rules: Rules | None = None) -> GoalBook:
    return game(box, rules=rules).book


BOXES = {"sample": sample_box(), "every_word": parse_box(EVERY_WORD)}


def tops(of: Sky) -> apart.Tops:
    return apart.seen({"cells": [[list(map(str, pile)) for pile in of]]}, 0)


@pytest.mark.parametrize("name", BOXES)
@settings(max_examples=30, deadline=None, derandomize=True)
@given(skies)
def test_a_goal_holds_where_a_plain_program_says_so(name: str, at: Sky) -> None:
    setup = game(BOXES[name])
    for goal in BOXES[name].goals:
        assert setup.book.holds(goal.id, at) == apart.fulfilled(setup, goal.id, tops(at)), goal.id


@pytest.mark.parametrize("name", BOXES)
@settings(max_examples=5, deadline=None, derandomize=True)
@given(skies)
def test_missing_is_the_smallest_number_of_placements(name: str, at: Sky) -> None:
    """Zero where the goal holds (above), never falling by more than one token, always falling by one with the right."""
    box = BOXES[name]
    goals = book(box)
    now = {goal.id: goals.missing(goal.id, at) for goal in box.goals if goal.missing_is_exact}
    least = dict(now)
    for cell in range(CELLS):
        for token in box.tokens:
            after = placed(at, cell, token)
            costs = goals.costs(after)
            for goal, before in now.items():
                then = goals.missing(goal, after, costs)
                assert then >= before - 1, goal
                least[goal] = min(least[goal], then)
    assert least == {goal: max(0, before - 1) for goal, before in now.items()}


@settings(max_examples=20, deadline=None, derandomize=True)
@given(skies)
def test_shortest_ways_and_completing_agree_with_missing(at: Sky) -> None:
    goals = book(sample_box())
    costs = goals.costs(at)
    for goal in goals.goals.values():
        for way in goals.shortest(goal.id, costs):
            assert sum(gap.tokens for gap in way.gaps) == goals.missing(goal.id, at)
            assert all(at[cell] for cell in way.kept)
            assert way.kept.isdisjoint(gap.cell for gap in way.gaps)
        for token in sample_box().tokens[:4]:
            for cell in goals.completing(goal.id, at, token):
                assert not goals.holds(goal.id, at)
                assert goals.holds(goal.id, placed(at, cell, token))


@pytest.mark.parametrize(
    ("rows", "turned", "mirrored", "ways"),
    [
        ("red red", True, False, 12),
        ("red red", False, False, 6),
        ("red blue", True, False, 24),
        ("red", True, True, 9),
        (". red\n blue .", True, False, 16),
        ("red .\n rose .\n star *", True, False, 8),
        ("red .\n rose .\n star *", True, True, 8 + 8),
        ("red * red\n * * *\n red * red", True, True, 1),
    ],
)
def test_ways_to_lie_counted_by_hand(rows: str, turned: bool, mirrored: bool, ways: int) -> None:
    box = parse_box(NAMES.format(copies=1, piles=1) + f"objective x 1\n {rows}\n")
    grid = box.of_kind(GoalKind.OBJECTIVE)[0].grid
    assert len(variants(grid, turned, mirrored)) == ways


def test_a_level_asked_for_takes_every_token_below_it() -> None:
    goals = book(parse_box(EVERY_WORD))
    assert goals.missing("one-cell", EMPTY_SKY) == 3
    assert goals.missing("one-cell", sky("red/rose+red/rose . . . . . . . .")) == 1
    assert goals.missing("one-cell", sky("red/rose+red/rose+red/star . . . . . . . .")) == 1
    assert goals.missing("one-cell", sky("red/star+red/star+red/rose . . . . . . . .")) == 0


def test_settings_turn_and_mirror_what_does_not_say_itself() -> None:
    box = parse_box(HEAD + "objective x 1\n red blue\n rose .\nobjective y 1 turned\n red blue\n")
    mirror_image = sky("blue/star red/star . . green/rose . . . .")
    assert not book(box).holds("x", mirror_image)
    assert book(box, Rules(mirrored=True)).holds("x", mirror_image)
    turned_only = sky("green/rose red/star . . blue/star . . . .")
    assert book(box).holds("x", turned_only)
    assert not book(box, Rules(turned=False)).holds("x", turned_only)
    assert book(box, Rules(turned=False)).holds("y", sky("red/rose . . blue/star . . . . ."))
    upright = book(box, Rules(starting_turned=False))
    column = sky("red/rose . . red/star . . . . .")
    assert (book(box).holds("red-start", column), upright.holds("red-start", column)) == (True, False)


def test_the_sample_has_what_the_game_needs() -> None:
    box = sample_box()
    kinds = [len(box.of_kind(kind)) for kind in GoalKind]
    assert kinds == [28, 8, 8]
    assert box.pile_sizes() == (7, 7, 7, 7)
    assert {goal.points for goal in box.of_kind(GoalKind.STARTING)} == {7}
    assert len(box.stack) == len(set(box.stack)) == 16
    assert Token("red", "rose") in box.boards
    assert len({goal.lines for goal in box.goals}) == len(box.goals)
    assert len({frozenset(variants(g.grid, True, False)) for g in box.goals if g.grid}) == 36
