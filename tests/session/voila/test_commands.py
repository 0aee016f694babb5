"""Commands and their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.core.names import Colour
from pi_app.session.commands import CommandError, NameSeat, Press, Start
from pi_app.session.voila.commands import (
    PLAIN,
    PLAIN_TO,
    Command,
    Correct,
    LayTile,
    TellCard,
    TellFinder,
    TellStone,
    To,
    ToCard,
    ToFinder,
    ToStone,
    format_command,
    parse_command,
)

words = st.from_regex(r"[a-z0-9_.-]{1,20}", fullmatch=True)
seats = st.integers(0, 5)
finders = st.none() | seats
corrections: st.SearchStrategy[To] = st.one_of(
    st.sampled_from(list(PLAIN_TO.values())),
    st.builds(ToStone, st.sampled_from(Colour)),
    st.builds(ToCard, words),
    st.builds(ToFinder, finders),
)
commands: st.SearchStrategy[Command] = st.one_of(
    st.sampled_from(list(PLAIN.values())),
    st.builds(Press, st.integers(0, 99)),
    st.builds(NameSeat, seats, st.from_regex(r"[A-Za-zé]{1,10}( [A-Z][a-z]{1,8})?", fullmatch=True)),
    st.builds(Start, seats),
    st.builds(TellStone, st.sampled_from(Colour)),
    st.builds(TellCard, words),
    st.builds(TellFinder, finders),
    st.builds(LayTile, st.none() | words.filter(lambda word: word != "unknown")),
    st.builds(Correct, st.integers(1, 9999), corrections),
)


@given(commands)
def test_every_command_is_read_from_its_text(command: Command) -> None:
    assert parse_command(format_command(command)) == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("press 2", Press(2)),
        ("  stone   red ", TellStone(Colour.RED)),
        ("start", Start(0)),
        ("start 3", Start(2)),
        ("finder 2", TellFinder(1)),
        ("finder nobody", TellFinder(None)),
        ("tile unknown", LayTile(None)),
        ("name 1 Anna Lena", NameSeat(0, "Anna Lena")),
        ("correct 12 finder nobody", Correct(12, ToFinder(None))),
        ("correct 3  stone  blue", Correct(3, ToStone(Colour.BLUE))),
    ],
)
def test_texts_that_people_write(text: str, command: Command) -> None:
    assert parse_command(text) == command


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "got 'nothing', wanted one of approve, card,"),
        ("dance", "got 'dance', wanted one of approve"),
        ("undo 3", "got 'undo 3', wanted undo alone"),
        ("press", "got 'nothing', wanted a button's number"),
        ("press two", "got 'two', wanted a button's number"),
        ("press ²", "got '²', wanted a button's number"),
        ("press 9999999999", "wanted a button's number"),
        ("stone green", "got 'green', wanted yellow, red, blue"),
        ("finder 0", "got '0', wanted a seat's number, from 1"),
        ("card", "got 'nothing', wanted a card's id"),
        ("name 1", "got 'nothing', wanted a name"),
        ("correct", "wanted a number, then stone"),
        ("correct 3", "wanted a number, then stone"),
        ("correct x passed", "got 'x', wanted a decision's number"),
        ("correct 3 stone", "wanted a number, then stone"),
        ("x" * 300, "got 300 characters, wanted at most 200"),
    ],
)
def test_other_texts_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(CommandError) as caught:
        parse_command(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=250))
def test_any_text_is_a_command_or_a_command_error(text: str) -> None:
    try:
        parse_command(text)
    except CommandError:
        return
