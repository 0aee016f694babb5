import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.core.errors import UserError
from pi_app.games.festival import box_lines, goal_lines, parse_box
from pi_app.games.festival.sample import FILE, sample_box
from tests.games.festival.small import NAMES

HEAD = "colours red blue\nmotifs rose star\n"
BODY = NAMES.format(copies=1, piles=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("red red", "box:1:1: got 'red', wanted one of colours, motifs, copies, piles, board, objective"),
        ("# note\n\n  colours red", "box:3:3: got 'colours', wanted colours and motifs once each, with 2 to 16"),
        ("colours red Blue", "box:1:13: got 'Blue', wanted a name for colours: up to 40 of a-z"),
        ("colours red red", "box:1:13: got 'red', wanted a name that means nothing else yet"),
        ("colours red blue\nmotifs red star", "box:2:8: got 'red', wanted a name that means nothing else yet"),
        (HEAD + "copies 0", "box:3:8: got '0', wanted copies, 1 to 8"),
        (HEAD + "piles", "box:3:6: got 'the end of the line', wanted piles, 1 to 8"),
        (HEAD + "board red red", "box:3:11: got 'red', wanted one of rose, star"),
        (HEAD + "piles 4 5", "box:3:9: got '5', wanted the end of the line"),
        (HEAD + "piles 4\n red", "box:4:2: got 'red', wanted one of colours"),
        (BODY + "objective x\n  red", "box:13:12: got 'the end of the line', wanted its points, 0 to 99"),
        (BODY + "objective x 3 sideways\n  red", "box:13:15: got 'sideways', wanted one of fixed, turned, unmirrored"),
        (BODY + "objective x 3", "box:13:14: got 'the end of the line', wanted a pattern or conditions"),
        (BODY + "objective x 3\n  red  gren", "box:14:8: got 'gren', wanted . or * or COLOUR or MOTIF"),
        (BODY + "objective x 3\n  red/red", "box:14:3: got 'red/red', wanted . or *"),
        (BODY + "objective x 3\n  red@0", "box:14:7: got '0', wanted a level, 1 to 9"),
        (BODY + "objective x 3\n  red red\n  red", "box:15:6: got 'the end of the line', wanted 2 cells as in the"),
        (BODY + "objective x 3\n  red\n  red .", "box:15:7: got '.', wanted the end of the line"),
        (BODY + "objective x 3\n  red . . red", "box:14:11: got 'red', wanted the end of the line"),
        (BODY + "objective x 3\n red\n red\n red\n red", "box:17:2: got 'red', wanted at most 3 rows"),
        (BODY + "objective x 3\n  . .", "box:14:3: got '.', wanted at least one cell that asks"),
        (BODY + "spectator x a 3\n  at most 3 red", "box:14:6: got 'most', wanted one of least"),
        (BODY + "spectator x a 3\n  at least 10 red", "box:14:12: got '10', wanted how many, 1 to 9"),
        (BODY + "spectator x a 3\n  at least 3 different colours", "box:14:12: got '3', wanted how many different"),
        (BODY + "spectator x a 3\n  4 rows of red", "box:14:3: got '4', wanted how many, 1 to 3"),
        (BODY + "spectator x a 3\n  2 lines of red", "box:14:5: got 'lines', wanted one of row, column"),
        (BODY + "spectator x a 3\n  1 row of different colours", "box:14:22: got 'colours', wanted something of which"),
        (BODY + "spectator x a 3\n  1 row off red", "box:14:9: got 'off', wanted one of of"),
        (BODY + "spectator x a 3\n  1 row of one colour red", "box:14:23: got 'red', wanted the end of the line"),
        (BODY + "objective x 3\n red\nobjective x 4\n blue", "box: x: got it twice, wanted every name once"),
        (BODY, "box: objective: got 0, wanted one for each of the 1 piles"),
        (HEAD + "board red rose", "box: board: got 1, wanted 2 to 4"),
        ("", "box: colours: got 0, wanted at least 2"),
        ("#" * 64_001, "box: got 64001 characters, wanted at most 64000"),
        ("objective x 1\n" * 201, "box: got 201 entries, wanted at most 200"),
        ("colours \x1b[31mred blue", r"box:1:9: got '\x1b[31mred', wanted a name"),
    ],
)
def test_what_is_wrong_is_pointed_at(text: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        parse_box(text)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.data())
def test_any_damage_is_a_refusal_or_a_box(data: st.DataObject) -> None:
    text = FILE.read_text("utf-8")
    start = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.text(max_size=6) | st.sampled_from(("\n", " @", " at least", "\n2 rows of one ", "objective ")))
    try:
        box = parse_box(text[:start] + junk + text[start + data.draw(st.integers(0, 30)) :])
    except UserError:
        return
    assert all(line == line.rstrip("\n") for line in box_lines(box))


def test_a_box_is_its_text_again() -> None:
    box = sample_box()
    assert parse_box(box.text, "again") == box


def test_a_face_is_drawn() -> None:
    text = BODY + "objective x 1 fixed mirrored\n red/rose@2 .\n * star\nspectator y a 4\n at  least 2 red\n"
    pattern, conditions = parse_box(text).goals[2:]
    assert list(goal_lines(pattern)) == [
        "x: 1 point, not turned, mirrored",
        "  ┌────────────┬────────────┐",
        "  │  red/rose  │            │",
        "  │  level 2+  │            │",
        "  ├────────────┼────────────┤",
        "  │     *      │    star    │",
        "  │            │            │",
        "  └────────────┴────────────┘",
    ]
    assert list(goal_lines(conditions)) == ["y: 4 points, of a", "  at least 2 red"]


def test_the_whole_sample_fits_a_terminal() -> None:
    lines = list(box_lines(sample_box()))
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  ┌") for line in lines) == 36
