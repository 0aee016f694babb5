"""Boxes and games small enough to count, and skies at random."""

from hypothesis import strategies as st

from pi_app.games.festival import EMPTY_SKY, Box, Rules, Setup, Sky, Token, default_starting, parse_box
from pi_app.games.festival.sample import sample_box

NAMES = """
colours red blue
motifs rose star
copies {copies}
piles {piles}
board red rose
board blue star
starting red-start red 7
  red red
starting blue-start blue 7
  rose .
  .    star
"""
TINY = (
    NAMES.format(copies=1, piles=1)
    + """
objective any 1
  *
objective two-high 3
  *@2
spectator two-reds lamp 2
  at least 2 red
spectator mixed lamp 3
  1 square of different tokens
"""
)


def game(box: Box, *, seats: int = 2, rules: Rules | None = None, spectators: tuple[str, ...] = ()) -> Setup:
    """Return a game whose order of tokens and cards is unknown."""
    boards = tuple(board.colour for board in box.boards[:seats])
    return Setup(tuple("ABCD"[:seats]), box, boards, default_starting(box, boards), spectators, rules or Rules())


def tiny(text: str = TINY, **rules: int) -> Setup:
    """Return a game of two with four tokens in a stack."""
    return game(parse_box(text), rules=Rules(**rules), spectators=("two-reds",))  # type: ignore[arg-type]  # counts only


def sky(text: str) -> Sky:
    """Read nine cells, tokens of a pile from below joined by +: `red/rose+blue/star . . ...`."""
    piles = [() if cell == "." else tuple(Token(*name.split("/")) for name in cell.split("+")) for cell in text.split()]
    assert len(piles) == len(EMPTY_SKY)
    return tuple(piles)


tokens = st.sampled_from(sample_box().tokens)
skies: st.SearchStrategy[Sky] = st.tuples(*[st.lists(tokens, max_size=3).map(tuple)] * 9)
