from dataclasses import replace

import pytest

from pi_app.core.errors import UserError
from pi_app.games.festival import (
    Hint,
    IllegalMove,
    Impossible,
    Missing,
    ObjectiveShown,
    ObjectiveTaken,
    Position,
    Reason,
    Rules,
    ScoreLine,
    Setup,
    Sky,
    StackContents,
    Token,
    TokenPlaced,
    TopShown,
    TurnPassed,
    Why,
    apply,
    gained,
    hints,
    missing,
    moves,
    new_game,
    outcome,
    parse_box,
    placings,
    score,
    why_not,
)
from pi_app.games.festival.sample import sample_box
from tests.games.festival.small import TINY, game, sky, tiny

RED_ROSE, RED_STAR, BLUE_ROSE, BLUE_STAR = (Token(c, m) for c in ("red", "blue") for m in ("rose", "star"))
SAMPLE = game(sample_box(), seats=4, spectators=("full-sky", "heights"))


def play(position: Position, *events: object) -> Position:
    for event in events:
        position = apply(position, event)  # type: ignore[arg-type]  # events
    return position


def with_sky(position: Position, seat: int, at: Sky) -> Position:
    skies = list(position.skies)
    skies[seat] = at
    return replace(position, skies=tuple(skies))


def reason(position: Position, event: object) -> Reason | None:
    fault = why_not(position, event)  # type: ignore[arg-type]  # events
    return fault.reason if fault else None


def test_tokens_come_from_the_stacks_at_both_sides() -> None:
    four = new_game(SAMPLE)
    rose = Token("red", "rose")
    stacks = [stack for stack in range(4) if reason(four, TokenPlaced(0, stack, rose, 0)) is None]
    assert stacks == [0, 3]
    assert reason(four, TokenPlaced(0, 1, rose, 0)) is Reason.NOT_THEIR_STACK
    two = new_game(tiny())
    assert [reason(two, TokenPlaced(0, stack, RED_ROSE, 0)) for stack in (0, 1)] == [None, None]


@pytest.mark.parametrize(
    ("event", "wanted"),
    [
        (TokenPlaced(1, 1, RED_ROSE, 0), Reason.NOT_THEIR_TURN),
        (TokenPlaced(2, 1, RED_ROSE, 0), Reason.NO_SUCH_SEAT),
        (TokenPlaced(0, 2, RED_ROSE, 0), Reason.NO_SUCH_STACK),
        (TokenPlaced(0, -1, RED_ROSE, 0), Reason.NO_SUCH_STACK),
        (TokenPlaced(0, 0, RED_ROSE, 9), Reason.NO_SUCH_CELL),
        (TokenPlaced(0, 0, Token("pink", "rose"), 0), Reason.NO_SUCH_TOKEN),
        (ObjectiveTaken(0, 1, "any"), Reason.NO_SUCH_PILE),
        (ObjectiveTaken(0, 0, "red-start"), Reason.NO_SUCH_CARD),
        (ObjectiveTaken(0, 0, "any", "nonsense"), Reason.NO_SUCH_CARD),
        (ObjectiveTaken(0, 0, "any", "red-start"), Reason.NEEDLESS_DISCARD),
        (ObjectiveTaken(0, 0, "any", "blue-start"), Reason.NOT_OPEN),
        (TurnPassed(0), Reason.CAN_ACT),
        (TopShown(0, Token("red", "palm")), Reason.NO_SUCH_TOKEN),
        (ObjectiveShown(3, "any"), Reason.NO_SUCH_PILE),
    ],
)
def test_what_the_rules_forbid_is_named(event: object, wanted: Reason) -> None:
    assert reason(new_game(tiny()), event) is wanted


def test_a_placement_is_explained_or_refused_as_a_value() -> None:
    position = play(new_game(tiny()), TopShown(0, RED_ROSE))
    assert placings(position, 0, RED_ROSE, 4) == (TokenPlaced(0, 0, RED_ROSE, 4), TokenPlaced(0, 1, RED_ROSE, 4))
    assert placings(position, 0, BLUE_STAR, 4) == (TokenPlaced(0, 1, BLUE_STAR, 4),)
    both = play(position, TopShown(1, RED_STAR))
    assert placings(both, 0, BLUE_STAR, 4) == Impossible(
        Reason.NOTHING_FITS, "blue/star on cell 4 of seat 0", "red/rose of stack 0 or red/star of stack 1"
    )
    other_board = placings(position, 1, RED_ROSE, 4)
    assert isinstance(other_board, Impossible)
    assert other_board.reason is Reason.NOT_THEIR_TURN
    assert str(other_board) == "got an action of seat 1, wanted one of seat 0"


def test_each_kind_is_once_in_a_stack_unless_that_is_unknown() -> None:
    position = play(new_game(tiny()), TokenPlaced(0, 0, RED_ROSE, 0))
    again = TokenPlaced(1, 0, RED_ROSE, 0)
    assert reason(position, again) is Reason.TOKEN_ELSEWHERE
    rules = Rules(stack_contents=StackContents.ANY)
    anything = play(new_game(game(parse_box(TINY), rules=rules)), TokenPlaced(0, 0, RED_ROSE, 0), again)
    assert reason(anything, TokenPlaced(0, 0, RED_ROSE, 1)) is Reason.TOKEN_ELSEWHERE


def test_a_known_order_is_checked() -> None:
    stacks = ((RED_STAR, RED_ROSE, BLUE_ROSE, BLUE_STAR),) * 2
    position = new_game(replace(tiny(), stacks=stacks, piles=(("two-high", "any"),)))
    assert (position.top(0), position.objective(0)) == (RED_STAR, "two-high")
    assert reason(position, TokenPlaced(0, 0, RED_ROSE, 0)) is Reason.OTHER_ON_TOP
    assert reason(position, ObjectiveTaken(0, 0, "any")) is Reason.OTHER_ON_TOP
    assert len(list(moves(position))) == 2 * 9 + 1


def test_objectives_are_checked_after_the_action_also_the_one_just_taken() -> None:
    start = new_game(tiny())
    placed = play(start, TokenPlaced(0, 0, RED_ROSE, 0), TokenPlaced(1, 1, RED_ROSE, 0))
    taken = play(placed, ObjectiveTaken(0, 0, "any"))
    assert taken.players[0].done == ("any",)
    assert taken.players[0].open == ("red-start",)
    assert [(g.seat, g.objectives) for g in gained(placed, taken)] == [(0, ("any",))]


def test_several_at_once_and_the_tile_goes_to_the_first() -> None:
    position = with_sky(new_game(tiny()), 0, sky("red/star . . . . . . . ."))
    position = with_sky(position, 1, sky("red/star . . . . . . . ."))
    first = play(position, TokenPlaced(0, 0, RED_ROSE, 1))
    assert (first.players[0].done, first.players[0].spectators, first.free) == (("red-start",), ("two-reds",), ())
    second = play(first, TokenPlaced(1, 1, RED_ROSE, 1))
    assert second.players[1].spectators == ()
    covered = play(second, TokenPlaced(0, 0, BLUE_STAR, 1))
    assert (covered.players[0].done, covered.players[0].spectators) == (("red-start",), ("two-reds",))


def test_a_full_hand_discards_one_first() -> None:
    position = new_game(tiny(max_open=2))
    position = play(position, ObjectiveTaken(0, 0, "two-high"), TokenPlaced(1, 1, RED_ROSE, 0))
    assert reason(position, ObjectiveTaken(0, 0, "any")) is Reason.NO_ROOM
    assert reason(position, ObjectiveTaken(0, 0, "any", "blue-start")) is Reason.NOT_OPEN
    after = play(position, ObjectiveTaken(0, 0, "any", "two-high"))
    assert (after.players[0].open, after.players[0].discarded) == (("red-start", "any"), ("two-high",))


def test_rulings_about_room_and_the_starting_objective() -> None:
    def full(**rules: bool) -> Position:
        position = new_game(game(parse_box(TINY), rules=Rules(max_open=2, **rules)))  # type: ignore[arg-type]  # flags
        position = play(position, ObjectiveTaken(0, 0, "two-high"), TokenPlaced(1, 1, RED_ROSE, 0))
        return with_sky(position, 0, sky("blue/star . . . . . . . ."))

    assert reason(full(), ObjectiveTaken(0, 0, "any")) is Reason.NO_ROOM
    assert reason(full(fulfilled_needs_room=False), ObjectiveTaken(0, 0, "any")) is None
    assert reason(full(starting_counts_as_open=False), ObjectiveTaken(0, 0, "any")) is None
    kept = full(starting_may_be_discarded=False)
    assert reason(kept, ObjectiveTaken(0, 0, "any", "red-start")) is Reason.NOT_OPEN
    assert reason(kept, ObjectiveTaken(0, 0, "any", "two-high")) is None


def test_an_empty_stack_ends_the_game_after_equal_turns() -> None:
    position = new_game(replace(tiny(), first_seat=1))
    tokens = (RED_ROSE, RED_STAR, BLUE_ROSE, BLUE_STAR)
    events = [(TokenPlaced(1, 0, a, 0), TokenPlaced(0, 0, b, 8)) for a, b in (tokens[:2], tokens[2:])]
    position = play(position, *events[0], events[1][0])
    assert (position.ending, position.over, outcome(position)) == (False, False, None)
    position = play(position, events[1][1])
    assert (position.ending, position.over) == (True, True)
    assert reason(position, TurnPassed(1)) is Reason.OVER
    assert list(moves(position)) == []


@pytest.mark.parametrize(("counts", "over"), [(True, True), (False, False)])
def test_the_last_objective_announces_the_end(counts: bool, over: bool) -> None:
    rules = Rules(objectives_to_end=1, starting_counts_for_end=counts)
    position = with_sky(new_game(game(parse_box(TINY), rules=rules)), 0, sky("red/star . . . . . . . ."))
    position = play(position, TokenPlaced(0, 0, RED_ROSE, 1))
    assert (position.ending, position.over) == (over, False)
    assert play(position, TokenPlaced(1, 1, BLUE_STAR, 0)).over is over


def test_whoever_can_do_nothing_passes() -> None:
    stacks = (tuple(SAMPLE.box.tokens),) * 4
    position = replace(new_game(SAMPLE), taken=stacks, gone=tuple(("x",) * 7 for _ in range(4)))
    position = replace(position, players=tuple(replace(p, turns=5 + (s < 3)) for s, p in enumerate(position.players)))
    assert list(moves(position)) == [TurnPassed(3)]
    assert play(position, TurnPassed(3)).over


def test_the_score_is_told_line_by_line_and_what_is_both_counts_twice() -> None:
    position = with_sky(
        new_game(tiny()), 0, sky("blue/star+red/rose . red/star blue/star+blue/star+blue/rose . . . . blue/star")
    )
    player = replace(position.players[0], done=("two-high",), spectators=("two-reds",))
    position = replace(position, players=(player, position.players[1]))
    mine = score(position)[0]
    assert mine.lines == (
        ScoreLine(Why.OBJECTIVE, "two-high", 3),
        ScoreLine(Why.SPECTATOR, "two-reds", 2),
        ScoreLine(Why.COLOUR, "red/rose", 2, 0, 2),
        ScoreLine(Why.COLOUR, "red/star", 1, 2, 1),
        ScoreLine(Why.MOTIF, "red/rose", 2, 0, 2),
        ScoreLine(Why.MOTIF, "blue/rose", 3, 3, 3),
    )
    assert (mine.points, mine.spectators) == (13, 1)


@pytest.mark.parametrize(
    ("tiles", "skies", "winners"),
    [
        (((), ()), (". . . . . . . . .", ". . . . . . . . ."), (0, 1)),
        ((("two-reds",), ()), (". . . . . . . . .", "blue/star . . . . . . . ."), (0,)),
        ((("two-reds",), ()), (". . . . . . . . .", "blue/star blue/rose . . . . . . ."), (1,)),
    ],
)
def test_ties_go_to_more_spectators_then_are_shared(
    tiles: tuple[tuple[str, ...], ...], skies: tuple[str, str], winners: tuple[int, ...]
) -> None:
    position = new_game(tiny())
    for seat, at in enumerate(skies):
        position = with_sky(position, seat, sky(at))
    players = tuple(replace(p, spectators=s) for p, s in zip(position.players, tiles, strict=True))
    position = replace(position, players=players, taken=(SAMPLE.box.tokens[:4], ()))
    end = outcome(position)
    assert end is not None
    assert end.winners == winners


def test_what_is_missing_is_told_and_hints_only_where_wanted() -> None:
    assert missing(new_game(tiny()), 0) == (Missing("red-start", 2, True), Missing("two-reds", 2, True))
    near = sky(". . . . red/star . . . .")
    quiet = play(with_sky(new_game(tiny()), 0, near), TopShown(0, RED_ROSE))
    assert hints(quiet, 0) == ()
    rules = Rules(hints=True)
    loud = play(with_sky(new_game(game(parse_box(TINY), rules=rules)), 0, near), TopShown(0, RED_ROSE))
    assert hints(loud, 0) == tuple(Hint("red-start", 0, RED_ROSE, cell) for cell in (1, 3, 5, 7))


def test_what_was_shown_lies_there_until_it_is_taken() -> None:
    position = play(new_game(game(sample_box())), ObjectiveShown(0, "pair-red"), ObjectiveShown(1, "pair-blue"))
    assert reason(position, ObjectiveTaken(0, 0, "pair-blue")) is Reason.OTHER_ON_TOP
    assert reason(position, ObjectiveTaken(0, 0, "twin-palm")) is Reason.OTHER_ON_TOP
    assert reason(position, ObjectiveTaken(0, 2, "pair-red")) is Reason.OTHER_ON_TOP
    assert reason(position, ObjectiveShown(2, "pair-red")) is Reason.OTHER_ON_TOP
    after = play(position, ObjectiveTaken(0, 0, "pair-red"))
    assert (after.objective(0), after.objective(1)) == (None, "pair-blue")
    assert reason(after, ObjectiveShown(2, "pair-red")) is Reason.CARD_ELSEWHERE


def test_a_refusal_says_what_was_got_and_wanted() -> None:
    position = new_game(tiny())
    with pytest.raises(IllegalMove, match="TokenPlaced: got cell 9, wanted 0 to 8") as error:
        apply(position, TokenPlaced(0, 0, RED_ROSE, 9))
    assert error.value.position is position


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seats": ("A",)}, "festival seats: got 1, wanted 2 to 4"),
        ({"first_seat": 2}, "festival first seat: got 2, wanted 0 to 1"),
        ({"boards": ("red", "red")}, "festival boards: got red, red, wanted 2 different ones of red, blue"),
        ({"starting": ("red-start", "red-start")}, "festival starting objectives: got red-start, red-start"),
        ({"spectators": ("any",)}, "festival spectators: got any, wanted at most one face of each tile"),
        ({"spectators": ("two-reds", "mixed")}, "festival spectators: got two-reds, mixed"),
        ({"stacks": ((RED_ROSE,),) * 2}, "festival stacks: got [1, 1] tokens, wanted 2 stacks of 4"),
        ({"stacks": ((RED_ROSE,) * 4,) * 2}, "festival stacks: got red/rose too often"),
        ({"stacks": ((RED_ROSE, BLUE_STAR) * 2, (RED_STAR, BLUE_ROSE) * 2)}, "festival stacks: got uneven"),
        ({"piles": (("any",),)}, "festival piles: got [1] cards, wanted [2]"),
        ({"piles": (("any", "any"),)}, "festival piles: got other cards"),
    ],
)  # fmt: skip
def test_a_setup_that_cannot_be_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as error:
        replace(tiny(), **change)  # type: ignore[arg-type]  # wrong on purpose
    assert str(error.value).startswith(message)


def test_rules_have_bounds() -> None:
    with pytest.raises(UserError, match=r"festival\.max_open: got 1, wanted 2 to 40"):
        Rules(max_open=1)


def test_four_setups_differ_by_seats_alone() -> None:
    setups: list[Setup] = [game(sample_box(), seats=seats) for seats in (2, 3, 4)]
    assert [sum(new_game(s).left(k) for k in range(len(s.seats))) for s in setups] == [32, 48, 64]
